/**
 * Stores the saved state of browser sessions, one row per session slot.
 *
 * It has its own table because it may take megabytes, too much for a snapshot written by every step. Saves
 * happen outside of steps; a row of another epoch belongs to an earlier session of the slot and is ignored.
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
