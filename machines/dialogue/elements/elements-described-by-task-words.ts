/**
 * Finds the elements that words of a task describe: by name, text, icon, synonyms, and the text of the row or
 * card around the element. Scores are from 0 to 1, and an equal name scores 1.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { nameScore, type WordWeights } from "../words/name-match-score.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import { controlAtPosition } from "./control-at-position-in-list.ts";
import { withoutTwins } from "./elements-with-same-effect.ts";
import { hasOption } from "./option-named-in-task.ts";
import {
  captionOf,
  isField,
  isList,
  isTick,
  MEANING,
  namesOf,
  roleOf,
  rowText,
} from "./texts-that-may-name-element.ts";

/** How a task uses an element, such as by a click or by typing a text. */
export type Use = "click" | "input" | "select" | "check" | "any";

export interface Wanted {
  /** The words with which the task describes the element. */
  readonly words: string;
  readonly use: Use;
  /**
   * Position of the wanted element among elements with the same name, counted from 1; -1 is the last. Absent
   * if the task names no position.
   */
  readonly ordinal?: number | undefined;
  /** For a list: the option that it must contain to be a match. */
  readonly option?: string | undefined;
}

export interface Match {
  readonly element: HighlightedElement;
  readonly score: number;
}

/** Minimum score (0 to 1) at which an element counts as a match for the words of a task. */
export const MIN_MATCH = 0.5;
/** Maximum difference to the best score at which another element counts as equally likely. */
export const NEAR = 0.06;
/** Score factor of an element if some words of the task match only its row, and the others match its name. */
const CONTEXT = 0.95;
/**
 * Deduction from an element's score if the task names a role, such as "link", and the element has another
 * role.
 */
const OTHER_ROLE = 0.08;

const ROLE_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bbuttons?\b/iu, ["button"]],
  [/\blinks?\b/iu, ["link"]],
  [/\btabs?\b/iu, ["tab"]],
  [/\bcheck ?box(?:es)?\b/iu, ["checkbox", "switch"]],
  [/\b(?:switch|toggle)\b/iu, ["switch", "checkbox", "button"]],
  [/\bradio\b/iu, ["radio"]],
];

function serves(element: HighlightedElement, use: Use): boolean {
  switch (use) {
    case "input":
      return isField(element) && !isList(element);
    case "select":
      return isList(element);
    case "check":
      return isTick(element);
    case "click":
      return !isField(element) && !isList(element);
    case "any":
      return true;
  }
}

/** Whether a name of the element contains the word or a synonym of it. */
export function hasWord(element: HighlightedElement, word: string): boolean {
  const [wanted] = contentWords(word);
  return (
    wanted !== undefined && namesOf(element).some(({ text }) => wordScore(wanted, contentWords(text)) > 0)
  );
}

/** Whether a name of the element contains the word itself. A synonym of the word is not enough. */
export function hasOwnWord(element: HighlightedElement, word: string): boolean {
  const [wanted] = contentWords(word);
  return wanted !== undefined && namesOf(element).some(({ text }) => contentWords(text).includes(wanted));
}

/** Whether the element's row, or one of its names, contains exactly this word. */
export function showsWord(element: HighlightedElement, word: string): boolean {
  return [...namesOf(element).map(({ text }) => text), rowText(element)].some(
    (text) => text !== "" && contentWords(text).includes(word),
  );
}

/** Caches word counts by list of elements, because a plan compares many imperatives with the same list. */
const countsOfPages = new WeakMap<readonly HighlightedElement[], ReadonlyMap<string, number>>();

function wordCounts(elements: readonly HighlightedElement[]): ReadonlyMap<string, number> {
  const known = countsOfPages.get(elements);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const element of elements)
    for (const word of new Set(shownNames(element))) counts.set(word, (counts.get(word) ?? 0) + 1);
  countsOfPages.set(elements, counts);
  return counts;
}

