/**
 * Keeps the words of searched maps in memory (`text-index.ts`), for the searches of one thread. Each search
 * first applies the changes that were committed before it, so that its index is never outdated. A map has no
 * index while it is built, and if the map is small or too large.
 */
import { setImmediate as pause } from "node:timers/promises";
import type { KnowledgeId, UrlKey } from "../../machines/records.ts";
import { MINUTE } from "../../machines/units.ts";
import { type Database, record } from "../connection/database.ts";
import { storeLimits } from "../limits.ts";
import { type IndexedText, TextIndex } from "./text-index.ts";

/**
 * Minimum number of pages of a map with an index in memory. The indexes of the database find the pages of a
 * smaller map quickly.
 */
const LEAST_PAGES = 200;
/** Number of texts that are read and indexed at once, in about 10 ms of CPU time. */
const SLICE = 25;
/** Maximum number of changed texts that are read while a search waits. More are read in the background. */
const CHANGES = 100;
/** Time in milliseconds after which the size of a map that is too small is checked again. */
const CHECK_AFTER = MINUTE;
/**
 * Time in milliseconds without an index for a map that is too large, or that lost its index to other maps.
 * Building an index of 10,000 pages takes about 8 seconds of CPU time.
 */
const REST = 30 * MINUTE;
/** Maximum number of maps that are remembered, with or without an index. */
const REMEMBERED = 500;

/** The last change of a map that an index contains. */
interface Position {
  /**
   * Differs when a map was deleted and created again. Of a map without recorded changes, it differs after each
   * change.
   */
  readonly epoch: string;
  readonly version: number;
}

interface Changes {
  readonly to: Position;
  /** Keys of the changed texts; `undefined` if the database no longer has all changes since the position. */
  readonly keys: ReadonlySet<UrlKey> | undefined;
}

/** An index and its position, or the time before which none is built. */
class Entry {
  index: TextIndex | undefined;
  at: Position = { epoch: "", version: 0 };
  notBefore = 0;
  /** Milliseconds from the end of the work to `notBefore`, if there is no index then. */
  pause = CHECK_AFTER;
  /** Whether work in the background is waiting or active. Searches do not use the index meanwhile. */
  working = false;
  /** The updates of searches run one after the other. */
  turn: Promise<unknown> = Promise.resolve();
}

export class IndexCache {
  readonly #database: Database;
  readonly #limits: { readonly pages: number; readonly bytes: number };
  /** The maps in the order of their last search. */
  readonly #entries = new Map<KnowledgeId, Entry>();
  /** Work in the background. It is done for one map at a time, which bounds the memory of unfinished indexes. */
  #queue: Promise<void> = Promise.resolve();
  /** The entry that the work in the background is for. */
  #active: Entry | undefined;
  /** The index that is being built. */
  #unfinished: TextIndex | undefined;

  constructor(
    database: Database,
    limits: { readonly pages: number; readonly bytes: number } = storeLimits.searchIndex,
  ) {
    this.#database = database;
    this.#limits = limits;
  }

