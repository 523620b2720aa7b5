import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isConflict } from "../../../store/connection/convert-database-errors.ts";
import { connectServed, serveStore } from "../../../store/connection/database-engine-for-threads.ts";
import { Database } from "../../../store/connection/execute-database-statements.ts";
import { connect } from "../../../store/connection/open-database.ts";
import { openStore } from "../../../store/index.ts";
import { temporaryFolder } from "../temporary-store.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = await temporaryFolder();
  const { client, place } = await connect({ url: `rocksdb://${join(folder, "db")}` });
  database = new Database({ client, place });
  await database.run("CREATE counter:1 SET n = 0");
});
afterAll(async () => {
  await database.client.close();
  await rm(folder, { recursive: true, force: true });
});

test("a transaction that lost a conflict is recognised, and succeeds when it is retried", async () => {
  let lost = 0;
  await database.retried(async () => {
    const mine = await database.client.beginTransaction();
    await mine.query("UPDATE counter:1 SET n += 1");
    // A second writer changes the record during the first two attempts, so these transactions fail.
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

test("a transaction that conflicts again at every retry fails with `store.conflict`", async () => {
  const conflict = new Error("Transaction conflict: this transaction can be retried");
  await expect(database.retried(() => Promise.reject(conflict))).rejects.toMatchObject({
    code: "store.conflict",
    status: 503,
  });
}, 30_000);

test("a failed transaction reports its cause and writes nothing", async () => {
  await expect(
    database.transaction("CREATE counter:2; CREATE counter:1; CREATE counter:3;"),
  ).rejects.toMatchObject({
    code: "store.query_failed",
    message: expect.stringContaining("counter:1"),
  });
  expect(await database.rows("SELECT * FROM counter")).toHaveLength(1);
});

test("a value is stored as data, even if it looks like a database statement", async () => {
  const text = "'); REMOVE TABLE counter; -- counter:1";
  expect(await database.row("RETURN [$text]", { text })).toBe(text);
});

test("a database keeps its id, and another database has another id", async () => {
  const [one, other] = [await openStore({ url: "mem://" }), await openStore({ url: "mem://" })];
  const number = await one.identity();
  expect(await one.identity()).toBe(number);
  expect(await other.identity()).not.toBe(number);
  await one.close();
  await other.close();
});

test("a database statement without an answer fails as unavailable and can be repeated safely", async () => {
  const connection = await connect({ url: "mem://" });
  const serve = serveStore(connection);
  let lose = false;
  const served = await connectServed({
    call: async (bytes) => {
      const answer = await serve(bytes);
      return lose ? await new Promise<never>(() => {}) : answer;
    },
  });
  const through = new Database(served);
  await through.run("CREATE shard:1 SET fence = 3, step = 0");
  const commit =
    "BEGIN; UPDATE shard:1 SET step += 1 WHERE fence = 3; UPSERT page:1 CONTENT { text: 'a' }; COMMIT";
  lose = true;
  await expect(through.run(commit, {}, 50)).rejects.toMatchObject({ code: "store.unavailable" });
  lose = false;
  await through.run(commit);
  expect(await through.row("SELECT fence, step FROM shard:1")).toEqual({ fence: 3, step: 2 });
  expect(await through.rows("SELECT VALUE text FROM page")).toEqual(["a"]);
  await connection.client.close();
});
