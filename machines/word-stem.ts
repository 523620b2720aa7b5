/** Removes English endings by Porter's algorithm, so that words of requests and texts can be compared. */
import { stemmer } from "stemmer";
import { copiedText } from "./copy-text-to-free-memory.ts";

/** Matches the words that Porter's algorithm can stem. */
const STEMMABLE = /^[a-z]{3,}$/;
/** Maximum number of stems in the cache. The cache is useful because most texts contain the same words. */
const REMEMBERED = 20_000;
const stems = new Map<string, string>();

/**
 * Returns the stem of a word, such as "file" for "files" and "pars" for "parsing". A word that does not match
 * `STEMMABLE` is returned unchanged.
 */
export function stem(word: string): string {
  if (!STEMMABLE.test(word)) return word;
  let found = stems.get(word);
  if (found === undefined) {
    const own = copiedText(word);
    found = stemmer(own);
    if (stems.size >= REMEMBERED) stems.clear();
    stems.set(own, found);
  }
  return found;
}