  /** Estimated size of all indexes in bytes, with the one that is being built. */
  get bytes(): number {
    let sum = this.#unfinished?.bytes ?? 0;
    for (const { index } of this.#entries.values()) sum += index?.bytes ?? 0;
    return sum;
  }

  /**
   * Returns the index of a map with all changes that were committed before this call; `undefined` if the map
   * has none now.
   */
  async current(knowledgeId: KnowledgeId): Promise<TextIndex | undefined> {
    const entry = this.#entries.get(knowledgeId) ?? new Entry();
    this.#entries.delete(knowledgeId);
    this.#entries.set(knowledgeId, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= REMEMBERED) break;
      this.#entries.delete(oldest);
    }
    if (entry.working) return undefined;
    const turn = entry.turn.then(() => this.#updated(knowledgeId, entry));
    // The search of this turn gets its error. The next turn only waits for its end.
    entry.turn = turn.catch(() => undefined);
    return await turn;
  }

  async #updated(knowledgeId: KnowledgeId, entry: Entry): Promise<TextIndex | undefined> {
    if (entry.working) return undefined;
    const { index, at } = entry;
    if (index) {
      const { to, keys } = await this.#changes(knowledgeId, at);
      if (keys && keys.size <= CHANGES && (await this.#apply(knowledgeId, index, keys))) {
        entry.at = to;
        if (index.isSparse) this.#startWork(knowledgeId, entry);
        return index;
      }
      if (!keys || keys.size <= CHANGES) entry.index = undefined;
    } else if (performance.now() < entry.notBefore) return undefined;
    this.#startWork(knowledgeId, entry);
    return undefined;
  }

  /** Builds or updates an index while searches continue without it. */
  #startWork(knowledgeId: KnowledgeId, entry: Entry): void {
    entry.working = true;
    this.#queue = this.#queue.then(async () => {
      this.#active = entry;
      try {
        await this.#work(knowledgeId, entry);
      } catch {
        // The search that started this work reports an unavailable database by itself.
        entry.index = undefined;
        entry.pause = CHECK_AFTER;
      }
      this.#unfinished = undefined;
      this.#active = undefined;
      entry.working = false;
      if (!entry.index) entry.notBefore = Math.max(entry.notBefore, performance.now() + entry.pause);
      this.#forgetOldest();
    });
  }

  async #work(knowledgeId: KnowledgeId, entry: Entry): Promise<void> {
    // While this work was waiting, the entry may have lost its index to other maps.
    if (!entry.index && performance.now() < entry.notBefore) return;
    entry.pause = CHECK_AFTER;
    let { index, at } = entry;
    if (!index) {
      at = (await this.#changes(knowledgeId, at)).to;
      index = await this.#built(knowledgeId, entry);
    } else if (index.isSparse) await index.renumber(pause);
    for (let waiting = index !== undefined; waiting && index; ) {
      const { to, keys } = await this.#changes(knowledgeId, at);
      // Without keys, more changes were committed meanwhile than the database keeps.
      if (!keys) index = undefined;
      else if (!(await this.#apply(knowledgeId, index, keys))) {
        index = undefined;
        entry.pause = REST;
      }
      at = to;
      waiting = (keys?.size ?? 0) > CHANGES;
    }
    this.#unfinished = undefined;
    entry.index = index;
    entry.at = at;
  }

  /** Returns a new index of a map; `undefined` if the map is too small or too large. */
  async #built(knowledgeId: KnowledgeId, entry: Entry): Promise<TextIndex | undefined> {
    const range = "page_text:[$knowledgeId, NONE]..=[$knowledgeId, ..]";
    const row = await this.#database.row<{ readonly count: number }>(
      `SELECT count() FROM ${range} GROUP ALL`,
      { knowledgeId },
    );
    const total = row?.count ?? 0;
    if (total < LEAST_PAGES) return undefined;
    entry.pause = REST;
    if (total > this.#limits.pages) return undefined;
    const keys = await this.#database.rows<UrlKey>(`SELECT VALUE id[1] FROM ${range}`, { knowledgeId });
    const index = new TextIndex();
    this.#unfinished = index;
    if (!(await this.#apply(knowledgeId, index, new Set(keys)))) return undefined;
    entry.pause = CHECK_AFTER;
    return index;
  }

  /**
   * Reads texts again, and puts them into the index. Texts that no longer exist are removed from it. Returns
   * false if the index becomes too large; it then lacks texts.
   */
  async #apply(knowledgeId: KnowledgeId, index: TextIndex, changed: ReadonlySet<UrlKey>): Promise<boolean> {
    const keys = [...changed];
    for (let from = 0; from < keys.length; from += SLICE) {
      const some = keys.slice(from, from + SLICE);
      const rows = await this.#database.rows<IndexedText & { readonly id: readonly [KnowledgeId, UrlKey] }>(
        "SELECT id, title, head, words ?? body AS body FROM $ids WHERE id",
        { ids: some.map((key) => record("page_text", [knowledgeId, key])) },
      );
      const gone = new Set(some);
      for (const { id, ...text } of rows) {
        index.put(id[1], text);
        gone.delete(id[1]);
      }
      for (const key of gone) index.remove(key);
      // No search uses the index of the active work, so it may be renumbered.
      if (index.isSparse && (this.#unfinished ?? this.#active?.index) === index) await index.renumber(pause);
      if (index.bytes > this.#limits.bytes) return false;
      this.#forgetOldest();
    }
    return true;
  }

  /** Returns the changes of a map since a position. */
  async #changes(knowledgeId: KnowledgeId, { epoch, version }: Position): Promise<Changes> {
    const [states = [], changes = [], maps = []] = await this.#database.each<
      Position & {
        readonly id: readonly [KnowledgeId, number];
        readonly keys: readonly UrlKey[];
        readonly updated_at: number;
      }
    >(
      [
        "SELECT epoch, version FROM $state",
        "SELECT id, keys FROM text_change:[$knowledgeId, $next]..=[$knowledgeId, ..]",
        "SELECT updated_at FROM $map",
      ],
      {
        knowledgeId,
        next: version + 1,
        state: record("text_version", [knowledgeId, 0]),
        map: record("knowledge", knowledgeId),
      },
    );
    const [state] = states;
    if (!state) {
      // The release that wrote this map did not record changes of texts. It may still run on another node.
      const to = { epoch: `updated at ${maps[0]?.updated_at}`, version: 0 };
      return { to, keys: to.epoch === epoch ? new Set() : undefined };
    }
    // The state is read before the list of changes, so this list may end with changes that are newer than it.
    const to = { epoch: state.epoch, version: changes.at(-1)?.id[1] ?? state.version };
    const isComplete = state.epoch === epoch && to.version - version === changes.length;
    return { to, keys: isComplete ? new Set(changes.flatMap(({ keys }) => keys)) : undefined };
  }

  /** Removes the indexes of the maps that were not searched for the longest time, down to the limit. */
  #forgetOldest(): void {
    for (const entry of this.#entries.values()) {
      if (this.bytes <= this.#limits.bytes) return;
      if (entry === this.#active || !entry.index) continue;
      entry.index = undefined;
      entry.notBefore = performance.now() + REST;
    }
  }
}
