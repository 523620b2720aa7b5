/**
 * The interface of the actor system as the gateway uses it. `actors/index.ts` implements it; tests use an
 * implementation in memory. Every method throws a `CairnError`.
 */
import type { z } from "zod";
import type {
  LiveKitRequest,
  ReadyCheck,
  Repeat,
  ResultsAnswer,
  ResultsRequest,
  SecretInfo,
} from "../actors/index.ts";
import type { AuditAct, AuditNote, AuditPage, ListAudit } from "../machines/audit/protocol.ts";
import type {
  DialogueMessage,
  DialogueView,
  Incoming,
  PlanWithConfidence,
  plannedSchema,
  RefinePlan,
  refinedSchema,
  startDialogueSchema,
} from "../machines/dialogue/dialogue-schemas.ts";
import type {
  ExplorationStatus,
  JobList,
  JobState,
  ResultPage,
  StartExploration,
  Started,
} from "../machines/exploration/protocol.ts";
import type { Chart } from "../machines/inspection/statechart.ts";
import type {
  ChunkList,
  DocumentSource,
  GivenDocument,
  IngestDocument,
  Ingested,
} from "../machines/knowledge/document-schemas.ts";
import type { ExtrapolationRequest, ExtrapolationResult } from "../machines/knowledge/gap-schemas.ts";
import type { MapDiff } from "../machines/knowledge/map-diff.ts";
import type { MapFile } from "../machines/knowledge/map-file.ts";
import type { MapGraph } from "../machines/knowledge/map-graph.ts";
import type {
  AgentResponse,
  agentQuerySchema,
  KnowledgeSummary,
  knowledgeListSchema,
  knowledgeQuerySchema,
  QueryAnswer,
  ScreenList,
  ScreensQuestion,
} from "../machines/knowledge/protocol.ts";
import type {
  NavigationResult,
  NavigationStatus,
  StartNavigation,
} from "../machines/navigation/navigation-schemas.ts";
import type { MetricFamily } from "../machines/runtime/metrics.ts";
import type {
  ActorDetail,
  ActorList,
  CommandSent,
  DeadLetters,
  Discarded,
  ListActors,
  ListDeadLetters,
  Nodes,
  Replayed,
  SendCommand,
  Unparked,
} from "../machines/runtime/protocol.ts";
import type { ActionOptions, ActionOutcome } from "../machines/session/action-outcome.ts";
import type { Action } from "../machines/session/actions.ts";
import type { DownloadRecord } from "../machines/session/download-names.ts";
import type { Extracted, ExtractOptions } from "../machines/session/extract-schemas.ts";
import type { Control, FrameRequest, InputEvent, ViewFrame } from "../machines/session/live-view-schemas.ts";
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "../machines/session/log-schemas.ts";
import type { AnalysisData, AnalyzeRequest } from "../machines/session/page-snapshot.ts";
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
import type { Restored } from "../machines/session/restore-report.ts";
import type { Environment, StorageState } from "../machines/session/session-environment.ts";

export type { JobList, JobState, ResultPage, Started };
export type ResultsSummary = ResultsAnswer["summary"];
export type KnowledgeQuery = z.infer<typeof knowledgeQuerySchema>;
export type AgentQuery = z.infer<typeof agentQuerySchema>;
export type KnowledgeList = z.infer<typeof knowledgeListSchema>;

/** Operating the runtime, for every kind of actor. */
export interface Operations {
  actors(request: ListActors): Promise<ActorList>;
  actor(kind: string, id: string): Promise<ActorDetail>;
  unpark(kind: string, id: string): Promise<Unparked>;
  /** Sends a command of the kind's protocol to an actor that exists. */
  send(command: SendCommand, commandId?: string): Promise<CommandSent>;
  deadLetters(request: ListDeadLetters): Promise<DeadLetters>;
  replay(id: string): Promise<Replayed>;
  discard(id: string): Promise<Discarded>;
  nodes(): Promise<Nodes>;
  /** The metrics of this node. */
  metrics(): Promise<readonly MetricFamily[]>;
}

