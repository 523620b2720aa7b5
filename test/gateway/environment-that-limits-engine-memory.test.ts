/**
 * Tests the environment variables with Cairn's memory settings: a process adds the missing ones, and its database
 * uses them.
 */
import { expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineEnvironment } from "../../gateway/environment-that-limits-engine-memory.ts";
import { engineLimits } from "../../gateway/gateway-limits.ts";
import { isFull } from "../test-run-tier-and-seed.ts";

test("the environment variables that limit the database engine's memory are added, unless they are already set", () => {
  const settled = engineEnvironment({
    PATH: "/bin",
    SURREAL_ROCKSDB_BLOCK_CACHE_SIZE: "7",
    EMPTY: undefined,
  });
  expect(settled).toMatchObject({
    PATH: "/bin",
    SURREAL_ROCKSDB_BLOCK_CACHE_SIZE: "7",
    SURREAL_ROCKSDB_WRITE_BUFFER_SIZE: String(engineLimits.writeBuffer),
  });
  expect(settled).not.toHaveProperty("EMPTY");
});

test("a process with all environment variables that limit memory does not restart itself", () => {
  expect(engineEnvironment(engineEnvironment({}) ?? {})).toBeUndefined();
});

test.if(isFull)("the database of a started Cairn uses Cairn's memory settings", async () => {
  const data = await mkdtemp(join(tmpdir(), "cairn-memory-"));
  const { SURREAL_ROCKSDB_WRITE_BUFFER_SIZE: _, ...env } = process.env;
  const main = join(import.meta.dir, "../../gateway/main.ts");
  const cairn = Bun.spawn([process.execPath, main, "query", "none", "search", "words"], {
    env: { ...env, CAIRN_DATA: data, CAIRN_WORKERS: "1" },
    stdout: "ignore",
    stderr: "ignore",
  });
  await cairn.exited;
  const folder = join(data, "db");
  const name = (await readdir(folder)).find((entry) => entry.startsWith("OPTIONS-")) ?? "";
  expect(await readFile(join(folder, name), "utf8")).toContain(
    `  write_buffer_size=${engineLimits.writeBuffer}\n`,
  );
  await rm(data, { recursive: true });
});
