/**
 * Tests a store on a SurrealDB server. The server of the tests uses SurrealDB's own protocol (see
 * `test-surreal-server.ts`).
 */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { withDatabaseLock } from "../../../store/connection/database-lock.ts";
import { knownMigrations, schemaVersion } from "../../../store/connection/database-migrations.ts";
import { Database } from "../../../store/connection/execute-database-statements.ts";
import { connect, serverConnection } from "../../../store/connection/open-database.ts";
import { joinStore, openStore, restoreStore } from "../../../store/index.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { fillStore, inventory } from "../fill-store-and-list-its-content.ts";
import { inProcess, startScript } from "../run-store-test-scripts.ts";
import { actorRow, unit } from "../sample-store-rows.ts";
import { reachable, temporaryFolder } from "../temporary-store.ts";
import { type SurrealServer, startSurrealServer } from "../test-surreal-server.ts";

const root = { username: "root", password: "secret" };
const PROCESS = 60_000;
setDefaultTimeout(PROCESS);

describe("a store on a database server", () => {
  let server: SurrealServer;
  beforeEach(async () => {
    server = await startSurrealServer();
  });
  afterEach(() => server.stop());

  test("accepts users of the server, of a namespace and of a database, and each sees their database", async () => {
    for (const [username, namespace, database] of [
      ["root", "cairn", "cairn"],
      ["boss", "small", "made"],
      ["clerk", "small", "given"],
    ]) {
      const store = await openStore({ url: server.url, username, password: "secret", namespace, database });
      // Each client raises the fence (owner number) of shard 1. It gets the value 1 only in a database in
      // which no client has raised this fence before, so each client has a database of its own.
      expect(await store.actors.raiseFences([1])).toEqual(new Map([[1, 1]]));
      await store.close();
    }
  });

  test.if(isFull)("connects to an http URL over WebSocket", async () => {
    const store = await openStore({ url: server.url.replace("ws:", "http:"), ...root });
    await store.ping();
    await store.close();
  });

  test("reports a wrong or missing password without the password", async () => {
    for (const user of [{ username: "root", password: "hunter2" }, {}]) {
      const failure = await openStore({ url: server.url, ...user }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "store.no_permission" });
      expect(String(failure)).toContain("SURREAL_PASS");
      expect(String(failure)).not.toContain("hunter2");
    }
  });

  test.if(isFull)("is refused to a user who has rights only for another database", async () => {
    const clerk = { username: "clerk", password: "secret", namespace: "small", database: "other" };
    await expect(openStore({ url: server.url, ...clerk })).rejects.toMatchObject({
      code: "store.no_permission",
    });
  });

  test.if(isFull)(
    "fails pending requests at once when the connection is lost, and answers later ones",
    async () => {
      const store = await openStore({ url: server.url, ...root });
      server.loseAnswers(true);
      const commit = store.actors.raiseFences([1]);
      const failed = commit.catch((error: unknown) => error);
      await Bun.sleep(50);
      server.loseAnswers(false);
      server.drop();
      expect(await failed).toMatchObject({ code: "store.unavailable", status: 503 });
      await reachable(store);
      // Each execution of the statement increases the fence (owner number) by one. This second execution
      // returns 2, so the statement whose answer was lost was executed only once.
      expect(await store.actors.raiseFences([1])).toEqual(new Map([[1, 2]]));
      expect(server.connections).toBe(1);
      await store.close();
    },
  );

  test.if(isFull)("replaces a connection that no longer answers", async () => {
    const connection = serverConnection({ url: server.url, ...root });
    await connection.open();
    const database = new Database(connection);
    const before = connection.client;
    server.loseAnswers(true);
    await expect(database.run("RETURN 1", {}, 20)).rejects.toMatchObject({ code: "store.unavailable" });
    const lost = new Promise<Error>((resolve) => connection.lost(resolve));
    expect(String(await lost)).toContain("did not answer");
    server.loseAnswers(false);
    while (connection.client.status !== "connected") await Bun.sleep(10);
    expect(connection.client).not.toBe(before);
    await database.run("RETURN 1");
    await connection.close();
  });

  test.if(isFull)("is migrated only once by nodes that start together", async () => {
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore({ url: server.url, ...root })),
    );
    const connection = await connect({ url: server.url, ...root });
    const database = new Database(connection);
    expect(await schemaVersion(database)).toBe((await knownMigrations()).length);
    expect(await database.rows("SELECT * FROM lock")).toEqual([]);
    await connection.close();
    for (const store of stores) await store.close();
  });

  test.if(isFull)("gives a lock to one holder at a time, and frees it after its holder fails", async () => {
    // The server's database is on disk, because SurrealDB's engine in memory may miss that two transactions
    // write the same row.
    const folder = await temporaryFolder();
    const onDisk = await startSurrealServer({ url: `rocksdb://${folder}` });
    const connection = await connect({ url: onDisk.url, ...root });
    const database = new Database(connection);
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await Bun.sleep(20);
      inside -= 1;
    };
    const failing = withDatabaseLock(database, "test", async () => {
      await work();
      throw new Error("no");
    });
    const others = [1, 2, 3].map(() => withDatabaseLock(database, "test", work));
    await expect(failing).rejects.toThrow("no");
    await Promise.all(others);
    expect(most).toBe(1);
    await connection.close();
    await onDisk.stop();
    await rm(folder, { recursive: true });
  });

  test.if(isFull)(
    "is refused while another Cairn uses it exclusively, until that Cairn ends or dies",
    async () => {
      const open = () => openStore({ url: server.url, ...root });
      const [first, second] = [await open(), await open()];
      const release = await first.useAlone();
      await expect(second.useAlone()).rejects.toMatchObject({
        code: "store.in_use",
        message: expect.stringContaining("NATS_URL"),
      });
      await release();
      await (await second.useAlone())();
      // The process that holds this lock is dead and does not renew the lock. So another process takes the
      // lock.
      await first.useAlone();
      await first.close();
      await (await second.useAlone())();
      await second.close();
    },
  );

  test("is refused if it belongs to a newer release", async () => {
    await (await openStore({ url: server.url, ...root })).close();
    const connection = await connect({ url: server.url, ...root });
    await new Database(connection).run(
      "CREATE migration:9999 SET version = 9999, name = 'later', applied_at = time::now()",
    );
    await connection.close();
    await expect(openStore({ url: server.url, ...root })).rejects.toMatchObject({
      code: "store.newer_schema",
    });
  });

  describe("as the target of a restore", () => {
    let folder: string;
    let written: { readonly file: string; readonly records: number };
    let held: unknown;
    beforeEach(async () => {
      folder = await temporaryFolder();
      const store = await openStore({ url: server.url, ...root });
      await fillStore(store);
      written = await store.backup(folder);
      held = await inventory(store);
      await store.close();
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    test.if(isFull)("is filled only if it is empty, even if the restore is forced", async () => {
      const other = { url: server.url, ...root, database: "other" };
      expect(await restoreStore({ ...other, from: written.file })).toEqual({ records: written.records });
      const store = await openStore(other);
      expect(await inventory(store)).toEqual(held);
      await store.close();
      for (const force of [false, true]) {
        const again = restoreStore({ ...other, from: written.file, force });
        await expect(again).rejects.toMatchObject({ code: "store.not_empty", status: 409 });
      }
    });

    test.if(isFull)("stays empty if the backup is damaged", async () => {
      const bad = join(folder, "bad.gz");
      const lines = gunzipSync(await readFile(written.file))
        .toString()
        .split("\n");
      await writeFile(bad, gzipSync(lines.slice(0, -3).join("\n")));
      const other = { url: server.url, ...root, database: "other" };
      await expect(restoreStore({ ...other, from: bad })).rejects.toMatchObject({
        code: "store.backup_damaged",
      });
      expect(await restoreStore({ ...other, from: written.file })).toEqual({ records: written.records });
    });
  });
});

