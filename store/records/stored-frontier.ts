/**
 * Reads the URLs that an exploration knows (its frontier): queued, done and failed. For each crawl strategy,
 * the database has an index in the order of this strategy. ORDER BY names all fields of that index, because
 * otherwise the database would sort the complete queue.
 */
import type { Strategy } from "../../machines/exploration/exploration-request.ts";
import type { FrontierRecord, FrontierState } from "../../machines/records/exploration-records.ts";
import type { PageRecord } from "../../machines/records/page-records.ts";
import type { JobId, KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { cursorAfter, placeOf, type Slice, type SliceRequest } from "./result-slice.ts";

/** Names of the page fields that a list of an exploration's results contains. */
const RESULT_FIELDS = [
  "url",
  "title",
  "content",
  "language",
  "headings",
  "content_hash",
  "signature",
  "rendered_by",
  "render_reason",
  "media_type",
  "http_status",
  "depth",
  "fetched_at",
  "metadata",
] as const;

export interface DonePage extends Pick<PageRecord, (typeof RESULT_FIELDS)[number]> {
  readonly seq: number;
  readonly key: UrlKey;
}

export interface DoneKey {
  readonly seq: number;
  readonly key: UrlKey;
  readonly knowledgeId: KnowledgeId;
}

/** Maximum number of URLs that one query returns when all URLs of an exploration are read. */
const PART = 5_000;

const STATES: readonly FrontierState[] = ["queued", "held", "done", "failed", "skipped"];
const ORDER: Readonly<Record<Strategy, { readonly index: string; readonly by: string }>> = {
  BFS: { index: "frontier_order", by: "job_id, state, depth, seq" },
  DFS: { index: "frontier_back", by: "job_id, state, back" },
};

/** A URL that failed and has no retries left. */
export type FailedPage = Pick<FrontierRecord, "url" | "error" | "attempts">;

export class FrontierReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns queued URLs whose time `not_before` has passed. `breadth-first`: the lowest depth comes first,
   * and then the URL found first. `depth-first`: the URL found last comes first.
   */
  async next(
    jobId: JobId,
    wanted: { strategy: Strategy; limit: number; now: number; exclude?: readonly UrlKey[] },
  ): Promise<readonly FrontierRecord[]> {
    const excluded = new Set(wanted.exclude);
    const found: FrontierRecord[] = [];
    let batch = wanted.limit + excluded.size;
    for (let start = 0; ; ) {
      const rows = await this.#inOrder(jobId, "queued", wanted.strategy, batch, start);
      for (const row of rows) {
        if (row.not_before > wanted.now || excluded.has(row.id[1])) continue;
        found.push(row);
        if (found.length === wanted.limit) return found;
      }
      if (rows.length < batch) return found;
      start += batch;
      // Each query reads twice as many rows as the one before. Many rows at the start may have to wait
      // (`not_before`). With this doubling, a few queries are enough to reach a row that need not wait.
      batch *= 2;
    }
  }

  async heldInOrder(jobId: JobId, strategy: Strategy, limit: number): Promise<readonly FrontierRecord[]> {
    return await this.#inOrder(jobId, "held", strategy, limit, 0);
  }

  async #inOrder(
    jobId: JobId,
    state: FrontierState,
    strategy: Strategy,
    limit: number,
    start: number,
  ): Promise<readonly FrontierRecord[]> {
    if (limit <= 0) return [];
    const { index, by } = ORDER[strategy];
    return await this.#database.rows<FrontierRecord>(
      `SELECT * OMIT back FROM frontier WITH INDEX ${index} WHERE job_id = $jobId AND state = $state
       ORDER BY ${by} LIMIT $limit START $start`,
      { jobId, state, limit, start },
    );
  }

  /**
   * Returns all URLs that the exploration knows, sorted by key and divided into parts of at most `PART` URLs.
   */
  async *all(jobId: JobId): AsyncGenerator<readonly Pick<FrontierRecord, "url" | "depth">[]> {
    for (let after: UrlKey | undefined; ; ) {
      const from = after === undefined ? "[$jobId, NONE]" : "[$jobId, $after]>";
      const rows = await this.#database.rows<Pick<FrontierRecord, "id" | "url" | "depth">>(
        `SELECT id, url, depth FROM frontier:${from}..=[$jobId, ..] LIMIT $limit`,
        { jobId, limit: PART, ...(after === undefined ? {} : { after }) },
      );
      yield rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PART) return;
      [, after] = last.id;
    }
  }

  /** Returns the exploration's URL rows for the given keys. Unknown keys are left out. */
  async known(
    jobId: JobId,
    keys: readonly UrlKey[],
  ): Promise<ReadonlyMap<UrlKey, { state: FrontierState; depth: number; url: string }>> {
    if (keys.length === 0) return new Map();
    const rows = await this.#database.rows<Pick<FrontierRecord, "id" | "state" | "depth" | "url">>(
      "SELECT id, state, depth, url FROM $ids WHERE id",
      { ids: keys.map((key) => record("frontier", [jobId, key])) },
    );
    return new Map(rows.map(({ id: [, key], state, depth, url }) => [key, { state, depth, url }]));
  }

  async counts(jobId: JobId): Promise<Readonly<Record<FrontierState, number>>> {
    const counts = await this.#database.each<{ count: number }>(
      STATES.map(
        (state) => `SELECT count() FROM frontier WHERE job_id = $jobId AND state = "${state}" GROUP ALL`,
      ),
      { jobId },
    );
    const [queued = 0, held = 0, done = 0, failed = 0, skipped = 0] = counts.map(
      (rows) => rows[0]?.count ?? 0,
    );
    return { queued, held, done, failed, skipped };
  }

  /** Returns the earliest `not_before` of the queued rows; `null` if nothing is queued. */
  async earliestRetry(jobId: JobId): Promise<number | null> {
    const row = await this.#database.row<{ not_before: number }>(
      "SELECT not_before FROM frontier WHERE job_id = $jobId AND state = 'queued' ORDER BY not_before LIMIT 1",
      { jobId },
    );
    return row?.not_before ?? null;
  }

  /**
   * Returns the keys of the pages that the exploration has read, sorted by depth and order of discovery,
   * together with the id of the map.
   */
  async doneKeys(jobId: JobId, { limit, cursor }: SliceRequest): Promise<Slice<DoneKey>> {
    const [depth, seq] = cursor === undefined ? [-1, -1] : numbersOf(cursor);
    const done = `SELECT depth, seq, page_key, job_id, state FROM frontier WITH INDEX frontier_order
      WHERE job_id = $jobId AND state = "done"`;
    const order = "ORDER BY job_id, state, depth, seq LIMIT $limit";
    const [parts, knowledgeId] = await Promise.all([
      this.#database.each<{ depth: number; seq: number; page_key: UrlKey }>(
        [`${done} AND depth = $depth AND seq > $seq ${order}`, `${done} AND depth >= $deeper ${order}`],
        { jobId, depth, deeper: depth + 1, seq, limit },
      ),
      this.#database.row<string>("SELECT VALUE knowledge_id FROM $id", { id: record("job", jobId) }),
    ]);
    const rows = parts.flat().slice(0, limit);
    const last = rows.at(-1);
    return {
      items:
        knowledgeId === undefined
          ? []
          : rows.map((row) => ({ seq: row.seq, key: row.page_key, knowledgeId })),
      cursor: last && rows.length >= limit ? cursorAfter([last.depth, last.seq]) : null,
    };
  }

  /**
   * Returns the pages that the exploration has read, with their content, sorted by depth and order of
   * discovery.
   */
  async pages(jobId: JobId, slice: SliceRequest): Promise<Slice<DonePage>> {
    const { items, cursor } = await this.doneKeys(jobId, slice);
    if (items.length === 0) return { items: [], cursor };
    const rows = await this.#database.rows<Pick<PageRecord, "id" | (typeof RESULT_FIELDS)[number]>>(
      `SELECT id, ${RESULT_FIELDS.join(", ")} FROM $ids WHERE id`,
      { ids: items.map(({ key, knowledgeId }) => record("page", [knowledgeId, key])) },
    );
    const byKey = new Map(rows.map((row) => [row.id[1], row]));
    return {
      items: items.flatMap(({ seq, key }) => {
        const page = byKey.get(key);
        if (!page) return [];
        const { id: _, ...shown } = page;
        return [{ seq, key, ...shown }];
      }),
      cursor,
    };
  }

  async failures(jobId: JobId): Promise<readonly FailedPage[]> {
    const rows = await this.#database.rows<FailedPage & { readonly seq: number }>(
      "SELECT url, error, attempts, seq FROM frontier WHERE job_id = $jobId AND state = 'failed' ORDER BY seq",
      { jobId },
    );
    return rows.map(({ url, error, attempts }) => ({ url, error, attempts }));
  }
}

function numbersOf(cursor: string): [depth: number, seq: number] {
  const [depth, seq] = placeOf(cursor, 2);
  return [Number(depth), Number(seq)];
}
