/**
 * The words by which a task may refer to an element: the words of its names, and the words of the page around
 * it.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import {
  captionOf,
  isField,
  isList,
  isTick,
  type Name,
  namesOf,
  rowPath,
  rowText,
} from "./texts-that-may-name-element.ts";

export type ValueKind =
  | "country"
  | "person"
  | "street"
  | "email"
  | "url"
  | "number"
  | "date"
  | "tel"
  | "time"
  | "text";

export interface ElementWords {
  readonly element: HighlightedElement;
  readonly names: readonly { readonly words: readonly string[]; readonly weight: number }[];
  readonly context: readonly string[];
  readonly region: readonly string[];
  /** Words of the headings above the element. */
  readonly headings: readonly string[];
  /** Caches, for each word of a task, how well the element matches it. */
  readonly explained: Map<string, Explained>;
  /** Kinds of values that the field accepts, such as dates. Computed when they are first needed. */
  kinds?: ReadonlySet<ValueKind>;
}

/**
 * Score (0 to 1) of a word that is in the row, card or form of an element. A word in the element's name scores
 * up to 1.
 */
const CONTEXT = 0.85;
/**
 * Score (0 to 1) of a word that occurs only in a heading above the element. It is low, because the heading
 * belongs to several elements.
 */
const HEADING = 0.75;
/**
 * Score (0 to 1) of a word that is not in the texts of the control, but in the name of another control in the
 * same region of the page.
 */
const REGION = 0.6;
/**
 * Maximum number of other controls in a control's region. The words of a larger region do not describe the
 * control.
 */
const REGION_SIZE = 14;

export function wordsOfPage(elements: readonly HighlightedElement[]): readonly ElementWords[] {
  return elements.map((element, at) => ({
    element,
    names: [
      ...namesOf(element).filter(({ text }) => !isOwnValue(element, text)),
      ...labelBefore(element, elements),
      ...editorNames(element),
      ...captionNames(element),
    ].map(({ text, weight }) => ({ words: contentWords(spaced(text)), weight })),
    context: contextWords(element, firstOfGroup(element, elements)),
    headings: placeOf(element).headings.flatMap((text) => contentWords(spaced(text))),
    // Elements are listed in the order of the page, and a region contains at most `REGION_SIZE` controls
    // besides the element. So only this number of elements before and after the element can belong to its
    // region.
    region: regionWords(element, elements.slice(Math.max(0, at - REGION_SIZE - 1), at + REGION_SIZE + 2)),
    explained: new Map(),
  }));
}

/**
 * Returns the first radio button of the group to which a radio button belongs, because the text before it describes
 * the whole group. Returns `undefined` for other elements.
 */
function firstOfGroup(
  { type, attributes: { name } }: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  if (type !== "radio" || !name) return undefined;
  return elements.find((one) => one.type === "radio" && one.attributes.name === name);
}

/**
 * Returns the words around an element: those of its row or card, of its form, of its column, and of the text
 * before the element or its group.
 */
function contextWords(element: HighlightedElement, group = element): readonly string[] {
  const texts = [rowText(element), element.formName ?? "", ...captionOf(group), placeOf(element).column];
  return texts.flatMap((text) => contentWords(spaced(text))).filter((word) => !FILLERS.has(word));
}

/** Maximum number of words of a text that counts as the label of a control without a name. */
const LABEL_WORDS = 5;

/** Returns the text directly before a field, list or checkbox without a name, as a name of the element. */
function captionNames(element: HighlightedElement): readonly Name[] {
  const isEntry = isField(element) || isList(element) || isTick(element);
  if (!isEntry || nameOf(element) !== "") return [];
  const { caption, column } = placeOf(element);
  const [row, last] = [rowText(element), caption.at(-1) ?? ""];
  // The text directly before a checkbox at the start of a row belongs to the row above, so it is not the
  // checkbox's label.
  return [row === "" || row.includes(last) ? last : "", column]
    .filter((text) => text !== "" && contentWords(text).length <= LABEL_WORDS)
    .map((text) => ({ text, weight: LABEL_BEFORE }));
}

/** Whether a text is the current content of an editable element, so that it is no name of the element. */
const isOwnValue = (
  { attributes, textContent = "", value = "" }: HighlightedElement,
  text: string,
): boolean => attributes.contenteditable === "true" && (text === textContent.trim() || text === value.trim());

/** Splits a name in camel case into words: "availableToHire" becomes "available To Hire". */
export const spaced = (text: string): string => text.replace(/(?<=\p{L}\p{Ll})(?=\p{Lu}\p{Ll})/gu, " ");

/** Words that count as names of every text area and every editor, such as "description". */
const EDITOR_NAMES = "content text body editor description message comment note";
const EDITOR = 0.7;