/** The browser sessions of rooms. */
export interface Sessions {
  start(
    room: string,
    options: SessionOptions,
    environment?: Environment,
    video?: LiveKitRequest,
  ): Promise<ActionOutcome>;
  /** A webhook of the LiveKit server, with its body as it came. */
  webhook(body: string, authorization: string | undefined): Promise<void>;
  /** Cookies, localStorage and, if asked for, IndexedDB databases, in Playwright's format. */
  storageState(room: string, databases: boolean): Promise<StorageState>;
  close(room: string): Promise<void>;
  /** Shows or hides the session's video. The browser continues in either case. */
  setStreaming(room: string, shown: boolean): Promise<void>;
  /**
   * Restores a session that has failed or hibernates. Returns what was restored, or `undefined` for a session
   * that runs.
   */
  recover(room: string): Promise<Restored | undefined>;
  runAction(room: string, action: Action, options?: ActionOptions): Promise<ActionOutcome>;
  analyze(room: string, options: AnalyzeRequest): Promise<AnalysisData>;
  context(room: string): Promise<BrowserContextInfo>;
  content(room: string): Promise<ScreenContent>;
  screenshot(room: string, options: ScreenshotOptions): Promise<Screenshot>;
  /** The next frame of the live view after one that the viewer has; `null` if the page stays as it is. */
  frame(room: string, request: FrameRequest): Promise<ViewFrame | null>;
  /** Input of the person who controls the browser. */
  input(room: string, holder: string, events: readonly InputEvent[]): Promise<{ readonly applied: number }>;
  takeControl(room: string, control: Control): Promise<void>;
  releaseControl(room: string, holder: string): Promise<void>;
  extract(room: string, options: ExtractOptions): Promise<Extracted>;
  console(room: string, options: ConsoleOptions): Promise<ConsoleLog>;
  network(room: string, options: NetworkOptions): Promise<NetworkLog>;
  files(room: string): Promise<readonly DownloadRecord[]>;
  /** The bytes are streamed. */
  file(
    room: string,
    id: string,
  ): Promise<{ readonly record: DownloadRecord; readonly bytes: AsyncIterable<Uint8Array> }>;
  removeFile(room: string, id: string): Promise<void>;
}

/** Recorded actions of sessions. */
export interface Recordings {
  /** Returns the id of the recording, also if one is in progress. */
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
    /** A replay that is requested again with the same id repeats no action. */
    readonly id?: string | undefined;
  }): Promise<ReplayedActs>;
}

/** The statecharts of the actors. */
export interface Machines {
  kinds(): readonly string[];
  chart(kind: string): Promise<Chart>;
}

export interface CairnEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Secrets by name. No method returns a value. */
export interface Secrets {
  list(): Promise<readonly SecretInfo[]>;
  set(name: string, value: string, hosts: readonly string[]): Promise<SecretInfo>;
  remove(name: string): Promise<void>;
}

/** The audit log. */
export interface Audit {
  /**
   * Records that an action begins, durably; the returned function records its outcome. The log has both a
   * moment later.
   */
  begin(act: AuditAct): (note: AuditNote) => void;
  note(note: AuditNote): void;
  list(request: ListAudit): Promise<AuditPage>;
}

/** Requests with an `Idempotency-Key`, and their results. */
export interface Repeats {
  /** What is known about an id: the record of an earlier request, or that of this one. */
  begin(id: string, fingerprint: string): Promise<Repeat>;
  end(id: string, repeat: Repeat): Promise<void>;
}

/** Explorations of sites. */
export interface Explorations {
  start(input: StartExploration): Promise<Started>;
  status(jobId: string): Promise<ExplorationStatus>;
  pause(jobId: string): Promise<JobState>;
  resume(jobId: string): Promise<JobState>;
  cancel(jobId: string): Promise<JobState>;
  results(jobId: string, request: ResultsRequest): Promise<ResultsAnswer>;
  list(): Promise<JobList>;
  delete(jobId: string): Promise<void>;
}

