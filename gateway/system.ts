/**
 * The port of the gateway: what it asks of the actor system, and nothing of how that is done.
 *
 * `actors/index.ts` satisfies it inside the process; `client.ts` satisfies a part of it over HTTP, so that the
 * command line does not care where the system runs. Every method throws a `CairnError`.
 */
import type { z } from "zod";
import type { AuditAct, AuditNote, AuditPage, ListAudit } from "../machines/audit/protocol.ts";
import type { EgressPolicy } from "../machines/egress/policy.ts";
import type {
  ExplorationStatus,
  jobStateSchema,
  jobsSchema,
  resultLinkSchema,
  resultPageSchema,
  resultsSchema,
  StartExploration,
  startedSchema,
} from "../machines/exploration/protocol.ts";
import type { Chart } from "../machines/inspection/chart.ts";
import type {
  AgentResponse,
  agentQuerySchema,
  KnowledgeSummary,
  knowledgeListSchema,
  knowledgeQuerySchema,
  QueryAnswer,
} from "../machines/knowledge/protocol.ts";
import type { MetricFamily } from "../machines/runtime/metrics.ts";
import type {
  ActorDetail,
  ActorList,
  DeadLetters,
  Discarded,
  ListActors,
  ListDeadLetters,
  Nodes,
  Replayed,
  Unparked,
} from "../machines/runtime/protocol.ts";
import type { Role } from "../machines/runtime/roles.ts";
import type { Action } from "../machines/session/actions.ts";
import type { AnalysisData, AnalyzeOptions } from "../machines/session/analysis.ts";
import type { DownloadRecord } from "../machines/session/downloads.ts";
import type { Environment, StorageState } from "../machines/session/environment.ts";
import type { Extracted, ExtractOptions } from "../machines/session/extract.ts";
import type { ConsoleLog, ConsoleOptions, NetworkLog, NetworkOptions } from "../machines/session/logs.ts";
import type { ActOptions, ActOutcome } from "../machines/session/outcome.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
  SessionOptions,
} from "../machines/session/protocol.ts";
import type {
  Recording,
  RecordingHead,
  Replayed as ReplayedActs,
} from "../machines/session/recording-schemas.ts";
import type { Restored } from "../machines/session/restored.ts";

import type { GivenSecrets } from "./given-secrets.ts";

export type Started = z.infer<typeof startedSchema>;
export type JobState = z.infer<typeof jobStateSchema>;
export type JobList = z.infer<typeof jobsSchema>;
export type ResultPage = z.infer<typeof resultPageSchema>;
export type ResultLink = z.infer<typeof resultLinkSchema>;
export type ResultsSummary = Pick<z.infer<typeof resultsSchema>, "job_id" | "status" | "results">;
export type KnowledgeQuery = z.infer<typeof knowledgeQuerySchema>;
export type AgentQuery = z.infer<typeof agentQuerySchema>;
export type KnowledgeList = z.infer<typeof knowledgeListSchema>;

/** Operating the runtime, whatever its actors are for. */
export interface Operations {
  actors(request: ListActors): Promise<ActorList>;
  actor(kind: string, id: string): Promise<ActorDetail>;
  unpark(kind: string, id: string): Promise<Unparked>;
  deadLetters(request: ListDeadLetters): Promise<DeadLetters>;
  replay(id: string): Promise<Replayed>;
  discard(id: string): Promise<Discarded>;
  nodes(): Promise<Nodes>;
  /** What this node counts. */
  metrics(): Promise<readonly MetricFamily[]>;
}

