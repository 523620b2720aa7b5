/**
 * Keeps what browser sessions come back from, a row for each room.
 *
 * A table of its own: it may weigh megabytes, which a snapshot that every step writes whole must not. It is written
 * between steps, beside them; a row of another epoch is another session's that had the room before, and is not believed.
 * Neighbour: `actors/session/saved-states.ts` seals what is in it.
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
