/**
 * Text as search words: cut at everything that is no letter or digit, without case and accents, English stemmed.
 *
 * `os.path` is the words `os` and `path`, so an identifier is found by its parts; scripts that do not put spaces
 * between words are cut into pairs of characters. The same words go into the index, the query and the snippet.
 * Neighbours: `tables.ts` stores them, `search.ts` asks for them.
 */
import { stemmer } from "stemmer";
import type { PageTextRecord } from "../../machines/records.ts";
import { storeLimits } from "../limits.ts";

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const STEMMABLE = /^[a-z]{3,}$/;
/** Longer runs are encoded data, not words. */
const LONGEST = 64;

const stems = new Map<string, string>();
const REMEMBERED_STEMS = 20_000;

function stem(word: string): string {
  if (!STEMMABLE.test(word)) return word;
  let found = stems.get(word);
  if (found === undefined) {
    found = stemmer(word);
    if (stems.size >= REMEMBERED_STEMS) stems.clear();
    stems.set(word, found);
  }
  return found;
}

/** The stemmed words of a text, in order. */
export function searchWords(text: string, limit = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = [];
  for (const [word] of text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .matchAll(WORD)) {
    if (words.length >= limit) break;
    if (word.length > LONGEST) continue;
    if (UNSPACED.test(word)) words.push(...pairs(word));
    else words.push(stem(word));
  }
  return words;
}

function pairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, at) => `${characters[at] ?? ""}${character}`);
}

/** Markdown without what is not read: link targets, images, markup. */
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

/** Words of a page's beginning that count for its head: a sentence or two, in which most pages say what they are about. */
const OPENING_WORDS = 24;
/** Characters of Markdown that hold them, with the targets of links. */
const OPENING_TEXT = 2_000;

/** What a page calls itself: its title four times, the words of its URL twice, its headings and beginning once. */
export function searchableHead({ title, url_words, headings, body }: PageTextRecord): string {
  const opening = searchWords(plainText(body.slice(0, OPENING_TEXT)), OPENING_WORDS);
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

export function searchableBody(markdown: string): string {
  return searchWords(plainText(markdown), storeLimits.searchWords).join(" ");
}
