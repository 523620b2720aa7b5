/**
 * Stores requests with an `Idempotency-Key` and their answers for `retentionLimits.repeats`. The caller
 * encrypts the rows.
 */
import { retentionLimits } from "../../machines/janitor/retention-limits.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";

export interface IdempotencyRow {
  readonly sealed: string;
  /**
   * A random value that identifies the request which created the row. A request that reads another value here
   * knows that an earlier request has used the same key.
   */
  readonly mark: string;
  readonly at: number;
}

export class IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the stored row with this id. If there is no row, or only an expired row, `row` is stored first.
   */
  async begin(id: string, row: IdempotencyRow): Promise<IdempotencyRow> {
    const bindings = { id: record("repeat", id), row, since: row.at - retentionLimits.repeats };
    const found = await this.#database.row<IdempotencyRow>(
      `DELETE $id WHERE at < $since RETURN NONE;
       INSERT IGNORE INTO repeat { id: $id, sealed: $row.sealed, mark: $row.mark, at: $row.at } RETURN NONE;
       SELECT sealed, mark, at FROM $id`,
      bindings,
    );
    return found ?? row;
  }

  /** Stores the answer to the request that created the row. */
  async end(id: string, sealed: string): Promise<void> {
    await this.#database.rows("UPDATE $id SET sealed = $sealed RETURN NONE", {
      id: record("repeat", id),
      sealed,
    });
  }
}
