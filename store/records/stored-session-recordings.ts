/**
 * Reads and deletes recorded actions of browser sessions. The state machine of a session writes them
 * (`machines/session/session-machine.ts`).
 */
import type { RecordingRecord } from "../../machines/records/session-records.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { removeAll } from "./stored-maps.ts";

export interface StoredStep {
  /** The recorded step as JSON (of the type `RecordedStep`). */
  readonly body: string;
  readonly at: number;
}

export class RecordingReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists recordings, newest first. */
  async list(limit: number): Promise<readonly RecordingRecord[]> {
    return await this.#database.rows<RecordingRecord>(
      "SELECT * FROM recording ORDER BY started_at DESC LIMIT $limit",
      { limit },
    );
  }

  async get(id: string): Promise<RecordingRecord | undefined> {
    return await this.#database.row<RecordingRecord>("SELECT * FROM $id", { id: record("recording", id) });
  }

  /** Returns the steps of a recording, in the order of their numbers. */
  async steps(id: string): Promise<readonly StoredStep[]> {
    return await this.#database.rows<StoredStep>(
      "SELECT id, body, at FROM recording_step:[$id, NONE]..=[$id, ..]",
      { id },
    );
  }

  /**
   * Deletes the recording and its steps. A step that a running session writes at the same time stays until it
   * expires.
   */
  async delete(id: string): Promise<void> {
    await removeRecording(this.#database, id);
  }
}

/** Deletes a recording and its steps. Returns how many rows were deleted. */
export async function removeRecording(database: Database, id: string): Promise<number> {
  await database.rows("DELETE $id RETURN NONE", { id: record("recording", id) });
  const steps = "SELECT VALUE id FROM recording_step:[$id, NONE]..=[$id, ..] LIMIT $limit";
  return 1 + (await removeAll(database, steps, { id }));
}
