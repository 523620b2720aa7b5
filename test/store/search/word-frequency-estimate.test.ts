/** Tests the estimate of how many pages of a map contain a word. */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Database } from "../../../store/connection/execute-database-statements.ts";
import { termKey } from "../../../store/search/search-ranking.ts";
import { PageSamples } from "../../../store/search/word-frequency-estimate.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { MAP, textRow } from "../sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../temporary-store.ts";

const PAGES = 300;
let temporary: TemporaryStore;
let database: Database;
let samples: PageSamples;

beforeAll(async () => {
  temporary = await memoryStore();
  const rows = Array.from({ length: PAGES }, (_, at) =>
    textRow(`place-${at}`, "Place", at % 3 === 0 ? "A lantern in the harbour." : "The harbour."),
  );
  for (let at = 0; at < rows.length; at += 50)
    await temporary.store.write([{ op: "put", table: "page_text", rows: rows.slice(at, at + 50) }]);
  const few = [textRow("quay", "Quay", "A harbour.", "small")];
  await temporary.store.write([{ op: "put", table: "page_text", rows: few }]);
  // The test also reads and writes the database directly, over the connection of the store. This connection
  // is private, so a cast is needed.
  database = new Database((temporary.store as unknown as { connection: never }).connection);
  samples = new PageSamples(database);
});
afterAll(() => temporary.close());

test("the number of pages with a word is estimated from a sample of pages, which is read while the first search continues", async () => {
  const first = await samples.of(MAP);
  expect(first.total).toBe(PAGES);
  expect(first.pagesWith(termKey("body", "harbour"))).toBeUndefined();
  let sample = first;
  while (sample.pagesWith("") === undefined) {
    await sleep(5);
    sample = await samples.of(MAP);
  }
  expect(sample.pagesWith(termKey("body", "harbour"))).toBe(PAGES);
  const lanterns = sample.pagesWith(termKey("body", "lantern")) ?? 0;
  expect(Math.abs(lanterns - PAGES / 3)).toBeLessThan(PAGES / 30);
  expect(sample.pagesWith(termKey("body", "walrus"))).toBe(0);
});

test.if(isFull)(
  "an outdated sample of a map's pages is renewed by reading the same pages again; other pages are chosen only after the number of pages has changed by a fifth",
  async () => {
    const growing = new PageSamples(database);
    const map = "growing";
    const run = spyOn(database, "run");
    const now = spyOn(performance, "now");
    const listings = () => run.mock.calls.filter(([sql]) => sql.startsWith("SELECT VALUE")).length;
    const fill = async (from: number, to: number, body: string) => {
      const rows = Array.from({ length: to - from }, (_, at) =>
        textRow(`place-${from + at}`, "Place", body, map),
      );
      await temporary.store.write([{ op: "put", table: "page_text", rows }]);
    };
    const totalIs = async (total: number) => {
      for (let sample = await growing.of(map); ; sample = await growing.of(map)) {
        if (sample.pagesWith("") !== undefined && sample.total === total) return sample;
        await sleep(5);
      }
    };
    try {
      await fill(0, 220, "A lantern.");
      await totalIs(220);
      expect(listings()).toBe(1);
      await fill(0, 240, "A beacon.");
      const later = performance.now() + 16 * 60_000;
      now.mockImplementation(() => later);
      const sample = await totalIs(240);
      expect(sample.pagesWith(termKey("body", "beacon"))).toBe(240);
      expect(listings()).toBe(1);
      await fill(240, 300, "A beacon.");
      now.mockImplementation(() => 2 * later);
      await totalIs(300);
      expect(listings()).toBe(2);
    } finally {
      now.mockRestore();
      run.mockRestore();
    }
  },
);

test("a small map has no sample of pages, and its pages with a word are counted at each search", async () => {
  for (let time = 0; time < 2; time += 1) {
    const { total, pagesWith } = await samples.of("small");
    expect([total, pagesWith(termKey("body", "harbour"))]).toEqual([1, undefined]);
  }
});
