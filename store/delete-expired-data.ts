/**
 * Deletes expired data. The janitor actor chooses which data is deleted, and up to which time. A statement
 * deletes at most `retentionLimits.sweepBatch` rows, so that commits of actors wait only a short time.
 */
import { retentionLimits } from "../machines/janitor/retention-limits.ts";
import type { JobId } from "../machines/records/record-ids.ts";
import type { Database } from "./connection/execute-database-statements.ts";
import { removeFrontier } from "./records/stored-explorations.ts";
import { removeAll } from "./records/stored-maps.ts";
import { removeRecording } from "./records/stored-session-recordings.ts";

export type Sweep =
  | "endedJobs"
  | "deadLetters"
  | "results"
  | "sessionStates"
  | "audit"
  | "repeats"
  | "recordings"
  | "actionOutcomes"
  | "dialogueMessages"
  | "navigationArticles"
  | "navigationDecisions";

export class Retention {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Deletes data older than `before` (milliseconds since the epoch) and returns the number of deleted rows. */
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
      case "actionOutcomes":
        return await this.#sweepTable("action_outcome", before);
      case "dialogueMessages":
        return await this.#sweepTable("dialogue_message", before);
      case "navigationArticles":
        return await this.#sweepTable("navigation_article", before);
      case "navigationDecisions":
        return await this.#sweepTable("navigation_decision", before);
      case "recordings":
        return await this.#sweepRecordings(before);
    }
  }

  /**
   * A recording expires when it ended before `before`. A recording without an end expires by the time of its
   * start.
   */
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

  /**
   * Deletes the audit rows that are older than `before`. Their ids start with the time, so the range of ids
   * ends at `before`.
   */
  async #sweepAudit(before: number): Promise<number> {
    return await removeAll(
      this.#database,
      "SELECT VALUE id FROM audit:[NONE]..[$before] LIMIT $limit",
      { before },
      retentionLimits.sweepBatch,
    );
  }

  /**
   * Deletes the URL rows (`frontier`) of explorations that have ended. Nothing else is deleted: the
   * explorations stay in the list, and their pages stay in the map.
   */
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