/** Returns the words of an element's names, without search words of its icon, such as "like" for a heart. */
function shownNames(element: HighlightedElement): readonly string[] {
  return namesOf(element).flatMap(({ text, weight }) => (weight > MEANING ? contentWords(text) : []));
}

const wordsOfNames = new WeakMap<HighlightedElement, ReadonlySet<string>>();

/** Returns the words of all names of an element. */
function nameWords(element: HighlightedElement): ReadonlySet<string> {
  const known = wordsOfNames.get(element);
  if (known) return known;
  const words = new Set(namesOf(element).flatMap(({ text }) => contentWords(text)));
  wordsOfNames.set(element, words);
  return words;
}

/** Returns the texts around an element: headings, the text before it, and the header of its column. */
function placeText(element: HighlightedElement): string {
  const { headings, column } = placeOf(element);
  return [...headings, ...captionOf(element), column].join(" ");
}

/**
 * Counts the words that are missing in the element and in its surroundings. A word does not count as missing
 * if a synonym of it is there.
 */
export function unknownWords(words: string, element: HighlightedElement): number {
  const own = [
    ...namesOf(element).flatMap(({ text }) => contentWords(text)),
    ...contentWords(
      `${rowText(element)} ${element.formName ?? ""} ${placeText(element)} ${(element.options ?? []).join(" ")}`,
    ),
  ];
  return contentWords(words).filter((word) => wordScore(word, own) === 0).length;
}

/**
 * Returns the weights of words: the more of the given elements have a word in their names, the lower is its weight.
 *
 * @param elements all elements of the page
 */
function wordWeights(elements: readonly HighlightedElement[]): WordWeights {
  const counts = wordCounts(elements);
  return (word) => 1 / (1 + Math.log2(Math.max(1, counts.get(word) ?? 1)));
}

/**
 * Minimum score (0 to 1) at which a word of the task matches the heading or the row of a checkbox. A synonym
 * scores 0.8, so it matches.
 */
const SAME = 0.8;
/** Score factor of a list that lacks the option which the task chooses. */
const NO_OPTION = 0.5;

function elementScore({ words, option }: Wanted, element: HighlightedElement, weightOf: WordWeights): number {
  let best = 0;
  for (const { text, weight } of namesOf(element))
    best = Math.max(best, weight * nameScore(words, text, weightOf));
  if (option !== undefined && !hasOption(element, option)) best *= NO_OPTION;
  const [, roles] = ROLE_WORDS.find(([pattern]) => pattern.test(words)) ?? [];
  return roles && !roles.includes(roleOf(element)) ? Math.max(0, best - OTHER_ROLE) : best;
}

/**
 * Matches a word between the name of an element and the name of its row or card, such as "for" in "Edit for
 * Anna".
 */
const BETWEEN =
  /\s+(?:for|of|in|on|from|with|to|next to|beside|under|within|inside|belonging to|at|by|about|von|vom|für|bei|im|mit|de|du|pour|para|del)\s+/giu;

/** Maximum length, in characters, of the task's words for an element. Longer texts are cut at a space. */
const DESCRIPTION_LENGTH = 160;

function withinLength(words: string): string {
  if (words.length <= DESCRIPTION_LENGTH) return words;
  return words.slice(0, DESCRIPTION_LENGTH).replace(/\s\S*$/u, "");
}

/** Returns the elements that the words of a task may describe, most likely first. */
export function findTargets(asked: Wanted, elements: readonly HighlightedElement[]): readonly Match[] {
  const wanted = { ...asked, words: withinLength(asked.words) };
  const usable = elements.filter((element) => serves(element, wanted.use));
  const weightOf = wordWeights(elements);
  const similar = withSimilarNames(wanted, usable);
  const whole = scored(wanted, similar, weightOf);
  const inContext = contextMatches(wanted, similar, { usable, all: elements }, weightOf);
  const best = inContext[0] && inContext[0].score > (whole[0]?.score ?? 0) - NEAR ? inContext : whole;
  const matches = withoutTwins(withoutCards(wanted, best, elements), elements);
  return matchAtPosition(wanted, usable, matches) ?? pickOrdinal(wanted, matches);
}

