/**
 * Finds which texts (indicators) of many screens a page shows, without comparing every text. Upper and lower
 * case are ignored. Each text is indexed by a short part of it (an anchor), and only texts whose anchor
 * occurs in the page are compared.
 */

/** Number of characters of an anchor (the indexed part of a text). A shorter text is its own anchor. */
const ANCHOR = 4;

interface IndexedText {
  /** The indicator text in lower case. */
  readonly text: string;
  /** Position of the anchor (the indexed part) in the indicator text, in characters. */
  readonly offset: number;
  readonly slots: Set<number>;
  /**
   * Slots (small numbers) of the screens that do not require the text. For these screens, the text only decides
   * between equal scores.
   */
  readonly supported: Set<number>;
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
  /**
   * Each screen has a slot, which is a small number. Matches are counted in an array that is indexed by slot.
   */
  readonly #slots = new Map<string, number>();
  readonly #textsOf: (readonly string[] | undefined)[] = [];
  /** For each screen's slot (its small number): the texts that the screen does not require. */
  readonly #supportOf: (readonly string[] | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #texts = new Map<string, IndexedText>();
  readonly #anchors = new Map<string, IndexedText[]>();
  /**
   * For each length of an anchor (the indexed part of a text) in characters: the number of texts. A page is
   * searched only for anchors of the lengths that occur.
   */
  readonly #lengths = new Map<number, number>();
  /**
   * The screens whose texts are being read, as one set for each running `fill`. A screen is removed from the
   * set when its texts change during the read.
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

  /** Indexes the texts that `read` returns. Texts that change during the read are not indexed. */
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

  /** @param supporting texts that the screen does not require; they only decide between equal scores */
  put(screenId: string, texts: readonly string[], supporting: readonly string[] = []): void {
    if (this.#slots.has(screenId)) this.remove(screenId);
    const slot = this.#free.pop() ?? this.#textsOf.length;
    const own = distinct(texts);
    const support = distinct(supporting).filter((text) => !own.includes(text));
    this.#slots.set(screenId, slot);
    this.#textsOf[slot] = own;
    this.#supportOf[slot] = support;
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
    this.#textsOf[slot] = undefined;
    this.#supportOf[slot] = undefined;
    this.#free.push(slot);
  }

  /**
   * Returns the screens that score highest for a page, best first. The score is the share of a screen's texts
   * that the page shows; the URL pattern counts as one more text. Equal scores are ordered by the length of
   * the texts, because "Order 12" says more than "Order 1".
   *
   * @param accepts whether a screen may be returned. It is called only for screens with a high score.
   */
  best(dom: string, limit: number, accepts: (screenId: string) => boolean): readonly string[] {
    const [counts, lengths] = this.#counted(dom.toLowerCase());
    const best: { readonly id: string; readonly share: number; readonly length: number }[] = [];
    let [leastShare, leastLength] = [-1, -1];
    for (const [id, slot] of this.#slots) {
      const share = ((counts[slot] ?? 0) + 1) / ((this.#textsOf[slot]?.length ?? 0) + 1);
      const length = lengths[slot] ?? 0;
      if (share < leastShare || (share === leastShare && length <= leastLength)) continue;
      if (!accepts(id)) continue;
      const at = best.findIndex(
        (other) => share > other.share || (share === other.share && length > other.length),
      );
      best.splice(at < 0 ? best.length : at, 0, { id, share, length });
      if (best.length > limit) best.pop();
      if (best.length === limit)
        [leastShare, leastLength] = [best.at(-1)?.share ?? 0, best.at(-1)?.length ?? 0];
    }
    return best.map(({ id }) => id);
  }

  /**
   * For each screen's slot (its small number), the number of the screen's required texts that the page shows,
   * and the total length of all its texts that the page shows.
   */
  #counted(page: string): readonly [counts: Uint32Array, lengths: Uint32Array] {
    const counts = new Uint32Array(this.#textsOf.length);
    const lengths = new Uint32Array(this.#textsOf.length);
    const found = new Set<IndexedText>();
    for (const length of this.#lengths.keys()) {
      for (let at = 0; at + length <= page.length; at++) {
        for (const one of this.#anchors.get(page.slice(at, at + length)) ?? []) {
          if (found.has(one) || !page.startsWith(one.text, at - one.offset)) continue;
          found.add(one);
          for (const slot of one.slots) {
            counts[slot] = (counts[slot] ?? 0) + 1;
            lengths[slot] = (lengths[slot] ?? 0) + one.text.length;
          }
          for (const slot of one.supported) lengths[slot] = (lengths[slot] ?? 0) + one.text.length;
        }
      }
    }
    return [counts, lengths];
  }

  #indexed(text: string): IndexedText {
    const known = this.#texts.get(text);
    if (known) return known;
    const { anchor, offset } = this.#rarestAnchor(text);
    const indexed = { text, offset, slots: new Set<number>(), supported: new Set<number>() };
    this.#texts.set(text, indexed);
    const same = this.#anchors.get(anchor);
    if (same) same.push(indexed);
    else this.#anchors.set(anchor, [indexed]);
    this.#lengths.set(anchor.length, (this.#lengths.get(anchor.length) ?? 0) + 1);
    return indexed;
  }

  /**
   * Many texts start with the same word. So the part of the text that the fewest other texts use becomes its
   * anchor, by which the text is indexed.
   */
  #rarestAnchor(text: string): { readonly anchor: string; readonly offset: number } {
    const length = Math.min(ANCHOR, text.length);
    let best = { anchor: text.slice(0, length), offset: 0, used: Number.POSITIVE_INFINITY };
    for (let offset = 0; offset + length <= text.length && best.used > 0; offset++) {
      const anchor = text.slice(offset, offset + length);
      const used = this.#anchors.get(anchor)?.length ?? 0;
      if (used < best.used) best = { anchor, offset, used };
    }
    return best;
  }

  #drop(indexed: IndexedText): void {
    this.#texts.delete(indexed.text);
    const length = Math.min(ANCHOR, indexed.text.length);
    const anchor = indexed.text.slice(indexed.offset, indexed.offset + length);
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
