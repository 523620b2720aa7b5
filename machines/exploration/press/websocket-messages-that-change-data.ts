/**
 * Decides by its words whether a message over a WebSocket asks the server to change something. Many applications send
 * the calls of their buttons in this way: as JSON with a name (Home Assistant, rosbridge, Zigbee2MQTT, Meteor), as an
 * event of Socket.IO (Uptime Kuma), or as an event of Phoenix LiveView. This module stores no state, because the page
 * script contains a copy of the module.
 */
import { isRecord } from "../../is-plain-object.ts";

/**
 * Maximum length in characters of a message that is judged. Longer messages are uploads or documents, not calls of
 * buttons.
 */
const MAX_LENGTH = 200_000;
/** Maximum length of the name of a call in characters. A longer text is no name. */
const MAX_NAME = 100;
/** Maximum depth at which names are searched in a message, such as in `payload` or in a packet of SockJS. */
const MAX_DEPTH = 3;
/** Fields whose values name what a message does, such as `type` in `{"type": "call_service"}`. */
const NAMING =
  /^(?:type|msg|msg_type|method|event|action|command|cmd|op|operation|topic|target|call|function|query)$/;
/** Fields that contain the call itself, as an object or as JSON in a text (`data` of Action Cable). */
const CONTAINING = /^(?:payload|header|data|params)$/;
/** Fields that distinguish calls of one name, such as `service` in calls of `call_service`. */
const DETAILING = /^(?:domain|service|name)$/;
/** Matches the mark before the JSON of an event of Socket.IO, such as `42` or `42/admin,7`. */
const SOCKET_IO_MARK = /^4[25](?:\d*-)?(?:\/[^,[]*,)?\d*(?=\[)/;
/** Character between the packets of one message of Engine.IO. */
const PACKET_END = "\u001e";
const MUTATION = /(?:^|[\s}])mutation\b[^:]*\{/;

/** Verbs that ask for a change, even if the verb is the whole name of a call ("create"). */
const WRITING = new Set(
  (
    "create add insert save store set unset update upsert patch put edit rename change modify delete del remove " +
    "clear purge reset erase drop toggle enable disable activate deactivate execute fire publish send post submit " +
    "invite duplicate import upload install uninstall upgrade restore register unregister assign unassign approve " +
    "reject accept decline confirm lock unlock ban unban kick archive unarchive reboot shutdown ignore revoke"
  ).split(" "),
);
/**
 * Verbs that ask for a change only together with a noun ("stop_timer"). Alone, they belong to the connection: `start`
 * and `stop` of GraphQL, `join` and `leave` of channels.
 */
const WRITING_WITH_NOUN = new Set(
  "start stop pause resume run cancel close open restart press turn trigger move copy merge generate call invoke join leave mark test".split(
    " ",
  ),
);
/** First words of calls that only read, such as "get_update_status". */
const READING = new Set(
  "get list fetch load read find search query subscribe unsubscribe watch check validate render browse info count can is has".split(
    " ",
  ),
);
/**
 * "call" and "invoke" ask for a change only before one of these nouns, as in `call_service`. Other calls may only
 * read.
 */
const CALLED = new Set(["service"]);

/**
 * Returns a text that identifies the kind of a message, or `undefined` for a message that cannot be judged, such as
 * a binary one.
 */
export function kindOfSocketMessage(data: unknown): string | undefined {
  const names = namesIn(data);
  return names.length === 0 ? undefined : names.map(({ field, name }) => `${field}=${name}`).join(" ");
}

/** Whether a message asks the server for a change. */
export function isWritingSocketMessage(data: unknown): boolean {
  return namesIn(data).some(({ field, name }) => !DETAILING.test(field) && isWritingName(field, name));
}

interface Named {
  readonly field: string;
  readonly name: string;
}

function namesIn(data: unknown): readonly Named[] {
  if (typeof data !== "string" || data.length > MAX_LENGTH) return [];
  const found: Named[] = [];
  for (const packet of data.split(PACKET_END)) {
    const isEvent = SOCKET_IO_MARK.test(packet);
    collect(parsed(isEvent ? packet.replace(SOCKET_IO_MARK, "") : packet), found, isEvent ? 0 : 1);
  }
  return found;
}

/**
 * Adds the names in a parsed message to `found`. In an event of Socket.IO (depth 0), the first item is its
 * name.
 */
function collect(message: unknown, found: Named[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(message)) {
    const items: readonly unknown[] = message;
    const [first] = items;
    if (depth === 0) {
      if (typeof first === "string") found.push({ field: "event", name: first });
      return;
    }
    // SockJS sends an array of JSON texts. Phoenix sends ids, a topic, the kind of event, and the event.
    for (const item of items) collect(typeof item === "string" ? parsed(item) : item, found, depth + 1);
    return;
  }
  if (!isRecord(message)) return;
  for (const [field, value] of Object.entries(message)) {
    if (typeof value === "string") {
      if (NAMING.test(field) || DETAILING.test(field)) found.push({ field, name: value });
      else if (CONTAINING.test(field)) collect(parsed(value), found, depth + 1);
    } else if (CONTAINING.test(field)) collect(value, found, depth + 1);
  }
}

function isWritingName(field: string, name: string): boolean {
  if (field === "query") return MUTATION.test(name);
  if (name.length > MAX_NAME || /\s/.test(name)) return false;
  const last = name.split(/[/.:]/).findLast((part) => part !== "") ?? "";
  const words = last
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
  const [verb = "", noun] = words;
  if (READING.has(verb)) return false;
  if (WRITING.has(verb)) return true;
  if (noun === undefined || !WRITING_WITH_NOUN.has(verb)) return false;
  return /^(?:call|invoke)$/.test(verb) ? CALLED.has(noun) : true;
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A message that is not JSON is not judged.
  }
}
