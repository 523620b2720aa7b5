/**
 * Splits text into search words at every character that is not a letter or digit. Case and accents are
 * ignored, English words are stemmed, and `os.path` becomes `os` and `path`. Scripts without spaces between
 * words are split into pairs of characters.
 */
import { withCamelCaseParts } from "../../machines/compound-words.ts";
import { copiedText } from "../../machines/copy-text-to-free-memory.ts";
import type { PageTextRecord } from "../../machines/records/search-text-records.ts";
import { stem } from "../../machines/word-stem.ts";
import { storeLimits } from "../store-limits.ts";

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Maximum length of a word in characters. A longer sequence is usually encoded data. */
const MAX_WORD_LENGTH = 64;

/**
 * Number of ASCII words whose stems are cached, a power of two. The cache helps because most texts contain
 * the same words. A word replaces a cached word whose hash has the same last bits.
 */
const REMEMBERED = 1 << 15;
const rememberedWords: (string | undefined)[] = new Array(REMEMBERED).fill(undefined);
const rememberedStems: string[] = new Array(REMEMBERED).fill("");

/** Returns the stemmed words of a text, in order. */
export function searchWords(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  const lower = text.toLowerCase();
  const { length } = lower;
  let at = 0;
  while (at < length && words.length < limit) {
    const start = at;
    let [hash, isPlain] = [0, true];
    for (; at < length; at++) {
      const code = lower.charCodeAt(at);
      if (code >= FIRST_NON_ASCII) isPlain = false;
      else if (!isLowerLetterOrDigit(code)) break;
      hash = (Math.imul(hash, HASH_FACTOR) + code) | 0;
    }
    if (!isPlain) addWords(lower.slice(start, at), words);
    else if (at > start && at - start <= MAX_WORD_LENGTH) words.push(stemOf(lower, start, at, hash));
    at += 1;
  }
  return words.length > limit ? words.slice(0, limit) : words;
}

const FIRST_NON_ASCII = 0x80;
/** Multiplier of a polynomial hash, as in Java's `String.hashCode`. */
const HASH_FACTOR = 31;

function isLowerLetterOrDigit(code: number): boolean {
  // The character codes of `a` to `z` and of `0` to `9`.
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/**
 * Returns the stem of the ASCII word between two positions of a text. Stems of earlier words are found by the
 * hash of the word, because creating a string for each word would take most of the time.
 */
function stemOf(text: string, start: number, end: number, hash: number): string {
  const slot = (hash ^ (hash >>> 15)) & (REMEMBERED - 1);
  const known = rememberedWords[slot];
  if (known?.length === end - start && text.startsWith(known, start)) return rememberedStems[slot] ?? "";
  const word = copiedText(text.slice(start, end));
  const found = stem(word);
  rememberedWords[slot] = word;
  rememberedStems[slot] = found;
  return found;
}

/** Adds the search words of `run`, a piece of text with non-ASCII characters, to `words`. */
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
  return withoutTargets(markdown)
    .replace(/`+|\*\*|\|/g, " ")
    .replace(/\\([[\](){}_*#\\.!<>|-])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Removes the invisible words of Markdown: addresses of links and images, and the languages of code blocks.
 * The remaining markup contains no words.
 */
function withoutTargets(markdown: string): string {
  const text = markdown.includes("![") ? markdown.replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1") : markdown;
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:#{1,6}\s+|>\s|[-*+]\s+|\|?(?:\s*:?-{3,}:?\s*\|)+.*$|```.*$)/gm, "");
}

/**
 * Number of words at the start of a page that count as part of its head. The first one or two sentences
 * usually name the page's subject.
 */
const OPENING_WORDS = 24;
/**
 * Number of Markdown characters from which the opening words are taken. It includes link targets, which are
 * removed later.
 */
const OPENING_CHARACTERS = 2_000;

/**
 * Returns the searchable head of a page: title, words of the URL, headings and opening words. The title occurs
 * four times and the URL twice, which gives them more weight.
 */
export function searchableHead({ title, url_words, headings, body }: PageTextRecord): string {
  const opening = searchWords(withoutTargets(body.slice(0, OPENING_CHARACTERS)), OPENING_WORDS);
  const named = searchWords(withCamelCaseParts(title));
  const located = searchWords(url_words);
  return [
    ...named,
    ...named,
    ...named,
    ...named,
    ...located,
    ...located,
    ...searchWords(withCamelCaseParts(headings)),
    ...opening,
  ].join(" ");
}

/** Returns the words of a page's text, in order. */
export function searchableBody(markdown: string): readonly string[] {
  // Only the first `storeLimits.searchWords` words of a page are indexed, so only the start of a very long
  // page is converted.
  const start = markdown.slice(0, storeLimits.searchWords * CHARACTERS_PER_WORD);
  return searchWords(withoutTargets(start), storeLimits.searchWords);
}

/**
 * Number of characters of Markdown that are read for each word to index. An average word is shorter, even
 * with its markup and link addresses.
 */
const CHARACTERS_PER_WORD = 20;
