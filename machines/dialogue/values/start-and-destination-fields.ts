/** Binds a start and a destination in a task ("from Cologne to Bremen") to the pair of fields for them. */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isField } from "../elements/texts-that-may-name-element.ts";
import { plainText } from "../words/normalised-words.ts";
import { bound } from "./values-bound-by-field-index.ts";

/** Pattern of a place or a day: a name of up to three words with capital letters, a quoted text, or a date. */
const PLACE =
  '(?:(\\d{4}-\\d{2}-\\d{2})|["“„«]([^"”“»]+)["”“»]|(\\p{Lu}[\\p{L}.\'’-]*(?:\\s\\p{Lu}[\\p{L}.\'’-]*){0,2}))';
/** Matches a start and a destination: "from Cologne to Bremen", "von Köln nach Bremen", "de Lyon à Paris". */
const JOURNEY = new RegExp(
  "(?<!\\p{L})(?:[Ff]rom\\s%P\\sto|[Vv]on\\s%P\\snach|[Dd]e\\s%P\\s(?:à|a|hasta)|[Dd]esde\\s%P\\s(?:a|hasta)|[Dd]a\\s%P\\sa)\\s%P"
    .replaceAll("%P", PLACE)
    .concat("(?=$|[,.;!?]|\\s\\P{Lu})"),
  "u",
);
/** Matches the label of a field for the place where a journey starts, such as "From" or "Departure". */
const START =
  /^(?:from|start|origin|departure|departing from|pick-?up(?: place| location)?|von|start(?:ort|bahnhof)?|abfahrt(?:sort)?|de|depart|origine|gare de depart|origen|desde|salida|da|partenza)$/u;
/** Matches the label of a field for the place where a journey ends, such as "To" or "Arrival". */
const DESTINATION =
  /^(?:to|destination|arrival|going to|drop-?off(?: place| location)?|nach|ziel(?:ort|bahnhof)?|ankunft(?:sort)?|a|vers|arrivee|gare d.arrivee|destino|hasta|llegada|arrivo|destinazione)$/u;

const labelOf = (element: HighlightedElement): string =>
  plainText(nameOf(element).replace(/\([^)]*\)|[*:]/gu, " "));

const isText = (element: HighlightedElement): boolean =>
  isField(element) && !element.disabled && /^(?:text|search|)$/u.test(element.type);

/**
 * Returns the task with its start and its destination written as values of the fields for them. Returns the task
 * unchanged unless the page has exactly one such pair of fields.
 */
export function withJourney(task: string, elements: readonly HighlightedElement[]): string {
  if (!JOURNEY.test(task)) return task;
  const [start, destination] = [START, DESTINATION].map((label) => {
    const own = elements.filter((one) => isText(one) && label.test(labelOf(one)));
    return own.length === 1 ? own[0] : undefined;
  });
  if (!start || !destination || start === destination) return task;
  const replaced = task.replace(JOURNEY, (all, ...groups) => {
    const places = groups.slice(0, -2).filter((one): one is string => typeof one === "string" && one !== "");
    const [from, to] = places;
    return from !== undefined && to !== undefined
      ? `, ${bound(start, from)}, ${bound(destination, to)},`
      : all;
  });
  return replaced.replace(/^,\s*/u, "").replace(/,\s*(?=[,.;!?]|$)/u, "");
}
