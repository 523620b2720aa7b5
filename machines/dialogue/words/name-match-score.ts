/** Scores how well the words of a task match a name, by the words that both have. */
import { contentWords, plainText } from "./normalised-words.ts";
import { wordScore } from "./word-similarity.ts";

/**
 * Maximum score (0 to 1) of a name that has all words of the wanted text but is not equal to it. For example,
 * the name "Chat 3" has a counter in addition to "Chat".
 */
const SAME_WORDS = 0.97;
/**
 * Returns how well a word distinguishes elements: 1 when only one element of the page has the word, and less
 * when several have it.
 */
export type WordWeights = (word: string) => number;

const ALIKE: WordWeights = () => 1;
/**
 * In the F score, recall has this weight relative to precision. A word of the task that the element lacks is
 * stronger evidence against the element than an additional word of the element.
 */
const BETA_SQUARED = 4;

/**
 * Returns the F score. Recall is the share of the task's words that the name has, and precision is the share
 * of the name's words that the task has.
 */
export const fScore = (recall: number, precision: number): number =>
  recall === 0 || precision === 0
    ? 0
    : ((1 + BETA_SQUARED) * recall * precision) / (BETA_SQUARED * precision + recall);

/**
 * Returns how well wanted words match a name, from 0 to 1. The name should contain all wanted words and few
 * others.
 */
export function nameScore(wanted: string, name: string, weightOf: WordWeights = ALIKE): number {
  const plain = plainText(name);
  if (plain === "") return 0;
  if (plainText(wanted) === plain) return 1;
  const want = contentWords(wanted);
  // If the wanted words contain no number, numbers in the name are ignored: "3" in "Chat 3" may be a counter.
  const hasNumber = want.some((word) => NUMBER.test(word));
  const have = contentWords(name).filter((word) => hasNumber || !NUMBER.test(word));
  if (want.length === 0 || have.length === 0) return 0;
  if (want.length === have.length && want.every((word, at) => word === have[at])) return SAME_WORDS;
  const whole = want.reduce((sum, word) => sum + weightOf(word), 0);
  const recall = want.reduce((sum, word) => sum + weightOf(word) * wordScore(word, have), 0) / whole;
  const precision = have.reduce((sum, word) => sum + wordScore(word, want), 0) / have.length;
  return Math.min(SAME_WORDS, fScore(recall, precision));
}

const NUMBER = /^\d+\+?$/u;
