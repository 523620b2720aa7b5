/**
 * Lists and deletes the records of explorations. The counters of a running exploration are not in its record
 * but in its actor.
 */
import type { JobRecord } from "../../machines/records/exploration-records.ts";
import type { JobId, KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { removeAll } from "./stored-maps.ts";

export class ExplorationReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists explorations, newest first. */
  async list({
    knowledgeId,
  }: {
    readonly knowledgeId?: KnowledgeId | undefined;
  } = {}): Promise<readonly JobRecord[]> {
    const condition = knowledgeId === undefined ? "" : "WHERE knowledge_id = $knowledgeId";
    return await this.#database.rows<JobRecord>(`SELECT * FROM job ${condition} ORDER BY started_at DESC`, {
      knowledgeId,
    });
  }

  /** Returns all account roles that explorations of the map have named. A role may occur several times. */
  async rolesOf(knowledgeId: KnowledgeId): Promise<readonly string[]> {
    return await this.#database.rows<string>(
      "SELECT VALUE role FROM job WHERE knowledge_id = $knowledgeId AND role != NONE",
      { knowledgeId },
    );
  }

  async get(jobId: JobId): Promise<JobRecord | undefined> {
    return await this.#database.row<JobRecord>("SELECT * FROM $id", { id: record("job", jobId) });
  }

  /**
   * Deletes the exploration and its URL rows. Its pages stay in their map. Returns false if the exploration
   * did not exist.
   */
  async delete(jobId: JobId): Promise<boolean> {
    const removed = await removeFrontier(this.#database, jobId);
    const own = await this.#database.rows<unknown>("DELETE $id RETURN BEFORE", { id: record("job", jobId) });
    return removed + own.length > 0;
  }
}

/** Deletes all URL rows (`frontier`) of an exploration in batches, and returns their number. */
export async function removeFrontier(database: Database, jobId: JobId, batch?: number): Promise<number> {
  let removed = 0;
  for (const table of ["frontier", "left_url", "crawl_note"]) {
    removed += await removeAll(
      database,
      `SELECT VALUE id FROM ${table}:[$jobId, NONE]..=[$jobId, ..] LIMIT $limit`,
      { jobId },
      batch,
    );
  }
  return removed;
}
