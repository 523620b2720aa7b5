/** The words by which a task may refer to an element: those of its names, and those of its surroundings. */

import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { isTick, namesOf, rowText } from "./element-names.ts";
import { contentWords, FILLERS } from "./target-words.ts";
import type { ValueKind } from "./value-fit.ts";
import { wordScore } from "./word-score.ts";

export interface ElementWords {
  readonly element: HighlightedElement;
  readonly names: readonly { readonly words: readonly string[]; readonly weight: number }[];
  readonly context: readonly string[];
  readonly region: readonly string[];
  /** Results for words, by the word. */
  readonly explained: Map<string, Explained>;
  /** The kinds of values that the field takes, once they are known. */
  kinds?: ReadonlySet<ValueKind>;
}

/** Weight of a word in the row, card or form of an element. */
const CONTEXT = 0.85;
/** Weight of a word of a control in the same region of the page. */
const REGION = 0.6;
/** Maximum number of controls in the region of an element. */
const REGION_SIZE = 14;

export function wordsOfPage(elements: readonly HighlightedElement[]): readonly ElementWords[] {
  return elements.map((element, at) => ({
    element,
    names: [
      ...namesOf(element).filter(({ text }) => !isOwnValue(element, text)),
      ...labelBefore(element, elements),
      ...editorNames(element),
    ].map(({ text, weight }) => ({ words: contentWords(spaced(text)), weight })),
    context: [...contentWords(spaced(rowText(element))), ...contentWords(element.formName ?? "")].filter(
      (word) => !FILLERS.has(word),
    ),
    // Elements are in the order of the page, so those of a region are next to each other.
    region: regionWords(element, elements.slice(Math.max(0, at - REGION_SIZE - 1), at + REGION_SIZE + 2)),
    explained: new Map(),
  }));
}

/** Whether the text is the current value of an editable text, and not a name for it. */
const isOwnValue = (
  { attributes, textContent = "", value = "" }: HighlightedElement,
  text: string,
): boolean => attributes.contenteditable === "true" && (text === textContent.trim() || text === value.trim());

/** Splits a name in camel case, as in data and code: "availableToHire". */
const spaced = (text: string): string => text.replace(/(?<=\p{L}\p{Ll})(?=\p{Lu}\p{Ll})/gu, " ");

/** What a text area or an editor without a name is called. */
const EDITOR_NAMES = "content text body editor description message comment note";
const EDITOR = 0.7;

function editorNames(
  element: HighlightedElement,
): readonly { readonly text: string; readonly weight: number }[] {
  const isEditor = element.tagName === "textarea" || element.attributes.contenteditable === "true";
  if (!isEditor || rowPath(element) !== undefined) return [];
  return EDITOR_NAMES.split(" ").map((text) => ({ text, weight: EDITOR }));
}

/** The path of the row of a table that contains an element. */
export function rowPath({ xpath }: HighlightedElement): string | undefined {
  return /^.*\/tr(?:\[\d+\])?(?=\/)/u.exec(xpath)?.[0];
}

/** Weight of the text before an editable text in its row. */
const LABEL_BEFORE = 0.9;

/** The text before an editable text without a name, in the same row of a table: its key. */
function labelBefore(
  element: HighlightedElement,
  all: readonly HighlightedElement[],
): readonly { readonly text: string; readonly weight: number }[] {
  if (element.attributes.contenteditable !== "true" && !(isTick(element) && nameOf(element) === ""))
    return [];
  const row = rowPath(element);
  if (row === undefined) return [];
  const before = all
    .slice(0, all.indexOf(element))
    .findLast(({ xpath, textContent = "" }) => xpath.startsWith(`${row}/`) && textContent.trim() !== "");
  return before ? [{ text: before.textContent ?? "", weight: LABEL_BEFORE }] : [];
}

