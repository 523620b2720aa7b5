import { afterAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { openStore } from "../../../store/index.ts";
import { holder, inProcess } from "../run-store-test-scripts.ts";
import { temporaryFolder } from "../temporary-store.ts";

const folder = await temporaryFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));

const PROCESS = 30_000;

describe("a database opened by another process", () => {
  test(
    "is refused with advice, and available as soon as that process is killed",
    async () => {
      const url = `rocksdb://${join(folder, "held")}`;
      const other = await holder(url);
      const refused = await inProcess("open", url);
      await other.kill();
      expect(refused).toMatchObject({ code: "store.locked", status: 503 });
      expect(JSON.stringify(refused)).toContain("CAIRN_DATA");
      expect(await inProcess("open", url)).toBe("opened");
    },
    PROCESS,
  );
});

/**
 * Returns a random port on which nothing listens. Well-known ports are not used, because some clients refuse
 * them.
 */
async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // The cast is safe: the address of a server on a TCP port has this type.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("an unreachable database server is reported as unavailable, over WebSocket and HTTP", async () => {
  const port = await unusedPort();
  for (const url of [`ws://127.0.0.1:${port}`, `http://127.0.0.1:${port}`]) {
    await expect(openStore({ url })).rejects.toMatchObject({ code: "store.unavailable", status: 503 });
  }
});

test("an error about the store does not contain the password of its URL", async () => {
  const failure = await openStore({ url: "ws://root:secret@127.0.0.1:9" }).catch((error: Error) => error);
  expect(String(failure)).not.toContain("secret");
});

test("a URL of no known kind of store (postgres://localhost) is refused before anything is opened", async () => {
  for (const url of ["postgres://localhost", "", "rocksdb"]) {
    await expect(openStore({ url })).rejects.toMatchObject({ code: "store.bad_url" });
  }
});

test("a file at the path of the store's folder is reported immediately as an error", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  await expect(openStore({ url: `rocksdb://${file}` })).rejects.toMatchObject({
    code: "store.unavailable",
  });
});

test("a store URL for the engine SurrealKV is refused with the reason and an alternative", async () => {
  const url = `surrealkv://${join(folder, "kv")}`;
  await expect(openStore({ url })).rejects.toMatchObject({
    code: "store.unsupported",
    message: expect.stringContaining("rocksdb://"),
  });
});
