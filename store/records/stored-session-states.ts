/**
 * Stores the saved state of browser sessions, one row per room name. The state may take megabytes, so it is
 * not part of the actor's row, which every step writes. A row with another epoch belongs to an earlier
 * session of the same name and is ignored.
 */
import type { SessionStateRecord } from "../../machines/records/session-records.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { nodeFields } from "./database-table-fields.ts";
import { replacing } from "./database-write-statements.ts";

export class SessionStateStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put({ id, ...row }: SessionStateRecord): Promise<void> {
    await this.#database.rows(
      `INSERT INTO session_state $rows${replacing(nodeFields.session_state)} RETURN NONE`,
      { rows: [{ id: record("session_state", id), ...row }] },
    );
  }

  async get(room: string): Promise<Omit<SessionStateRecord, "id"> | undefined> {
    return await this.#database.row(`SELECT ${nodeFields.session_state.join(", ")} FROM $id`, {
      id: record("session_state", room),
    });
  }
}
