/**
 * What the gateway calls of the actor system. `actors/index.ts` implements it, and tests replace it with one in memory.
 *
 * Every method throws a `CairnError`.
 */
import type { z } from "zod";
import type { ReadyCheck, Repeat, ResultsAnswer, ResultsRequest, SecretInfo } from "../actors/index.ts";
import type { AuditAct, AuditNote, AuditPage, ListAudit } from "../machines/audit/protocol.ts";
import type {
  ExplorationStatus,
  jobStateSchema,
  jobsSchema,
  resultPageSchema,
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

export type Started = z.infer<typeof startedSchema>;
export type JobState = z.infer<typeof jobStateSchema>;
export type JobList = z.infer<typeof jobsSchema>;
export type ResultPage = z.infer<typeof resultPageSchema>;
export type ResultsSummary = ResultsAnswer["summary"];
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

export interface Cairn {
  startExploration(input: StartExploration): Promise<Started>;
  explorationStatus(jobId: string): Promise<ExplorationStatus>;
  pauseExploration(jobId: string): Promise<JobState>;
  resumeExploration(jobId: string): Promise<JobState>;
  cancelExploration(jobId: string): Promise<JobState>;
  explorationResults(jobId: string, request: ResultsRequest): Promise<ResultsAnswer>;
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
