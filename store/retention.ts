/**
 * Removes what has been kept for long enough. The janitor actor says when and from which moment on.
 *
 * Every statement removes at most `retentionLimits.sweepBatch` rows, so that no commit of a step waits for long.
 */
import { retentionLimits } from "../machines/janitor/limits.ts";
import type { JobId } from "../machines/records.ts";
import type { Database } from "./connection/database.ts";
import { removeFrontier } from "./records/explorations.ts";
import { removeAll } from "./records/maps.ts";
import { removeRecording } from "./records/recordings.ts";

export type Sweep =
  | "endedJobs"
  | "deadLetters"
  | "results"
  | "sessionStates"
  | "audit"
  | "repeats"
  | "recordings";

export class Retention {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Removes what is older than `before` (milliseconds since the epoch); answers how many rows went. */
  async sweep(what: Sweep, before: number): Promise<number> {
    switch (what) {
      case "endedJobs":
        return await this.#sweepJobs(before);
      case "deadLetters":
        return await this.#sweepTable("dead_letter", before);
      case "results":
        return await this.#sweepTable("result", before);
      case "repeats":
        return await this.#sweepTable("repeat", before);
      case "audit":
        return await this.#sweepAudit(before);
      case "sessionStates":
        return await this.#sweepTable("session_state", before);
      case "recordings":
        return await this.#sweepRecordings(before);
    }
  }

  /** Those that nothing was added to since; one that never ended goes by when it began. */
  async #sweepRecordings(before: number): Promise<number> {
    const recordings = await this.#database.rows<{ id: string }>(
      "SELECT id FROM recording WHERE started_at < $before AND (ended_at ?? started_at) < $before",
      { before },
    );
    let removed = 0;
    for (const { id } of recordings) removed += await removeRecording(this.#database, id);
    return removed;
  }

  async #sweepTable(table: string, before: number): Promise<number> {
    return await removeAll(
      this.#database,
      `SELECT VALUE id FROM ${table} WHERE at < $before LIMIT $limit`,
      { before },
      retentionLimits.sweepBatch,
    );
  }

  /** Its rows lie in order of time. */
  async #sweepAudit(before: number): Promise<number> {
    return await removeAll(
      this.#database,
      "SELECT VALUE id FROM audit:[NONE]..[$before] LIMIT $limit",
      { before },
      retentionLimits.sweepBatch,
    );
  }

  /** Only the frontier goes: the job stays in the lists and its pages with their map. */
  async #sweepJobs(before: number): Promise<number> {
    const jobs = await this.#database.rows<{ id: JobId }>(
      "SELECT id FROM job WHERE updated_at < $before AND status IN ['completed', 'cancelled', 'failed']",
      { before },
    );
    let removed = 0;
    for (const { id } of jobs)
      removed += await removeFrontier(this.#database, id, retentionLimits.sweepBatch);
    return removed;
  }
}