/** The browsers of rooms. */
export interface Sessions {
  start(room: string, options: SessionOptions, environment?: Environment): Promise<ActOutcome>;
  /** Cookies and localStorage, and databases where they are asked for, in the form of Playwright. */
  storageState(room: string, databases: boolean): Promise<StorageState>;
  close(room: string): Promise<void>;
  /** Whether its picture is shown; what it does goes on. */
  present(room: string, shown: boolean): Promise<void>;
  /** Brings back one that has failed, or is at rest; what came with it, of one that came back. */
  recover(room: string): Promise<Restored | undefined>;
  act(room: string, action: Action, options?: ActOptions): Promise<ActOutcome>;
  analyze(room: string, options: AnalyzeOptions): Promise<AnalysisData>;
  context(room: string): Promise<BrowserContextInfo>;
  content(room: string): Promise<ScreenContent>;
  screenshot(room: string, options: ScreenshotOptions): Promise<Screenshot>;
  extract(room: string, options: ExtractOptions): Promise<Extracted>;
  console(room: string, options: ConsoleOptions): Promise<ConsoleLog>;
  network(room: string, options: NetworkOptions): Promise<NetworkLog>;
  files(room: string): Promise<readonly DownloadRecord[]>;
  /** The bytes come as they are read. */
  file(
    room: string,
    id: string,
  ): Promise<{ readonly record: DownloadRecord; readonly bytes: AsyncIterable<Uint8Array> }>;
  removeFile(room: string, id: string): Promise<void>;
}

/** Recorded acts of sessions. */
export interface Recordings {
  /** The id of the recording, also of one that is under way. */
  start(room: string, name: string, id?: string): Promise<string>;
  stop(room: string, id?: string): Promise<string>;
  list(): Promise<{ readonly recordings: RecordingHead[] }>;
  get(id: string): Promise<Recording>;
  delete(id: string): Promise<void>;
  replay(replay: {
    readonly room: string;
    readonly recording_id?: string | undefined;
    readonly steps?: Recording["steps"] | undefined;
    readonly from: number;
    readonly values: Readonly<Record<string, unknown>>;
    /** The same replay asked for again with it does no act twice. */
    readonly id?: string | undefined;
  }): Promise<ReplayedActs>;
}

/** What the actors are made of. */
export interface Machines {
  kinds(): readonly string[];
  chart(kind: string): Promise<Chart>;
}

export interface ResultsRequest {
  /** False: refused with `job.not_finished` before the end. */
  readonly partial: boolean;
  /** Pages of one answer, with the links that leave them; absent: all of them. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The pages and links come as they are read, so that a result of any size needs little memory. */
export interface Results {
  readonly summary: ResultsSummary;
  readonly pages: AsyncIterable<ResultPage>;
  readonly links: AsyncIterable<ResultLink>;
  /** Where the next page of results begins; `null` after the last, and when no `limit` was asked. */
  readonly next_cursor: string | null;
}

export interface ReadyCheck {
  readonly ok: boolean;
  readonly detail: string;
}

export interface CairnEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** By name; nothing here answers a value. */
export interface Secrets {
  list(): Promise<readonly SecretInfo[]>;
  set(name: string, value: string, hosts: readonly string[]): Promise<SecretInfo>;
  remove(name: string): Promise<void>;
}

interface SecretInfo {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly source: "environment" | "stored";
}

/** Who had what done. */
export interface Audit {
  /** An act begins; the answer notes what came of it. It outlasts this process at once, and is in the log a moment later. */
  begin(act: AuditAct): (note: AuditNote) => void;
  note(note: AuditNote): void;
  list(request: ListAudit): Promise<AuditPage>;
}

/** What was asked with an Idempotency-Key, and what was answered. */
export interface Repeats {
  /** What is known of an id: what another request began, or this one. */
  begin(id: string, fingerprint: string): Promise<Repeat>;
  end(id: string, repeat: Repeat): Promise<void>;
}

interface Repeat {
  readonly fingerprint: string;
  /** `undefined`: there is none yet. */
  readonly answer?: unknown;
}

export interface Cairn {
  startExploration(input: StartExploration): Promise<Started>;
  explorationStatus(jobId: string): Promise<ExplorationStatus>;
  pauseExploration(jobId: string): Promise<JobState>;
  resumeExploration(jobId: string): Promise<JobState>;
  cancelExploration(jobId: string): Promise<JobState>;
  explorationResults(jobId: string, request: ResultsRequest): Promise<Results>;
  explorations(): Promise<JobList>;
  deleteExploration(jobId: string): Promise<void>;

