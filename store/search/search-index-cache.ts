/**
 * Keeps the words of searched maps in memory (`search-word-index.ts`), for the searches of one thread. Each search
 * first applies the changes that were committed before it, so that its index is never outdated. A map has no
 * index if it is too small or too large, and while its index is being built.
 */
import { setImmediate as pause } from "node:timers/promises";
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { MINUTE } from "../../machines/time-and-size-units.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { storeLimits } from "../store-limits.ts";
import { type IndexedText, TextIndex } from "./search-word-index.ts";

/**
 * Minimum number of pages of a map with an index in memory. The indexes of the database find the pages of a
 * smaller map quickly.
 */
const LEAST_PAGES = 200;
/**
 * Number of texts that are indexed before the work pauses for other tasks. It takes about 10 ms of CPU time.
 */
const SLICE = 25;
/**
 * Maximum number of changed texts that are read before a waiting search is answered. Further ones are read
 * afterwards in the background.
 */
const CHANGES = 100;
/**
 * Time in milliseconds after which the size of a map is checked again, if the map was too small for an index.
 */
const CHECK_AFTER = MINUTE;
/**
 * Minimum time in milliseconds before a search index is built again. It applies to maps whose index was too
 * large or was removed to save memory. An index of 10,000 pages takes about 8 seconds of CPU time.
 */
const REST = 30 * MINUTE;
/** Maximum number of maps in the cache, with or without an index. */
const REMEMBERED = 500;

/** A position in the history of a map: the last change that an index contains. */
interface Position {
  /**
   * Identifies the map since its creation. The value changes when the map is deleted and created again. If
   * the database does not record the changes of the map, the value also changes with each change.
   */
  readonly epoch: string;
  readonly version: number;
}

interface Changes {
  readonly to: Position;
  /**
   * Keys of the texts that have changed since the reader's index was last updated. `undefined` if the
   * database no longer stores all of these changes.
   */
  readonly keys: ReadonlySet<UrlKey> | undefined;
}

/**
 * The cache entry of a map. `at` is the position in the map's history up to which the search index contains
 * its changes. If there is no search index, none is built before the time `notBefore`.
 */
class Entry {
  index: TextIndex | undefined;
  at: Position = { epoch: "", version: 0 };
  notBefore = 0;
  /** Milliseconds until this search index is built again, after a build has ended without an index. */
  pause = CHECK_AFTER;
  /** True while background work on this index is waiting or running. Searches then do not use the index. */
  working = false;
  /**
   * Resolves when all updates that searches have started so far have ended. Updates of one index run one after
   * the other.
   */
  turn: Promise<unknown> = Promise.resolve();
}

export class IndexCache {
  readonly #database: Database;
  readonly #limits: { readonly pages: number; readonly bytes: number };
  /** Maps with a cached index. The map that was searched last is the last entry. */
  readonly #entries = new Map<KnowledgeId, Entry>();
  /**
   * The chain of background work that builds and updates indexes. It handles one map at a time, so that only
   * one unfinished index is in memory.
   */
  #queue: Promise<void> = Promise.resolve();
  /** The map whose index the background work currently builds or updates. */
  #active: Entry | undefined;
  /** The index that the background work currently builds; not yet used by searches. */
  #unfinished: TextIndex | undefined;

  constructor(
    database: Database,
    limits: { readonly pages: number; readonly bytes: number } = storeLimits.searchIndex,
  ) {
    this.#database = database;
    this.#limits = limits;
  }

  /** Estimated size of all indexes in bytes, including the index that is being built. */
  get bytes(): number {
    let sum = this.#unfinished?.bytes ?? 0;
    for (const { index } of this.#entries.values()) sum += index?.bytes ?? 0;
    return sum;
  }

  /**
   * Returns the search index of a map, with all changes that were committed before this call. Returns
   * `undefined` if the index is not ready.
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
    // An error of this update is thrown to the search that started the update. Later updates wait for this
    // one, but ignore its error.
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
        // The error is ignored: if the database is unavailable, the search itself fails and reports the
        // error.
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
    // The index may have been removed meanwhile, to make room for indexes of other maps.
    if (!entry.index && performance.now() < entry.notBefore) return;
    entry.pause = CHECK_AFTER;
    let { index, at } = entry;
    if (!index) {
      at = (await this.#changes(knowledgeId, at)).to;
      index = await this.#built(knowledgeId, entry);
    } else if (index.isSparse) await index.renumber(pause);
    for (let waiting = index !== undefined; waiting && index; ) {
      const { to, keys } = await this.#changes(knowledgeId, at);
      // The database stores only a limited number of changes. `keys` is undefined if it no longer stores all
      // changes since the last read.
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
   * Reads the given texts again and updates the index with them. Texts that no longer exist are removed.
   * Returns false if the index has become too large; the index is then incomplete.
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
      // Searches do not use an index while background work changes it. So its pages can be renumbered here.
      if (index.isSparse && (this.#unfinished ?? this.#active?.index) === index) await index.renumber(pause);
      if (index.bytes > this.#limits.bytes) return false;
      this.#forgetOldest();
    }
    return true;
  }

  /** Returns the changes of a map's texts since a position (the last change that an index contains). */
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
      // An older release wrote the map without a record of changes, and may still run on another node. So the
      // time of the map's last update shows whether its texts have changed.
      const to = { epoch: `updated at ${maps[0]?.updated_at}`, version: 0 };
      return { to, keys: to.epoch === epoch ? new Set() : undefined };
    }
    // A change may be committed after `state` was read and before `changes` are read. `state` then has an old
    // version, so the version of the newest change is used.
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
