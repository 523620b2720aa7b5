import { expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "../../machines/limits.ts";
import { backup, beforeMigration, dropOldBackups } from "../../store/backup.ts";
import { connect } from "../../store/connection.ts";
import { Database } from "../../store/database.ts";
import { knownMigrations, type Migration, migrate, schemaVersion } from "../../store/migrations.ts";
import { temporaryFolder } from "./temporary-store.ts";

async function empty(): Promise<Database> {
  const { client, place } = await connect({ url: "mem://" });
  return new Database(client, place);
}

const first: Migration = { version: 1, name: "first", statements: "DEFINE TABLE note SCHEMALESS;" };
const second: Migration = {
  version: 2,
  name: "second",
  statements: "DEFINE FIELD seen ON note TYPE bool DEFAULT false; UPDATE note SET seen = false;",
};
const broken: Migration = { version: 3, name: "broken", statements: "DEFINE TABLE half; THROW 'no';" };

test("the release's own migrations are numbered without gaps and leave the newest version behind", async () => {
  const database = await empty();
  const known = await knownMigrations();
  expect(known.map(({ version }) => version)).toEqual(known.map((_, at) => at + 1));
  expect(await schemaVersion(database)).toBe(0);
  await migrate(database, known);
  expect(await schemaVersion(database)).toBe(known.length);
});

test("what was applied is not applied again, and what is new is", async () => {
  const database = await empty();
  await migrate(database, [first]);
  await database.run("CREATE note:1");
  await migrate(database, [first]);
  await migrate(database, [first, second]);
  expect(await database.rows("SELECT * FROM note")).toEqual([{ id: 1, seen: false }]);
  expect(await database.rows("SELECT VALUE name FROM migration ORDER BY name")).toEqual(["first", "second"]);
});

test("a database of a newer release is refused with both versions and what to do", async () => {
  const database = await empty();
  await migrate(database, [first, second]);
  const refusal = await migrate(database, [first]).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "store.newer_schema", details: { found: 2, known: 1 } });
  expect(String(refusal)).toContain("restore");
});

test("a migration that fails leaves nothing of itself, and what came before it stays", async () => {
  const database = await empty();
  await expect(migrate(database, [first, second, broken])).rejects.toMatchObject({
    code: "store.query_failed",
  });
  await migrate(database, [first, second]);
  expect(await schemaVersion(database)).toBe(2);
  expect(JSON.stringify(await database.run("INFO FOR DB"))).not.toContain("half");
});

test("before a store that holds something is changed it is backed up, an empty one is not", async () => {
  const database = await empty();
  const asked: number[][] = [];
  const before = async (from: number, to: number) => {
    asked.push([from, to]);
  };
  await migrate(database, [first], { before });
  expect(asked).toEqual([]);
  await migrate(database, [first, second], { before });
  await migrate(database, [first, second], { before });
  expect(asked).toEqual([[1, 2]]);
});

test("of the backups before migrations only the newest are kept", async () => {
  const folder = await temporaryFolder();
  const database = await empty();
  await migrate(database, await knownMigrations());
  const made: string[] = [];
  for (let from = 8; from < 13; from += 1)
    made.push((await backup(database, folder, beforeMigration(from))).file);
  const own = await backup(database, folder);
  await dropOldBackups(folder);
  const left = (await readdir(folder)).map((name) => join(folder, name)).sort();
  expect(left).toEqual([...made.slice(-limits.retention.migrationBackups), own.file].sort());
  await rm(folder, { recursive: true, force: true });
});
