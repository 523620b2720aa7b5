/**
 * Recognises a task that deletes a part of an entry, such as "Delete the comment of Greta". The control "Delete" in the
 * row of Greta deletes the entry itself, unless the row or its heading names the part.
 */
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { namesOf, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { contentWords } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";

/**
 * Matches an order to delete a part of an entry: "Delete the comment of Greta". It captures the part and the
 * entry.
 */
const PART_OF =
  /^\s*(?:please\s+)?(?:delet\p{L}*|remov\p{L}*|erase|lösch\p{L}*|entfern\p{L}*|supprim\p{L}*|enl[eè]v\p{L}*|elimin\p{L}*|borra\p{L}*|cancella\p{L}*|rimuov\p{L}*)\s+(?:(?:the|an?|all|any|every|den|die|das|le|la|les|el|los|las|il|lo|gli)\s+|l['’])?(\p{Ll}[\p{L}-]*)\s+(?:of|by|from|von|de|du|del|della|di)\s+(\p{Lu}.*)$/u;
/**
 * Matches an order to delete a part of an entry that names the entry first: "Delete Greta's comment". It
 * captures the entry and the part.
 */
const OF_PART =
  /^\s*(?:please\s+)?(?:delete|remove|erase)\s+(\p{Lu}[\p{L}\s.-]*?)['’]s\s+(\p{Ll}[\p{L}-]*)[.!]?\s*$/u;

/**
 * Matches words for the entry itself. "Delete the account of Greta" deletes the whole entry in a list of
 * users.
 */
const WHOLE =
  /^(?:account|user|profile|entry|row|record|line|item|konto|eintrag|zeile|profil|compte|ligne|cuenta|fila|conto|riga)$/iu;

interface Named {
  readonly part: string;
  readonly entry: string;
}

function namedIn(given: string): Named | undefined {
  const task = given.replace(/^\s*\p{Lu}/u, (letter) => letter.toLowerCase());
  const [, part, entry] = PART_OF.exec(task) ?? [];
  if (part && entry) return { part, entry };
  const [, owner, owned] = OF_PART.exec(task) ?? [];
  return owner && owned ? { part: owned, entry: owner } : undefined;
}

/** A word of a task and a word of an element are the same if their similarity (0 to 1) is at least this score. */
const SAME = 0.8;

/** Returns the words that say what an element is about: its headings, its caption and, unless it is a link, its names. */
function topicsOf(element: HighlightedElement): readonly string[] {
  const { headings, caption, column = "" } = placeOf(element);
  const names = roleOf(element) === "link" ? [] : namesOf(element).map(({ text }) => text);
  return [...names, ...headings, ...caption, column, element.formName ?? "", element.placeholder ?? ""];
}

/**
 * Whether a task deletes a part of an entry ("the comment of Greta"), but the control may delete the whole entry.
 * This is possible if neither the control's row nor a heading, caption or control of the page names the part
 * ("comment"). A link named "Comments" does not count here, because it may belong to a menu.
 */
export function isUnnamedPart(
  task: string,
  control: HighlightedElement,
  elements: readonly HighlightedElement[],
): boolean {
  const named = namedIn(task);
  if (!named || WHOLE.test(named.part)) return false;
  const row = contentWords(rowText(control));
  if (!contentWords(named.entry).some((word) => row.includes(word))) return false;
  const part = contentWords(named.part);
  const isIn = (words: readonly string[]): boolean => part.every((word) => wordScore(word, words) >= SAME);
  return !isIn(row) && !elements.some((one) => isIn(topicsOf(one).flatMap((text) => contentWords(text))));
}

/** Whether a plan presses a control of high risk for an entry, although the task deletes only a part of the entry. */
export const deletesWholeEntry = (
  task: string,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): boolean =>
  steps.some(({ action, risk, targetId }) => {
    const control = elements.find(({ highlight_index }) => highlight_index === targetId);
    return (
      action === "click" && risk === "high" && control !== undefined && isUnnamedPart(task, control, elements)
    );
  });
