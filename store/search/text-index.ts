/**
 * An index in memory of the words of a map's pages: for each word, the numbers of the pages that contain it.
 * It has no texts and no counts of words in a page, so it only chooses the pages that are read and ranked.
 */

import { PageNumbers } from "./page-numbers.ts";
import type { Field } from "./ranking.ts";

/** Bytes of an entry of a JavaScript `Map` with a short string as its key, measured on Bun. */
const ENTRY = 60;
/** Bytes of a page besides its key: its number, and the signature of its text. */
const PAGE = 120;
/**
 * Share of removed pages in the numbers of an index at which the index is rewritten without them. A changed
 * page gets a new number, and its old number stays in the lists of its old words until then.
 */
const DEAD = 0.3;
/**
 * Minimum number of removed pages for rewriting an index. Without it, a small index would be rewritten at
 * every few changes.
 */
const DEAD_PAGES = 100;
/** Factor by which more pages are compared until enough of them differ in their texts. */
const WIDER = 4;
/**
 * Minimum number of different words of a page that may be a copy of another page. Short texts, such as "Sign
 * in to continue", are the same on pages that differ.
 */
export const COPY_WORDS = 30;

/** The weights of words by field. */
export type WeightedWords = readonly {
  readonly field: Field;
  readonly word: string;
  readonly weight: number;
}[];

export class TextIndex {
  /** Key of each page by its number; `undefined` for a removed page. */
  #keys: (string | undefined)[] = [];
  #signatures: number[] = [];
  #numbers = new Map<string, number>();
  /** For each word, the number of the only page with the word, or a list of pages. */
  #lists: Readonly<Record<Field, Map<string, number | PageNumbers>>> = { head: new Map(), body: new Map() };
  #bytes = 0;

  /** Number of pages. */
  get total(): number {
    return this.#numbers.size;
  }

  /** Estimated size in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a page, or replaces the page with this key. Words are separated by single spaces. */
  put(key: string, head: string, body: string): void {
    this.remove(key);
    const number = this.#keys.length;
    this.#keys.push(key);
    this.#signatures.push(signatureOf(body));
    this.#numbers.set(key, number);
    this.#bytes += PAGE + 2 * key.length;
    for (const [field, text] of [
      ["head", head],
      ["body", body],
    ] as const)
      for (const word of new Set(text.split(" "))) if (word !== "") this.#add(field, word, number);
  }

  remove(key: string): void {
    const number = this.#numbers.get(key);
    if (number === undefined) return;
    this.#numbers.delete(key);
    this.#keys[number] = undefined;
    const removed = this.#keys.length - this.#numbers.size;
    if (removed >= DEAD_PAGES && removed > DEAD * this.#keys.length) this.#rewrite();
  }

  /** Returns the number of pages with a word in a field. */
  pagesWith(field: Field, word: string): number {
    let count = 0;
    this.#each(field, word, () => {
      count += 1;
    });
    return count;
  }

  /**
   * Returns the keys of the pages whose words have the greatest total weight. Of pages with the same text, all
   * but the first come after the other pages.
   */
  best(words: WeightedWords, limit: number): readonly string[] {
    const worth = new Float64Array(this.#keys.length);
    for (const { field, word, weight } of words)
      this.#each(field, word, (number) => {
        worth[number] = (worth[number] ?? 0) + weight;
      });
    const ascending = worth.filter((value) => value > 0).sort();
    // Only the best pages are put in order, because a common word is in most pages of a map.
    for (let tried = WIDER * limit; ; tried *= WIDER) {
      const least = ascending[ascending.length - tried] ?? 0;
      const { chosen, copies } = this.#distinct(worth, least, limit);
      if (chosen.length < limit && least > 0) continue;
      return [...chosen, ...copies].slice(0, limit).flatMap((number) => this.#keys[number] ?? []);
    }
  }

  /** Returns the pages with at least this worth, best first, and separately the copies among them. */
  #distinct(
    worth: Float64Array,
    least: number,
    limit: number,
  ): { readonly chosen: readonly number[]; readonly copies: readonly number[] } {
    const found: number[] = [];
    for (let number = 0; number < worth.length; number += 1) {
      const value = worth[number] ?? 0;
      if (value > 0 && value >= least) found.push(number);
    }
    found.sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
    const seen = new Set<number>();
    const chosen: number[] = [];
    const copies: number[] = [];
    for (const number of found) {
      if (chosen.length === limit) break;
      const signature = this.#signatures[number] ?? 0;
      const isCopy = signature !== 0 && seen.has(signature);
      (isCopy ? copies : chosen).push(number);
      seen.add(signature);
    }
    return { chosen, copies };
  }

  #each(field: Field, word: string, visit: (number: number) => void): void {
    const list = this.#lists[field].get(word);
    const keys = this.#keys;
    if (list === undefined) return;
    if (typeof list === "number") {
      if (keys[list] !== undefined) visit(list);
    } else
      list.each((number) => {
        if (keys[number] !== undefined) visit(number);
      });
  }

  #add(field: Field, word: string, number: number): void {
    const lists = this.#lists[field];
    const list = lists.get(word);
    if (list === undefined) {
      // A word is a part of the text of its page. Without a copy, the map would keep that text in memory.
      lists.set(copied(word), number);
      this.#bytes += ENTRY + word.length;
    } else if (typeof list === "number") {
      const pages = new PageNumbers();
      pages.add(list);
      pages.add(number);
      lists.set(word, pages);
      this.#bytes += pages.bytes;
    } else {
      const before = list.bytes;
      list.add(number);
      this.#bytes += list.bytes - before;
    }
  }

  /** Numbers all pages again, without those that were removed. */
  #rewrite(): void {
    const keys = this.#keys;
    const signatures = this.#signatures;
    const lists = this.#lists;
    const renumbered = new Int32Array(keys.length).fill(-1);
    this.#keys = [];
    this.#signatures = [];
    this.#numbers = new Map();
    this.#lists = { head: new Map(), body: new Map() };
    this.#bytes = 0;
    for (const [number, key] of keys.entries()) {
      if (key === undefined) continue;
      renumbered[number] = this.#keys.length;
      this.#numbers.set(key, this.#keys.length);
      this.#keys.push(key);
      this.#signatures.push(signatures[number] ?? 0);
      this.#bytes += PAGE + 2 * key.length;
    }
    for (const field of ["head", "body"] as const)
      for (const [word, list] of lists[field]) {
        const add = (number: number) => {
          const current = renumbered[number] ?? -1;
          if (current >= 0) this.#add(field, word, current);
        };
        if (typeof list === "number") add(list);
        else list.each(add);
      }
  }
}

/** Returns a string with its own memory. */
function copied(word: string): string {
  return Buffer.from(word).toString();
}

/**
 * Returns a hash of 53 bits of a text, by which pages with the same text are found. 0 for a text that is too
 * short.
 */
function signatureOf(body: string): number {
  let words = 1;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code === 0x20) words += 1;
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  return words < COPY_WORDS ? 0 : 0x200000 * (high >>> 0) + (low >>> 11) + 1;
}