describe("a SurrealDB server in a separate process", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function start(port = 0) {
    const child = startScript("test-surreal-server", `rocksdb://${join(folder, "db")}`, String(port));
    const [said] = await once(child.stdout, "data");
    return { child, port: Number(said) };
  }

  test.if(isFull)("keeps its data when it is killed and restarted, and its clients reconnect", async () => {
    const first = await start();
    const options = { url: `ws://localhost:${first.port}`, ...root };
    await (await openStore(options)).close();
    const store = await joinStore(options);
    await reachable(store);
    const fence = (await store.actors.raiseFences([1])).get(1) ?? 0;
    const commit = async (text: string) => {
      const [outcome] = await store.actors.commit([
        unit(1, fence, { rows: [actorRow("one", 1, { data: JSON.stringify(text) })] }),
      ]);
      if (outcome && !outcome.ok) throw outcome.error;
    };
    await commit("before");
    await first.child.kill();
    await expect(commit("while it is away")).rejects.toMatchObject({ code: "store.unavailable" });
    const second = await start(first.port);
    await reachable(store);
    expect(await store.actors.load(actorRow("one", 1))).toMatchObject({ data: '"before"' });
    await commit("after");
    await store.close();
    await second.child.kill();
  });
});

test.if(isFull)("a database server with TLS is trusted only by the configured certificate", async () => {
  const folder = join(import.meta.dir, "../certificate");
  const pem = join(folder, "localhost.pem");
  const tls = {
    cert: await readFile(pem, "utf8"),
    key: await readFile(join(folder, "localhost.key"), "utf8"),
  };
  const server = await startSurrealServer({ tls });
  expect(await inProcess("open", server.url, "", { NODE_EXTRA_CA_CERTS: pem })).toBe("opened");
  const refused = await inProcess("open", server.url);
  expect(refused).toMatchObject({ code: "store.unavailable" });
  expect(JSON.stringify(refused)).toContain("certificate");
  await server.stop();
});

test.if(isFull)(
  "a node can start before its database server runs, and works as soon as the server runs",
  async () => {
    const gone = await startSurrealServer();
    await gone.stop();
    const store = await joinStore({ url: gone.url, ...root });
    await expect(store.ping()).rejects.toMatchObject({ code: "store.unavailable" });
    const server = await startSurrealServer({ port: gone.port });
    await reachable(store);
    await store.close();
    await server.stop();
  },
);
