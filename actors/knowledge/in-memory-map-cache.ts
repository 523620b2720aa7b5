/**
 * Caches atlases (in-memory indexes of maps) for the queries of this worker. An atlas is loaded at its first
 * use and then updated by each batch that the map's actor commits. Each batch raises the version by one, so a
 * missing number shows a missed batch, and the atlas is loaded again.
 */
import { Atlas, type AtlasChange } from "../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../machines/knowledge/map-limits.ts";
import { atlasOf } from "../../machines/knowledge/map-outline-for-fast-load.ts";
import type { Batch } from "../../machines/knowledge/rows-of-one-map-commit.ts";
import type { Leaving } from "../../machines/knowledge/transitions/shortest-route.ts";
import { transitionCost } from "../../machines/knowledge/transitions/transition-cost.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import type { StoredEdge } from "../../store/records/stored-screens.ts";
import type { MapSource } from "./map-store-interface.ts";

interface Entry {
  version: number;
  readonly atlas: Atlas;
}

interface Loading {
  readonly entry: Promise<Entry>;
  /**
   * Batches that were committed during the load of the atlas (the map's in-memory index), in order. They are
   * applied after the load. Applying a batch that the load already contains has no effect.
   */
  readonly missed: { readonly version: number; readonly batch: Batch }[];
}

export class AtlasCache {
  /** The cached atlases, least recently used first. */
  readonly #entries = new Map<KnowledgeId, Entry>();
  readonly #loading = new Map<KnowledgeId, Loading>();