/** The maps that explorations write. */
export interface Knowledge {
  query(query: KnowledgeQuery): Promise<QueryAnswer>;
  /** Asks a map for a route, a screen or its actions. */
  ask(knowledgeId: string, query: AgentQuery): Promise<AgentResponse>;
  list(): Promise<KnowledgeList>;
  get(knowledgeId: string): Promise<KnowledgeSummary>;
  screens(knowledgeId: string, question: ScreensQuestion): Promise<ScreenList>;
  /** All screens and the transitions between them, for drawing. */
  graph(knowledgeId: string): Promise<MapGraph>;
  /** What differs from another map of the same site. */
  diff(
    knowledgeId: string,
    against: string,
  ): Promise<MapDiff & { readonly knowledge_id: string; readonly against: string }>;
  /** The map as a file; long fields are read while they are sent. */
  export(knowledgeId: string): Promise<Readonly<Record<string, unknown>>>;
  import(
    knowledgeId: string,
    file: MapFile,
  ): Promise<{
    readonly knowledge_id: string;
    readonly screens: number;
    readonly actions: number;
    readonly transitions: number;
  }>;
  delete(knowledgeId: string): Promise<void>;
}

/** Documents of maps. */
export interface Documents {
  ingest(request: IngestDocument, progress?: DocumentProgress): Promise<Ingested>;
  /** Ingests the bytes of a file. */
  upload(document: GivenDocument, progress?: DocumentProgress): Promise<Ingested>;
  list(knowledgeId: string): Promise<{ readonly sources: DocumentSource[] }>;
  chunks(knowledgeId: string, sourceId: string, cursor: string | undefined): Promise<ChunkList>;
  remove(knowledgeId: string, sourceId: string): Promise<void>;
}

/** Gaps of maps. */
export interface Gaps {
  fill(request: ExtrapolationRequest): Promise<ExtrapolationResult>;
}

/** Questions to maps in words. */
export interface Questions {
  answer(query: KnowledgeQuery): Promise<QueryAnswer>;
}

/** Reports what is done of all. */
export type DocumentProgress = (done: number, total: number, message: string) => void;

export interface Dialogues {
  start(given: z.output<typeof startDialogueSchema>, commandId?: string): Promise<DialogueAccepted>;
  answer(dialogueId: string, incoming: Incoming, commandId?: string): Promise<DialogueAccepted>;
  get(dialogueId: string): Promise<DialogueView>;
  /** Messages after a number, in order. */
  messages(dialogueId: string, since: number): Promise<{ readonly messages: DialogueMessage[] }>;
  /** The same of a dialogue that may not have begun. */
  storedMessages(dialogueId: string, since: number): Promise<DialogueMessage[]>;
  /** Plans a task without a dialogue; nothing is done. */
  planWithConfidence(request: PlanWithConfidence): Promise<z.output<typeof plannedSchema>>;
  refinePlan(request: RefinePlan): Promise<z.output<typeof refinedSchema>>;
}

/** Questions put to the web. */
export interface Navigation {
  start(
    request: StartNavigation,
    commandId?: string,
  ): Promise<{ readonly run_id: string; readonly status: NavigationStatus }>;
  result(runId: string): Promise<NavigationResult>;
  cancel(runId: string): Promise<{ readonly run_id: string; readonly status: NavigationStatus }>;
  /** Aborting ends the wait, not the run. */
  wait(
    runId: string,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
    },
  ): Promise<NavigationResult>;
}

export interface DialogueAccepted {
  readonly dialogue_id: string;
  readonly status: string;
}

export interface Cairn {
  readonly dialogues: Dialogues;
  readonly navigation: Navigation;
  readonly explorations: Explorations;
  readonly knowledge: Knowledge;
  readonly documents: Documents;
  readonly gaps: Gaps;
  readonly questions: Questions;
  /** A result that was too large for its event. */
  result(resultId: string): Promise<Readonly<Record<string, unknown>>>;

  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly repeats: Repeats;
  readonly secrets: Secrets;
  readonly recordings: Recordings;
  readonly operations: Operations;
  readonly machines: Machines;

  /**
   * Calls `listener` for every event of the topic (`*` matches one part, `>` the rest) until the returned
   * function is called.
   */
  watch(topic: string, listener: (event: CairnEvent) => void): () => void;
  ready(): Promise<Readonly<Record<string, ReadyCheck>>>;
  /** Writes a backup into the folder `to`, else into `backups` of the data folder, while the system runs. */
  backup(to?: string): Promise<{ readonly file: string; readonly records: number }>;
  stop(): Promise<void>;
}
