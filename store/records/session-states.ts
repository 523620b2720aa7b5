/**
 * Stores the saved state of browser sessions, one row per room name. It has a separate table, because the
 * state may take megabytes, too much for a snapshot that every step writes. A row with another epoch belongs
 * to an earlier session with the same name and is ignored.
 */
import type { SessionStateRecord } from "../../machines/records.ts";
import { type Database, record } from "../connection/database.ts";
import { nodeFields } from "./tables.ts";
import { replacing } from "./writes.ts";

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
