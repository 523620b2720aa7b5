/**
 * An index in memory of the words of a map's pages: for each word, the numbers of the pages that contain it.
 * It has no texts and no exact counts of words, so it only chooses the pages that are read and ranked.
 */

import { PageNumbers } from "./compressed-page-number-list.ts";
import { copyText } from "./pages-that-are-copies.ts";

/** Size in bytes of an entry in a JavaScript `Map` with a short string as its key, measured on Bun. */
const ENTRY = 60;
/**
 * Size in bytes of a page's entry in the index, without its key: the number of the page, and the signature of
 * its text.
 */
const PAGE = 120;
/**
 * All pages are numbered again when more than this share (0 to 1) of the numbers belong to removed or changed
 * pages. A changed page gets a new number, so its old number is no longer used.
 */
const DEAD = 0.3;
/**
 * Minimum number of removed pages before all pages are numbered again. Without this minimum, a small index
 * would be renumbered after every few changes.
 */
const DEAD_PAGES = 100;
/**
 * When pages get new numbers, the lists of page numbers are rewritten in parts, with a pause after each part.
 * This is the size of a part in bytes; rewriting it takes about 10 ms of CPU time.
 */
const RENUMBERED_AT_ONCE = 128 * 1_024;
/**
 * Factor by which a search increases the number of compared pages. It starts with a few of the best pages,
 * and continues if these have too few different texts.
 */
const WIDER = 4;

/**
 * If the body of a page contains a word at least this number of times, the word occurs often in the page.
 * Such a page is preferred to pages that only mention the word. In the bench `knowledge`, any number from 3
 * to 8 gave about the same recall.
 */
const OFTEN = 5;

/**
 * The lists of pages that the index has for each word. A page is in `head` or `body` if the word occurs in
 * this part. A page is also in `often` if its body contains the word often.
 */
const LISTS = ["head", "body", "often"] as const;
type List = (typeof LISTS)[number];

/**
 * The words of a query with their weights. The pages of a word are taken from one list of the index: `head`, `body`
 * or `often`.
 */
export type WeightedWords = readonly {
  readonly list: List;
  readonly word: string;
  readonly weight: number;
}[];

/** A searchable text. The words of the head and body are in order, separated by single spaces. */
export interface IndexedText {
  readonly title: string;
  readonly head: string;
  readonly body: string;
}

type Lists = Readonly<Record<List, Map<string, number | PageNumbers>>>;

export class TextIndex {
  /** The key of each page, at the position of the page's number; `undefined` for a removed page. */
  #keys: (string | undefined)[] = [];
  #signatures: number[] = [];
  readonly #numbers = new Map<string, number>();
  /** For each word, the pages that contain it: one page number, or a list of several. */
  readonly #lists: Lists = { head: new Map(), body: new Map(), often: new Map() };
  #bytes = 0;

  /** Number of pages in the index. */
  get total(): number {
    return this.#numbers.size;
  }

  /** Estimated memory size of the index in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a text, or replaces the text that has this key. */
  put(key: string, { title, head, body }: IndexedText): void {
    this.remove(key);
    const number = this.#keys.length;
    this.#keys.push(key);
    this.#numbers.set(key, number);
    this.#bytes += PAGE + 2 * key.length;
    const times = new Map<string, number>();
    for (const word of body.split(" ")) times.set(word, (times.get(word) ?? 0) + 1);
    const text = copyText(title, body);
    this.#signatures.push(text === undefined ? 0 : hashOf(text));
    times.delete("");
    for (const word of new Set(head.split(" "))) if (word !== "") this.#add("head", word, number);
    for (const [word, count] of times) {
      this.#add("body", word, number);
      if (count >= OFTEN) this.#add("often", word, number);
    }
  }

  remove(key: string): void {
    const number = this.#numbers.get(key);
    if (number === undefined) return;
    this.#numbers.delete(key);
    this.#keys[number] = undefined;
  }

  /** Whether so many pages were removed that a call of `renumber` saves memory. */
  get isSparse(): boolean {
    const removed = this.#keys.length - this.#numbers.size;
    return removed >= DEAD_PAGES && removed > DEAD * this.#keys.length;
  }

