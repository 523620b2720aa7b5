/**
 * A store on a SurrealDB server, over its real protocol (`surreal-server.ts` says what is SurrealDB's and what is not).
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { connect, serverConnection } from "../../../store/connection/connect.ts";
import { Database } from "../../../store/connection/database.ts";
import { withDatabaseLock } from "../../../store/connection/database-lock.ts";
import { knownMigrations, schemaVersion } from "../../../store/connection/migrations.ts";
import { joinStore, openStore, restoreStore } from "../../../store/index.ts";
import { fillStore, inventory } from "../inventory.ts";
import { inProcess, startScript } from "../processes.ts";
import { actorRow, unit } from "../records.ts";
import { type SurrealServer, startSurrealServer } from "../surreal-server.ts";
import { reachable, temporaryFolder } from "../temporary-store.ts";

const root = { username: "root", password: "secret" };
const PROCESS = 60_000;

describe("with a server", () => {
  let server: SurrealServer;
  beforeEach(async () => {
    server = await startSurrealServer();
  });
  afterEach(() => server.stop());

  test("users of the server, of a namespace and of a database may all be given, and see their own database", async () => {
    for (const [username, namespace, database] of [
      ["root", "cairn", "cairn"],
      ["boss", "small", "made"],
      ["clerk", "small", "given"],
    ]) {
      const store = await openStore({ url: server.url, username, password: "secret", namespace, database });
      // Nobody has raised a fence in it before.
      expect(await store.actors.raiseFences([1])).toEqual(new Map([[1, 1]]));
      await store.close();
    }
  });

  test("http is spoken to as ws", async () => {
    const store = await openStore({ url: server.url.replace("ws:", "http:"), ...root });
    await store.ping();
    await store.close();
  });

  test("a wrong password, and no user at all, are told without the password", async () => {
    for (const user of [{ username: "root", password: "hunter2" }, {}]) {
      const failure = await openStore({ url: server.url, ...user }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "store.no_permission" });
      expect(String(failure)).toContain("SURREAL_PASS");
      expect(String(failure)).not.toContain("hunter2");
    }
  });

  test("a user who may use only another database is told so", async () => {
    const clerk = { username: "clerk", password: "secret", namespace: "small", database: "other" };
    await expect(openStore({ url: server.url, ...clerk })).rejects.toMatchObject({
      code: "store.no_permission",
    });
  });

  test("what is under way when the connection breaks off fails at once, and what comes later goes on", async () => {
    const store = await openStore({ url: server.url, ...root });
    server.loseAnswers(true);
    const commit = store.actors.raiseFences([1]);
    const failed = commit.catch((error: unknown) => error);
    await Bun.sleep(50);
    server.loseAnswers(false);
    server.drop();
    expect(await failed).toMatchObject({ code: "store.unavailable", status: 503 });
    await reachable(store);
    // It was done once; the client did not send it again by itself.
    expect(await store.actors.raiseFences([1])).toEqual(new Map([[1, 2]]));
    expect(server.connections).toBe(1);
    await store.close();
  });

  test(
    "a connection over which nothing comes any more is made anew",
    async () => {
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
    },
    PROCESS,
  );

  test("nodes that start together bring the database to the schema once", async () => {
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

  test("a lock is held by one at a time, and is free again when its holder failed", async () => {
    const connection = await connect({ url: server.url, ...root });
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
  });

  test(
    "a database that another Cairn uses alone is refused, until that one has ended, in order or not",
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
      // One that died extends its lock no more.
      await first.useAlone();
      await first.close();
      await (await second.useAlone())();
      await second.close();
    },
    PROCESS,
  );

  test("a database of a newer release is refused", async () => {
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

  describe("and a backup", () => {
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

    test("it fills an empty database of a server, and no other, whatever is forced", async () => {
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

    test("one that is damaged leaves the database empty", async () => {
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

describe("a server of its own process", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function start(port = 0) {
    const child = startScript("surreal-server", `rocksdb://${join(folder, "db")}`, String(port));
    const [said] = await once(child.stdout, "data");
    return { child, port: Number(said) };
  }

  test(
    "that is killed and started again has lost nothing, and is found again by those who had joined it",
    async () => {
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
    },
    PROCESS,
  );
});

test(
  "over TLS a server is trusted by a certificate that is named, and by no other",
  async () => {
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
  },
  PROCESS,
);

test("a node that joins a server that is not there yet goes on as soon as it is", async () => {
  const gone = await startSurrealServer();
  await gone.stop();
  const store = await joinStore({ url: gone.url, ...root });
  await expect(store.ping()).rejects.toMatchObject({ code: "store.unavailable" });
  const server = await startSurrealServer({ port: gone.port });
  await reachable(store);
  await store.close();
  await server.stop();
});
