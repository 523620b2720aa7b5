/**
 * Searches a map by words, and by meaning if an embedding model is configured. The two rankings are combined
 * by reciprocal rank fusion. If the model does not answer in time, the ranking by words is used alone.
 */
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { fused } from "../../../machines/knowledge/documents/rank-fusion.ts";
import type { SearchHit } from "../../../machines/knowledge/knowledge-protocol.ts";
import {
  asksForApi,
  describesApi,
  SHORTEST_API_DESCRIPTION,
} from "../../../machines/knowledge/page-groups/api-description-pages.ts";
import { stateOfId } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { MIN_NAME_SCORE } from "../../../machines/knowledge/screens/screen-name-index.ts";
import { asksForList } from "../../../machines/knowledge/screens/subject-words-of-question.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { Store } from "../../../store/index.ts";
import type { Models } from "../../models/index.ts";
import type { OpenMap } from "./recognise-screen.ts";
import { findTarget } from "./resolve-target-screen.ts";

/**
 * Minimum number of texts that are ranked by meaning, even if the caller wants fewer results. The ranking is
 * then about as long as the ranking by words.
 */
const RANKED = 30;
/** Milliseconds to wait until the model returns the vector of a query. */
const EMBED_WITHIN = 2_000;
/**
 * After a model has failed to return vectors, or turned out to have no embeddings, it is not asked again for
 * this number of milliseconds.
 */
const QUIET_FOR = 60_000;
/**
 * Maximum number of texts in one request to the embedding model. Each text is cut to `EMBEDDED_TEXT`
 * characters.
 */
const EMBEDDED_AT_ONCE = 32;
const EMBEDDED_TEXT = 2_000;

/** For each model service, the time (`performance.now()`) until which it is not called to compute vectors. */
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
  if (!mayAsk(models) || !(await store.vectors.hasVectors(knowledgeId)))
    return await store.search(knowledgeId, query, topK);
  const [words, near] = await Promise.all([
    store.rankTexts(knowledgeId, query, topK),
    nearestTexts(store, models, knowledgeId, query, Math.max(topK, RANKED)),
  ]);
  if (near.length === 0) return await store.describeHits(words.slice(0, topK), query);
  const best = fused([words.map(({ id }) => id), near], ([, key]) => key).slice(0, topK);
  return await store.describeHits(
    best.map(({ item: id, score }) => ({ id, score })),
    query,
  );
}

/** Returns the texts of a map whose meaning is nearest to the query; empty if the model does not answer. */
async function nearestTexts(
  store: Store,
  models: Models,
  knowledgeId: KnowledgeId,
  query: string,
  limit: number,
): ReturnType<Store["vectors"]["nearest"]> {
  const [vector] = await vectorsOf(models, [query], AbortSignal.timeout(EMBED_WITHIN));
  return vector ? await store.vectors.nearest(knowledgeId, vector, limit) : [];
}

/**
 * Requests embedding vectors for the texts of a map that have none. Stops when the model does not answer a
 * request.
 */
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

/**
 * Maximum number of screens that are added to the search results because of their names. Only screens without
 * a page text of their own are added: screens with several pages, states of a page, and imported screens.
 */
const NAMED_SCREENS = 3;

/**
 * Adds to the search results the screens whose names contain words of the query, except screens with exactly
 * one page. The score of such a screen is the best result's score, multiplied by the share of the query's
 * words in the name.
 */
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
      // A screen with a single page is left out, because the search has already found this page by its text.
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

/**
 * If a query names a list, such as "list of articles", the screen with the list becomes the first result.
 * This is done only if the confidence in the screen (0 to 1) is at least this number.
 */
const SURE_OF_LIST = 0.9;

/**
 * For a query such as "list of articles", puts the screen that the query names first. Pages of articles, and pages with
 * the word "list", would come before it otherwise.
 */
export async function withListFirst(
  map: OpenMap,
  hits: readonly SearchHit[],
  query: string,
  topK: number,
): Promise<readonly SearchHit[]> {
  if (!asksForList(query)) return hits;
  const found = await findTarget(map, query);
  if (!found || found.confidence < SURE_OF_LIST) return hits;
  const { screen_id: id, url, name: title } = found.screen;
  const score = hits[0]?.score ?? 1;
  const known = hits.find((hit) => hit.id === id);
  const first: SearchHit = known
    ? { ...known, score }
    : { kind: "screen", id, url, title, snippet: url, score };
  return [first, ...hits.filter((hit) => hit.id !== id)].slice(0, topK);
}

/**
 * Puts the descriptions of a programming interface (Redoc, Swagger UI) after the other results, unless the query asks
 * for the interface. They contain the words of nearly every function of the application.
 */
export async function withApiDescriptionsLast(
  { knowledgeId, source }: Pick<OpenMap, "knowledgeId" | "source">,
  hits: readonly SearchHit[],
  query: string,
): Promise<readonly SearchHit[]> {
  const pages = hits.filter(({ kind }) => kind === "page");
  if (pages.length === 0 || hits.length < 2 || asksForApi(query)) return hits;
  const sizes = await source.pages.sizes(
    knowledgeId,
    pages.map(({ url }) => urlKey(url)),
  );
  const long = sizes.filter(({ bytes }) => bytes >= SHORTEST_API_DESCRIPTION).map(({ url }) => urlKey(url));
  if (long.length === 0) return hits;
  const read = await source.pages.searched(knowledgeId, long);
  const apis = new Set(read.filter(describesApi).map(({ id }) => id[1]));
  if (apis.size === 0) return hits;
  const isApi = ({ kind, url }: SearchHit): boolean => kind === "page" && apis.has(urlKey(url));
  const others = hits.filter((hit) => !isApi(hit));
  const least = others.at(-1)?.score ?? Number.POSITIVE_INFINITY;
  const last = hits.filter(isApi).map((hit) => ({ ...hit, score: Math.min(hit.score, least) }));
  return [...others, ...last];
}