  /**
   * Gives all remaining pages new consecutive numbers. The work is done in slices, with a pause before each
   * slice. Between the first pause and the end, the index must not be used.
   */
  async renumber(pause: () => Promise<unknown>): Promise<void> {
    await pause();
    const renumbered = new Int32Array(this.#keys.length).fill(-1);
    const keys: string[] = [];
    const signatures: number[] = [];
    let bytes = 0;
    for (const [number, key] of this.#keys.entries()) {
      if (key === undefined) continue;
      renumbered[number] = keys.length;
      this.#numbers.set(key, keys.length);
      keys.push(key);
      signatures.push(this.#signatures[number] ?? 0);
      bytes += PAGE + 2 * key.length;
    }
    this.#keys = keys;
    this.#signatures = signatures;
    let done = 0;
    for (const list of LISTS) {
      const lists = this.#lists[list];
      for (const [word, pages] of lists) {
        const current = renumberedPages(pages, renumbered);
        if (current === undefined) lists.delete(word);
        else {
          lists.set(word, current);
          bytes += ENTRY + word.length + (typeof current === "number" ? 0 : current.bytes);
        }
        done += typeof pages === "number" ? ENTRY : pages.bytes;
        if (done < RENUMBERED_AT_ONCE) continue;
        await pause();
        done = 0;
      }
    }
    this.#bytes = bytes;
  }

  /** Returns the number of pages in one of the lists of a word, such as the pages with the word in their head. */
  pagesWith(list: List, word: string): number {
    let count = 0;
    this.#each(list, word, () => {
      count += 1;
    });
    return count;
  }

  /**
   * Returns the keys of the pages in which the words of the query have the greatest total weight, best first.
   * Pages that are copies of another page come last.
   */
  best(words: WeightedWords, limit: number): readonly string[] {
    const weights = new Float64Array(this.#keys.length);
    for (const { list, word, weight } of words)
      this.#each(list, word, (number) => {
        weights[number] = (weights[number] ?? 0) + weight;
      });
    const ascending = weights.filter((weight) => weight > 0).sort();
    // A common word is on most pages of a map, and it would take long to sort all of these pages by weight. So the
    // search first compares the few pages with the highest weights, and takes more only if these are too few.
    for (let tried = WIDER * limit; ; tried *= WIDER) {
      const least = ascending[ascending.length - tried] ?? 0;
      const { chosen, copies } = this.#distinct(weights, least, limit);
      if (chosen.length < limit && least > 0) continue;
      return [...chosen, ...copies].slice(0, limit).flatMap((number) => this.#keys[number] ?? []);
    }
  }

  /**
   * Returns at most `limit` pages, best first. Together, the query words of a page must have at least the
   * weight `least`. Pages that are copies of another page are returned separately, as `copies`.
   */
  #distinct(
    weights: Float64Array,
    least: number,
    limit: number,
  ): { readonly chosen: readonly number[]; readonly copies: readonly number[] } {
    const found: number[] = [];
    for (let number = 0; number < weights.length; number += 1) {
      const weight = weights[number] ?? 0;
      if (weight > 0 && weight >= least) found.push(number);
    }
    found.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
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

  #each(list: List, word: string, visit: (number: number) => void): void {
    const pages = this.#lists[list].get(word);
    const keys = this.#keys;
    if (pages === undefined) return;
    if (typeof pages === "number") {
      if (keys[pages] !== undefined) visit(pages);
    } else
      pages.each((number) => {
        if (keys[number] !== undefined) visit(number);
      });
  }

  #add(list: List, word: string, number: number): void {
    const lists = this.#lists[list];
    const pages = lists.get(word);
    if (pages === undefined) {
      // A copy of the word is stored. The word itself is a part of a page's text, which would then stay in
      // memory.
      lists.set(copied(word), number);
      this.#bytes += ENTRY + word.length;
    } else if (typeof pages === "number") {
      const both = new PageNumbers();
      both.add(pages);
      both.add(number);
      lists.set(word, both);
      this.#bytes += both.bytes;
    } else {
      const before = pages.bytes;
      pages.add(number);
      this.#bytes += pages.bytes - before;
    }
  }
}

/**
 * Converts page numbers from before a renumbering to the current numbers. Returns `undefined` if all these
 * pages were removed.
 */
function renumberedPages(
  pages: number | PageNumbers,
  renumbered: Int32Array,
): number | PageNumbers | undefined {
  if (typeof pages === "number") {
    const current = renumbered[pages] ?? -1;
    return current < 0 ? undefined : current;
  }
  let first: number | undefined;
  let list: PageNumbers | undefined;
  pages.each((number) => {
    const current = renumbered[number] ?? -1;
    if (current < 0) return;
    if (first === undefined) first = current;
    else {
      if (!list) {
        list = new PageNumbers();
        list.add(first);
      }
      list.add(current);
    }
  });
  return list ?? first;
}

/** Returns a copy of a string that is no part of a longer text in memory. */
function copied(word: string): string {
  return Buffer.from(word).toString();
}

/** Returns a 53-bit hash of a text, which is never 0. Pages with equal hashes are copies of each other. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  return 0x200000 * (high >>> 0) + (low >>> 11) + 1;
}
