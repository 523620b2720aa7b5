/** Stores a manual in a map on disk, and measures the CPU time for storing and for indexing its pages. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mapBatch } from "../../../actors/knowledge/ingest/pages-to-map-batch.ts";
import { indexBatch } from "../../../actors/knowledge/ingest/pages-to-search-index-batch.ts";
import { pageRecord } from "../../../actors/pages/build-page-record.ts";
import { createReader } from "../../../actors/reading/index.ts";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { SearchHit } from "../../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { type Batch, batchWrites } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import type { IngestRecord } from "../../../machines/records/exploration-records.ts";
import type { PageRecord } from "../../../machines/records/page-records.ts";
import type { PageTextRecord } from "../../../machines/records/search-text-records.ts";
import { openStore } from "../../../store/index.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";

const MAP = "manual";

export interface MeasuredManual {
  readonly map: string;
  readonly pages: number;
  /**
   * CPU seconds for storing one page of the bench's software manual, with its links, screen, actions and
   * transitions.
   */
  readonly storing: number;
  /** CPU seconds for indexing one stored page for search. */
  readonly indexing: number;
  readonly texts: readonly PageTextRecord[];
  readonly store: Awaited<ReturnType<typeof openStore>>;
  search(query: string, topK: number): Promise<readonly SearchHit[]>;
  stop(): Promise<void>;
}

/** Returns the CPU time in seconds that all threads of this process have used so far. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Reads all pages that are linked from the start page, stores them, and makes them searchable. */
export async function measuredManual(start: string): Promise<MeasuredManual> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-knowledge-"));
  const store = await openStore({ url: `rocksdb://${join(folder, "db")}` });
  const pages = await readAll(start);
  const begun = cpuSeconds();
  for (const some of parts(pages)) await store.write([{ op: "put", table: "page", rows: some }]);
  const waiting = pages.map(
    ({ id }): IngestRecord => ({
      id: [MAP, "job", id[1]],
      knowledge_id: MAP,
      job_id: "job",
      page_key: id[1],
      phase: "map",
      seq: 0,
    }),
  );
  const write = async (batch: Batch): Promise<void> => store.write(batchWrites(MAP, batch, [], Date.now()));
  await inBatches(waiting, knowledgeLimits.mapBatch, async (some) => {
    const batch = await mapBatch(store, MAP, some, new Map());
    await write(batch);
    return batch.mapped;
  });
  const stored = cpuSeconds();
  const all: PageTextRecord[] = [];
  await inBatches(waiting, knowledgeLimits.indexBatch, async (some) => {
    const batch = await indexBatch(store, MAP, some);
    await write(batch);
    all.push(...batch.texts);
    return batch.taken;
  });
  const indexed = cpuSeconds();
  return {
    map: MAP,
    pages: pages.length,
    storing: (stored - begun) / pages.length,
    indexing: (indexed - stored) / pages.length,
    texts: all,
    store,
    search: (query, topK) => store.search(MAP, query, topK),
    async stop() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Takes batches of the waiting pages until none is left. A batch may take fewer pages than it is given, if
 * they are too long for one commit.
 */
async function inBatches(
  waiting: readonly IngestRecord[],
  size: number,
  take: (some: readonly IngestRecord[]) => Promise<readonly IngestRecord["id"][]>,
): Promise<void> {
  let left = waiting;
  while (left.length > 0) {
    const taken = await take(left.slice(0, size));
    if (taken.length === 0) throw new Error("The batch took no page.");
    const done = new Set(taken.map(([, , key]) => key));
    left = left.filter(({ page_key }) => !done.has(page_key));
  }
}

async function readAll(start: string): Promise<readonly PageRecord[]> {
  const reader = createReader({ userAgent: "Cairn/bench", destinations });
  const { origin } = new URL(start);
  const signal = AbortSignal.timeout(10 * 60_000);
  const options = { signal, inScope: (url: string) => url.startsWith(origin), respectRobots: false };
  const request = { knowledge_id: MAP, website_id: "manual", respect_robots: false };
  const job = { job_id: "job", request };
  const seen = new Set<string>([start]);
  const pages: PageRecord[] = [];
  for (const url of seen) {
    const outcome = await reader.read(url, options);
    if (outcome.kind !== "page") continue;
    const { page } = outcome;
    const read = { page, by: "http", reason: "asked for", key: urlKey(page.finalUrl), depth: 0 } as const;
    pages.push(pageRecord(job, read, { isInternal: options.inScope }));
    for (const link of page.links) {
      const target = link.url.replace(/#.*$/, "");
      if (target.startsWith(origin)) seen.add(target);
    }
  }
  reader.close();
  return pages;
}

/** The index in memory counts as complete when it has not changed for this time in milliseconds. */
const SETTLED = 1_500;

/** Searches until the index in memory is built. Returns the number of bytes of the index for each page. */
export async function indexedManual({ store, search }: MeasuredManual, pages: number): Promise<number> {
  let bytes = 0;
  for (let since = performance.now(); bytes === 0 || performance.now() - since < SETTLED; ) {
    await search("module", 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (store.searchIndexBytes === bytes) continue;
    bytes = store.searchIndexBytes;
    since = performance.now();
  }
  return bytes / pages;
}

/** Fills the map with copies of the manual's texts under other addresses, until it has `wanted` pages. */
export async function copiesInMap({ store, pages, texts }: MeasuredManual, wanted: number): Promise<void> {
  for (let copy = 1; copy * pages < wanted; copy++) {
    const more = texts.slice(0, wanted - copy * pages).map((text) => {
      const url = text.url.replace(/^(https?:\/\/[^/]+)/, `$1/${copy}`);
      return { ...text, id: [MAP, url] as const, url };
    });
    for (const some of parts(more)) await store.write([{ op: "put", table: "page_text", rows: some }]);
  }
}

function parts<T>(items: readonly T[]): T[][] {
  const found: T[][] = [];
  for (let at = 0; at < items.length; at += knowledgeLimits.indexBatch)
    found.push(items.slice(at, at + knowledgeLimits.indexBatch));
  return found;
}
