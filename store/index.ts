/**
 * The store's public face: what the actors and the gateway may use of it, and nothing else.
 *
 * `openStore` opens the one real database (embedded or remote); `openServedStore` gives the same `Store` to
 * another thread, over a channel that ends in `serveStore`. Everything below them is an implementation.
 */
import type { StoreWrite } from "../machines/emitted.ts";
import type { Strategy } from "../machines/exploration/protocol.ts";
import type { KnowledgeSummary, SearchHit } from "../machines/knowledge/protocol.ts";
import type {
  ActionRecord,
  ContentType,
  FrontierRecord,
  FrontierState,
  IngestRecord,
  JobId,
  JobRecord,
  KnowledgeId,
  LinkRecord,
  PageRecord,
  ScreenRecord,
  TransitionRecord,
  UrlKey,
  WebsiteRecord,
} from "../machines/records.ts";
import type { ActorStore } from "./actor-store.ts";

export type { ActorKey, ActorRow, ActorStore, CommitOutcome, CommitUnit, DeadLetterRow } from "./actor-store.ts";

/** Some rows of a longer answer, and where the rest begins (`null`: this was the end). */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}
export interface SliceRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FrontierReader {
  /** Queued rows whose `not_before` has come. BFS: lowest depth, then lowest seq; DFS: highest seq. */
  next(
    jobId: JobId,
    wanted: { strategy: Strategy; limit: number; now: number; exclude?: readonly UrlKey[] },
  ): Promise<readonly FrontierRecord[]>;
  /** What the job knows of these keys; keys it does not know are absent. */
  known(
    jobId: JobId,
    keys: readonly UrlKey[],
  ): Promise<ReadonlyMap<UrlKey, { state: FrontierState; depth: number; url: string }>>;
  counts(jobId: JobId): Promise<Readonly<Record<FrontierState, number>>>;
  /** The earliest `not_before` among the queued rows, `null` when nothing is queued. */
  earliestRetry(jobId: JobId): Promise<number | null>;
  /** The job's done pages in order of discovery, with their content. */
  pages(
    jobId: JobId,
    slice: SliceRequest,
  ): Promise<Slice<{ seq: number; key: UrlKey; url: string; title: string; content: string }>>;
  failures(jobId: JobId): Promise<readonly { url: string; error: string }[]>;
  heldInOrder(jobId: JobId, strategy: Strategy, limit: number): Promise<readonly FrontierRecord[]>;
}

