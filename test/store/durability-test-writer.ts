/**
 * A process that commits in the same way as an exploration, and prints the number of each acknowledged round,
 * for `committed-data-after-kill.full.test.ts`. `bun durability-test-writer.ts write <url> <first round>` runs
 * until it is killed. `bun durability-test-writer.ts digest <url> <rounds>` prints the content of the store as JSON.
 */
import { createHash } from "node:crypto";
import type { StoreWrite } from "../../machines/machine-emissions.ts";
import { Database } from "../../store/connection/execute-database-statements.ts";
import { connect } from "../../store/connection/open-database.ts";
import { type OwnedStore, openStore } from "../../store/index.ts";
import { searchableHead } from "../../store/search/search-words.ts";
import { ingestRow, JOB, linkRow, MAP, pageRow, textRow, unit } from "./sample-store-rows.ts";

const PAGES = 20;
const EDGES = 10;
const CONTENT = 60_000;
/**
 * After this number of rounds, the pages of an earlier round are written once more. Then the database's files also
 * contain old versions of rows.
 */
const REWRITE = 7;

async function write(store: OwnedStore, first: number): Promise<void> {
  const fence = (await store.actors.raiseFences([1])).get(1) ?? 0;
  for (let round = first; ; round += 1) {
    // In each round, a small commit (like that of an actor's row) and a large one are sent together, so that they
    // are written at the same time.
    const [small, large] = await Promise.all([
      store.actors.commit([unit(2, (await store.actors.raiseFences([2])).get(2) ?? 0)]),
      store.actors.commit([unit(1, fence, { writes: writesOf(round) })]),
    ]);
    for (const outcome of [...small, ...large]) if (!outcome.ok) throw outcome.error;
    process.stdout.write(`${round}\n`);
  }
}

function keysOf(round: number): string[] {
  return round < 0 ? [] : Array.from({ length: PAGES }, (_, at) => `r${round}-${at}`);
}

function writesOf(round: number): StoreWrite[] {
  const keys = keysOf(round);
  const before = keysOf(round - 1);
  const rewritten = round % REWRITE === REWRITE - 1 ? keysOf(round - REWRITE + 1) : [];
  return [
    {
      op: "put",
      table: "page",
      rows: [...keys, ...rewritten].map((key) => pageRow(key, { content: text(`${key} ${round}`, CONTENT) })),
    },
    {
      op: "relate",
      edge: "links_to",
      rows: keys.flatMap((key, at) =>
        Array.from({ length: EDGES }, (_, to) => linkRow(key, `r${Math.max(0, round - to)}-${at}`)),
      ),
    },
    { op: "put", table: "ingest", rows: keys.map((key, at) => ingestRow(key, round * PAGES + at)) },
    {
      op: "put",
      table: "page_text",
      rows: before.map((key) => textRow(key, `Title of ${key}`, text(key, 1_500))),
    },
    {
      op: "merge",
      table: "ingest",
      rows: before.map((key) => ({ id: [MAP, JOB, key], phase: "index" as const })),
    },
    {
      op: "remove",
      table: "ingest",
      ids: keysOf(round - 2).map((key) => [MAP, JOB, key] as const),
    },
  ];
}

/** Returns random words for a seed. The words cannot be compressed, so they use their full size on disk. */
function text(seed: string, length: number): string {
  let out = "";
  let state = createHash("sha256").update(seed).digest();
  while (out.length < length) {
    state = createHash("sha256").update(state).digest();
    out += `${state.toString("base64url").replace(/(.{7})/g, "$1 ")} `;
  }
  return out.slice(0, length);
}

/** A digest of the store: for each table and each id of a row, the checksum of one field. */
type Tables = Record<string, Record<string, string>>;
const TELLING: Readonly<Record<string, string>> = {
  page: "content",
  links_to: "to_url",
  page_text: "url",
  ingest: "phase",
};

/**
 * Returns the content of the store as digests, and what it should contain after `rounds` rounds and after `rounds`
 * + 1. A kill may happen after a round is written and before it is acknowledged, so both are right.
 */
async function digest(url: string, rounds: number): Promise<unknown> {
  const { client, place } = await connect({ url });
  const database = new Database({ client, place });
  const stored: Tables = {};
  for (const [table, field] of Object.entries(TELLING)) {
    const rows = await database.rows<{ id: unknown; value: string }>(
      `SELECT id, ${field} AS value FROM ${table}`,
    );
    stored[table] = Object.fromEntries(rows.map(({ id, value }) => [JSON.stringify(id), hash(value)]));
  }
  // The words of a full-text index cannot be read, so they are counted by searching for them.
  const words = await database.each<{ count: number }>(
    Object.keys(stored.page_text ?? {}).map(
      (_, at) => `SELECT count() FROM page_text WHERE head @@ $words[${at}] GROUP ALL`,
    ),
    { words: Object.keys(stored.page_text ?? {}).map((id) => searchableHead(textRow(wordOf(id), "", ""))) },
  );
  const indexed = words.filter((rows) => (rows[0]?.count ?? 0) > 0).length;
  return {
    stored: { ...summary(stored), indexed },
    expected: [rounds, rounds + 1].map((count) => {
      const model = modelOf(count);
      return { ...summary(model), indexed: Object.keys(model.page_text ?? {}).length };
    }),
  };
}

function wordOf(id: string): string {
  return String(JSON.parse(id)[1]);
}

function modelOf(rounds: number): Tables {
  const tables: Tables = { page: {}, links_to: {}, page_text: {}, ingest: {} };
  for (let round = 0; round < rounds; round += 1) {
    for (const write of writesOf(round)) {
      const table = tables["table" in write ? write.table : write.edge] ?? {};
      if (write.op === "put" || write.op === "merge") {
        for (const row of write.rows) {
          const value = Object.entries(row).find(([name]) => name === TELLING[write.table])?.[1];
          table[JSON.stringify(row.id)] = hash(String(value));
        }
      } else if (write.op === "remove") {
        for (const id of write.ids) delete table[JSON.stringify(id)];
      } else if (write.op === "relate") {
        for (const row of write.rows) {
          const value = "to_url" in row ? row.to_url : "";
          table[JSON.stringify([row.in[0], row.in[1], row.out[1]])] = hash(value);
        }
      }
    }
  }
  return tables;
}

function summary(tables: Tables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => {
      const sorted = Object.entries(rows)
        .map(([id, value]) => `${id} ${value}`)
        .sort();
      return [table, `${sorted.length} rows, ${hash(sorted.join("\n"))}`];
    }),
  );
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url").slice(0, 12);
}

const [what = "", url = "", argument = "0"] = process.argv.slice(2);
if (what === "write") await write(await openStore({ url }), Number(argument));
else console.log(JSON.stringify(await digest(url, Number(argument))));
process.exit(0);
