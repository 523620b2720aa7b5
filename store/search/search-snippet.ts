/**
 * Cuts the snippet of a search hit: the part of the text that contains the most different query words. Only
 * this part is converted from Markdown, because converting a long page takes much time.
 */
import { plainText, searchWords } from "./search-words.ts";

const SPACES = /\s+/;
/**
 * Number of Markdown characters that are converted for one snippet. It includes link targets, which the
 * snippet does not show.
 */
const AROUND = 1_500;
/** Number of Markdown characters before the first query word in a snippet. */
const BEFORE = 200;

/** Returns at most `length` characters of plain text, cut between words. `…` marks omitted text. */
export function snippet(markdown: string, words: readonly string[], length: number): string {
  const from = bestPlace(markdown, words, length);
  const start = from === 0 ? 0 : markdown.indexOf(" ", from) + 1;
  const part = markdown.slice(start, start + AROUND);
  return cutOut(plainText(part), words, length, {
    before: start > 0,
    after: start + AROUND < markdown.length,
  });
}

/**
 * Returns the index at which the part of the text with the most different query words starts. A word of the
 * text counts as a query word if it starts with the stem of the query word.
 */
function bestPlace(text: string, words: readonly string[], length: number): number {
  if (words.length === 0) return 0;
  // A word's stem may end differently from the word: `temporary` has the stem `temporari`. So a final `i` is
  // removed from a stem before the text is searched.
  const beginnings = words.map((word) =>
    word.replace(/(?<=..)i$/, "").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
  );
  const pattern = new RegExp(`(?<![a-z0-9])(?:${beginnings.join("|")})`, "gi");
  const places = [...text.matchAll(pattern)].map((found) => ({
    word: found[0].toLowerCase(),
    at: found.index,
  }));
  let best = { at: 0, different: 0, all: 0 };
  let end = 0;
  const within = new Map<string, number>();
  for (const [index, { word, at }] of places.entries()) {
    if (end < index) end = index;
    for (let next = places[end]; next && next.at - at < length; next = places[++end])
      within.set(next.word, (within.get(next.word) ?? 0) + 1);
    const all = end - index;
    if (within.size > best.different || (within.size === best.different && all > best.all))
      best = { at, different: within.size, all };
    const left = (within.get(word) ?? 1) - 1;
    if (left > 0) within.set(word, left);
    else within.delete(word);
  }
  return Math.max(0, best.at - BEFORE);
}

function cutOut(
  text: string,
  words: readonly string[],
  length: number,
  more: { readonly before: boolean; readonly after: boolean },
): string {
  const asked = new Set(words);
  const parts = text.split(SPACES).filter((part) => part.length > 0);
  const held = parts.map((part) => searchWords(part).filter((word) => asked.has(word)));
  const start = bestStart(parts, held, length);
  const shown: string[] = [];
  let size = start > 0 || more.before ? 2 : 0;
  for (const part of parts.slice(start)) {
    if (size + part.length + 1 > length - 2) break;
    shown.push(part);
    size += part.length + 1;
  }
  if (shown.length === 0) return (parts[start] ?? "").slice(0, length);
  const isCut = start + shown.length < parts.length || more.after;
  return `${start > 0 || more.before ? "… " : ""}${shown.join(" ")}${isCut ? " …" : ""}`;
}

/**
 * Returns the start of the part of the text with the most different query words. The part begins slightly
 * before its first query word.
 */
function bestStart(parts: readonly string[], held: readonly (readonly string[])[], length: number): number {
  let best = { start: 0, different: 0, all: 0 };
  for (let start = 0; start < parts.length; start += 1) {
    if ((held[start]?.length ?? 0) === 0) continue;
    const different = new Set<string>();
    let all = 0;
    for (let at = start, size = 0; at < parts.length && size < length * 0.8; at += 1) {
      size += (parts[at]?.length ?? 0) + 1;
      for (const word of held[at] ?? []) {
        different.add(word);
        all += 1;
      }
    }
    if (different.size > best.different || (different.size === best.different && all > best.all)) {
      best = { start, different: different.size, all };
    }
  }
  const context = 6;
  return Math.max(0, best.start - context) > 0 ? best.start - context : 0;
}
