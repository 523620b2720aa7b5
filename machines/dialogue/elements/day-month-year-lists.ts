/**
 * Finds the lists in which a date is chosen. "14 May 1992" needs a list of days, a list of months and a list
 * of years.
 */
import { MONTHS } from "../../reading/month-names.ts";
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { contentWords } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import { optionOf } from "./option-named-in-task.ts";
import { captionOf, isField, isList, namesOf, rowText } from "./texts-that-may-name-element.ts";

type DatePart = "day" | "month" | "year";

/**
 * A list counts as one of days, months or years if at least this number of its options are days, months or
 * years.
 */
const MIN_OPTIONS: Readonly<Record<DatePart, number>> = { day: 28, month: 12, year: 3 };
/** Matches the number of a day in a month: "7", "07", "31". */
const DAY = /^(?:0?[1-9]|[12]\d|3[01])$/u;
const YEAR = /^(?:19|20)\d{2}$/u;

const monthOf = (word: string): number | undefined => MONTHS.get(word.trim().toLowerCase());

function partOf(word: string): DatePart | undefined {
  if (DAY.test(word)) return "day";
  if (YEAR.test(word)) return "year";
  return monthOf(word) === undefined ? undefined : "month";
}

/** Returns the parts of a date as text; `undefined` if the text is no date, or has only one part. */
function datePartsOf(text: string): ReadonlyMap<DatePart, string> | undefined {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.replace(/(?<=\d)(?:st|nd|rd|th)$/iu, ""),
  );
  const parts = words.flatMap((word): readonly (readonly [DatePart, string])[] => {
    const part = partOf(word);
    return part === undefined ? [] : [[part, word]];
  });
  const found = new Map(parts);
  return parts.length === words.length && found.size === words.length && found.size > 1 ? found : undefined;
}

/** Returns which part of a date a list offers; `undefined` for a list without days, months or years. */
function listedPart(element: HighlightedElement): DatePart | undefined {
  const { options = [] } = element;
  if (hasNumberedMonths(element)) return "month";
  const counts = Map.groupBy(options, (option) => partOf(option.trim()));
  const parts: readonly DatePart[] = ["day", "month", "year"];
  return parts.find((part) => (counts.get(part)?.length ?? 0) >= MIN_OPTIONS[part]);
}

const MONTH_COUNT = 12;

/** Whether a list offers the months by their numbers: the options 1 to 12 of a list "Month". */
function hasNumberedMonths(element: HighlightedElement): boolean {
  const numbers = (element.options ?? []).map((option) => option.trim()).filter((option) => DAY.test(option));
  const isCalled = namesOf(element).some(({ text }) => contentWords(text).includes("month"));
  return isCalled && numbers.length === MONTH_COUNT && numbers.every((one, at) => Number(one) === at + 1);
}

export interface DateChoice {
  readonly element: HighlightedElement;
  readonly option: string;
}

/**
 * Returns the lists of a page in which a date is chosen (such as day, month and year), each with the option
 * to choose. The lists must be next to each other, and the words of the task must match their name, row or
 * caption. Returns `undefined` if no group of lists matches, or several do.
 */
export function dateChoices(
  words: string,
  date: string,
  elements: readonly HighlightedElement[],
): readonly DateChoice[] | undefined {
  const parts = datePartsOf(date);
  if (!parts) return undefined;
  const wanted = contentWords(words);
  const groups = groupsOf(parts, elements);
  const matching = groups.filter(([first]) => {
    const own = first ? wordsOf(first) : [];
    return wanted.every((word) => wordScore(word, own) > 0);
  });
  const nameless = groups.filter(([first]) => first && isNameless(first));
  const isElsewhere = elements.some(
    (one) =>
      (isField(one) || isList(one)) &&
      wanted.every((word) => wordScore(word, contentWords(nameOf(one))) >= SAME_WORD),
  );
  const [group, other] = matching.length > 0 ? matching : isElsewhere ? [] : nameless;
  if (!group || other) return undefined;
  const choices = group.flatMap((element): readonly DateChoice[] => {
    const part = listedPart(element);
    const value = part === undefined ? undefined : parts.get(part);
    const option = value === undefined ? undefined : dateOption(element, value);
    return option === undefined ? [] : [{ element, option }];
  });
  return choices.length === parts.size ? choices : undefined;
}

/**
 * Minimum similarity (0 to 1) at which a word of the task counts as a word in the name of a field or list. If a field
 * or list has all words of the task in its name, the task means this one, and not date lists that have no name.
 */
const SAME_WORD = 0.75;
/** Words in the name of a list that only say which part of a date the list offers. */
const PART_WORDS: ReadonlySet<string> = new Set(contentWords("day month year date"));

/**
 * Whether the texts of a list do not say what its date is for, as the name "Arrival" would: the list's name, row and
 * caption contain only words such as "day".
 */
const isNameless = (list: HighlightedElement): boolean =>
  [nameOf(list), rowText(list), ...captionOf(list)].every((text) =>
    contentWords(text).every((word) => PART_WORDS.has(word)),
  );

/**
 * Returns the words of a list's names, its row and the text before it. The lists for day, month and year have
 * one label before the first list, so tasks are compared only with the words of the first list.
 */
const wordsOf = (first: HighlightedElement): readonly string[] =>
  [...namesOf(first).map(({ text }) => text), rowText(first), ...captionOf(first)].flatMap((text) =>
    contentWords(text),
  );

/**
 * Returns the groups of lists that follow each other and offer the parts of a date. A list belongs to one group
 * only, so the year of one date and the month of the next form no group.
 */
function groupsOf(
  parts: ReadonlyMap<DatePart, string>,
  elements: readonly HighlightedElement[],
): readonly (readonly HighlightedElement[])[] {
  const groups: (readonly HighlightedElement[])[] = [];
  for (let at = 0; at + parts.size <= elements.length; at++) {
    const group = elements.slice(at, at + parts.size);
    const listed = new Set(group.map(listedPart));
    if ([...parts.keys()].some((part) => !listed.has(part))) continue;
    groups.push(group);
    at += parts.size - 1;
  }
  return groups;
}

/** Returns the option for a part of a date: "05" for "5", "März" for "March". */
function dateOption(element: HighlightedElement, value: string): string | undefined {
  const month = monthOf(value);
  const isNumbered = month !== undefined && hasNumberedMonths(element);
  const isSame = (option: string): boolean =>
    isNumbered
      ? Number(option) === Number(month)
      : month === undefined
        ? /^\d+$/u.test(option.trim()) && Number(option) === Number(value)
        : monthOf(option) === month;
  return element.options?.find(isSame) ?? optionOf(element, value);
}
