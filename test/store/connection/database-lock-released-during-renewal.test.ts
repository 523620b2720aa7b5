import { afterEach, beforeEach, expect, test } from "bun:test";
import { holdExclusively } from "../../../store/connection/database-lock.ts";
import { Database } from "../../../store/connection/execute-database-statements.ts";
import { type Connection, connect } from "../../../store/connection/open-database.ts";

/** A database whose renewals of a lock wait for `allow` after `holdRenewals` was called. */
class DatabaseWithLateRenewals extends Database {
  readonly renewal = Promise.withResolvers<void>();
  readonly #allowed = Promise.withResolvers<void>();
  #held = false;

  holdRenewals(): void {
    this.#held = true;
  }

  allow(): void {
    this.#allowed.resolve();
  }

  override async run(...args: Parameters<Database["run"]>): Promise<unknown[]> {
    if (this.#held && args[0].includes("UPSERT")) {
      this.renewal.resolve();
      await this.#allowed.promise;
    }
    return await super.run(...args);
  }
}

let connection: Connection;
beforeEach(async () => {
  connection = await connect({ url: "mem://" });
});
afterEach(() => connection.close());

test("a lock that is released during a renewal is free afterwards", async () => {
  const database = new DatabaseWithLateRenewals(connection);
  const release = await holdExclusively(database);
  database.holdRenewals();
  await database.renewal.promise;
  const released = release();
  database.allow();
  await released;
  expect(await database.rows("SELECT * FROM lock")).toEqual([]);
});
