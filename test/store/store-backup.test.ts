import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { isFull } from "../test-run-tier-and-seed.ts";
import { fillStore } from "./fill-store-and-list-its-content.ts";
import { inProcess } from "./run-store-test-scripts.ts";
import { frontierRow, JOB } from "./sample-store-rows.ts";
import { memoryStore, temporaryFolder } from "./temporary-store.ts";

const PROCESS = 60_000;
setDefaultTimeout(PROCESS);
let folder: string;
let url: string;
let written: { file: string; records: number };

beforeAll(async () => {
  folder = await temporaryFolder();
  url = `rocksdb://${join(folder, "db")}`;
  await inProcess("fill", url);
  // The cast is safe: the process prints the result of `backup` as JSON.
  written = (await inProcess("backup", url, join(folder, "backups"))) as typeof written;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a restored store", () => {
  test("returns the same data as the store that was backed up", async () => {
    const other = `rocksdb://${join(folder, "restored")}`;
    expect(await inProcess("restore", other, written.file)).toEqual({ records: written.records });
    expect(written.records).toBeGreaterThan(700);
    expect(await inProcess("inventory", other)).toEqual(await inProcess("inventory", url));
  });

  test.if(isFull)("does not replace a store with data unless it is forced", async () => {
    const other = `rocksdb://${join(folder, "forced")}`;
    await inProcess("fill", other);
    const refused = await inProcess("restore", other, written.file);
    expect(refused).toMatchObject({ code: "store.not_empty", status: 409 });
    expect(await inProcess("restore-forced", other, written.file)).toEqual({ records: written.records });
    expect((await readdir(folder)).filter((name) => name.startsWith("forced"))).toEqual(["forced"]);
  });
});

describe("a damaged backup file leaves the store unchanged", () => {
  const cases: Record<string, { readonly code: string; readonly make: (good: Buffer) => Buffer }> = {
    "a text file": { code: "store.not_a_backup", make: () => Buffer.from("hello\n") },
    "an empty file": { code: "store.not_a_backup", make: () => Buffer.alloc(0) },
    "some other compressed file": { code: "store.not_a_backup", make: () => gzipSync("hello\n") },
    "a file that was cut off": {
      code: "store.backup_damaged",
      make: (good) => good.subarray(0, good.length / 2),
    },
    "a file without its last lines": {
      code: "store.backup_damaged",
      make: (good) => gzipSync(gunzipSync(good).toString().split("\n").slice(0, -3).join("\n")),
    },
    "a file of a newer release": {
      code: "store.newer_schema",
      make: (good) =>
        gzipSync(
          gunzipSync(good)
            .toString()
            .replace(/"schema":\d+,/, '"schema":999,'),
        ),
    },
  };
  /** The case of the fast tier. */
  const short = "a file that was cut off";
  for (const [name, { code, make }] of Object.entries(cases)) {
    test.if(isFull || name === short)(name, async () => {
      const bad = join(folder, `bad-${code}.gz`);
      await writeFile(bad, make(await readFile(written.file)));
      const target = `rocksdb://${join(folder, "untouched")}`;
      expect(await inProcess("restore", target, bad)).toMatchObject({ code });
      expect((await readdir(folder)).filter((entry) => entry.startsWith("untouched"))).toEqual([]);
    });
  }
});

test.if(isFull)("a backup is consistent while writes continue", async () => {
  const { store, close } = await memoryStore();
  await fillStore(store);
  const target = join(folder, "moment");
  let writing = true;
  const writes = (async () => {
    // Each transaction adds two rows. A backup with only one of the two rows would be inconsistent.
    for (let at = 1_000; writing; at += 2) {
      await store.write([
        {
          op: "put",
          table: "frontier",
          rows: [frontierRow(`w${at}`, at), frontierRow(`w${at + 1}`, at + 1)],
        },
      ]);
    }
  })();
  const { file, records } = await store.backup(target);
  writing = false;
  await writes;
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trim()
    .split("\n");
  const rows = lines.flatMap((line): { id: [string, string] }[] => JSON.parse(line).rows ?? []);
  const late = rows.filter((row) => row.id[0] === JOB && String(row.id[1]).startsWith("w"));
  expect(late.length % 2).toBe(0);
  expect(rows).toHaveLength(records);
  await close();
});

test.if(isFull)("several simultaneous backups are each complete", async () => {
  const { store, close } = await memoryStore();
  await fillStore(store);
  const made = await Promise.all(Array.from({ length: 4 }, () => store.backup(join(folder, "crowd"))));
  expect(new Set(made.map(({ file }) => file)).size).toBe(4);
  for (const { file, records } of made) {
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trim()
      .split("\n");
    expect(lines.flatMap((line): unknown[] => JSON.parse(line).rows ?? [])).toHaveLength(records);
  }
  await close();
});