function editorNames(element: HighlightedElement): readonly Name[] {
  const isEditor = element.tagName === "textarea" || element.attributes.contenteditable === "true";
  if (!isEditor || rowPath(element) !== undefined) return [];
  return EDITOR_NAMES.split(" ").map((text) => ({ text, weight: EDITOR }));
}

/** Weight (0 to 1) of the text before a control as a name of the control. */
const LABEL_BEFORE = 0.9;

/**
 * Returns the text before an element in the same table row as a name of the element. Only `contenteditable`
 * elements, and checkboxes that have no name of their own, get such a name.
 */
function labelBefore(element: HighlightedElement, all: readonly HighlightedElement[]): readonly Name[] {
  if (element.attributes.contenteditable !== "true" && !(isTick(element) && nameOf(element) === ""))
    return [];
  const row = rowPath(element);
  if (row === undefined) return [];
  const before = all
    .slice(0, all.indexOf(element))
    .findLast(({ xpath, textContent = "" }) => xpath.startsWith(`${row}/`) && textContent.trim() !== "");
  return before ? [{ text: before.textContent ?? "", weight: LABEL_BEFORE }] : [];
}

/**
 * Number of parts of the XPath `/html/body`, split at each slash. Only elements inside of the body can be a
 * region, because the body itself is too large.
 */
const BODY = 3;

function regionWords(element: HighlightedElement, all: readonly HighlightedElement[]): readonly string[] {
  const steps = element.xpath.split("/");
  let own: readonly HighlightedElement[] = [];
  for (let depth = steps.length - 1; depth > BODY; depth--) {
    const path = steps.slice(0, depth).join("/");
    const inside = all.filter(
      (one) =>
        one !== element && one.xpath.startsWith(`${path}/`) && one.frame.join() === element.frame.join(),
    );
    const isTwin = (one: HighlightedElement): boolean =>
      nameOf(one) === nameOf(element) && one.icon === element.icon && one.tagName === element.tagName;
    // The region of a control must not contain another control of the same name, such as the button "Like" of
    // the next post.
    if (inside.length > REGION_SIZE || inside.some(isTwin)) break;
    own = inside;
  }
  return [...new Set(own.flatMap(shownWords))];
}

const wordsShown = new WeakMap<HighlightedElement, readonly string[]>();

/** Returns the words of an element's names and of its row. */
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

/** Score (0 to 1) of two words with the same start, such as "describe" and "description". */
const SAME_BEGINNING = 0.75;
/**
 * Condition for words that are similar by their beginning: the first `shared` letters are equal, and each
 * word has at most `rest` more letters.
 */
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

/** How well an element matches a word of a task, from 0 to 1. */
export interface Explained {
  /** How well the names of the element match the word. */
  readonly name: number;
  /** How well the names or the surroundings of the element match the word. */
  readonly overall: number;
}

/** The words of the page that are similar to a word of a task, each with its similarity (0 to 1). */
export interface SimilarWords {
  /**
   * For each similar word of the page, its similarity by meaning. A word with the same beginning, such as
   * "describe" for "description", has at least the similarity `SAME_BEGINNING`.
   */
  readonly byMeaning: ReadonlyMap<string, number>;
  /** For each similar word of the page, its similarity without regard to an equal beginning. */
  readonly ofName: ReadonlyMap<string, number>;
}
export type Similar = (word: string) => SimilarWords;

/** Returns a function that compares a word with all words of the page. The result for each word is cached. */
export function similarOn(page: readonly ElementWords[]): Similar {
  const all = new Set(
    page.flatMap(({ names, context, region, headings }) => [
      ...names.flatMap(({ words }) => words),
      ...context,
      ...region,
      ...headings,
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

/**
 * Returns how well an element matches a word. The result is cached, because a task compares the same word with
 * an element many times.
 */
export function explained(word: string, own: ElementWords, similar: Similar): Explained {
  const known = own.explained.get(word);
  if (known) return known;
  const scores = similar(word).byMeaning;
  if (scores.size === 0) return NOT_EXPLAINED;
  let name = 0;
  for (const one of own.names) name = Math.max(name, one.weight * bestOf(one.words, scores));
  // A match in the row scores at most `CONTEXT`, in a heading at most `HEADING`, and in the region at most
  // `REGION`. A comparison is made only if it can still raise the score.
  let overall = name;
  if (overall < CONTEXT) overall = Math.max(overall, CONTEXT * bestOf(own.context, scores));
  if (overall < HEADING) overall = Math.max(overall, HEADING * bestOf(own.headings, scores));
  if (overall < REGION) overall = Math.max(overall, REGION * bestOf(own.region, scores));
  const result = { name, overall };
  own.explained.set(word, result);
  return result;
}
