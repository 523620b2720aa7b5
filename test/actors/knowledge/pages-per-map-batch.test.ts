/**
 * Tests how many queued pages are turned into screens in one commit. The number also depends on the total
 * size of the pages.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mapBatch } from "../../../actors/knowledge/ingest/pages-to-map-batch.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import type { PageRecord } from "../../../machines/records/page-records.ts";
import { ingestRow, MAP, pageRow } from "../../store/sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../../store/temporary-store.ts";

const { mapBytes, mapLinks } = knowledgeLimits;

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await memoryStore();
});
afterEach(() => temporary.close());

/** Stores the given pages, and ingests one batch of them into the map. Returns the keys of the pages in this batch. */
async function taken(pages: Readonly<Record<string, Partial<PageRecord>>>): Promise<readonly string[]> {
  const rows = Object.entries(pages).map(([key, fields]) => pageRow(key, fields));
  await temporary.store.write([{ op: "put", table: "page", rows }]);
  const waiting = Object.keys(pages).map((key, seq) => ingestRow(key, seq));
  const { mapped } = await mapBatch(temporary.store, MAP, waiting, new Map());
  return mapped.map((id) => id[2]);
}

test("several short pages are ingested into the map in one batch", async () => {
  expect(await taken({ a: {}, b: {}, c: {} })).toEqual(["a", "b", "c"]);
});

test("pages that together exceed the size limit are ingested in several batches, and a first page that alone exceeds it is a batch of its own", async () => {
  expect(await taken({ a: { bytes: 2 * mapBytes }, b: {} })).toEqual(["a"]);
  expect(await taken({ a: {}, b: { bytes: mapBytes }, c: {} })).toEqual(["a"]);
});

test("pages with many links are ingested in several batches", async () => {
  const many = { internal_links: mapLinks / 2, external_links: 1 };
  expect(await taken({ a: many, b: many, c: many })).toEqual(["a"]);
});

test("a redirect and a deleted page do not count towards the size limit of a batch", async () => {
  const waiting = [
    ingestRow("moved", 0, { page_key: "a" }),
    ingestRow("gone", 1),
    ingestRow("a", 2),
    ingestRow("b", 3),
  ];
  const rows = [pageRow("a", { bytes: 2 * mapBytes }), pageRow("b")];
  await temporary.store.write([{ op: "put", table: "page", rows }]);
  const first = await mapBatch(temporary.store, MAP, waiting, new Map());
  expect(first.taken.map((id) => id[2])).toEqual(["moved", "gone"]);
  expect(first.mapped).toEqual([]);
  const second = await mapBatch(temporary.store, MAP, waiting.slice(2), new Map());
  expect(second.mapped.map((id) => id[2])).toEqual(["a"]);
});
