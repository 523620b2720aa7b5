/**
 * Search by words, and by meaning where an embedding model is configured: both rankings are fused by reciprocal rank. A
 * model that does not answer in time leaves the ranking by words.
 */
import { urlKey } from "../../machines/exploration/normalise-url.ts";
import { MIN_NAME_SCORE } from "../../machines/knowledge/name-index.ts";
import { stateOfId } from "../../machines/knowledge/page-state.ts";
import type { SearchHit } from "../../machines/knowledge/protocol.ts";
import { fused } from "../../machines/knowledge/rank-fusion.ts";
import type { KnowledgeId } from "../../machines/records.ts";
import type { Store } from "../../store/index.ts";
import type { Models } from "../models/index.ts";
import type { OpenMap } from "./recognise-screen.ts";

/** Results of each ranking. */
const RANKED = 30;
/** Milliseconds for the vector of a query. */
const EMBED_WITHIN = 2_000;
/** Milliseconds without a question to a model that has no embeddings or is away. */
const QUIET_FOR = 60_000;
/** Texts of one question to the model, and characters of each. */
const EMBEDDED_AT_ONCE = 32;
const EMBEDDED_TEXT = 2_000;

/** Until when a model is not asked for vectors. */
const quiet = new WeakMap<Models, number>();

function mayAsk(models: Models): boolean {
  return models.configured && performance.now() > (quiet.get(models) ?? 0);
}

async function vectorsOf(
  models: Models,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const answer = await models.embed(texts, { signal });
  if (answer.ok) return answer.vectors;
  quiet.set(models, performance.now() + QUIET_FOR);
  return [];
}

export async function fusedSearch(
  store: Store,
  models: Models,
  knowledgeId: KnowledgeId,
  query: string,
  topK: number,
): Promise<readonly SearchHit[]> {
  if (!mayAsk(models) || !(await store.vectors.any(knowledgeId)))
    return await store.search(knowledgeId, query, topK);
  const [words, [vector]] = await Promise.all([
    store.search(knowledgeId, query, Math.max(topK, RANKED)),
    vectorsOf(models, [query], AbortSignal.timeout(EMBED_WITHIN)),
  ]);
  if (!vector) return words.slice(0, topK);
  const near = await store.vectors.nearest(knowledgeId, vector, Math.max(topK, RANKED));
  const meant = await store.describeHits(near, query);
  return fused([words, meant], ({ kind, id }) => `${kind} ${id}`)
    .slice(0, topK)
    .map(({ item, score }) => ({ ...item, score }));
}

/** Makes the vectors that texts of the map lack. Stops at the first question that the model does not answer. */
export async function embedTexts(
  store: Store,
  models: Models,
  knowledgeId: KnowledgeId,
  signal: AbortSignal,
): Promise<void> {
  if (!mayAsk(models)) return;
  const missing = await store.vectors.missing(knowledgeId);
  for (let at = 0; at < missing.length && !signal.aborted; at += EMBEDDED_AT_ONCE) {
    const ids = missing.slice(at, at + EMBEDDED_AT_ONCE);
    const texts = await store.embeddableTexts(ids, EMBEDDED_TEXT);
    const known = ids.filter((id) => texts.has(id[1]));
    const vectors = await vectorsOf(
      models,
      known.map((id) => texts.get(id[1]) ?? ""),
      signal,
    );
    if (vectors.length !== known.length) return;
    await store.vectors.put(known.map((id, index) => ({ id, vector: vectors[index] ?? [] })));
  }
}

/** Screens named in a search that have no page of their own: those with several instances, states, imported ones. */
const NAMED_SCREENS = 3;

/** Adds such screens to hits, each with the share of the best score that its name fits. */
export async function withScreens(
  { knowledgeId, source, atlas }: OpenMap,
  hits: readonly SearchHit[],
  query: string,
  topK: number,
): Promise<readonly SearchHit[]> {
  const best = hits[0]?.score ?? 1;
  const named = atlas.names.search(query, NAMED_SCREENS).filter(({ score }) => score >= MIN_NAME_SCORE);
  const found = await Promise.all(
    named.map(async ({ screen_id, score }): Promise<SearchHit[]> => {
      const group = atlas.group(screen_id);
      const screen = group ?? atlas.get(screen_id);
      if (!screen || hits.some(({ id }) => id === screen_id)) return [];
      const pages = group ? [] : await source.pages.sizes(knowledgeId, [urlKey(screen.url)]);
      // A page that is no hit was weighed by its text.
      if (pages.length > 0 && stateOfId(screen_id) === undefined) return [];
      const snippet = group ? group.templates.join(", ") : screen.url;
      return [
        { kind: "screen", id: screen_id, url: screen.url, title: screen.name, snippet, score: best * score },
      ];
    }),
  );
  const added = found.flat();
  if (added.length === 0) return hits;
  return [...hits, ...added].sort((a, b) => b.score - a.score).slice(0, topK);
}