export interface PageReader {
  get(knowledgeId: KnowledgeId, key: UrlKey): Promise<PageRecord | undefined>;
  getMany(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly PageRecord[]>;
  byUrl(knowledgeId: KnowledgeId, url: string): Promise<PageRecord | undefined>;
  /** Which of these keys are stored pages. */
  exists(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<ReadonlySet<UrlKey>>;
  links(knowledgeId: KnowledgeId, key: UrlKey, direction: "from" | "to" | "both"): Promise<readonly LinkRecord[]>;
  /** Edges leaving the job's done pages, in order of discovery. A slice holds whole pages, so it may exceed `limit`. */
  linksOfJob(jobId: JobId, slice: SliceRequest): Promise<Slice<LinkRecord>>;
  countLinksOfJob(jobId: JobId): Promise<{ internal: number; external: number }>;
}

export interface MapReader {
  list(): Promise<readonly KnowledgeSummary[]>;
  get(knowledgeId: KnowledgeId): Promise<KnowledgeSummary | undefined>;
  websites(knowledgeId: KnowledgeId): Promise<readonly WebsiteRecord[]>;
  /** Removes every record of the map, in batches; false when there was none. */
  delete(knowledgeId: KnowledgeId): Promise<boolean>;
}

export interface JobReader {
  /** Newest first. */
  list(filter?: { knowledgeId?: KnowledgeId }): Promise<readonly JobRecord[]>;
  get(jobId: JobId): Promise<JobRecord | undefined>;
  /** Removes the job and its frontier; the pages stay with their map. False when there was none. */
  delete(jobId: JobId): Promise<boolean>;
}

export interface ScreenFilter {
  readonly contentType?: ContentType | undefined;
  readonly actionableOnly?: boolean | undefined;
  readonly websiteId?: string | undefined;
}
export interface ScreenReader {
  get(knowledgeId: KnowledgeId, screenId: string): Promise<ScreenRecord | undefined>;
  getMany(knowledgeId: KnowledgeId, screenIds: readonly string[]): Promise<readonly ScreenRecord[]>;
  byPageKey(knowledgeId: KnowledgeId, key: UrlKey): Promise<ScreenRecord | undefined>;
  byPageKeys(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly ScreenRecord[]>;
  byUrl(knowledgeId: KnowledgeId, url: string): Promise<ScreenRecord | undefined>;
  /** In order of the screen's id. */
  list(knowledgeId: KnowledgeId, filter: ScreenFilter, slice: SliceRequest): Promise<Slice<ScreenRecord>>;
  statistics(knowledgeId: KnowledgeId): Promise<{
    readonly web_ui_screens: number;
    readonly documentation_screens: number;
    readonly actionable_screens: number;
    readonly non_actionable_screens: number;
  }>;
  transitionsFrom(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]>;
  transitionsTo(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]>;
  transition(knowledgeId: KnowledgeId, from: string, to: string): Promise<TransitionRecord | undefined>;
  /** Every (from, to) pair of screen ids, in batches. */
  adjacency(knowledgeId: KnowledgeId): AsyncIterable<readonly (readonly [string, string])[]>;
  actions(knowledgeId: KnowledgeId, screenId: string): Promise<readonly ActionRecord[]>;
}

export interface IngestReader {
  /** The lowest `seq` first. */
  next(knowledgeId: KnowledgeId, phase: IngestRecord["phase"], limit: number): Promise<readonly IngestRecord[]>;
  counts(knowledgeId: KnowledgeId): Promise<{ readonly map: number; readonly index: number }>;
  countsOfJob(knowledgeId: KnowledgeId, jobId: JobId): Promise<{ readonly map: number; readonly index: number }>;
}

/** Heavy results: replies too large to send, kept for `limits.retention.results`. */
export interface ResultStore {
  put(id: string, body: string, at: number): Promise<void>;
  get(id: string): Promise<string | undefined>;
}

export type Sweep = "endedJobs" | "deadLetters" | "results";
export interface Retention {
  /** Removes what is older than `before` (ms since the epoch), in batches; answers how many rows went. */
  sweep(what: Sweep, before: number): Promise<number>;
}

export interface Store {
  readonly actors: ActorStore;
  readonly frontier: FrontierReader;
  readonly pages: PageReader;
  readonly maps: MapReader;
  readonly jobs: JobReader;
  readonly screens: ScreenReader;
  readonly ingest: IngestReader;
  readonly results: ResultStore;
  readonly retention: Retention;
  /** Pages that hold any of the words, the best first, in one map or (`undefined`) in all. */
  search(knowledgeId: KnowledgeId | undefined, query: string, topK: number): Promise<readonly SearchHit[]>;
  /** Writes outside any step, in one transaction and without a fence: for tests and tools. */
  write(writes: readonly StoreWrite[]): Promise<void>;
  /** Throws `Unavailable` (`store.unavailable`) when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Carries one encoded request to the thread that holds the database, and its encoded answer back. */
export interface StoreChannel {
  call(bytes: Uint8Array): Promise<Uint8Array>;
}

export interface OpenStoreOptions {
  /** `surrealkv://<dir>`, `mem://`, or a server's `ws(s)://` or `http(s)://` URL. */
  readonly url: string;
  /** For a server. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Where the backups before migrations go; without it none is made (`mem://`, tests). */
  readonly backups?: string | undefined;
}

/** The thread's own store: what `openStore` answers. `serve` is the other end of every `StoreChannel`. */
export interface OwnedStore extends Store {
  serve(request: Uint8Array): Promise<Uint8Array>;
}

export declare function openStore(options: OpenStoreOptions): Promise<OwnedStore>;
export declare function openServedStore(channel: StoreChannel): Promise<Store>;
