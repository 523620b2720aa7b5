/**
 * Reads the results and decisions of navigation runs. The state machine of a run writes both in the step that
 * produced them.
 */
import type { Database } from "../connection/execute-database-statements.ts";

export class NavigationReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the articles that a navigation run has found, as JSON and in the order of their discovery. */
  async articles(run: string): Promise<readonly string[]> {
    return await this.#bodies("navigation_article", run);
  }

  /** Returns the JSON of the decisions of a run, in order. */
  async decisions(run: string): Promise<readonly string[]> {
    return await this.#bodies("navigation_decision", run);
  }

  async #bodies(
    table: "navigation_article" | "navigation_decision",
    run: string,
  ): Promise<readonly string[]> {
    return await this.#database.rows<string>(`SELECT VALUE body FROM ${table}:[$run, NONE]..=[$run, ..]`, {
      run,
    });
  }
}
