/**
 * Tasks that ask or look for a thing, or do something with a thing that exists: "Is there an invoice for Acme?",
 * "Find the ticket". Such a task fills no form for a new thing.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { leadVerb } from "../task/clause-verb.ts";
import { partsOf } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords } from "../words/normalised-words.ts";
import { VERBS } from "../words/task-word-lists.ts";
import { does } from "./words-that-assign-form-values.ts";

/** Matches a question whether a thing exists or was done: "Is there an invoice for Acme?", "Did I create it?" */
const ASKING =
  /^[\s¿]*(?:(?:is|are|was|were|did|does|ist|sind|wurden?|existe\p{L}*|hay|hubo|c['’]è|ci\ssono|esiste|esistono)\s|(?:do|has|have|had|should|shall|hat|habe[nt]?|hast|soll(?:en)?)\s+(?:i|we|you|they|he|she|it|there|any|ich|wir|du|ihr|sie|er|es)\s|(?:gibt|gab)\s+es\s|(?:est-ce\s+)?qu['’]il\s+y\s+a|y\s+a-t-il|il\s+y\s+a\s[^.!]*\?)/iu;
/** Verbs that search for a thing, or do something with a thing that exists already. */
const LOOKING: ReadonlySet<string> = new Set([
  ...VERBS.SEARCH,
  ...contentWords(
    "print show view see display list count read download export delete remove discard erase close cancel archive copy duplicate assign approve",
  ),
  ...contentWords(
    "drucke zeige losche imprime affiche montre supprime muestra borra elimina stampa mostra cancella scarica",
  ),
]);
/**
 * A task with this verb may also fill in a form, by choosing a person: "Assign FA-31 to Dagny, and save the
 * card".
 */
const [ASSIGNING = "assign"] = contentWords("assign");
/** Verbs in the names of buttons that send a form for a search. */
const FINDING = ["search", "filter", "find", "query"] as const;

/**
 * Whether a task asks or looks for a thing ("Is there an invoice for Acme?"), and no button of the form searches for
 * things.
 */
export function seeksThing(task: string, buttons: readonly HighlightedElement[]): boolean {
  const parts = partsOf(task, dialogueLimits.parts);
  const verb = ASKING.test(task) ? "search" : leadVerb(tokensOf(parts[0] ?? ""));
  if (verb === undefined || !LOOKING.has(verb)) return false;
  // "Assign FA-31 to Dagny, and save the card" ends with the verb of a button that saves a form. So it fills
  // in this form, and does not look for a thing.
  const last = parts.length > 1 ? leadVerb(tokensOf(parts.at(-1) ?? "")) : undefined;
  if (verb === ASSIGNING && last !== undefined && buttons.some((button) => does(last, button))) return false;
  return !buttons.some((button) => [verb, ...FINDING].some((one) => does(one, button)));
}
