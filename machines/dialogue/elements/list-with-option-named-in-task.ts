/** Finds the list whose option a task names without the list: "Courier New" in "Use Courier New". */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { hasOwnWord } from "./elements-described-by-task-words.ts";
import { isList } from "./texts-that-may-name-element.ts";

/** Minimum number of words of an option that a task names without its list. One word may name anything. */
const OPTION_WORDS = 2;

/**
 * Returns the only list with an option that equals the words. Returns `undefined` if another element has all the words in
 * its name.
 */
export function listWithWholeOption(
  target: string,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const words = contentWords(target);
  const isNamed = (one: HighlightedElement): boolean => words.every((word) => hasOwnWord(one, word));
  if (words.length < OPTION_WORDS || elements.some((one) => !isList(one) && isNamed(one))) return undefined;
  const [only, other] = elements.filter(
    (one) => isList(one) && one.options?.some((option) => plainText(option) === plainText(target)),
  );
  return other === undefined ? only : undefined;
}
