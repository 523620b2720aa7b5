/**
 * The kind `knowledge/<knowledge_id>`: one map. Its actor is the only writer of the map and answers queries.
 * Explorations report new pages by messages.
 */
import { Refused } from "../../machines/errors.ts";
import { kinds } from "../../machines/kinds.ts";
import {
  type EraseInput,
  type IngestInput,
  type KnowledgeContext,
  knowledgeMachine,
  mapExists,
  mapIsGoing,
} from "../../machines/knowledge/machine.ts";
import type { KnowledgeProtocol } from "../../machines/knowledge/protocol.ts";
import type { Store } from "../../store/index.ts";
import { defineKind, type QueryScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";
import { embedTexts, fusedSearch, withScreens } from "./fused-search.ts";
import { AtlasCache, answerAgent, answerQuery, ingest, listScreens } from "./index.ts";
import { findGaps } from "./map-gaps.ts";
import type { SearchMap } from "./map-query.ts";

/** All effects and queries of a map run in one worker and share its cache per store. */
const caches = new WeakMap<Store, AtlasCache>();

function cacheOf(store: Store): AtlasCache {
  const known = caches.get(store);
  if (known) return known;
  const made = new AtlasCache();
  caches.set(store, made);
  return made;
}

type Scope = QueryScope<CairnServices, KnowledgeContext>;

/** The map's id and store; throws `knowledge.not_found` when there is no such map. */
function opened({ address, services, context, value }: Scope) {
  const knowledgeId = address.id;
  if (!mapExists(context, value)) {
    throw new Refused(
      "knowledge.not_found",
      `There is no map ${knowledgeId}. GET /api/knowledge lists the maps.`,
      { status: 404 },
    );
  }
  const { store } = services;
  return { knowledgeId, store, atlas: () => cacheOf(store).get(store, knowledgeId, context.version) };
}

/** The transition of a name of `edgeName`. */
function pairOf(name: string): readonly [string, string] {
  const [from = "", to = ""] = name.split("\n");
  return [from, to];
}

export const knowledge = defineKind<KnowledgeProtocol, CairnServices, KnowledgeContext>({
  kind: "knowledge",
  version: kinds.knowledge.version,
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
      const failing = Object.keys(scope.context.failing ?? {}).map(pairOf);
      return await answerAgent(knowledgeId, store, await atlas(), question, failing);
    },
    query: async (question, scope) => {
      const { knowledgeId, store, atlas } = opened(scope);
      const { models } = scope.services;
      const search: SearchMap = async (map, query, topK) => {
        const hits = await fusedSearch(store, models, map, query, topK);
        return await withScreens(
          { knowledgeId: map, source: store, atlas: await atlas() },
          hits,
          query,
          topK,
        );
      };
      return await answerQuery(knowledgeId, store, atlas, question, search);
    },
    /** `null`: there is no such map. */
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
    /** Also for a map that does not exist, so that a caller can wait for its end. */
    status: async (_params, { context, value }) => ({
      exists: mapExists(context, value),
      deleting: mapIsGoing(value),
      state: value,
      crawling: Object.keys(context.crawling),
      error: context.error,
    }),
  },
});
