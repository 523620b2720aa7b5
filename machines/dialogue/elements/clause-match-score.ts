/**
 * Rates how well the names and the surroundings of a page element match the words of a clause. A clause is a
 * part of a task, such as "open the billing settings".
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { EMPTY, VERBS } from "../words/task-word-lists.ts";
import { type ElementWords, explained, type Similar } from "./words-of-page-elements.ts";

export interface Reading {
  readonly element: HighlightedElement;
  readonly kind: "click" | "check" | "set" | "select" | "search";
  readonly value: string | null;
  readonly off: boolean;
  readonly score: number;
  /** Share (0 to 1) of the task clause's words that match a name of the element. */
  readonly name: number;
  /**
   * If the element is a button that answers a question, the element with this question: "Cancel the order?"
   * for the button "Yes".
   */
  readonly question?: HighlightedElement;
}

/** A clause of a task, with the page element to which it refers. */
export interface ReadClause {
  readonly text: string;
  readonly reading: Reading;
  /** Whether the task clause has no verb, so that the verb of the clause before it also applies to it. */
  readonly sharesVerb: boolean;
}

export interface Page {
  readonly words: readonly ElementWords[];
  readonly similar: Similar;
  readonly weightOf: (word: string) => number;
  /** Whether the word matches any element of the page, by a name or by the words around it. */
  readonly isKnown: (word: string) => boolean;
  /** Whether any element of the page has exactly this word in a name. */
  readonly hasWord: (word: string) => boolean;
  /** Returns the elements that match the word at least in part, by a name or by their surroundings. */
  readonly related: (word: string) => ReadonlySet<ElementWords>;
  /** Called whenever an element is scored for a task clause, so that tests can count these calls. */
  readonly onScored: () => void;
}

/** Weight of a word of the task clause that no element has. A word of a single element has the weight 1. */
export const UNKNOWN = 0.6;
/** Minimum score (0 to 1) at which an element is a possible target of a task clause. */
export const MIN_SCORE = 0.4;
/**
 * Weight of the clause's value, such as "Berlin" in "city Berlin", when a field or list is scored. For
 * comparison: a word that matches a single element has weight 1.
 */
export const VALUE = 1.5;
/**
 * Minimum similarity (0 to 1) at which a word of the task clause counts as the same as a word of an element's name.
 */
export const CALLED = 0.7;
/**
 * Weight factor of a general verb such as "open", if the element's name contains it. A general verb that no
 * name of the element contains is ignored.
 */
const COMMON_VERB = 0.5;

export type VerbClass = keyof typeof VERBS;

export function verbClasses(tokens: readonly Token[]): ReadonlySet<VerbClass> {
  const found = new Set<VerbClass>();
  for (const { kind, plain } of tokens) {
    if (kind !== "word") continue;
    const [word = ""] = contentWords(plain);
    // The cast is safe: `Object.keys` returns the keys of `VERBS`, but its type is only `string[]`.
    for (const name of Object.keys(VERBS) as VerbClass[]) if (VERBS[name].has(word)) found.add(name);
  }
  return found;
}

/** Returns the verb of a task clause: the clause's first word that is in one of the lists `VERBS`. */
export function verbOf(tokens: readonly Token[]): string | undefined {
  return tokens
    .filter(({ kind }) => kind === "word")
    .map(({ plain }) => contentWords(plain)[0] ?? "")
    .find((word) => Object.values(VERBS).some((set) => set.has(word)));
}

/** Returns the words that describe an element, without filler words such as "the". */
export function described(tokens: readonly Token[]): readonly string[] {
  return contentWords(textOf(tokens)).filter((word) => !FILLERS.has(word) && !EMPTY.has(word));
}

/**
 * Returns the words of tokens that describe an element, without filler words. Two words that the page writes
 * as one word are joined: "time zone" becomes "timezone".
 */
export function describedOn(tokens: readonly Token[], page: Page): readonly string[] {
  const words = described(tokens);
  return words.flatMap((word, at) => {
    const before = words[at - 1];
    if (before !== undefined && page.hasWord(`${before}${word}`)) return [];
    const next = words[at + 1];
    return next !== undefined && page.hasWord(`${word}${next}`) ? [`${word}${next}`] : [word];
  });
}

export interface Description {
  /** Sum of the weights of the task clause's words. */
  readonly weight: number;
  /** Share (0 to 1, by weight) of the task clause's words that match the names or the surroundings of the element. */
  readonly recall: number;
  /** Share (0 to 1, by weight) of the task clause's words that occur in names of the element. */
  readonly name: number;
  /**
   * Share (0 to 1) of the words in the element's best matching name that the task clause contains; 0 if no name
   * matches.
   */
  readonly precision: number;
}

/**
 * Scores how well words of a clause match the names of an element.
 *
 * @param free sets of general verbs, such as "open", that fit any element of one kind. Such a verb counts only if a
 * name of the element contains the verb
 * @param also further words of the clause. If they are in a name, the name fits better; if they are not, the score is
 * not reduced
 */
export function describe(
  words: readonly string[],
  free: readonly ReadonlySet<string>[],
  owned: ElementWords,
  { weightOf, similar }: Pick<Page, "weightOf" | "similar">,
  also: readonly string[] = [],
): Description {
  let [sum, got, named] = [0, 0, 0];
  for (const word of words) {
    const isFree = free.some((set) => set.has(word));
    const { name, overall } = explained(word, owned, similar);
    if (isFree && name < CALLED) continue;
    const weight = weightOf(word) * (isFree ? COMMON_VERB : 1);
    sum += weight;
    got += weight * overall;
    named += weight * name;
  }
  if (sum === 0 || named === 0)
    return { weight: sum, recall: sum === 0 ? 0 : got / sum, name: 0, precision: 0 };
  const said = [...new Set([...words, ...also])].map((word) => similar(word).ofName);
  let precision = 0;
  for (const { words: has, weight } of owned.names) {
    const named = has.filter((word) => !/^\d+$/u.test(word));
    // A number in a name, such as "3" in "Chat 3", may be a counter and is ignored. It counts only if the
    // name consists only of numbers, such as "19:30".
    const text = named.length > 0 ? named : has;
    if (text.length === 0) continue;
    const shared = text.reduce(
      (total, word) => total + said.reduce((best, scores) => Math.max(best, scores.get(word) ?? 0), 0),
      0,
    );
    precision = Math.max(precision, (weight * shared) / text.length);
  }
  return { weight: sum, recall: got / sum, name: named / sum, precision };
}
