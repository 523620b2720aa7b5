/**
 * The effect that ingests waiting pages and documents in batches: it converts pages to screens of the map,
 * indexes them for search, and then ingests documents. The actor commits each batch together with the removal
 * of the waiting rows, so after a crash only reading is repeated. While a crawl runs, each batch is followed
 * by a pause in proportion to its duration.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import type { IngestInput } from "../../../machines/knowledge/knowledge-machine.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { outlineOf } from "../../../machines/knowledge/map-outline-for-fast-load.ts";
import { type Batch, emptyBatch, partsOf } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { AtlasCache } from "../in-memory-map-cache.ts";
import type { MapSource } from "../map-store-interface.ts";
import { documentBatches, mentionsOn, relinkBatches } from "./document-to-map-batches.ts";
import { groupBatches } from "./group-similar-pages-in-batches.ts";
import { mapBatch } from "./pages-to-map-batch.ts";
import { indexBatch } from "./pages-to-search-index-batch.ts";
import { nameBatches } from "./rename-screens-in-batches.ts";

export interface IngestScope {
  readonly knowledgeId: KnowledgeId;
  readonly source: MapSource;
  readonly cache: AtlasCache;
  readonly signal: AbortSignal;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * Sends a batch of changes to the machine of the map. Resolves when the batch is committed, and rejects
   * when this effect has ended.
   */
  readonly commit: (batch: Batch) => Promise<void>;
}

export async function ingest(input: IngestInput, scope: IngestScope): Promise<null> {
  const { knowledgeId, source, cache, signal } = scope;
  const parts = new Map(Object.entries(input.site_parts));
  let version = input.version;
  const commit = async (batch: Batch): Promise<void> => {
    const parts = partsOf(batch, knowledgeLimits.mapEdges);
    for (const [at, part] of parts.entries()) {
      await scope.commit(part);
      version += 1;
      // Each part of the batch is one version of the map. The cache gets the whole batch with the last
      // version, and an empty batch with each version before.
      cache.advance(knowledgeId, version, at === parts.length - 1 ? batch : emptyBatch);
    }
  };
  /** Ingests the waiting documents and links them to the screens of the map. */
  const ingestDocuments = async (): Promise<void> => {
    const pending = await source.documents.pending(knowledgeId);
    if (pending.length === 0) return;
    const mentions = await mentionsOn(source, knowledgeId, await cache.get(source, knowledgeId, version));
    for (const document of pending)
      for await (const batch of documentBatches(source, knowledgeId, document, mentions)) await commit(batch);
  };
  const relinkDocuments = async (): Promise<void> => {
    if ((await source.documents.list(knowledgeId)).length === 0) return;
    const mentions = await mentionsOn(source, knowledgeId, await cache.get(source, knowledgeId, version));
    for await (const batch of relinkBatches(source, knowledgeId, mentions)) await commit(batch);
  };
  if (input.behind) await rest(knowledgeLimits.headStart, signal);
  /**
   * Whether pages were committed after passages of documents were last linked to screens. If so, the passages
   * must be linked again.
   */
  let pagesCommitted = false;
  let mapFrom = 0;
  let indexFrom = 0;
  while (!signal.aborted) {
    const begun = performance.now();
    // Returns the time at which the next batch may start. While a crawl runs, the ingest pauses after each
    // batch. The pause is the duration of the batch multiplied by `times`. After a batch that was not full,
    // the pause is at least `minPause`.
    const restFrom = (times: number, full: boolean): number => {
      const now = performance.now();
      if (!input.behind) return now;
      return now + Math.max(times * (now - begun), full ? 0 : knowledgeLimits.minPause);
    };
    const unmapped = await source.ingest.next(knowledgeId, "map", knowledgeLimits.mapBatch);
    if (unmapped.length > 0 && begun >= mapFrom) {
      await commit(await mapBatch(source, knowledgeId, unmapped, parts));
      pagesCommitted = true;
      mapFrom = restFrom(knowledgeLimits.mapPauseFactor, unmapped.length >= knowledgeLimits.mapBatch);
      continue;
    }
    const unindexed = await source.ingest.next(knowledgeId, "index", knowledgeLimits.indexBatch);
    if (unindexed.length > 0 && begun >= indexFrom) {
      await commit(await indexBatch(source, knowledgeId, unindexed));
      indexFrom = restFrom(knowledgeLimits.indexPauseFactor, unindexed.length >= knowledgeLimits.indexBatch);
      continue;
    }
    if (unmapped.length === 0 && unindexed.length === 0) {
      await ingestDocuments();
      if (input.behind) return null;
      const atlas = await cache.get(source, knowledgeId, version);
      for (const batch of await nameBatches(source, knowledgeId, atlas, parts)) await commit(batch);
      const named = await cache.get(source, knowledgeId, version);
      for (const batch of await groupBatches(source, knowledgeId, named, scope.now())) await commit(batch);
      if (pagesCommitted) await relinkDocuments();
      if (version > input.version)
        await keepOutline(source, knowledgeId, await cache.get(source, knowledgeId, version), version);
      return null;
    }
    const next = Math.min(
      unmapped.length > 0 ? mapFrom : Number.POSITIVE_INFINITY,
      unindexed.length > 0 ? indexFrom : Number.POSITIVE_INFINITY,
    );
    await rest(Math.min(Math.max(next - performance.now(), 1), knowledgeLimits.pollEvery), signal);
  }
  return null;
}

/**
 * Stores the outline of a large map: its in-memory index (atlas) in compact form. The next load reads the
 * outline instead of all screens, which is faster.
 */
async function keepOutline(
  source: MapSource,
  knowledgeId: KnowledgeId,
  atlas: Atlas,
  version: number,
): Promise<void> {
  if (atlas.weight < knowledgeLimits.outlineFrom) return;
  await source.outlines.write(knowledgeId, outlineOf(atlas, version));
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