/**
 * Returns the elements whose name contains one of the words or a similar word. The other elements would have
 * the score 0, so the caller does not compare them.
 */
function withSimilarNames(
  { words }: Wanted,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const said = new Set([
    ...contentWords(words),
    ...words.split(/[\s'’]+/u).flatMap((word) => contentWords(word)),
  ]);
  const known = new Map<string, boolean>();
  const isSaid = (word: string): boolean => {
    const is = known.get(word) ?? [...said].some((one) => wordScore(one, [word]) > 0);
    known.set(word, is);
    return is;
  };
  return elements.filter((element) => {
    for (const word of nameWords(element)) if (isSaid(word)) return true;
    return false;
  });
}

/**
 * Removes a card (a box on the page) from the matches if a control in it matches. "Style Guide of Project 3"
 * means the checkbox in the project's card, although the text of the card contains all the words.
 */
export function withoutCards(
  { words }: Wanted,
  matches: readonly Match[],
  elements: readonly HighlightedElement[],
): readonly Match[] {
  const said = contentWords(words);
  return matches.filter(({ element }) => {
    const card = plainText(nameOf(element));
    return !elements.some((inner) => {
      if (inner === element || !isInside(inner, element)) return false;
      const own = plainText(nameOf(inner));
      // A link around a whole card (a box on the page) has all texts of the card as its name. Such a link is the card
      // itself, and no control in the card.
      return own !== "" && own !== card && contentWords(own).every((word) => said.includes(word));
    });
  });
}

function isInside(inner: HighlightedElement, outer: HighlightedElement): boolean {
  return inner.xpath.startsWith(`${outer.xpath}/`) && inner.frame.join() === outer.frame.join();
}

function scored(
  wanted: Wanted,
  elements: readonly HighlightedElement[],
  weightOf: WordWeights,
): readonly Match[] {
  return elements
    .map((element) => ({ element, score: elementScore(wanted, element, weightOf) }))
    .filter(({ score }) => score >= MIN_MATCH)
    .toSorted((one, other) => other.score - one.score);
}

/**
 * Minimum score (0 to 1) of an element's name at which the task's words for a place are ignored: "in the little
 * calendar" in "Next in the little calendar". This applies only if no other element has the name, and no row, form or
 * control of the page contains these words.
 */
const SURE_NAME = 0.85;
/**
 * Factor for the scores of all elements if the task names a place, such as "in the calendar", that no text of
 * the page contains.
 */
const UNKNOWN_PLACE = 0.8;

/**
 * Whether the page has the place that the task names: a row, card, form or control contains one of the words.
 * Links do not count, because they lead to other places.
 */
function isAnyPlace(words: readonly string[], all: readonly HighlightedElement[]): boolean {
  return all.some((element) => {
    const name = element.tagName === "a" ? "" : nameOf(element);
    const own = contentWords(`${rowText(element)} ${element.formName ?? ""} ${name}`);
    return words.some((word) => wordScore(word, own) > 0);
  });
}

/**
 * Minimum share (0 to 1) of the task's words for a row or card that the text of the row or card must contain to
 * match.
 */
const MIN_CONTEXT = 0.5;

/**
 * Finds elements by two groups of words: in "Edit for Anna", "Edit" matches the name of the element, and
 * "Anna" matches its row or card.
 */
function contextMatches(
  wanted: Wanted,
  elements: readonly HighlightedElement[],
  {
    usable,
    all,
  }: { readonly usable: readonly HighlightedElement[]; readonly all: readonly HighlightedElement[] },
  weightOf: WordWeights,
): readonly Match[] {
  // A checkbox without a name is named by the other texts in its row: "Tick John Doe".
  const rowOnly = wanted.use === "check" ? [{ name: "", context: wanted.words, isPlace: false }] : [];
  const found = [...contextSplits(wanted.words), ...rowOnly].flatMap(({ name, context, isPlace }) => {
    const words = contentWords(context);
    if (words.length === 0) return [];
    const isKind = isKindOnly(context);
    const isListOnly = words.every((word) => LIST_NOUNS.has(word));
    const alike = scored({ ...wanted, words: name }, elements, weightOf);
    const regions = regionTexts(
      alike.map(({ element }) => element),
      all,
    );
    const named = alike.map(({ element, score }, at) => {
      const row = contentWords(`${rowText(element)} ${element.formName ?? ""} ${placeText(element)}`);
      const isInRow = words.every((word) => wordScore(word, row) > 0);
      const surroundings = isInRow || isKind ? row : [...row, ...contentWords(regions[at] ?? "")];
      const isThere = words.some((word) => wordScore(word, surroundings) > 0);
      // The button of a card may contain a word that describes the card. For "Buy the Enterprise plan", the
      // button "Choose plan" contains "plan", which the card itself may lack.
      const around = isThere ? [...surroundings, ...contentWords(nameOf(element))] : surroundings;
      return {
        element,
        score,
        share: isListOnly ? 1 : words.reduce((sum, word) => sum + wordScore(word, around), 0) / words.length,
      };
    });
    if (named.length === 0) return onlyOneThere(words, usable, wanted.use);
    const [only] = alike;
    if (isPlace && alike.length === 1 && only && only.score >= SURE_NAME && !isAnyPlace(words, all))
      return [{ element: only.element, score: only.score * CONTEXT * UNKNOWN_PLACE }];
    // Only elements in the rows with the most matching words are used. For "Oliver Liam", a row with both names
    // is preferred to a row with one of them.
    const most = Math.max(MIN_CONTEXT, ...named.map(({ share }) => share));
    return named.flatMap(({ element, score, share }) =>
      share === most ? [{ element, score: score * CONTEXT * (0.8 + 0.2 * share) }] : [],
    );
  });
  const best = new Map<HighlightedElement, number>();
  for (const { element, score } of found) best.set(element, Math.max(score, best.get(element) ?? 0));
  return [...best]
    .map(([element, score]) => ({ element, score }))
    .toSorted((one, other) => other.score - one.score);
}

/**
 * Nouns for a kind of region, such as "post" in "Like the post". They describe every region of the kind, so
 * they do not help to choose between the regions.
 */
const REGION_NOUNS: ReadonlySet<string> = new Set(
  contentWords(
    "post message mail comment box widget panel section image picture product article thing row item entry record order invoice customer task card",
  ),
);

/**
 * Whether words name only a kind of things and not a particular thing, such as "mail" or "the message in the
 * list".
 */
export function isKindOnly(words: string): boolean {
  const own = contentWords(words);
  return own.every((word) => REGION_NOUNS.has(word) || LIST_NOUNS.has(word));
}

const LIST_NOUNS: ReadonlySet<string> = new Set(["list", "table", "inbox", "page", "la"]);

/** Maximum length of a region's text that is compared with the words of a task, in characters. */
const REGION_LENGTH = 2_000;

/**
 * Returns for each of the given elements the text of the largest region of the page that contains no other
 * given element. For example, the region of each link "Like" is the post around the link. For a single
 * element, the text is empty.
 */
function regionTexts(
  elements: readonly HighlightedElement[],
  all: readonly HighlightedElement[],
): readonly string[] {
  if (elements.length < 2) return elements.map(() => "");
  const paths = elements.map(({ xpath }) => xpath.split("/"));
  return paths.map((path, at) => {
    const shared = paths.map((other, index) =>
      index === at ? 0 : path.findIndex((step, depth) => other[depth] !== step),
    );
    if (shared.includes(-1)) return "";
    const region = path.slice(0, Math.max(...shared) + 1).join("/");
    return all
      .filter(({ xpath, frame }) => {
        const isWithin = xpath === region || xpath.startsWith(`${region}/`);
        return isWithin && xpath !== elements[at]?.xpath && frame.join() === elements[at]?.frame.join();
      })
      .map((one) => `${nameOf(one)} ${rowText(one)}`)
      .join(" ")
      .slice(0, REGION_LENGTH);
  });
}

/**
 * Score (0 to 1) of an element whose row, but not whose name, matches the words of the task clause. It must be the
 * only element in this row.
 */
const ONLY_THERE = 0.62;
function onlyOneThere(
  words: readonly string[],
  elements: readonly HighlightedElement[],
  use: Use,
): readonly Match[] {
  // For a switch, the heading above it and synonyms count as names too, as in "Turn on the guest network".
  const isThere =
    use === "check"
      ? (element: HighlightedElement): boolean => {
          const own = contentWords(`${rowText(element)} ${placeText(element)}`);
          return words.every((word) => wordScore(word, own) >= SAME);
        }
      : (element: HighlightedElement): boolean => {
          const own = contentWords(rowText(element));
          return words.every((word) => own.includes(word));
        };
  const there = elements.filter(isThere);
  return there.length === 1 ? there.map((element) => ({ element, score: ONLY_THERE })) : [];
}

/** Removes the word for the kind of a row from the name of a control: "Edit the item" becomes "Edit". */
function withoutKind(name: string): string {
  const [verb = "", ...rest] = name.trim().split(/\s+/u);
  return rest.length > 0 && isKindOnly(rest.join(" ")) ? verb : name;
}

interface ContextSplit {
  readonly name: string;
  readonly context: string;
  /** Whether the words name a place, because a word such as "in" precedes them. */
  readonly isPlace: boolean;
}

function contextSplits(words: string): readonly ContextSplit[] {
  const splits = [...words.matchAll(BETWEEN)].map(({ 0: between, index }) => ({
    name: words.slice(0, index),
    context: words.slice(index + between.length),
    isPlace: true,
  }));
  // Splits a possessive into the name of the row and the name of the element: "Anna's Edit button".
  const [, owner, owned] = /^(.+?)['’]s?\s+(.+)$/u.exec(words) ?? [];
  if (owner && owned) splits.push({ name: owned, context: owner, isPlace: false });
  // The task may name an element and its row without a word between them. In "Edit John Michael", the element
  // is "Edit", and the row is "John Michael".
  const [first = "", ...rest] = words.trim().split(/\s+/u);
  if (rest.length > 0) splits.push({ name: first, context: rest.join(" "), isPlace: false });
  return splits.map((split) => ({
    ...split,
    name: withoutKind(split.name),
    context: split.context.replace(
      /\b(?:row|line|card|entry|record|user|item|table|eintrag|zeile|ligne|fila)s?\b/giu,
      " ",
    ),
  }));
}

/** Score (0 to 1) of a control that is found by its position in a list. */
const AT_POSITION = 0.8;

/**
 * Returns the control at the position that the task names, such as "the second document". Returns `undefined` if
 * several elements match the words better, because the position then counts these elements.
 */
function matchAtPosition(
  { words, use, ordinal }: Wanted,
  usable: readonly HighlightedElement[],
  matches: readonly Match[],
): readonly Match[] | undefined {
  if (ordinal === undefined || likeBest(matches).filter(({ score }) => score > AT_POSITION).length > 1)
    return undefined;
  const element = controlAtPosition(words, { ordinal, isTick: use === "check" }, usable);
  return element && [{ element, score: AT_POSITION }];
}

/** Returns the matches that are as likely as the best one. */
function likeBest(matches: readonly Match[]): readonly Match[] {
  const [best] = matches;
  return best ? matches.filter(({ score }) => best.score - score < NEAR) : [];
}

function pickOrdinal({ ordinal }: Wanted, matches: readonly Match[]): readonly Match[] {
  if (ordinal === undefined) return matches;
  const alike = likeBest(matches).toSorted(
    (one, other) => one.element.highlight_index - other.element.highlight_index,
  );
  const picked = alike.at(ordinal > 0 ? ordinal - 1 : ordinal);
  return picked ? [picked] : matches;
}
