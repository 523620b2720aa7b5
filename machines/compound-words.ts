/**
 * Finds the parts of compound words, such as "Test" and "Plan" of "TestPlan", so that the names "test plan"
 * and "TestPlan" can be recognised as the same.
 */

/**
 * Minimum number of letters in each part of a compound word. So "iPhone", "eBay" and random tokens are not
 * split.
 */
const PART_LETTERS = 3;

/** Matches a word in camel case whose parts all have `PART_LETTERS` letters or more. */
const CAMEL_CASE = new RegExp(
  `(?<![\\p{L}\\p{N}])\\p{L}\\p{Ll}{${PART_LETTERS - 1},}(?:\\p{Lu}\\p{Ll}{${PART_LETTERS - 1},})+(?![\\p{L}\\p{N}])`,
  "gu",
);
const BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})/gu;

/**
 * Adds the parts of each word in camel case after the word: "Edit TestPlan" becomes "Edit TestPlan Test Plan". The word
 * itself stays, because names such as "GitHub" are also written "Github".
 */
export function withCamelCaseParts(text: string): string {
  return text.replace(CAMEL_CASE, (word) => `${word} ${spacedCamelCase(word)}`);
}

/** Splits words in camel case: "Edit TestPlan" becomes "Edit Test Plan". */
export function spacedCamelCase(text: string): string {
  return text.replace(CAMEL_CASE, (word) => word.replace(BOUNDARY, " "));
}

/**
 * Returns the two parts of a word that are both known words, as "test" and "plan" for "testplan"; `undefined` if there
 * are none.
 */
export function knownParts(
  word: string,
  isKnown: (part: string) => boolean,
): readonly [string, string] | undefined {
  for (let at = PART_LETTERS; at <= word.length - PART_LETTERS; at++) {
    const parts = [word.slice(0, at), word.slice(at)] as const;
    if (parts.every(isKnown)) return parts;
  }
  return undefined;
}
