/**
 * Stores results that are too large to be sent, for the time `retentionLimits.results`. The receiver gets a
 * reference to the result instead.
 */
import { retentionLimits } from "../../machines/janitor/retention-limits.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { runtimeFields } from "./database-table-fields.ts";
import { replacing } from "./database-write-statements.ts";

export class ResultStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(id: string, body: string, at: number): Promise<void> {
    await this.#database.rows(`INSERT INTO result $rows${replacing(runtimeFields.result)} RETURN NONE`, {
      rows: [{ id: record("result", id), body, at }],
    });
  }

  /**
   * Returns the result; `undefined` if it does not exist or has expired. An expired row may not be deleted
   * yet.
   */
  async get(id: string, now: number = Date.now()): Promise<string | undefined> {
    const row = await this.#database.row<{ body: string; at: number }>("SELECT body, at FROM $id", {
      id: record("result", id),
    });
    return row && row.at >= now - retentionLimits.results ? row.body : undefined;
  }
}
