/**
 * Requests that may be sent again (`Idempotency-Key`): one row for each, with its answer once there is one, for as long
 * as `retentionLimits.repeats`. What a row holds is sealed before it comes here.
 */
import { retentionLimits } from "../../machines/janitor/limits.ts";
import { type Database, record } from "../connection/database.ts";

export interface IdempotencyRow {
  readonly sealed: string;
  /** Of whoever wrote it first. */
  readonly mark: string;
  readonly at: number;
}

export class IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The row there is: this one, unless another was there before, and its time is not over. */
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

  /** Its answer is there. */
  async end(id: string, sealed: string): Promise<void> {
    await this.#database.rows("UPDATE $id SET sealed = $sealed RETURN NONE", {
      id: record("repeat", id),
      sealed,
    });
  }
}
