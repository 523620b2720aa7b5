/**
 * Finding a screen by what a person calls it: names and URL words, weighed by how rare they are.
 *
 * An exact name wins; otherwise the share of the asked words (each weighed by its rarity) that the name or the
 * URL holds. Words in every script count; what is asked for beside the name ("the … page") does not.
 * Neighbour: `atlas.ts` keeps one for each map; full text of pages is the store's search.
 */
import { Postings } from "./postings.ts";

/** Words of an instruction that name no screen. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an the to of in on at for and or with page pages screen view tab site go goto open show find navigate please".split(
    " ",
  ),
);

/** A share of the asked words below this is a suggestion, not an answer. */
export const NAMED_ABOVE = 0.6;

/** Screens that hold a word, from which on it is too common to look at them all. */
const COMMON = 500;

/** Lower-case words without accents; runs of letters and digits of any script. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export interface NameMatch {
  readonly screen_id: string;
  /** 1 for the exact name, else below 1. */
  readonly score: number;
}

export class NameIndex {
  readonly #entries = new Map<string, { readonly name: string; readonly words: ReadonlySet<string> }>();
  readonly #byName = new Postings();
  readonly #byWord = new Postings();

  put(screenId: string, name: string, url: string): void {
    this.remove(screenId);
    const words = new Set([...wordsOf(name).map(stem), ...urlWords(url).map(stem)]);
    const entry = { name: plain(name), words };
    this.#entries.set(screenId, entry);
    this.#byName.add(entry.name, screenId);
    for (const word of words) this.#byWord.add(word, screenId);
  }

  remove(screenId: string): void {
    const entry = this.#entries.get(screenId);
    if (!entry) return;
    this.#entries.delete(screenId);
    this.#byName.remove(entry.name, screenId);
    for (const word of entry.words) this.#byWord.remove(word, screenId);
  }

  /** Screens of exactly this name (any case and accents), in order of their ids. */
  named(name: string): readonly string[] {
    return [...this.#byName.get(plain(name))].sort();
  }

  /** The best first. */
  search(text: string, limit: number): readonly NameMatch[] {
    const exact = this.named(text).map((screenId) => ({ screen_id: screenId, score: 1 }));
    if (exact.length > 0) return exact.slice(0, limit);
    const all = wordsOf(text);
    const meant = all.filter((word) => !FILLERS.has(word));
    const asked = new Set((meant.length > 0 ? meant : all).map(stem));
    let total = 0;
    const found = new Map<string, number>();
    const rarest = [...asked]
      .map((word) => ({ word, holders: this.#byWord.get(word) }))
      .sort((a, b) => a.holders.size - b.holders.size);
    for (const { holders } of rarest) {
      // Rare words weigh more (inverse document frequency); one that no screen has weighs most.
      const weight = Math.log(1 + (this.#entries.size + 1) / (holders.size + 1));
      total += weight;
      // A word that very many screens have chooses among those that rarer words found.
      const candidates = holders.size > COMMON && found.size > 0 ? found.keys() : holders;
      for (const screenId of candidates) {
        if (holders.has(screenId)) found.set(screenId, (found.get(screenId) ?? 0) + weight);
      }
    }
    const matches: NameMatch[] = [];
    for (const [screenId, weight] of found) {
      const entry = this.#entries.get(screenId);
      if (!entry || total === 0) continue;
      // Of two names that hold the asked words the one with fewer others is meant.
      const others = wordsOf(entry.name).filter((word) => !asked.has(stem(word))).length;
      matches.push({ screen_id: screenId, score: (weight / total) * (0.99 - 0.2 * (others / (others + 8))) });
    }
    return matches.sort((a, b) => b.score - a.score || (a.screen_id < b.screen_id ? -1 : 1)).slice(0, limit);
  }
}

function plain(name: string): string {
  return wordsOf(name).join(" ") || name.trim().toLowerCase();
}

/** English plurals as their singular, so that "setting" finds "Settings"; applied to both sides alike. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function urlWords(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  let path = parsed.pathname + parsed.search;
  try {
    path = decodeURIComponent(path);
  } catch {
    // A broken escape stays as it is written.
  }
  return wordsOf(path.replace(/\.[A-Za-z0-9]{1,5}$/, ""));
}
