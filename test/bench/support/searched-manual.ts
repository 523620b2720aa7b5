/** A manual in a map of a store on disk. The CPU time for storing and for indexing its pages is measured. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexBatch } from "../../../actors/knowledge/ingest/index-batch.ts";
import { createReader } from "../../../actors/reading/index.ts";
import { knowledgeLimits } from "../../../machines/knowledge/limits.ts";
import type { SearchHit } from "../../../machines/knowledge/protocol.ts";
import type { IngestRecord, PageRecord, PageTextRecord } from "../../../machines/records.ts";
import { openStore } from "../../../store/index.ts";
import { destinations } from "../../sites/test-destinations.ts";
import { pageRow } from "../../store/sample-rows.ts";

const MAP = "manual";

export interface MeasuredManual {
  readonly map: string;
  readonly pages: number;
  /** CPU seconds for storing one page of the manual. */
  readonly storing: number;
  readonly indexing: number;
  readonly texts: readonly PageTextRecord[];
  readonly store: Awaited<ReturnType<typeof openStore>>;
  search(query: string, topK: number): Promise<readonly SearchHit[]>;
  stop(): Promise<void>;
}

function cpuSeconds(): number {
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
  const stored = cpuSeconds();
  const all: PageTextRecord[] = [];
  let waiting = pages.map(
    ({ id }): IngestRecord => ({
      id: [MAP, "job", id[1]],
      knowledge_id: MAP,
      job_id: "job",
      page_key: id[1],
      phase: "index",
      seq: 0,
    }),
  );
  while (waiting.length > 0) {
    // `indexBatch` may take fewer pages than it was given, if their texts are too long for one commit. The
    // rest is given to it again.
    const { texts, taken } = await indexBatch(store, MAP, waiting.slice(0, knowledgeLimits.indexBatch));
    await store.write([{ op: "put", table: "page_text", rows: texts }]);
    all.push(...texts);
    const done = new Set(taken.map(([, , key]) => key));
    waiting = waiting.filter(({ page_key }) => !done.has(page_key));
  }
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

async function readAll(start: string): Promise<readonly PageRecord[]> {
  const reader = createReader({ userAgent: "Cairn/bench", destinations });
  const { origin } = new URL(start);
  const signal = AbortSignal.timeout(10 * 60_000);
  const options = { signal, inScope: (url: string) => url.startsWith(origin), respectRobots: false };
  const seen = new Set<string>([start]);
  const pages: PageRecord[] = [];
  for (const url of seen) {
    const outcome = await reader.read(url, options);
    if (outcome.kind !== "page") continue;
    const { page } = outcome;
    pages.push(
      pageRow(page.finalUrl, {
        knowledge_id: MAP,
        id: [MAP, page.finalUrl],
        url: page.finalUrl,
        title: page.title,
        headings: page.headings,
        content: page.content,
        controls: JSON.stringify(page.controls),
        links: JSON.stringify(page.links),
      }),
    );
    for (const link of page.links) {
      const target = link.url.replace(/#.*$/, "");
      if (target.startsWith(origin)) seen.add(target);
    }
  }
  reader.close();
  return pages;
}

/** Adds copies of the texts under other addresses, until the map has `wanted` pages. */
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
