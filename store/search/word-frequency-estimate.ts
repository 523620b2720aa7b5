/**
 * Estimates from a sample how many pages of a map contain a word. Counting in the index would read a row for
 * each of these pages, which takes half a second of CPU time for a common word in 10,000 pages.
 */
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { MINUTE } from "../../machines/time-and-size-units.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { termKey } from "./search-ranking.ts";

/** Number of pages in a sample. If 5 % of all pages contain a word, 10 ± 3 pages of the sample contain it. */
const SAMPLED = 200;
/**
 * Time in milliseconds for which a sample of pages is used before its pages are read again. The sample only
 * gives weights to the words of a query, so it may be outdated.
 */
const SAMPLE_FOR = 15 * MINUTE;
/**
 * When the number of pages has changed by this share (0 to 1), the sample is chosen again. Until then the
 * same pages are read again, because choosing pages reads the ids of all pages.
 */
const CHANGED = 0.2;
/** Maximum number of maps whose samples are remembered. Each takes about a megabyte. */
const REMEMBERED = 20;

export interface PageSample {
  /** Number of all pages of the map from which the sample is taken. */
  readonly total: number;
  /** Returns the estimated number of pages with a term (`termKey`); `undefined` if there is no sample yet. */
  pagesWith(term: string): number | undefined;
}

interface Chosen {
  readonly ids: readonly PageId[];
  /** Number of pages of the map when the sample was chosen. */
  readonly of: number;
}

type PageId = readonly [KnowledgeId, UrlKey];

export class PageSamples {
  readonly #database: Database;
  readonly #known = new Map<
    string,
    { readonly sample: PageSample; readonly chosen: Chosen; readonly at: number }
  >();
  readonly #reading = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns a sample of the map's pages, from which word frequencies are estimated. For `undefined`, the
   * sample is taken from the pages of all maps. A search never waits for a sample: the first search works
   * without one, and later searches use the old sample until the new one is read.
   */
  async of(knowledgeId: KnowledgeId | undefined): Promise<PageSample> {
    const key = JSON.stringify(knowledgeId ?? null);
    const known = this.#known.get(key);
    if (known && performance.now() - known.at < SAMPLE_FOR) return known.sample;
    if (known) {
      this.#refresh(key, knowledgeId);
      return known.sample;
    }
    const total = await this.#count(knowledgeId);
    // A small map needs no estimate: counting the pages with a word in its index is fast.
    if (total >= SAMPLED) this.#refresh(key, knowledgeId);
    return { total, pagesWith: () => undefined };
  }

  /** Reads a new sample in the background. If this fails, the next search tries to read it again. */
  #refresh(key: string, knowledgeId: KnowledgeId | undefined): void {
    if (this.#reading.has(key)) return;
    this.#reading.add(key);
    void this.#read(knowledgeId, this.#known.get(key)?.chosen)
      .then(
        ({ sample, chosen }) => {
          this.#known.delete(key);
          const [oldest] = this.#known.keys();
          if (oldest !== undefined && this.#known.size >= REMEMBERED) this.#known.delete(oldest);
          if (sample.total >= SAMPLED) this.#known.set(key, { sample, chosen, at: performance.now() });
        },
        () => undefined,
      )
      .finally(() => this.#reading.delete(key));
  }

  async #count(knowledgeId: KnowledgeId | undefined): Promise<number> {
    const row = await this.#database.row<{ readonly count: number }>(
      `SELECT count() FROM ${rangeOf(knowledgeId)} GROUP ALL`,
      { knowledgeId },
    );
    return row?.count ?? 0;
  }

  /** Chooses the pages of a sample at equal distances, in the order of their ids. */
  async #choose(knowledgeId: KnowledgeId | undefined): Promise<Chosen> {
    const ids = await this.#database.rows<PageId>(
      `SELECT VALUE [id[0], id[1]] FROM ${rangeOf(knowledgeId)}`,
      { knowledgeId },
    );
    const at = Array.from({ length: SAMPLED }, (_, each) => Math.floor((each * ids.length) / SAMPLED));
    return { ids: at.flatMap((each) => (ids[each] ? [ids[each]] : [])), of: ids.length };
  }

  async #read(
    knowledgeId: KnowledgeId | undefined,
    earlier: Chosen | undefined,
  ): Promise<{ readonly sample: PageSample; readonly chosen: Chosen }> {
    const count = earlier ? await this.#count(knowledgeId) : 0;
    const isSame = earlier !== undefined && Math.abs(count - earlier.of) <= CHANGED * earlier.of;
    const chosen = isSame ? earlier : await this.#choose(knowledgeId);
    const total = isSame ? count : chosen.of;
    const rows = await this.#database.rows<{ readonly head: string; readonly body: string }>(
      "SELECT head, body FROM $ids WHERE id",
      { ids: chosen.ids.map((id) => record("page_text", id)) },
    );
    const held = new Map<string, number>();
    for (const { head, body } of rows)
      for (const [field, text] of [
        ["head", head],
        ["body", body],
      ] as const)
        for (const word of new Set(text.split(" "))) {
          const term = termKey(field, word);
          held.set(term, (held.get(term) ?? 0) + 1);
        }
    const pagesWith = (term: string) => ((held.get(term) ?? 0) * total) / Math.max(1, rows.length);
    return { sample: { total, pagesWith }, chosen };
  }
}

function rangeOf(knowledgeId: KnowledgeId | undefined): string {
  return knowledgeId === undefined ? "page_text" : "page_text:[$knowledgeId, NONE]..=[$knowledgeId, ..]";
}
