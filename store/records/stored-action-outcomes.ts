/**
 * Reads the stored outcomes of session actions. The state machine of a session writes an outcome in the step
 * that ends the action.
 */
import { type Database, record } from "../connection/execute-database-statements.ts";

export class ActionOutcomeReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the outcome of an action (`ActionOutcome`) as JSON; `undefined` when the session has no action with this
   * id.
   */
  async get(room: string, command: string): Promise<string | undefined> {
    const row = await this.#database.row<{ readonly body: string }>("SELECT body FROM $id", {
      id: record("action_outcome", [room, command]),
    });
    return row?.body;
  }
}
