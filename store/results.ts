/** Keeps replies that are too large to send: they go by reference, for as long as `limits.retention.results`. */
import { type Database, record } from "./database.ts";
import { runtimeFields } from "./tables.ts";
import { replacing } from "./writes.ts";

export class ResultStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(id: string, body: string, at: number): Promise<void> {
    await this.#database.rows(`INSERT INTO result $rows${replacing(runtimeFields.result)} RETURN NONE`, {
      rows: [{ id: record("result", id), body, at }],
    });
  }

  async get(id: string): Promise<string | undefined> {
    return (await this.#database.row<{ body: string }>("SELECT body FROM $id", { id: record("result", id) }))
      ?.body;
  }
}
