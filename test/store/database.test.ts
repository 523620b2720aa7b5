import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "../../store/connection.ts";
import { Database } from "../../store/database.ts";
import { isConflict } from "../../store/failure.ts";
import { temporaryFolder } from "./temporary-store.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = await temporaryFolder();
  const { client, place } = await connect({ url: `rocksdb://${join(folder, "db")}` });
  database = new Database(client, place);
  await database.run("CREATE counter:1 SET n = 0");
});
afterAll(async () => {
  await database.client.close();
  await rm(folder, { recursive: true, force: true });
});

test("a transaction that lost a conflict is known as such and passes when it is sent again", async () => {
  let lost = 0;
  await database.retried(async () => {
    const mine = await database.client.beginTransaction();
    await mine.query("UPDATE counter:1 SET n += 1");
    // Somebody else is faster, the first two times.
    if (lost < 2) await database.run("UPDATE counter:1 SET n += 10");
    try {
      await mine.commit();
    } catch (error) {
      lost += 1;
      expect(isConflict(error)).toBe(true);
      throw error;
    }
  });
  expect(lost).toBe(2);
  expect(await database.row("SELECT VALUE n FROM counter:1")).toBe(21);
});

test("one that loses for ever is given up with a typed error", async () => {
  const conflict = new Error("Transaction conflict: this transaction can be retried");
  await expect(database.retried(() => Promise.reject(conflict))).rejects.toMatchObject({
    code: "store.conflict",
    status: 503,
  });
}, 30_000);

test("of a failed transaction the reason is told, and nothing of it is written", async () => {
  await expect(
    database.transaction("CREATE counter:2; CREATE counter:1; CREATE counter:3;"),
  ).rejects.toMatchObject({
    code: "store.query_failed",
    message: expect.stringContaining("counter:1"),
  });
  expect(await database.rows("SELECT * FROM counter")).toHaveLength(1);
});

test("a value is a value, whatever it looks like", async () => {
  const text = "'); REMOVE TABLE counter; -- counter:1";
  expect(await database.row("RETURN [$text]", { text })).toBe(text);
});
