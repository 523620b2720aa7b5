/** The interface of the store operations that the ingest and the queries of a map use. */
import type { AtlasGroup, AtlasScreen } from "../../machines/knowledge/in-memory-map.ts";
import type { KnowledgeSummary, SearchHit } from "../../machines/knowledge/knowledge-protocol.ts";
import type { Outline } from "../../machines/knowledge/map-outline-for-fast-load.ts";
import type { MappedPage } from "../../machines/knowledge/screens/page-to-screen.ts";
import type { RecognisableRecord } from "../../machines/knowledge/screens/screen-recognition.ts";
import type { RouteStep } from "../../machines/knowledge/transitions/map-route-step-cache.ts";
import type { IngestRecord, JobRecord } from "../../machines/records/exploration-records.ts";
import type {
  ChunkRecord,
  SourceRecord,
  TaskRecord,
} from "../../machines/records/ingested-document-records.ts";
import type {
  ActionRecord,
  ScreenGroupRecord,
  ScreenRecord,
  TransitionRecord,
} from "../../machines/records/map-records.ts";
import type { LinkRecord, PageRecord } from "../../machines/records/page-records.ts";
import type { JobId, KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import type { ScreenOffers, StoredEdge } from "../../store/records/stored-screens.ts";

/** The fields of a page that are indexed for search. */
export type SearchedPage = Pick<
  PageRecord,
  "id" | "knowledge_id" | "url" | "title" | "headings" | "content" | "controls" | "metadata"
>;

export interface MapSource {
  readonly ingest: {
    next(
      knowledgeId: KnowledgeId,
      phase: IngestRecord["phase"],
      limit: number,
    ): Promise<readonly IngestRecord[]>;
  };
  readonly documents: {
    list(knowledgeId: KnowledgeId): Promise<readonly SourceRecord[]>;
    pending(knowledgeId: KnowledgeId): Promise<readonly SourceRecord[]>;
    chunkKeys(knowledgeId: KnowledgeId, sourceId: string): Promise<readonly string[]>;
    chunks(knowledgeId: KnowledgeId, keys: readonly string[]): Promise<readonly ChunkRecord[]>;
    about(
      knowledgeId: KnowledgeId,
      screenIds: readonly string[],
      limit: number,
    ): Promise<readonly ChunkRecord[]>;
    tasks(knowledgeId: KnowledgeId): Promise<readonly TaskRecord[]>;
  };
  readonly jobs: {
    get(jobId: JobId): Promise<JobRecord | undefined>;
    rolesOf(knowledgeId: KnowledgeId): Promise<readonly string[]>;
  };
  readonly pages: {
    get(knowledgeId: KnowledgeId, key: UrlKey): Promise<PageRecord | undefined>;
    mapped(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly MappedPage[]>;
    sizes(
      knowledgeId: KnowledgeId,
      keys: readonly UrlKey[],
    ): Promise<readonly Pick<PageRecord, "id" | "url" | "bytes" | "internal_links" | "external_links">[]>;
    searched(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly SearchedPage[]>;
    links(
      knowledgeId: KnowledgeId,
      key: UrlKey,
      direction: "from" | "to" | "both",
    ): Promise<readonly LinkRecord[]>;
  };
  readonly maps: {
    get(knowledgeId: KnowledgeId): Promise<KnowledgeSummary | undefined>;
    delete(knowledgeId: KnowledgeId): Promise<boolean>;
  };
  readonly outlines: {
    read(knowledgeId: KnowledgeId, version: number): Promise<Outline | undefined>;
    write(knowledgeId: KnowledgeId, outline: Outline): Promise<void>;
  };
  readonly screens: {
    recognisable(
      knowledgeId: KnowledgeId,
      screenIds: readonly string[],
    ): Promise<readonly RecognisableRecord[]>;
    groups(knowledgeId: KnowledgeId): Promise<readonly AtlasGroup[]>;
    groupsOf(knowledgeId: KnowledgeId, ids: readonly string[]): Promise<readonly ScreenGroupRecord[]>;
    memberships(knowledgeId: KnowledgeId): Promise<readonly (readonly [string, string])[]>;
    structures(knowledgeId: KnowledgeId): Promise<readonly (readonly [string, string])[]>;
    parts(knowledgeId: KnowledgeId): Promise<readonly (readonly [string, string])[]>;
    linksWith(
      knowledgeId: KnowledgeId,
      word: string,
      limit: number,
    ): Promise<readonly (readonly [from: string, via: string, action: string])[]>;
    get(knowledgeId: KnowledgeId, screenId: string): Promise<ScreenRecord | undefined>;
    getMany(knowledgeId: KnowledgeId, screenIds: readonly string[]): Promise<readonly ScreenRecord[]>;
    withoutAction(knowledgeId: KnowledgeId, limit: number): Promise<readonly TransitionRecord[]>;
    roleBound(
      knowledgeId: KnowledgeId,
    ): Promise<readonly (readonly [from: string, via: string, roles: readonly string[]])[]>;
    transitionsTo(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]>;
    transitionsFrom(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]>;
    transitionsFromEach(
      knowledgeId: KnowledgeId,
      screenIds: readonly string[],
    ): Promise<readonly (readonly TransitionRecord[])[]>;
    routeData(
      knowledgeId: KnowledgeId,
      screenIds: readonly string[],
      pairs: readonly (readonly [string, string])[],
    ): Promise<{
      readonly screens: readonly RecognisableRecord[];
      readonly steps: readonly (RouteStep | undefined)[];
    }>;
    outlines(knowledgeId: KnowledgeId): Promise<readonly AtlasScreen[]>;
    adjacency(knowledgeId: KnowledgeId, screenIds: readonly string[]): AsyncIterable<readonly StoredEdge[]>;
    offered(knowledgeId: KnowledgeId, screenIds: readonly string[]): AsyncIterable<readonly ActionRecord[]>;
    forms(knowledgeId: KnowledgeId): Promise<readonly ActionRecord[]>;
    actions(knowledgeId: KnowledgeId, screenId: string): Promise<readonly ActionRecord[]>;
    offers(knowledgeId: KnowledgeId, screenId: string): Promise<ScreenOffers>;
    recognisableAndOffers(
      knowledgeId: KnowledgeId,
      screenIds: readonly string[],
      screenId: string,
    ): Promise<{ readonly screens: readonly RecognisableRecord[]; readonly offers: ScreenOffers }>;
  };
  search(knowledgeId: KnowledgeId, query: string, topK: number): Promise<readonly SearchHit[]>;
}