  /**
   * Returns the atlas (in-memory index) of a map, with at least the given `version`. If the cache has no such
   * atlas, it is loaded from the store.
   */
  async get(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Atlas> {
    const entry = this.#entries.get(knowledgeId);
    if (entry && entry.version >= version) {
      this.#keep(knowledgeId, entry);
      return entry.atlas;
    }
    const loaded = await this.#load(source, knowledgeId, version);
    if (loaded.version >= version) return loaded.atlas;
    // The load that this call waited for had started before `version` was committed, so its state is too old.
    // The map is loaded again.
    return await this.get(source, knowledgeId, version);
  }

  async #load(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Entry> {
    const under = this.#loading.get(knowledgeId);
    if (under) return await under.entry;
    const missed: Loading["missed"] = [];
    const entry = this.#loaded(source, knowledgeId, version, missed);
    const loading = { entry, missed };
    this.#loading.set(knowledgeId, loading);
    try {
      return await entry;
    } finally {
      if (this.#loading.get(knowledgeId) === loading) this.#loading.delete(knowledgeId);
    }
  }

  async #loaded(
    source: MapSource,
    knowledgeId: KnowledgeId,
    version: number,
    missed: Loading["missed"],
  ): Promise<Entry> {
    const entry: Entry = { version, atlas: await readAtlas(source, knowledgeId, version) };
    for (const { version: next, batch } of missed) follow(entry, next, batch);
    // If the map was deleted while it was loaded, the caller gets the atlas (in-memory index), but the atlas
    // is not cached.
    if (this.#loading.get(knowledgeId)?.missed === missed) this.#keep(knowledgeId, entry);
    return entry;
  }

  /**
   * Applies a batch that the map's actor committed as `version` to the cached atlas (in-memory index) of the
   * map. If this is not possible, the atlas is removed from the cache.
   */
  advance(knowledgeId: KnowledgeId, version: number, batch: Batch): void {
    this.#loading.get(knowledgeId)?.missed.push({ version, batch });
    const entry = this.#entries.get(knowledgeId);
    if (entry && !follow(entry, version, batch)) this.#entries.delete(knowledgeId);
  }

  forget(knowledgeId: KnowledgeId): void {
    this.#entries.delete(knowledgeId);
    this.#loading.delete(knowledgeId);
  }

  #keep(knowledgeId: KnowledgeId, entry: Entry): void {
    this.#entries.delete(knowledgeId);
    this.#entries.set(knowledgeId, entry);
    const { cachedMaps, cachedSize } = knowledgeLimits;
    let weight = 0;
    for (const { atlas } of this.#entries.values()) weight += atlas.weight;
    for (const [oldest, { atlas }] of this.#entries) {
      const fits = this.#entries.size <= cachedMaps && weight <= cachedSize;
      if (fits || oldest === knowledgeId) return;
      weight -= atlas.weight;
      this.#entries.delete(oldest);
    }
  }
}

/**
 * Applies a batch to a cached atlas (in-memory index of a map). Returns false if the batch before it is
 * missing. The cached atlas then cannot be used.
 */
function follow(entry: Entry, version: number, batch: Batch): boolean {
  if (entry.version >= version) return true;
  if (entry.version !== version - 1) return false;
  entry.atlas.change(changeOf(batch));
  entry.version = version;
  return true;
}

/**
 * Reads the atlas (in-memory index) of a map. If the store has a valid outline, a compact copy of the atlas,
 * the atlas is created from it. Otherwise, it is built from all screens and transitions, which is slower.
 */
async function readAtlas(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Atlas> {
  const outline = await source.outlines.read(knowledgeId, version);
  if (outline) return atlasOf(outline);
  const atlas = new Atlas();
  const screens = await source.screens.outlines(knowledgeId);
  const ids = screens.map((screen) => screen.screen_id);
  // The first transitions are requested from the store now, so that they are read while the screens are
  // indexed.
  const slices = source.screens.adjacency(knowledgeId, ids)[Symbol.asyncIterator]();
  let next = slices.next();
  // The promise is awaited below, where an error is thrown. The empty handler only prevents an unhandled
  // rejection.
  next.catch(() => {});
  const [groups, memberships] = await Promise.all([
    source.screens.groups(knowledgeId),
    source.screens.memberships(knowledgeId),
  ]);
  atlas.change({
    screens,
    groups,
    memberships: memberships.map(([instance, group]) => ({ instance, group })),
  });
  for (;;) {
    const { value: pairs, done } = await next;
    if (done) return atlas;
    next = slices.next();
    // A later iteration of the loop awaits this promise and throws its error. The empty handler prevents an
    // unhandled rejection before that.
    next.catch(() => {});
    atlas.change(edgeChange(atlas, pairs));
  }
}

/**
 * Converts stored transitions to a change of the in-memory index. A transition that starts at no screen is a
 * redirect, because `ingest-pages-and-documents.ts` stores redirects in this way.
 */
function edgeChange(atlas: Atlas, edges: readonly StoredEdge[]): AtlasChange {
  const leaving = new Map<string, string[]>();
  for (const [from, via] of edges) {
    const known = leaving.get(from);
    if (known) known.push(via);
    else leaving.set(from, [via]);
  }
  // The index leaves out the costs of transitions. They depend on the results of clicks, which the map stores
  // in its context (machines/knowledge/transitions/transition-success-and-failure-counts.ts).
  const transitions: { from: string; to: readonly string[] }[] = [];
  const redirects: { from: string; to: string }[] = [];
  for (const [from, to] of leaving) {
    const [only] = to;
    if (atlas.get(from)) transitions.push({ from, to });
    else if (only !== undefined) redirects.push({ from, to: only });
  }
  return { transitions, redirects };
}

function changeOf(batch: Batch): AtlasChange {
  const screens = new Set(batch.screens.map((screen) => screen.screen_id));
  const targets = new Map<string, Leaving[]>([...screens].map((screenId) => [screenId, []]));
  const redirects: { from: string; to: string }[] = [];
  for (const transition of batch.transitions) {
    const { in: from, out: to, via = to[1] } = transition;
    const known = targets.get(from[1]);
    if (known) known.push({ via, cost: transitionCost(transition) });
    else redirects.push({ from: from[1], to: to[1] });
  }
  return {
    screens: batch.screens,
    transitions: [...targets].map(([from, to]) => ({ from, to })),
    redirects,
    groups: batch.groups,
    dissolved: batch.dissolved.map(([, id]) => id),
    memberships: [
      ...batch.regrouped.map(([, instance]) => ({ instance, group: null })),
      ...batch.memberships.map(({ in: [, instance], out: [, group] }) => ({ instance, group })),
    ],
    signatures: batch.signatures.map(({ id }) => id[1]),
    names: batch.names.map(({ id, name }) => ({ screen_id: id[1], name })),
  };
}
