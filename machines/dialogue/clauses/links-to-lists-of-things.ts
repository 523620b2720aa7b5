/**
 * Recognises a link or a tab that opens a list of things, such as "Rooms". A task about one of these things
 * ("Choose a room") does not mean this link.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { roleOf } from "../elements/texts-that-may-name-element.ts";
import { LEADING, PREPOSITION } from "../values/words-that-assign-form-values.ts";
import { contentWords, FILLERS, plainText, plainWords } from "../words/normalised-words.ts";
import { EMPTY } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";

/** Roles of elements that open a screen. */
const OPENERS: ReadonlySet<string> = new Set(["link", "tab", "menuitem", "treeitem"]);
/** Matches an article and up to three words after it: "the new room". */
const AFTER_ARTICLE = /\b(?:the|an?|this|that|my|our)\s+(\p{L}+(?:\s+\p{L}+){0,2})/giu;
/**
 * Minimum similarity (0 to 1) at which a noun of the task counts as the same as the noun of an element's name.
 * Synonyms have the similarity 0.8.
 */
const SAME = 0.8;

/**
 * Whether an element opens a list of things, and the text asks for only one of these things: the link "Rooms"
 * for "Choose a room".
 */
export function isListForOne(text: string, element: HighlightedElement): boolean {
  if (!OPENERS.has(roleOf(element))) return false;
  const noun = plainWords(nameOf(element)).findLast((word) => /^\p{L}/u.test(word)) ?? "";
  if (!/[^s]s$/u.test(noun)) return false;
  const words = contentWords(noun);
  return [...text.matchAll(AFTER_ARTICLE)].some(([, phrase = ""]) => {
    const parts = plainWords(phrase);
    const end = parts.findIndex((word) => PREPOSITION.test(word) || FILLERS.has(word) || EMPTY.has(word));
    const head = (end < 0 ? parts : parts.slice(0, end)).at(-1) ?? "";
    return /[^s]$/u.test(head) && contentWords(head).some((word) => wordScore(word, words) >= SAME);
  });
}

/** Returns the words without articles and pronouns: "invoices" for "me the invoices". */
const nounOf = (words: readonly string[]): string =>
  plainText(words.filter((word) => !FILLERS.has(word) && !LEADING.test(word)).join(" "));

/**
 * Whether the name of a link or tab equals what a task asks to open. Singular and plural differ: "Show me the
 * invoices" means the link "Invoices", and not "Invoice".
 *
 * @param words the words of the task after its verb
 */
export const opensExactly = (words: readonly string[], element: HighlightedElement): boolean =>
  OPENERS.has(roleOf(element)) && plainText(nameOf(element).replace(COUNT, "")) === nounOf(words);

/**
 * Returns the only link or tab with the noun of the task in the same number (singular or plural), if the plan uses a
 * control with the noun in the other number. For "Show me the invoices" and a plan that clicks "Show invoice", it is
 * the link "Invoices". Otherwise returns `undefined`.
 *
 * @param words the words of the task after its verb
 * @param used the control that the plan uses
 */
export function openerInSameNumber(
  words: readonly string[],
  used: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const named = plainWords(nameOf(used));
  const last = nounOf(words).split(" ").at(-1) ?? "";
  const stem = contentWords(last).join();
  const isOther = !named.includes(last) && named.some((word) => contentWords(word).join() === stem);
  if (stem === "" || !isOther) return undefined;
  const [only, another] = elements.filter((one) => opensExactly(words, one));
  return another === undefined ? only : undefined;
}

/** Matches the number of entries at the end of a link's name: "Invoices (3)". */
const COUNT = /\s*\(?\d+\)?\s*$/u;
