/** Finds the options of lists that a clause chooses: "Berlin" of the list "City" for "the city is Berlin". */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { describe, type Page, type Reading, UNKNOWN, VALUE } from "../elements/clause-match-score.ts";
import { isPlaceholder } from "../elements/option-named-in-task.ts";
import type { ElementWords } from "../elements/words-of-page-elements.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { VERBS } from "../words/task-word-lists.ts";

/** Weight of each word of a list option after the first one. The first word has the weight `VALUE`. */
const VALUE_WORD = 0.75;

/** Score factors of an option in a list, if the task clause names the option. */
const OPTION = {
  /**
   * Score factor if the task clause contains only words of the option. It is below 1, because another element may
   * have these words as its name.
   */
  alone: 0.85,
  /**
   * Score factor if the task clause contains the option and further words, which may describe the list. It is below
   * 1, so that another control with the option's text as its name is preferred.
   */
  described: 0.98,
  /**
   * Score factor if the task clause names the option and the same words are also the name of the list. The clause may
   * then mean the list.
   */
  title: 0.8,
} as const;

interface Option {
  readonly option: string;
  readonly words: readonly string[];
}

/** Maps nouns for periods to adverbs: "Show it by day" means the control "Daily". */
const PERIODS: Readonly<Record<string, string>> = {
  day: "daily",
  week: "weekly",
  month: "monthly",
  year: "yearly",
};
/** Words before a period of time, such as "by" in "by day". */
export const PER = /\b(?:by|per|single|only|just|nur|par|solo|por)\b/iu;
const isForm = (said: string, word: string): boolean => PERIODS[said] === word;

/** Matches a code in an option, such as the number of a contract in "Car CA-77410". */
const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}-]*\d)[\p{Lu}\d]+(?:-[\p{Lu}\d]+)+(?![\p{L}\p{N}])/gu;

const optionsOfLists = new WeakMap<HighlightedElement, readonly Option[]>();

/** Returns the options of a list, each with the words by which a task clause may name it. */
export function optionsOf(element: HighlightedElement): readonly Option[] {
  const known = optionsOfLists.get(element);
  if (known) return known;
  const all = element.options ?? [];
  const counts = Map.groupBy(
    all.flatMap((option) => [...new Set(contentWords(option))]),
    (word) => word,
  );
  // Words that several options have, and codes in brackets, do not distinguish an option. For "(UTC+00:00)
  // London", the word "London" is enough.
  const isOnly = (words: readonly string[]): boolean =>
    all.filter((option) => words.every((word) => contentWords(option).includes(word))).length === 1;
  const named = (option: string): readonly string[] => {
    const shown = option.replace(/\([^)]*\)|\[[^\]]*\]/gu, " ");
    const plain = contentWords(shown.replace(CODE, " "));
    const words = plain.length > 0 && isOnly(plain) ? plain : contentWords(shown);
    const distinct = words.filter(
      (word) => all.length < 4 || (counts.get(word)?.length ?? 0) <= all.length / 3,
    );
    return distinct.length > 0 ? distinct : words;
  };
  const options = all.flatMap((option, at) => {
    if (isPlaceholder(option, at)) return [];
    const words = named(option);
    return words.length > 0 && plainText(option) !== "" ? [{ option, words }] : [];
  });
  optionsOfLists.set(element, options);
  return options;
}

const isPartOf = (words: readonly string[], others: readonly string[]): boolean =>
  words.length < others.length && words.every((word) => others.includes(word));

/**
 * Returns the options of a list that a clause may name.
 *
 * @param all the clause's words that describe an element, in order
 * @param said all words of the clause
 */
export function listReadings(
  { all, isPeriod }: { readonly all: readonly string[]; readonly isPeriod: boolean },
  said: ReadonlySet<string>,
  own: ElementWords,
  page: Page,
): readonly Reading[] {
  const { element } = own;
  const isSaid = (word: string): boolean =>
    said.has(word) || (isPeriod && all.some((one) => isForm(one, word)));
  const named = optionsOf(element).filter(({ words }) => words.every(isSaid));
  // An option whose words are all in another named option is left out: "Out of stock" means the option "Out
  // of stock", and not "In stock".
  const options = named.filter(({ words }) => !named.some((other) => isPartOf(words, other.words)));
  return options.map(({ option, words }) => {
    page.onScored();
    const rest = all.filter((word) => !words.some((one) => one === word || (isPeriod && isForm(word, one))));
    const { recall, weight, name } = describe(rest, [VERBS.OPEN, VERBS.SET, VERBS.CHOOSE], own, {
      similar: page.similar,
      weightOf: (word) => page.weightOf(word) * (page.isKnown(word) ? 1 : UNKNOWN),
    });
    const value = VALUE + (words.length - 1) * VALUE_WORD;
    const score = (value + weight * recall) / (value + weight);
    const isOther = contentWords(own.names[0]?.words.join(" ") ?? "").every((word) => words.includes(word));
    return {
      element,
      kind: "select" as const,
      value: option,
      off: false,
      score: score * (weight === 0 ? OPTION.alone : OPTION.described) * (isOther ? OPTION.title : 1),
      name: name,
    };
  });
}
