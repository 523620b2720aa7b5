/**
 * Tests that RocksDB accepts writes again after a large transaction. RocksDB stalls writes while its buffers are full, and
 * with a block cache that is too small, writes never resume (see `engineLimits.blockCache`).
 */
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { engineEnvironment } from "../../gateway/environment-that-limits-engine-memory.ts";
import { inProcess } from "./run-store-test-scripts.ts";
import { temporaryFolder } from "./temporary-store.ts";

test("the database accepts writes after a transaction much larger than its write buffers", async () => {
  const folder = await temporaryFolder();
  const url = `rocksdb://${join(folder, "db")}`;
  expect(await inProcess("large-commit", url, "", engineEnvironment({}))).toBe("went on");
  await rm(folder, { recursive: true, force: true });
}, 60_000);
