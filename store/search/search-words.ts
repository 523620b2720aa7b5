/**
 * Splits text into search words at every character that is not a letter or digit. Case and accents are
 * ignored, English words are stemmed, and `os.path` becomes `os` and `path`. Scripts without spaces between
 * words are split into pairs of characters.
 */
import type { PageTextRecord } from "../../machines/records.ts";
import { stem } from "../../machines/word-stem.ts";
import { storeLimits } from "../store-limits.ts";

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Maximum length of a word in characters. A longer sequence is usually encoded data. */
const MAX_WORD_LENGTH = 64;

/** Matches sequences of ASCII letters, digits and non-ASCII characters. */
const RUN = /[a-z0-9\u0080-\uffff]+/g;
const PLAIN_WORD = /^[a-z0-9]+$/;

/** Returns the stemmed words of a text, in order. */
export function searchWords(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  for (const run of text.toLowerCase().match(RUN) ?? []) {
    if (words.length >= limit) break;
    if (!PLAIN_WORD.test(run)) addWords(run, words);
    else if (run.length <= MAX_WORD_LENGTH) words.push(stem(run));
  }
  return words.length > limit ? words.slice(0, limit) : words;
}

/** Adds the words of a character sequence that contains non-ASCII characters. */
function addWords(run: string, words: string[]): void {
  for (const [word] of run
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .matchAll(WORD)) {
    if (word.length > MAX_WORD_LENGTH) continue;
    if (UNSPACED.test(word)) words.push(...pairs(word));
    else words.push(stem(word));
  }
}

function pairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ""}${character}`);
}

/** Converts Markdown to its visible text, without link targets, images and markup. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:#{1,6}\s+|>\s|[-*+]\s+|\|?(?:\s*:?-{3,}:?\s*\|)+.*$|```.*$)/gm, "")
    .replace(/`+|\*\*|\|/g, " ")
    .replace(/\\([[\](){}_*#\\.!<>|-])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Number of words at the start of a page that count as part of its head. The first one or two sentences
 * usually name the page's subject.
 */
const OPENING_WORDS = 24;
/**
 * Number of Markdown characters from which the opening words are taken. It includes link targets, which are
 * removed.
 */
const OPENING_CHARACTERS = 2_000;

/**
 * Returns the searchable head of a page: title, words of the URL, headings and opening words. The title occurs
 * four times and the URL twice, which gives them more weight.
 */
export function searchableHead({ title, url_words, headings, body }: PageTextRecord): string {
  const opening = searchWords(plainText(body.slice(0, OPENING_CHARACTERS)), OPENING_WORDS);
  const named = searchWords(title);
  const located = searchWords(url_words);
  return [
    ...named,
    ...named,
    ...named,
    ...named,
    ...located,
    ...located,
    ...searchWords(headings),
    ...opening,
  ].join(" ");
}

/** Returns the words of a page's text, in order. */
export function searchableBody(markdown: string): readonly string[] {
  // Only the first `storeLimits.searchWords` words of a page are indexed. So the rest of a very long page is
  // not converted.
  const start = markdown.slice(0, storeLimits.searchWords * LONGEST_WORD_SHARE);
  return searchWords(plainText(start), storeLimits.searchWords);
}

/**
 * Number of Markdown characters that are read for each word to index. A word takes fewer characters on
 * average, including its share of markup and link addresses.
 */
const LONGEST_WORD_SHARE = 20;
