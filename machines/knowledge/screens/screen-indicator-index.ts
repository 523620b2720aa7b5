/**
 * Finds which texts (indicators) of many screens a page shows, without comparing every text. A short part of
 * each text (an anchor) is indexed, and only texts whose anchor is in the page are compared. Case is ignored.
 */

import { SlotSet } from "./small-integer-set.ts";

/**
 * Length of an anchor (the indexed part of a text), in characters. The anchor of a shorter text is the
 * complete text.
 */
const ANCHOR = 4;

interface IndexedText {
  /** The indicator text (by which screens are recognised), in lower case. */
  readonly text: string;
  /** Character codes of the text's first and last character. */
  readonly first: number;
  readonly last: number;
  /** Position of the anchor (the indexed part) in the indicator text, in characters. */
  readonly offset: number;
  /**
   * Slots (small numbers that stand for screens) of the screens for which this text is required. A page must
   * show more than half of a screen's required texts to be recognised as the screen.
   */
  readonly slots: SlotSet;
  /**
   * Slots (small numbers) of the screens for which the text is optional. An optional text only matters if
   * several screens have the same score.
   */
  readonly supported: SlotSet;
}

/** A screen with its score for a page. */
interface Ranked {
  readonly id: string;
  /**
   * Share (0 to 1) of the screen's texts that the page shows. A matching URL pattern counts as one more text.
   */
  readonly share: number;
  /** Total number of characters of the screen's texts that the page shows. */
  readonly length: number;
  /**
   * Position of the screen in the order of indexing. It decides between screens with equal `share` and
   * `length`.
   */
  readonly order: number;
}

/** Reads the indicator texts of screens. Screens that no longer exist are missing from the result. */
export type ReadTexts = (screenIds: readonly string[]) => Promise<
  readonly {
    readonly id: string;
    readonly texts: readonly string[];
    readonly supporting?: readonly string[];
  }[]
>;

export class IndicatorIndex {
  /** Each screen has a slot (a small number), so that matches are counted in an array. */
  readonly #slots = new Map<string, number>();
  readonly #textsOf: (readonly string[] | undefined)[] = [];
  /**
   * For each slot (the position of a screen in these lists): the id of the screen; `undefined` when the slot
   * is free.
   */
  readonly #idOf: (string | undefined)[] = [];
  /** For each screen's slot (its small number): the number of texts that the screen requires. */
  readonly #sizeOf: number[] = [];
  /**
   * For each screen's slot (its small number): how many screens had been indexed when this screen was added.
   */
  readonly #orderOf: number[] = [];
  #indexedScreens = 0;
  /** For each screen's slot (its small number): the texts that the screen does not require. */
  readonly #supportOf: (readonly string[] | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #texts = new Map<string, IndexedText>();
  /**
   * The texts, grouped by the hash of their anchor (the indexed part of a text). Different anchors may have
   * the same hash.
   */
  readonly #anchors = new Map<number, IndexedText[]>();
  /**
   * For each length of an anchor (the indexed part of a text) in characters: the number of texts with such an
   * anchor. A page is searched only for lengths that occur here.
   */
  readonly #lengths = new Map<number, number>();
  /**
   * The screens whose texts are being read, as one set for each running call of `fill`. If the texts of a
   * screen change during the read, the screen is removed from the set.
   */
  readonly #reading = new Set<Set<string>>();

