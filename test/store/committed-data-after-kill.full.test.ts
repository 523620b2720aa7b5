/**
 * Tests that acknowledged commits survive a kill of the process, and that deleted rows stay deleted. RocksDB was
 * chosen as engine for this reason: in this test, after 46 acknowledged rounds, SurrealKV 0.20 lost 12 of the 900
 * rows of `page_text`, and 20 deleted rows of `ingest` were back.
 */
import { afterAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startScript, textOf } from "./run-store-test-scripts.ts";
import { temporaryFolder } from "./temporary-store.ts";

/**
 * Numbers of rounds before the kills. A round writes about 1.5 MB. All rounds together exceed the write
 * buffers of the engine, so some data is already in its table files.
 */
const ROUNDS = [12, 30];

/**
 * Maximum time in milliseconds. The rounds alone take 20 s, and far longer while the tests of `npm run test:full`
 * run.
 */
const TIMEOUT = 400_000;

const folder = await temporaryFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Writes rounds from `first` on, and kills the process when round `last` is acknowledged. Returns the last
 * acknowledged round.
 */
async function writeUntilKilled(url: string, first: number, last: number): Promise<number> {
  const child = startScript("durability-test-writer", "write", url, String(first));
  let output = "";
  const acknowledged = () =>
    Number(output.slice(0, output.lastIndexOf("\n")).split("\n").at(-1) || first - 1);
  for await (const text of child.stdout.setEncoding("utf8")) {
    output += text;
    if (acknowledged() >= last) void child.kill();
  }
  await child.kill();
  return acknowledged();
}

test(
  "a store whose process was killed twice contains every acknowledged commit, and no deleted row",
  async () => {
    const url = `rocksdb://${join(folder, "db")}`;
    let rounds = 0;
    for (const last of ROUNDS) {
      const reached = await writeUntilKilled(url, rounds, last);
      expect(reached).toBeGreaterThanOrEqual(last);
      rounds = reached + 1;
    }
    const reader = startScript("durability-test-writer", "digest", url, String(rounds));
    const [digest] = await Promise.all([textOf(reader.stdout), reader.ended()]);
    const { stored, expected } = JSON.parse(digest);
    // If the kill happened during a commit, the store may contain one round that was not acknowledged.
    expect(expected).toContainEqual(stored);
  },
  TIMEOUT,
);
