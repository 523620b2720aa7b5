/**
 * The maps that this worker keeps ready for queries.
 *
 * An atlas is loaded from the store when it is first asked for (a large one from its outline), and follows the same actor's commits
 * afterwards: each batch raises the version in the actor's context by one, so an atlas that missed one is
 * noticed and loaded again. Batches that are committed while it is being loaded are applied when it is.
 * Neighbours: `ingest.ts` advances it, the answers read it.
 */
import { Atlas, type AtlasChange } from "../../machines/knowledge/atlas.ts";
import type { Batch } from "../../machines/knowledge/ingest-batch.ts";
import { knowledgeLimits } from "../../machines/knowledge/limits.ts";
import { atlasOf } from "../../machines/knowledge/outline.ts";
import type { KnowledgeId } from "../../machines/records.ts";
import type { MapSource } from "./map-source.ts";

interface Entry {
  version: number;
  readonly atlas: Atlas;
}

interface Loading {
  readonly entry: Promise<Entry>;
  /** What was committed meanwhile, in order. What the load has seen of it already is the same once more. */
  readonly missed: { readonly version: number; readonly batch: Batch }[];
}

export class AtlasCache {
  /** In order of last use. */
  readonly #entries = new Map<KnowledgeId, Entry>();
  readonly #loading = new Map<KnowledgeId, Loading>();

  /** The atlas as of the actor's committed `version`, or later. */
  async get(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Atlas> {
    const entry = this.#entries.get(knowledgeId);
    if (entry && entry.version >= version) {
      this.#keep(knowledgeId, entry);
      return entry.atlas;
    }
    const loaded = await this.#load(source, knowledgeId, version);
    if (loaded.version >= version) return loaded.atlas;
    // A load begun for an older version missed a batch: this cache was not told of it.
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
    // Not when the map was forgotten meanwhile.
    if (this.#loading.get(knowledgeId)?.missed === missed) this.#keep(knowledgeId, entry);
    return entry;
  }

  /** Follows a batch that was committed as `version`. */
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

/** Whether the entry is at `version` now: not when it misses what was committed before. */
function follow(entry: Entry, version: number, batch: Batch): boolean {
  if (entry.version >= version) return true;
  if (entry.version !== version - 1) return false;
  entry.atlas.change(changeOf(batch));
  entry.version = version;
  return true;
}

/** From the map's outline where there is a true one, else from the screens and edges themselves. */
async function readAtlas(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Atlas> {
  const outline = await source.outlines.read(knowledgeId, version);
  if (outline) return atlasOf(outline);
  const atlas = new Atlas();
  const screens = await source.screens.outlines(knowledgeId);
  const ids = screens.map((screen) => screen.screen_id);
  // The first edges are read while the screens are put into their indexes.
  const slices = source.screens.adjacency(knowledgeId, ids)[Symbol.asyncIterator]();
  let next = slices.next();
  next.catch(() => {}); // Told when it is awaited below.
  atlas.change({ screens });
  for (;;) {
    const { value: pairs, done } = await next;
    if (done) return atlas;
    next = slices.next();
    next.catch(() => {}); // As above.
    atlas.change(edgeChange(atlas, pairs));
  }
}

/** What leaves something that is no screen is a redirect: that is how `ingest.ts` stores one. */
function edgeChange(atlas: Atlas, pairs: readonly (readonly [string, string])[]): AtlasChange {
  const targets = new Map<string, string[]>();
  for (const [from, to] of pairs) {
    const known = targets.get(from);
    if (known) known.push(to);
    else targets.set(from, [to]);
  }
  const transitions: { from: string; to: readonly string[] }[] = [];
  const redirects: { from: string; to: string }[] = [];
  for (const [from, to] of targets) {
    const [only] = to;
    if (atlas.get(from)) transitions.push({ from, to });
    else if (only !== undefined) redirects.push({ from, to: only });
  }
  return { transitions, redirects };
}

function changeOf(batch: Batch): AtlasChange {
  const screens = new Set(batch.screens.map((screen) => screen.screen_id));
  const targets = new Map<string, string[]>([...screens].map((screenId) => [screenId, []]));
  const redirects: { from: string; to: string }[] = [];
  for (const { in: from, out: to } of batch.transitions) {
    const known = targets.get(from[1]);
    if (known) known.push(to[1]);
    else redirects.push({ from: from[1], to: to[1] });
  }
  return {
    screens: batch.screens,
    transitions: [...targets].map(([from, to]) => ({ from, to })),
    redirects,
    names: batch.names.map(({ id, name }) => ({ screen_id: id[1], name })),
  };
}