  queryKnowledge(query: KnowledgeQuery): Promise<QueryAnswer>;
  askMap(knowledgeId: string, query: AgentQuery): Promise<AgentResponse>;
  maps(): Promise<KnowledgeList>;
  map(knowledgeId: string): Promise<KnowledgeSummary>;
  deleteMap(knowledgeId: string): Promise<void>;

  /** A result that was too large to travel with its announcement. */
  result(resultId: string): Promise<Readonly<Record<string, unknown>>>;

  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly repeats: Repeats;
  readonly secrets: Secrets;
  readonly recordings: Recordings;
  readonly operations: Operations;
  readonly machines: Machines;

  /** Calls `listener` for every event of the topic (`*` one part, `>` the rest) until the answer is called. */
  watch(topic: string, listener: (event: CairnEvent) => void): () => void;
  ready(): Promise<Readonly<Record<string, ReadyCheck>>>;
  /** Writes a backup into the folder `to`, else into `backups` of the data folder, while the system runs. */
  backup(to?: string): Promise<{ readonly file: string; readonly records: number }>;
  stop(): Promise<void>;
}

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFunction = (
  level: LogLevel,
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

/** Where everything is kept that has to last: in the data folder, at another node, or in a database of a SurrealDB server. */
export type StoreSettings =
  | { readonly kind: "folder" }
  /** Another node's. */
  | { readonly kind: "bus" }
  | {
      readonly kind: "server";
      readonly server: {
        readonly url: string;
        readonly username: string | undefined;
        readonly password: string | undefined;
        readonly namespace: string;
        readonly database: string;
      };
    };

/** The NATS that the nodes of one system share. Paths are those of files. */
export interface NatsSettings {
  readonly url: string;
  readonly user: string | undefined;
  readonly pass: string | undefined;
  readonly creds: string | undefined;
  readonly tls: {
    readonly ca: string | undefined;
    readonly cert: string | undefined;
    readonly key: string | undefined;
  };
  readonly replicas: number;
}

export interface StartOptions {
  readonly dataDir: string;
  readonly store: StoreSettings;
  /** Absent: a node alone. */
  readonly nats?: NatsSettings | undefined;
  /** What the node is there for; absent: everything. */
  readonly roles?: readonly Role[] | undefined;
  readonly workers: number;
  readonly userAgent: string;
  readonly version: string;
  readonly egress: EgressPolicy;
  /** The only Chromium to use; absent: one is looked for. */
  readonly chromium?: string | undefined;
  readonly evaluate?: boolean | undefined;
  /** Those of the environment, by name. */
  readonly secrets?: GivenSecrets | undefined;
  /** Sessions with a browser at a time. */
  readonly liveSessions?: number | undefined;
  /** For a Cairn that stays: its Chromium is got ready behind the start, and installed when there is none. */
  readonly prepareBrowser?: boolean;
  /** Milliseconds. */
  readonly leaseTtl: number;
  /** Told what the start is busy with, for those who wait. */
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: LogFunction;
}

/** What `actors/index.ts` gives beside a running system: the work on a store that nobody has open. */
export interface Backend {
  startCairn(options: StartOptions): Promise<Cairn>;
  restoreStore(
    store: StoreSettings,
    dataDir: string,
    file: string,
    options: { readonly force: boolean },
  ): Promise<{ readonly records: number }>;
  /** Opens the store and closes it again; starts no actor. Throws as opening does (`store.locked`, …). */
  checkStore(store: StoreSettings, dataDir: string): Promise<ReadyCheck>;
  /** Which Chromium would be used; not `ok` only when the one that is named is none. */
  checkBrowser(chromium: string | undefined): Promise<ReadyCheck>;
}
