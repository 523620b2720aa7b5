/** The snippet of a search hit: the part of the text with the most different query words. */
import { searchWords } from "./search-words.ts";

const SPACES = /\s+/;

/** At most `length` characters of plain text, cut at words, with … where text is left out. */
export function snippet(text: string, words: readonly string[], length: number): string {
  const asked = new Set(words);
  const parts = text.split(SPACES).filter((part) => part.length > 0);
  const held = parts.map((part) => searchWords(part).filter((word) => asked.has(word)));
  const start = bestStart(parts, held, length);
  const shown: string[] = [];
  let size = start > 0 ? 2 : 0;
  for (const part of parts.slice(start)) {
    if (size + part.length + 1 > length - 2) break;
    shown.push(part);
    size += part.length + 1;
  }
  if (shown.length === 0) return (parts[start] ?? "").slice(0, length);
  const more = start + shown.length < parts.length;
  return `${start > 0 ? "… " : ""}${shown.join(" ")}${more ? " …" : ""}`;
}

/** Start of the window with the most different query words, slightly before the first of them. */
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