  /** A revision number of the index, which increases whenever the texts of a screen are removed. */
  #revision = 0;

  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#slots.size;
  }

  has(screenId: string): boolean {
    return this.#slots.has(screenId);
  }

  /**
   * Adds to the index the texts that `read` returns for the screens. If a screen's texts change during the read, they
   * are not added.
   */
  async fill(screenIds: readonly string[], read: ReadTexts): Promise<void> {
    const current = new Set(screenIds);
    this.#reading.add(current);
    try {
      for (const { id, texts, supporting } of await read(screenIds))
        if (current.has(id)) this.put(id, texts, supporting);
    } finally {
      this.#reading.delete(current);
    }
  }

  /** @param supporting the texts that the screen does not require; they only decide between equal scores */
  put(screenId: string, texts: readonly string[], supporting: readonly string[] = []): void {
    if (this.#slots.has(screenId)) this.remove(screenId);
    const slot = this.#free.pop() ?? this.#textsOf.length;
    const own = distinct(texts);
    const support = distinct(supporting).filter((text) => !own.includes(text));
    this.#slots.set(screenId, slot);
    this.#textsOf[slot] = own;
    this.#supportOf[slot] = support;
    this.#idOf[slot] = screenId;
    this.#sizeOf[slot] = own.length;
    this.#orderOf[slot] = this.#indexedScreens++;
    for (const text of own) this.#indexed(text).slots.add(slot);
    for (const text of support) this.#indexed(text).supported.add(slot);
  }

  remove(screenId: string): void {
    this.#revision += 1;
    for (const ids of this.#reading) ids.delete(screenId);
    const slot = this.#slots.get(screenId);
    if (slot === undefined) return;
    for (const text of [...(this.#textsOf[slot] ?? []), ...(this.#supportOf[slot] ?? [])]) {
      const known = this.#texts.get(text);
      known?.slots.delete(slot);
      known?.supported.delete(slot);
      if (known?.slots.size === 0 && known.supported.size === 0) this.#drop(known);
    }
    this.#slots.delete(screenId);
    this.#idOf[slot] = undefined;
    this.#textsOf[slot] = undefined;
    this.#supportOf[slot] = undefined;
    this.#free.push(slot);
  }

  /**
   * Returns the screens with the highest scores for a page, the best first. The score is the share of the
   * screen's texts that the page shows; a matching URL pattern counts as one more text. At equal scores,
   * longer texts win.
   *
   * @param accepts whether a screen may be returned; called only for screens with a high score
   */
  best(dom: string, limit: number, accepts: (screenId: string) => boolean): readonly string[] {
    const [counts, lengths] = this.#counted(dom.toLowerCase());
    const best: Ranked[] = [];
    let least: Ranked | undefined;
    const sizes = this.#sizeOf;
    for (let slot = 0; slot < counts.length; slot++) {
      const share = ((counts[slot] ?? 0) + 1) / ((sizes[slot] ?? 0) + 1);
      if (least && share < least.share) continue;
      const length = lengths[slot] ?? 0;
      if (least && share === least.share && length < least.length) continue;
      const id = this.#idOf[slot];
      if (id === undefined) continue;
      const ranked = { id, share, length, order: this.#orderOf[slot] ?? 0 };
      if ((least && compare(ranked, least) > 0) || !accepts(id)) continue;
      const at = best.findIndex((other) => compare(ranked, other) < 0);
      best.splice(at < 0 ? best.length : at, 0, ranked);
      if (best.length > limit) best.pop();
      if (best.length === limit) least = best.at(-1);
    }
    return best.map(({ id }) => id);
  }

  /**
   * Returns two arrays, each with an entry for every screen. `counts`: number of the screen's required texts
   * that the page shows. `lengths`: total length of all the screen's texts on the page.
   */
  #counted(page: string): readonly [counts: Uint32Array, lengths: Uint32Array] {
    const counts = new Uint32Array(this.#textsOf.length);
    const lengths = new Uint32Array(this.#textsOf.length);
    for (const { text, slots, supported } of this.#shownOn(page)) {
      addAt(counts, slots.list(), 1);
      addAt(lengths, slots.list(), text.length);
      addAt(lengths, supported.list(), text.length);
    }
    return [counts, lengths];
  }

  /** Returns those indexed texts that occur on the page. */
  #shownOn(page: string): ReadonlySet<IndexedText> {
    const found = new Set<IndexedText>();
    for (const length of this.#lengths.keys()) {
      for (let at = 0; at + length <= page.length; at++) {
        const texts = this.#anchors.get(hashAt(page, at, length));
        if (texts === undefined) continue;
        for (const one of texts) {
          const start = at - one.offset;
          const end = start + one.text.length - 1;
          // Most texts differ in the first or last character. These two are compared first, because this is
          // faster.
          if (page.charCodeAt(end) !== one.last || page.charCodeAt(start) !== one.first) continue;
          if (page.startsWith(one.text, start)) found.add(one);
        }
      }
    }
    return found;
  }

  #indexed(text: string): IndexedText {
    const known = this.#texts.get(text);
    if (known) return known;
    const { anchor, offset } = this.#rarestAnchor(text);
    const indexed = {
      text,
      first: text.charCodeAt(0),
      last: text.charCodeAt(text.length - 1),
      offset,
      slots: new SlotSet(),
      supported: new SlotSet(),
    };
    this.#texts.set(text, indexed);
    const same = this.#anchors.get(anchor);
    if (same) same.push(indexed);
    else this.#anchors.set(anchor, [indexed]);
    const length = anchorLength(text);
    this.#lengths.set(length, (this.#lengths.get(length) ?? 0) + 1);
    return indexed;
  }

  /**
   * Returns the anchor of a text, the part by which the text is indexed, and its position. Many texts start
   * with the same words, so the part that the fewest other texts use is chosen.
   */
  #rarestAnchor(text: string): { readonly anchor: number; readonly offset: number } {
    const length = anchorLength(text);
    let best = { anchor: hashAt(text, 0, length), offset: 0, used: Number.POSITIVE_INFINITY };
    for (let offset = 0; offset + length <= text.length && best.used > 0; offset++) {
      const anchor = hashAt(text, offset, length);
      const used = this.#anchors.get(anchor)?.length ?? 0;
      if (used < best.used) best = { anchor, offset, used };
    }
    return best;
  }

  #drop(indexed: IndexedText): void {
    this.#texts.delete(indexed.text);
    const length = anchorLength(indexed.text);
    const anchor = hashAt(indexed.text, indexed.offset, length);
    const left = (this.#anchors.get(anchor) ?? []).filter((one) => one !== indexed);
    if (left.length > 0) this.#anchors.set(anchor, left);
    else this.#anchors.delete(anchor);
    const texts = (this.#lengths.get(length) ?? 0) - 1;
    if (texts > 0) this.#lengths.set(length, texts);
    else this.#lengths.delete(length);
  }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map((text) => text.toLowerCase()).filter((text) => text !== ""))];
}

function addAt(sums: Uint32Array, slots: Int32Array, value: number): void {
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] ?? 0;
    sums[slot] = (sums[slot] ?? 0) + value;
  }
}

/** Sorts screens by their scores, best first. */
function compare(a: Ranked, b: Ranked): number {
  return b.share - a.share || b.length - a.length || a.order - b.order;
}

function anchorLength(text: string): number {
  return Math.min(ANCHOR, text.length);
}

/** Returns a hash of `length` characters of a text, from the given position. */
function hashAt(text: string, start: number, length: number): number {
  let hash = length;
  for (let at = start; at < start + length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
