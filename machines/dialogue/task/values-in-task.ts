/** Finds the values that a task names, and those of them that no step of a plan uses. */
import { areSynonyms, contentWords, plainText } from "../words/normalised-words.ts";
import { quotedIn, withoutQuotes } from "./split-task-at-imperatives.ts";

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Whether a text contains an e-mail address. */
export const hasEmail = (text: string): boolean => text.match(EMAIL) !== null;
/** Matches words that introduce a name, as in "a study named beta". */
export const NAMING =
  "(?:named|called|titled|entitled|namens|genannt|nommée?|appelée?|intitulée?|du nom de|llamad[oa]|titulad[oa]|chiamat[oa]|intitolat[oa]|di nome|(?:with|by) (?:the )?(?:name|title)(?: of)?|mit (?:dem )?(?:Namen|Titel)|avec le (?:nom|titre)|con el (?:nombre|título)(?: de)?|con il (?:nome|titolo)(?: di)?)";
/**
 * Matches the end of a name without quotes and everything after it. In "add a user named Ada and open it",
 * the name ends before "and".
 */
const NAME_END =
  /\s*(?:[,;:?!]|\.(?:\s|$)|\s+(?:hinzu|an)[.!]?\s*$|\s+(?:and|with|then|to|in|into|for|on|at|under|by|from|und|mit|et|avec|y|e|con|poi)\s).*$/isu;
/**
 * Matches a value with a digit or "@". A plan counts as using such a value only if one of its steps contains
 * exactly this value.
 */
const EXACT = /[@\d]/u;
const NAMED = new RegExp(`\\b${NAMING}\\s+(.+)$`, "giu");

/**
 * Returns the names and values that a task marks as such: quoted words, e-mail addresses, and words after
 * "named".
 */
export function namedValues(text: string): readonly string[] {
  const rest = withoutQuotes(text);
  const emails = rest.match(EMAIL) ?? [];
  const named = [...rest.replace(EMAIL, " ").matchAll(NAMED)].flatMap(([, name = ""]) => {
    const value = name.replace(NAME_END, "").trim();
    return value === "" ? [] : [value];
  });
  return [...new Set([...quotedIn(text), ...emails, ...named])].filter((value) => plainText(value) !== "");
}

/**
 * Returns the values in `text` that do not occur in the texts `used`. A value occurs if it is there
 * literally, or if all its words or synonyms of them are there. A value with a digit or "@" must be there
 * literally.
 */
export function unusedValues(text: string, used: readonly string[]): readonly string[] {
  const plain = used.map(plainText).join("\n");
  const words = new Set(contentWords(used.join(" ")));
  const hasWord = (word: string): boolean =>
    words.has(word) || [...words].some((one) => areSynonyms(one, word));
  return namedValues(text).filter(
    (value) =>
      !plain.includes(plainText(value)) && (EXACT.test(value) || !contentWords(value).every(hasWord)),
  );
}
