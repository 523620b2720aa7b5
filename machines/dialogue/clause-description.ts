/** Rates how well an element explains the words of a clause that describe something. */
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { type Token, textOf } from "./clause-tokens.ts";
import { EMPTY, VERBS } from "./clause-words.ts";
import { type ElementWords, explained, type Similar } from "./element-words.ts";
import { contentWords, FILLERS } from "./target-words.ts";

export interface Reading {
  readonly element: HighlightedElement;
  readonly kind: "click" | "check" | "set" | "select" | "search";
  readonly value: string | null;
  readonly off: boolean;
  readonly score: number;
  /** Share of the words of the clause that the names of the element explain. */
  readonly name: number;
}

export interface Page {
  readonly words: readonly ElementWords[];
  readonly similar: Similar;
  readonly weightOf: (word: string) => number;
  /** Whether an element of the page has the word in a name or in its surroundings. */
  readonly isKnown: (word: string) => boolean;
  /** Whether a name of an element has exactly the word. */
  readonly hasWord: (word: string) => boolean;
  /** The elements that explain a word at least in part. */
  readonly related: (word: string) => ReadonlySet<ElementWords>;
  /** Called for each reading that is scored. */
  readonly onScored: () => void;
}

/** Weight of a word that no element of the page has. */
export const UNKNOWN = 0.6;
/** Minimum score of a reading. */
export const MIN_SCORE = 0.4;
/** Weight of the value in the score of a reading, next to 1 for a word that only one element has. */
export const VALUE = 1.5;
/** Minimum score of a name at which the element is called by a word. */
export const CALLED = 0.7;
/** Weight of recall over precision: a word of the clause that the element lacks counts more than an additional one. */
const BETA_SQUARED = 4;
/** Factor for a verb that any element of the kind may have, if the element has it in a name. */
const COMMON_VERB = 0.5;

export type VerbClass = keyof typeof VERBS;

export function verbClasses(tokens: readonly Token[]): ReadonlySet<VerbClass> {
  const found = new Set<VerbClass>();
  for (const { kind, plain } of tokens) {
    if (kind !== "word") continue;
    const [word = ""] = contentWords(plain);
    // `Object.keys` loses the type of the keys of the table of verbs, so the cast is safe.
    for (const name of Object.keys(VERBS) as VerbClass[]) if (VERBS[name].has(word)) found.add(name);
  }
  return found;
}

/** The verb of a clause: the first word that is a verb of some class. */
export function verbOf(tokens: readonly Token[]): string | undefined {
  return tokens
    .filter(({ kind }) => kind === "word")
    .map(({ plain }) => contentWords(plain)[0] ?? "")
    .find((word) => Object.values(VERBS).some((set) => set.has(word)));
}

/** Words of tokens that describe something, without fillers. */
export function described(tokens: readonly Token[]): readonly string[] {
  return contentWords(textOf(tokens)).filter((word) => !FILLERS.has(word) && !EMPTY.has(word));
}

/** Words of tokens that describe something. Two words that the page writes as one are one: "time zone". */
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
  /** Sum of the weights of the words. */
  readonly weight: number;
  /** Share of the words that the element and its surroundings explain. */
  readonly recall: number;
  /** Share of the words that the names of the element explain. */
  readonly name: number;
  /** Share of the best name of the element that is in the clause. It is 0 if `name` is 0. */
  readonly precision: number;
}

/**
 * @param free verbs that any element of the kind may have, which count only if the element has them in a name
 *
 * @param also further words that the name of the element may have
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
    const text = has.filter((word) => !/^\d+$/u.test(word));
    if (text.length === 0) continue;
    const shared = text.reduce(
      (total, word) => total + said.reduce((best, scores) => Math.max(best, scores.get(word) ?? 0), 0),
      0,
    );
    precision = Math.max(precision, (weight * shared) / text.length);
  }
  return { weight: sum, recall: got / sum, name: named / sum, precision };
}

export const fScore = (recall: number, precision: number): number =>
  recall === 0 || precision === 0
    ? 0
    : ((1 + BETA_SQUARED) * recall * precision) / (BETA_SQUARED * precision + recall);
