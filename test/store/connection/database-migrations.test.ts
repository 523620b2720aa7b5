import { expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { address, shardOf } from "../../../actors/runtime/index.ts";
import { retentionLimits } from "../../../machines/janitor/retention-limits.ts";
import { linksOfPage } from "../../../machines/knowledge/screens/stored-page-links.ts";
import {
  knownMigrations,
  type Migration,
  migrate,
  schemaVersion,
} from "../../../store/connection/database-migrations.ts";
import { Database, record } from "../../../store/connection/execute-database-statements.ts";
import { connect } from "../../../store/connection/open-database.ts";
import { backup, beforeMigration, dropOldBackups } from "../../../store/store-backup.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { temporaryFolder } from "../temporary-store.ts";

async function empty(): Promise<Database> {
  const { client, place } = await connect({ url: "mem://" });
  return new Database({ client, place });
}

const first: Migration = { version: 1, name: "first", statements: "DEFINE TABLE note SCHEMALESS;" };
const second: Migration = {
  version: 2,
  name: "second",
  statements: "DEFINE FIELD seen ON note TYPE bool DEFAULT false; UPDATE note SET seen = false;",
};
const broken: Migration = { version: 3, name: "broken", statements: "DEFINE TABLE half; THROW 'no';" };

test("the release's migrations are numbered without gaps, and the newest sets the version", async () => {
  const database = await empty();
  const known = await knownMigrations();
  expect(known.map(({ version }) => version)).toEqual(known.map((_, at) => at + 1));
  expect(await schemaVersion(database)).toBe(0);
  await migrate(database, known);
  expect(await schemaVersion(database)).toBe(known.length);
});

test("migrations that were already applied are skipped, and new ones are applied", async () => {
  const database = await empty();
  await migrate(database, [first]);
  await database.run("CREATE note:1");
  await migrate(database, [first]);
  await migrate(database, [first, second]);
  expect(await database.rows("SELECT * FROM note")).toEqual([{ id: 1, seen: false }]);
  expect(await database.rows("SELECT VALUE name FROM migration ORDER BY name")).toEqual(["first", "second"]);
});

test("a database of a newer release is refused, and the error states both versions and what to do", async () => {
  const database = await empty();
  await migrate(database, [first, second]);
  const refusal = await migrate(database, [first]).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "store.newer_schema", details: { found: 2, known: 1 } });
  expect(String(refusal)).toContain("restore");
});

test("a failed migration leaves no change, and earlier migrations stay applied", async () => {
  const database = await empty();
  await expect(migrate(database, [first, second, broken])).rejects.toMatchObject({
    code: "store.query_failed",
  });
  await migrate(database, [first, second]);
  expect(await schemaVersion(database)).toBe(2);
  expect(JSON.stringify(await database.run("INFO FOR DB"))).not.toContain("half");
});

test("a store with data is backed up before a migration, and an empty one is not", async () => {
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

test("a database with the schema of any earlier release can be backed up before its migration", async () => {
  const folder = await temporaryFolder();
  const known = await knownMigrations();
  const database = await empty();
  for (const { version } of known) {
    await migrate(database, known, { upTo: version });
    const { file } = await backup(database, folder, beforeMigration(version));
    expect(file).toContain(String(version));
  }
  await rm(folder, { recursive: true, force: true });
});

test.if(isFull)("only the newest backups before migrations are kept", async () => {
  const folder = await temporaryFolder();
  const database = await empty();
  await migrate(database, await knownMigrations());
  const made: string[] = [];
  for (let from = 8; from < 13; from += 1)
    made.push((await backup(database, folder, beforeMigration(from))).file);
  const own = await backup(database, folder);
  await dropOldBackups(folder);
  const left = (await readdir(folder)).map((name) => join(folder, name)).sort();
  expect(left).toEqual([...made.slice(-retentionLimits.migrationBackups), own.file].sort());
  await rm(folder, { recursive: true, force: true });
});

test("a migration gives stored pages their links from the edges of the map", async () => {
  const database = await empty();
  const known = await knownMigrations();
  await migrate(database, known, { upTo: 1 });
  const control = { role: "link", name: 'say "hi"', selector: "a", xpath: "//a", attributes: { tag: "a" } };
  const page = (key: string) => ({
    id: record("page", ["map", key]),
    knowledge_id: "map",
    website_id: "w",
    job_id: "j",
    url: `https://site.test/${key}`,
    title: key,
    language: null,
    headings: [],
    content: "",
    content_hash: "",
    chunk_type: "webpage",
    media_type: "text/html",
    http_status: 200,
    depth: 0,
    bytes: 0,
    fetched_at: 0,
    controls: "{}",
  });
  const edge = (to: string, kind: string, text: string) => ({
    id: record("links_to", ["map", "a", to]),
    in: record("page", ["map", "a"]),
    out: record("page", ["map", to]),
    knowledge_id: "map",
    kind,
    from_url: "https://site.test/a",
    to_url: `https://site.test/${to}`,
    text,
    anchor: JSON.stringify(control),
  });
  await database.run("INSERT INTO page $pages; INSERT RELATION INTO links_to $edges;", {
    pages: [page("a"), page("b")],
    edges: [edge("b", "internal", 'say "hi" \\ twice'), edge("c?q=1", "external", "away")],
  });
  await migrate(database, known);
  const [a, b] = await database.rows<{ links: string; internal_links: number; external_links: number }>(
    "SELECT links, internal_links, external_links, url FROM page ORDER BY url",
  );
  expect(linksOfPage(a ?? { links: "[]" })).toEqual([
    { url: "https://site.test/b", kind: "internal", text: 'say "hi" \\ twice', control },
    { url: "https://site.test/c?q=1", kind: "external", text: "away", control },
  ]);
  expect(a).toMatchObject({ internal_links: 1, external_links: 1 });
  expect(b).toMatchObject({ links: "[]", internal_links: 0, external_links: 0 });
  expect(await database.rows("SELECT * OMIT id, in, out FROM links_to WHERE kind = 'external'")).toEqual([
    { kind: "external", from_url: "https://site.test/a", to_url: "https://site.test/c?q=1", text: "away" },
  ]);
});

test("the migration that separates shards moves only actors that render pages", async () => {
  const database = await empty();
  const known = await knownMigrations();
  await migrate(database, known, { upTo: 8 });
  // Ids of exploration actors, with the shards that earlier releases computed for them. Those releases used the
  // same hash for all kinds of actors.
  const explorations = { a: 42, "b c": 66, "job-1": 112, ä: 0 };
  const actors = Object.entries(explorations).flatMap(([id, shard]) => [
    { ...address("exploration", id), shard },
    { ...address("knowledge", id), shard: shardOf(address("knowledge", id)) },
  ]);
  for (const { kind, id, shard } of actors) {
    await database.run("CREATE $id CONTENT $row", {
      id: record("actor", [kind, id]),
      row: { shard, version: 1, data: "{}", wake_at: null, state: "x", updated_at: 0 },
    });
  }
  await migrate(database, known);
  const rows = await database.rows<{ id: [string, string]; shard: number }>("SELECT id, shard FROM actor");
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
  expect(rows.map(({ id: [kind, id], shard }) => ({ id: `${kind}/${id}`, shard })).sort(byId)).toEqual(
    actors.map(({ kind, id }) => ({ id: `${kind}/${id}`, shard: shardOf(address(kind, id)) })).sort(byId),
  );
});