function regionWords(element: HighlightedElement, all: readonly HighlightedElement[]): readonly string[] {
  const steps = element.xpath.split("/");
  let own: readonly HighlightedElement[] = [];
  for (let depth = steps.length - 1; depth > 3; depth--) {
    const path = steps.slice(0, depth).join("/");
    const inside = all.filter(
      (one) =>
        one !== element && one.xpath.startsWith(`${path}/`) && one.frame.join() === element.frame.join(),
    );
    const isTwin = (one: HighlightedElement): boolean =>
      nameOf(one) === nameOf(element) && one.icon === element.icon && one.tagName === element.tagName;
    // The region of a control ends where another control of the same name begins, as in the next post.
    if (inside.length > REGION_SIZE || inside.some(isTwin)) break;
    own = inside;
  }
  return [...new Set(own.flatMap(shownWords))];
}

const wordsShown = new WeakMap<HighlightedElement, readonly string[]>();

/** The words of the names and of the row of an element. */
function shownWords(element: HighlightedElement): readonly string[] {
  const known = wordsShown.get(element);
  if (known) return known;
  const row = rowText(element);
  const words = [
    ...namesOf(element).flatMap(({ text }) => contentWords(text)),
    ...(row === "" ? [] : contentWords(row)),
  ];
  wordsShown.set(element, words);
  return words;
}

/** Weight of two words with the same long beginning, such as "describe" and "description". */
const SAME_BEGINNING = 0.75;
/** Length of that beginning, and of the longest rest after it, in characters. */
const BEGINNING = { shared: 6, rest: 5 } as const;

function meaningScore(word: string, has: readonly string[]): number {
  const score = wordScore(word, has);
  if (score >= SAME_BEGINNING || word.length < BEGINNING.shared) return score;
  const beginning = word.slice(0, BEGINNING.shared);
  const isAlike = has.some(
    (one) =>
      one.startsWith(beginning) && Math.max(one.length, word.length) - BEGINNING.shared <= BEGINNING.rest,
  );
  return isAlike ? SAME_BEGINNING : score;
}

/** How well the names of an element explain a word, and how well its names and surroundings do. */
export interface Explained {
  readonly name: number;
  readonly overall: number;
}

/** How similar the words of a page are to a word. Words that are not similar are missing. */
export interface SimilarWords {
  /** Similar words by what they mean. */
  readonly byMeaning: ReadonlyMap<string, number>;
  /** Similar words in names, where a shared beginning counts less. */
  readonly ofName: ReadonlyMap<string, number>;
}
export type Similar = (word: string) => SimilarWords;

/** Compares words with the words of a page. Each word of a task is compared once with each word of the page. */
export function similarOn(page: readonly ElementWords[]): Similar {
  const all = new Set(
    page.flatMap(({ names, context, region }) => [
      ...names.flatMap(({ words }) => words),
      ...context,
      ...region,
    ]),
  );
  const known = new Map<string, SimilarWords>();
  return (word) => {
    const before = known.get(word);
    if (before) return before;
    const [byMeaning, ofName] = [new Map<string, number>(), new Map<string, number>()];
    for (const one of all) {
      const score = wordScore(word, [one]);
      if (score > 0) ofName.set(one, score);
      const meaning = meaningScore(word, [one]);
      if (meaning > 0) byMeaning.set(one, meaning);
    }
    const found = { byMeaning, ofName };
    known.set(word, found);
    return found;
  };
}

const NOT_EXPLAINED: Explained = { name: 0, overall: 0 };

function bestOf(words: readonly string[], scores: ReadonlyMap<string, number>): number {
  let best = 0;
  for (const word of words) best = Math.max(best, scores.get(word) ?? 0);
  return best;
}

/** Returns how well an element explains a word. The words of a task occur in many of its readings. */
export function explained(word: string, own: ElementWords, similar: Similar): Explained {
  const known = own.explained.get(word);
  if (known) return known;
  const scores = similar(word).byMeaning;
  if (scores.size === 0) return NOT_EXPLAINED;
  let name = 0;
  for (const one of own.names) name = Math.max(name, one.weight * bestOf(one.words, scores));
  // Each of these can at most reach its weight, so it is computed only if that would be an improvement.
  let overall = name;
  if (overall < CONTEXT) overall = Math.max(overall, CONTEXT * bestOf(own.context, scores));
  if (overall < REGION) overall = Math.max(overall, REGION * bestOf(own.region, scores));
  const result = { name, overall };
  own.explained.set(word, result);
  return result;
}
