/**
 * The actor kind `knowledge/<knowledge_id>`: one map. The actor is the only writer of the map and answers
 * queries. Explorations report new pages to it by messages.
 */

import { kinds } from "../../machines/actor-kinds.ts";
import {
  type EraseInput,
  type IngestInput,
  type KnowledgeContext,
  knowledgeMachine,
  mapExists,
  mapIsGoing,
} from "../../machines/knowledge/knowledge-machine.ts";
import type { KnowledgeProtocol } from "../../machines/knowledge/knowledge-protocol.ts";
import { mapNotFound } from "../../machines/knowledge/map-not-found-error.ts";
import { travelRules } from "../../machines/knowledge/transitions/transition-success-and-failure-counts.ts";
import type { Store } from "../../store/index.ts";
import { defineKind, type Json, type QueryScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import type { SearchMap } from "./answer-map-query.ts";
import {
  embedTexts,
  fusedSearch,
  withApiDescriptionsLast,
  withListFirst,
  withScreens,
} from "./answers/word-and-meaning-search.ts";
import {
  AtlasCache,
  answerAgent,
  answerQuery,
  clickOutcomes,
  ingest,
  listScreens,
  sketchMap,
} from "./index.ts";
import { findGaps } from "./map-gaps.ts";

/**
 * The cache of atlases (in-memory indexes of maps) for each store. All effects and queries of a map run in
 * one worker, so they share it.
 */
const caches = new WeakMap<Store, AtlasCache>();

function cacheOf(store: Store): AtlasCache {
  const known = caches.get(store);
  if (known) return known;
  const made = new AtlasCache();
  caches.set(store, made);
  return made;
}

type Scope = QueryScope<CairnServices, KnowledgeContext>;

/** Returns the map's id and store. Throws `knowledge.not_found` when the map does not exist. */
function opened({ address, services, context, value }: Scope) {
  const knowledgeId = address.id;
  if (!mapExists(context, value)) throw mapNotFound(knowledgeId);
  const { store } = services;
  return { knowledgeId, store, atlas: () => cacheOf(store).get(store, knowledgeId, context.version) };
}

/**
 * Converts the stored state of a map from version 1, which only counted how often each transition had failed
 * in a row.
 */
function withTravelled(snapshot: Json, fromVersion: number): Json {
  if (fromVersion > 1) return snapshot;
  // The runtime stored this state of the machine. States of version 1 have these fields, so the cast is safe.
  const { context, ...rest } = snapshot as {
    readonly context: { readonly failing?: Readonly<Record<string, number>> };
  };
  const { failing = {}, ...others } = context;
  const travelled = Object.fromEntries(
    Object.entries(failing).map(([name, count]) => [
      name,
      { successes: 0, failures: count, failing: count, at: 0 },
    ]),
  );
  return { ...rest, context: { ...others, travelled } };
}

export const knowledge = defineKind<KnowledgeProtocol, CairnServices, KnowledgeContext>({
  kind: "knowledge",
  version: kinds.knowledge.version,
  migrate: withTravelled,
  machine: knowledgeMachine,
  effects: {
    ingest: async (input: IngestInput, { address, services, signal, notify }) => {
      await ingest(input, {
        knowledgeId: address.id,
        source: services.store,
        cache: cacheOf(services.store),
        signal,
        now: () => Date.now(),
        commit: (batch) => notify({ type: "BATCH", ...batch }),
      });
      return services.models.configured ? { embed: true } : null;
    },
    embed: async (_input: EraseInput, { address, services, signal }) => {
      await embedTexts(services.store, services.models, address.id, signal);
      return null;
    },
    erase: async (_input: EraseInput, { address, services }) => {
      await services.store.maps.delete(address.id);
      cacheOf(services.store).forget(address.id);
      return null;
    },
  },
  queries: {
    agent: async (question, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      const rules = travelRules(scope.context.travelled, Date.now());
      return await answerAgent(knowledgeId, store, await atlas(), question, rules);
    },
    query: async (question, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      const { models } = scope.services;
      const search: SearchMap = async (map, query, topK) => {
        const hits = await fusedSearch(store, models, map, query, topK);
        const open = { knowledgeId: map, source: store, atlas: await atlas() };
        const ranked = await withApiDescriptionsLast(open, await withScreens(open, hits, query, topK), query);
        return await withListFirst(open, ranked, query, topK);
      };
      return await answerQuery(knowledgeId, store, atlas, question, search);
    },
    sketch: async (_params, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      return await sketchMap({ knowledgeId, source: store, atlas: await atlas() });
    },
    outcomes: async ({ clicks }, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      return await clickOutcomes(store, knowledgeId, await atlas(), clicks);
    },
    /** Returns a summary of the map, or `null` when the map does not exist. */
    summary: async (_params, { address, services, context, value }) =>
      mapExists(context, value) ? ((await services.store.maps.get(address.id)) ?? null) : null,
    gaps: async (request, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      return await findGaps({ knowledgeId, source: store, atlas: await atlas() }, request);
    },
    screens: async (question, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      return await listScreens({ knowledgeId, source: store, atlas: await atlas() }, question);
    },
    /**
     * Returns the state of the map. It also answers for a map that does not exist, so that a caller can wait
     * for its deletion.
     */
    status: async (_params, { context, value }) => ({
      exists: mapExists(context, value),
      deleting: mapIsGoing(value),
      state: value,
      crawling: Object.keys(context.crawling),
      error: context.error,
    }),
  },
});
