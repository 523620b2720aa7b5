/** Finds the option of a list that a task names. */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { nameScore } from "./name-match-score.ts";
import { contentWords, plainText } from "./normalised-words.ts";

/** Minimum score (0 to 1) at which words name an option. A synonym scores 0.8. */
const NAMES_OPTION = 0.8;

/** Matches the first option of a list if it only asks for a choice: "Choose zone". */
const PLACEHOLDER =
  /^\W*(?:choose|select|please|pick|bitte|wähle|choisi|sélectionne|elige|elija|selecciona)/iu;
export const isPlaceholder = (option: string, at: number): boolean => at === 0 && PLACEHOLDER.test(option);

export function optionOf(element: HighlightedElement, wanted: string): string | undefined {
  const plain = plainText(wanted);
  const options = (element.options ?? []).filter(
    (one, at) => !isPlaceholder(one, at) || plainText(one) === plain,
  );
  return (
    options.find((one) => plainText(one) === plain) ??
    options.find((one) => nameScore(wanted, one) >= NAMES_OPTION) ??
    options.find((one) => plainText(one).startsWith(plain)) ??
    onlyWith(options, contentWords(wanted))
  );
}

/**
 * Returns the option of a list that contains all the words; `undefined` if several options or none contain
 * them.
 */
function onlyWith(options: readonly string[], words: readonly string[]): string | undefined {
  const having = options.filter((one) => {
    const own = contentWords(one);
    return words.every((word) => own.includes(word));
  });
  return having.length === 1 ? having[0] : undefined;
}

export function hasOption(element: HighlightedElement, wanted: string): boolean {
  return element.options === undefined || optionOf(element, wanted) !== undefined;
}

/**
 * Returns the option of a list that a part of the task names. Words in the name of the list are not compared
 * with options.
 */
export function optionIn(part: string, element: HighlightedElement): string | undefined {
  const said = new Set(contentWords(part));
  for (const word of contentWords(nameOf(element))) said.delete(word);
  const named = (element.options ?? []).filter((one) => {
    const words = contentWords(one);
    return words.length > 0 && words.every((word) => said.has(word));
  });
  return named.toSorted((one, other) => other.length - one.length)[0];
}
