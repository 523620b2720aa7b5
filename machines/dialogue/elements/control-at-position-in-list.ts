/**
 * Finds the control that a task names by its position in a list, without the name of its row: "Delete the second
 * document", "Tick the third one".
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { contentWords } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import { namesOf, rowText } from "./texts-that-may-name-element.ts";

/** Minimum number of equal controls that form a list. */
const MIN_ROWS = 2;

/** Returns an element's path without its positions, so that equal controls of one list have the same path. */
const listPath = ({ xpath, frame }: HighlightedElement): string =>
  `${frame.join()} ${xpath.replace(/\[\d+\]/gu, "")}`;

/** Returns the controls that form a list, in the order of the page. Returns none if they form no list, or several. */
function controlsOfOnlyList(controls: readonly HighlightedElement[]): readonly HighlightedElement[] {
  const lists = new Map<string, HighlightedElement[]>();
  for (const control of controls) {
    const path = listPath(control);
    lists.set(path, [...(lists.get(path) ?? []), control]);
  }
  const [list, ...others] = [...lists.values()].filter(({ length }) => length >= MIN_ROWS);
  return list && others.length === 0
    ? list.toSorted((one, other) => one.highlight_index - other.highlight_index)
    : [];
}

/** Whether one of the element's names contains only the word or a synonym of it. */
function isNamedBy(element: HighlightedElement, word: string): boolean {
  return namesOf(element).some(({ text }) => {
    const own = contentWords(text);
    return own.length > 0 && own.every((one) => wordScore(word, [one]) > 0);
  });
}

/** The verb that is assumed if a task has none: "the second document" means "open the second document". */
const OPEN = "open";
/** Maximum number of words for the things in the list. More words may name a row, or a second position. */
const MAX_THING_WORDS = 1;

/**
 * Returns the control at the position that the task names. `words` are the other words of the task: its verb, which
 * may be missing, and a noun for the things in the list ("delete document"). Returns `undefined` if they name a row.
 *
 * @param controls the controls that the task may mean
 * @param isTick whether the controls are checkboxes, which need no verb
 */
export function controlAtPosition(
  words: string,
  { ordinal, isTick }: { readonly ordinal: number; readonly isTick: boolean },
  controls: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const said = contentWords(words);
  const [verb = OPEN, ...things] = isTick || said.length === 1 ? [OPEN, ...said] : said;
  if (things.length > MAX_THING_WORDS) return undefined;
  const list = controlsOfOnlyList(isTick ? controls : controls.filter((one) => isNamedBy(one, verb)));
  const isRowNamed = list.some((one) => {
    const row = contentWords(rowText(one));
    return things.some((thing) => row.includes(thing));
  });
  return isRowNamed ? undefined : list.at(ordinal > 0 ? ordinal - 1 : ordinal);
}
