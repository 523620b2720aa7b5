/**
 * What travels between actors: one message shape for commands, one for what comes back.
 *
 * Messages are JSON even inside one process, so nothing works only locally. Neighbours: `bus.ts` carries
 * them, `activation.ts` takes them, `system.ts` makes them for callers.
 */
import { asCairnError, type CairnError, type ErrorBody, errorFromBody } from "../../machines/errors.ts";
import { addressLimits } from "../../machines/runtime/limits.ts";
import type { Address } from "./address.ts";
import { mailboxLimits } from "./limits.ts";

export interface CommandBody {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Message {
  /** The command's identity: the same id is applied once and answered the same. */
  readonly id: string;
  readonly to: Address;
  readonly body: CommandBody;
  /** Topic for the outcome; without it nobody waits. */
  readonly replyTo?: string;
  /** Milliseconds since the epoch after which nobody waits for it: not run when it has not begun by then. */
  readonly expires?: number;
  /**
   * The sending actor, with the number of this send in its life. Sends of one actor are applied in order, each
   * once, however late they are repeated.
   */
  readonly from?: { readonly actor: string; readonly seq: number };
}

/** What came over a bus, as a message; `undefined` when it is none, such as bytes of another program. */
export function readMessage(given: unknown): Message | undefined {
  if (!isRecord(given) || typeof given.id !== "string" || !isRecord(given.to) || !isRecord(given.body)) {
    return undefined;
  }
  const { kind, id } = given.to;
  if (typeof kind !== "string" || typeof id !== "string" || typeof given.body.type !== "string") {
    return undefined;
  }
  // Each delivery comes past here: whoever sent it has looked at its address closer than this.
  if (kind === "" || id === "" || id.length > addressLimits.maxIdBytes) return undefined;
  return given as unknown as Message; // Its parts are those of a message.
}

/** Of what is no message; no kind of actor is called so. */
const UNREADABLE = "unreadable";

/**
 * What came over a bus and is no message, as one that nobody takes: so it goes to the dead letters and is in nobody's
 * way. A driver gives bytes that are not even JSON as their text.
 */
export function unreadable(given: unknown, shard: number): Message {
  const raw = typeof given === "string" ? given : JSON.stringify(given);
  const body = { type: UNREADABLE, raw: (raw ?? "").slice(0, mailboxLimits.unreadableKept) };
  return { id: crypto.randomUUID(), to: { kind: UNREADABLE, id: `shard-${shard}` }, body };
}

export const isUnreadable = ({ to }: Message) => to.kind === UNREADABLE;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The outcome of a command or query as it crosses the bus. */
export type Outcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: ErrorBody & { readonly status: number } };

/** What a command's sender hears on its `replyTo` topic. */
export interface Reply {
  readonly id: string;
  /** The actor that was asked, as `kind/id`. */
  readonly from: string;
  readonly outcome: Outcome;
}

export function failure(thrown: unknown): Outcome {
  const error: CairnError = asCairnError(thrown);
  return { ok: false, error: { ...error.toBody(), status: error.status } };
}

/** The body, or the typed error thrown. */
export function unwrap(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.body;
  throw errorFromBody(outcome.error);
}
