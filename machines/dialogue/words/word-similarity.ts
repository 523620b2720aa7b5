/** Scores how similar a word of a task is to the words in the name of an element. */
import { stem } from "../../word-stem.ts";
import { areSynonyms, isActionNoun } from "./normalised-words.ts";

/** Score (0 to 1) of a synonym. A word that matches directly has the score 1. */
const SYNONYM = 0.8;
/** Score (0 to 1) of the noun for the action of a verb, such as "payment" for "pay". */
const ACTION_NOUN = 0.95;
/**
 * Score (0 to 1) of two words that only start with the same letters, such as "config" and "configuration".
 */
const PREFIX = 0.75;
const PREFIX_LENGTH = 4;
/**
 * Two words that differ only in a last "e" count as one word if they have at least this number of letters.
 * Shorter words are often different, such as "plan" and "plane".
 */
const STEM_LENGTH = 5;
/**
 * Score (0 to 1) of two words with fewer letters than `STEM_LENGTH` that differ only by a last "e": "sav"
 * (from "saving") and "save".
 */
const LAST_E = 0.85;

/**
 * Returns the score (0 to 1) of a word in a list of words: 1 for the word itself, less for a synonym or a
 * similar word, 0 if there is none.
 */
export function wordScore(wanted: string, has: readonly string[]): number {
  let best = 0;
  for (const word of has) {
    if (word === wanted || isStemOf(wanted, word)) return 1;
    if (`${word}e` === wanted || word === `${wanted}e`) best = Math.max(best, LAST_E);
    if (isSpeltAlike(wanted, word)) best = Math.max(best, SPELT_ALIKE);
    if (isActionNoun(wanted, word)) best = Math.max(best, ACTION_NOUN);
    else if (areSynonyms(wanted, word)) best = Math.max(best, SYNONYM);
    else if (isDerived(wanted, word)) best = Math.max(best, DERIVED);
    else if (isPrefix(wanted, word)) best = Math.max(best, PREFIX);
  }
  return best;
}

/** Score of two words that differ only in doubled letters, such as "adress" and "address". */
const SPELT_ALIKE = 0.95;
/**
 * Minimum number of letters of a word that may be misspelt in a task. Short words often differ in meaning,
 * such as "of" and "off".
 */
const SPELT_LENGTH = 5;

function isSpeltAlike(one: string, other: string): boolean {
  if (one.charAt(0) !== other.charAt(0) || Math.min(one.length, other.length) < SPELT_LENGTH) return false;
  return Math.abs(one.length - other.length) === 1 && undoubled(one) === undoubled(other);
}

const undoubled = (word: string): string => word.replace(/(\p{L})\1/gu, "$1");

/** Score of two words with the same stem by Porter's algorithm, such as "donate" and "donation". */
const DERIVED = 0.8;

/**
 * Whether two words have the same stem. Words with a short stem do not count, because they are often
 * unrelated, such as "plan" and "planned".
 */
function isDerived(one: string, other: string): boolean {
  if (one.charAt(0) !== other.charAt(0) || Math.min(one.length, other.length) < STEM_LENGTH) return false;
  return stem(one) === stem(other);
}

/** Whether the words only differ by a last "e", as "delet" (from "deleting") and "delete" do. */
function isStemOf(one: string, other: string): boolean {
  return Math.min(one.length, other.length) >= STEM_LENGTH && (`${one}e` === other || one === `${other}e`);
}

function isPrefix(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= PREFIX_LENGTH && long.startsWith(short);
}
