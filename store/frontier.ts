/**
 * Reads a job's frontier: what comes next, what is known, what was done, what failed.
 *
 * Rows are found by (job, state, depth, seq) for breadth-first and by (job, state, seq) for depth-first and for
 * lists. A LIMIT is never combined with a condition outside the index: the database would cut before it filters.
 */
import type { Strategy } from "../machines/exploration/protocol.ts";
import type { FrontierRecord, FrontierState, JobId, UrlKey } from "../machines/records.ts";
import { type Database, record } from "./database.ts";
import { cursorAfter, placeOf, type Slice, type SliceRequest } from "./slice.ts";

export interface DonePage {
  readonly seq: number;
  readonly key: UrlKey;
  readonly url: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
}

const STATES: readonly FrontierState[] = ["queued", "held", "done", "failed", "skipped"];
const ORDER: Readonly<Record<Strategy, string>> = { BFS: "depth, seq", DFS: "seq DESC" };

export class FrontierReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Queued rows whose `not_before` has come. BFS: lowest depth, then lowest seq; DFS: highest seq. */
  async next(
    jobId: JobId,
    wanted: { strategy: Strategy; limit: number; now: number; exclude?: readonly UrlKey[] },
  ): Promise<readonly FrontierRecord[]> {
    const excluded = new Set(wanted.exclude);
    const found: FrontierRecord[] = [];
    const batch = wanted.limit + excluded.size;
    for (let start = 0; ; start += batch) {
      const rows = await this.#inOrder(jobId, "queued", wanted.strategy, batch, start);
      for (const row of rows) {
        if (row.not_before > wanted.now || excluded.has(row.id[1])) continue;
        found.push(row);
        if (found.length === wanted.limit) return found;
      }
      if (rows.length < batch) return found;
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
    return await this.#database.rows<FrontierRecord>(
      `SELECT * FROM frontier WHERE job_id = $jobId AND state = $state ORDER BY ${ORDER[strategy]} LIMIT $limit START $start`,
      { jobId, state, limit, start },
    );
  }

  /** What the job knows of these keys; keys it does not know are absent. */
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

  /** The earliest `not_before` among the queued rows, `null` when nothing is queued. */
  async earliestRetry(jobId: JobId): Promise<number | null> {
    const row = await this.#database.row<{ not_before: number }>(
      "SELECT not_before FROM frontier WHERE job_id = $jobId AND state = 'queued' ORDER BY not_before LIMIT 1",
      { jobId },
    );
    return row?.not_before ?? null;
  }

  /** The keys of the pages behind a job's done rows, in order of discovery, and the map they are in. */
  async doneKeys(
    jobId: JobId,
    { limit, cursor }: SliceRequest,
  ): Promise<Slice<{ readonly seq: number; readonly key: UrlKey; readonly knowledgeId: string }>> {
    const after = cursor === undefined ? -1 : Number(placeOf(cursor, 1)[0]);
    const [rows, knowledgeId] = await Promise.all([
      this.#database.rows<{ seq: number; page_key: UrlKey }>(
        `SELECT seq, page_key FROM frontier WHERE job_id = $jobId AND state = 'done' AND seq > $after
         ORDER BY seq LIMIT $limit`,
        { jobId, after, limit },
      ),
      this.#database.row<string>("SELECT VALUE knowledge_id FROM $id", { id: record("job", jobId) }),
    ]);
    const last = rows.at(-1);
    return {
      items:
        knowledgeId === undefined
          ? []
          : rows.map(({ seq, page_key }) => ({ seq, key: page_key, knowledgeId })),
      cursor: last && rows.length >= limit ? cursorAfter([last.seq]) : null,
    };
  }

  /** The job's done pages in order of discovery, with their content. */
  async pages(jobId: JobId, slice: SliceRequest): Promise<Slice<DonePage>> {
    const { items, cursor } = await this.doneKeys(jobId, slice);
    if (items.length === 0) return { items: [], cursor };
    const rows = await this.#database.rows<{ id: readonly [string, UrlKey] } & Omit<DonePage, "seq" | "key">>(
      "SELECT id, url, title, content FROM $ids WHERE id",
      { ids: items.map(({ key, knowledgeId }) => record("page", [knowledgeId, key])) },
    );
    const byKey = new Map(rows.map((row) => [row.id[1], row]));
    return {
      items: items.flatMap(({ seq, key }) => {
        const page = byKey.get(key);
        return page ? [{ seq, key, url: page.url, title: page.title, content: page.content }] : [];
      }),
      cursor,
    };
  }

  async failures(jobId: JobId): Promise<readonly { readonly url: string; readonly error: string }[]> {
    const rows = await this.#database.rows<{ url: string; error: string | null; seq: number }>(
      "SELECT url, error, seq FROM frontier WHERE job_id = $jobId AND state = 'failed' ORDER BY seq",
      { jobId },
    );
    return rows.map(({ url, error }) => ({ url, error: error ?? "" }));
  }
}
