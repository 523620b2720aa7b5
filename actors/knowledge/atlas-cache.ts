/**
 * The maps that this worker keeps ready for queries.
 *
 * An atlas is loaded from the store when it is first asked for, and follows the same actor's commits
 * afterwards: each batch raises the version in the actor's context by one, so an atlas that missed one is
 * noticed and loaded again. Neighbours: `ingest.ts` advances it, the answers read it.
 */
import { Atlas, type AtlasChange } from "../../machines/knowledge/atlas.ts";
import type { Batch } from "../../machines/knowledge/batch.ts";
import { limits } from "../../machines/limits.ts";
import type { KnowledgeId } from "../../machines/records.ts";
import type { MapSource } from "./source.ts";

interface Entry {
  version: number;
  readonly atlas: Atlas;
}

/** Rows read at once while an atlas is loaded. */
const LOAD_SLICE = 1_000;

export class AtlasCache {
  /** In order of last use. */
  readonly #entries = new Map<KnowledgeId, Entry>();
  readonly #loading = new Map<string, Promise<Entry>>();

  /** The atlas as of the actor's committed `version`. */
  async get(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Atlas> {
    const entry = this.#entries.get(knowledgeId);
    if (entry && entry.version >= version) {
      this.#keep(knowledgeId, entry);
      return entry.atlas;
    }
    const key = `${knowledgeId}\n${version}`;
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = load(source, knowledgeId, version).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    const loaded = await loading;
    const newer = this.#entries.get(knowledgeId);
    if (newer && newer.version >= loaded.version) return newer.atlas;
    this.#keep(knowledgeId, loaded);
    return loaded.atlas;
  }

  /** Follows a batch that was committed as `version`. */
  advance(knowledgeId: KnowledgeId, version: number, batch: Batch): void {
    const entry = this.#entries.get(knowledgeId);
    if (!entry || entry.version >= version) return;
    if (entry.version !== version - 1) {
      this.#entries.delete(knowledgeId);
      return;
    }
    entry.atlas.change(changeOf(batch));
    entry.version = version;
  }

  forget(knowledgeId: KnowledgeId): void {
    this.#entries.delete(knowledgeId);
  }

  #keep(knowledgeId: KnowledgeId, entry: Entry): void {
    this.#entries.delete(knowledgeId);
    this.#entries.set(knowledgeId, entry);
    if (this.#entries.size <= limits.knowledge.cachedMaps) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }
}

async function load(source: MapSource, knowledgeId: KnowledgeId, version: number): Promise<Entry> {
  const atlas = new Atlas();
  let cursor: string | null | undefined;
  do {
    const slice = await source.screens.list(
      knowledgeId,
      {},
      { limit: LOAD_SLICE, cursor: cursor ?? undefined },
    );
    atlas.change({ screens: slice.items });
    cursor = slice.cursor;
  } while (cursor !== null);
  const targets = new Map<string, string[]>();
  for await (const pairs of source.screens.adjacency(knowledgeId)) {
    for (const [from, to] of pairs) {
      const known = targets.get(from);
      if (known) known.push(to);
      else targets.set(from, [to]);
    }
  }
  atlas.change(edgeChange(atlas, targets));
  return { version, atlas };
}

/** What leaves something that is no screen is a redirect: that is how `ingest.ts` stores one. */
function edgeChange(atlas: Atlas, targets: ReadonlyMap<string, readonly string[]>): AtlasChange {
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
