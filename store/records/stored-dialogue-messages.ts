/**
 * Reads the messages of dialogues. The state machine of a dialogue writes them in the step that sends them.
 */
import type { Database } from "../connection/execute-database-statements.ts";

export class DialogueMessageReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the dialogue's messages with a higher number than `seq`, as JSON and in order. */
  async since(dialogue: string, seq: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.rows<{ readonly body: string }>(
      "SELECT id, body FROM dialogue_message:[$dialogue, $seq]>..=[$dialogue, ..] LIMIT $limit",
      { dialogue, seq, limit },
    );
    return rows.map(({ body }) => body);
  }
}
