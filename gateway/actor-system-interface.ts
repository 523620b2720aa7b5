/**
 * The interface by which the gateway uses the actor system. `actors/index.ts` implements it, and tests use an
 * implementation in memory. Every method throws a `CairnError` on failure.
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
import type { AuditAct, AuditNote, AuditPage, ListAudit } from "../machines/audit/audit-entry-schemas.ts";
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
} from "../machines/exploration/exploration-protocol.ts";
import type { Chart } from "../machines/inspection/statechart-of-state-machine.ts";
import type {
  ChunkList,
  DocumentSource,
  GivenDocument,
  IngestDocument,
  Ingested,
} from "../machines/knowledge/documents/document-ingest-schemas.ts";
import type { MapFile } from "../machines/knowledge/formats/map-file-schema.ts";
import type {
  ExtrapolationRequest,
  ExtrapolationResult,
} from "../machines/knowledge/gaps/map-gap-schemas.ts";
import type {
  AgentResponse,
  agentQuerySchema,
  KnowledgeDetails,
  knowledgeListSchema,
  knowledgeQuerySchema,
  QueryAnswer,
  ScreenList,
  ScreensQuestion,
} from "../machines/knowledge/knowledge-protocol.ts";
import type { mapDiffSchema } from "../machines/knowledge/map-diff.ts";
import type { MapGraph } from "../machines/knowledge/map-drawing-graph.ts";
import type {
  NavigationResult,
  NavigationStatus,
  StartNavigation,
} from "../machines/navigation/navigation-run-schemas.ts";
import type { MetricFamily } from "../machines/runtime/metric-counters.ts";
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
} from "../machines/runtime/runtime-administration-schemas.ts";
import type { ActionOptions, ActionOutcome } from "../machines/session/actions/action-outcome.ts";
import type { Action } from "../machines/session/actions/browser-action-parameters.ts";
import type { ListSessions, SessionList } from "../machines/session/list-sessions-schemas.ts";
import type {
  ConsoleLog,
  ConsoleOptions,
  NetworkLog,
  NetworkOptions,
} from "../machines/session/outputs/console-and-network-log-schemas.ts";
import type { DownloadRecord } from "../machines/session/outputs/download-names.ts";
import type { Extracted, ExtractOptions } from "../machines/session/outputs/extracted-content-schemas.ts";
import type {
  Control,
  FrameRequest,
  InputEvent,
  ViewFrame,
} from "../machines/session/outputs/live-view-schemas.ts";
import type { AnalysisData, AnalyzeRequest } from "../machines/session/page/page-snapshot.ts";
import type {
  BrowserContextInfo,
  ScreenContent,
  Screenshot,
  ScreenshotOptions,
  SessionOptions,
} from "../machines/session/session-protocol.ts";
import type {
  Recording,
  RecordingHead,
  Replayed as ReplayedActs,
} from "../machines/session/session-recording-schemas.ts";
import type { Restored } from "../machines/session/session-restore-report.ts";
import type { Environment, StorageState } from "../machines/session/state/session-start-options.ts";

export type { JobList, JobState, ResultPage, Started };
export type ResultsSummary = ResultsAnswer["summary"];
export type KnowledgeQuery = z.infer<typeof knowledgeQuerySchema>;
export type AgentQuery = z.infer<typeof agentQuerySchema>;
export type KnowledgeList = z.infer<typeof knowledgeListSchema>;

/** Administration of the actor runtime, for every kind of actor. */
export interface Operations {
  actors(request: ListActors): Promise<ActorList>;
  actor(kind: string, id: string): Promise<ActorDetail>;
  unpark(kind: string, id: string): Promise<Unparked>;
  /** Sends a command to an existing actor. The protocol of the actor's kind must contain the command. */
  send(command: SendCommand, commandId?: string): Promise<CommandSent>;
  deadLetters(request: ListDeadLetters): Promise<DeadLetters>;
  replay(id: string): Promise<Replayed>;
  discard(id: string): Promise<Discarded>;
  nodes(): Promise<Nodes>;
  /** Returns the metrics of this node. */
  metrics(): Promise<readonly MetricFamily[]>;
}

/** Browser sessions, each identified by its room name. */
export interface Sessions {
  /** Lists the sessions that are not closed, sorted by room name. */
  list(request: ListSessions): Promise<SessionList>;
  start(
    room: string,
    options: SessionOptions,
    environment?: Environment,
    video?: LiveKitRequest,
  ): Promise<ActionOutcome>;
  /**
   * Passes a webhook of the LiveKit server to the sessions. `body` must be exactly as received, because the server
   * has signed it.
   */
  webhook(body: string, authorization: string | undefined): Promise<void>;
  /** Returns cookies, localStorage and, on request, IndexedDB databases in Playwright's format. */
  storageState(room: string, databases: boolean): Promise<StorageState>;
  close(room: string): Promise<void>;
  /** Shows or hides the session's picture in its LiveKit room. The browser keeps running in both cases. */
  setStreaming(room: string, shown: boolean): Promise<void>;
  /**
   * Restores a session that has failed or hibernates. Returns a description of what was restored, or
   * `undefined` if the session is already running.
   */
  recover(room: string): Promise<Restored | undefined>;
  runAction(room: string, action: Action, options?: ActionOptions): Promise<ActionOutcome>;
  analyze(room: string, options: AnalyzeRequest): Promise<AnalysisData>;
  context(room: string): Promise<BrowserContextInfo>;
  content(room: string): Promise<ScreenContent>;
  screenshot(room: string, options: ScreenshotOptions): Promise<Screenshot>;
  /**
   * Waits for the next frame of the live view and returns it. Returns `null` if the page does not change
   * within the time limit.
   */
  frame(room: string, request: FrameRequest): Promise<ViewFrame | null>;
  /** Sends input events of the person who controls the browser. */
  input(room: string, holder: string, events: readonly InputEvent[]): Promise<{ readonly applied: number }>;
  takeControl(room: string, control: Control): Promise<void>;
  releaseControl(room: string, holder: string): Promise<void>;
  extract(room: string, options: ExtractOptions): Promise<Extracted>;
  console(room: string, options: ConsoleOptions): Promise<ConsoleLog>;
  network(room: string, options: NetworkOptions): Promise<NetworkLog>;
  files(room: string): Promise<readonly DownloadRecord[]>;
  /** Streams the bytes of a file of the session, such as a download. */
  file(
    room: string,
    id: string,
  ): Promise<{ readonly record: DownloadRecord; readonly bytes: AsyncIterable<Uint8Array> }>;
  removeFile(room: string, id: string): Promise<void>;
}

/** Recordings of session actions. */
export interface Recordings {
  /**
   * Starts a recording and returns its id. If the session is already being recorded, returns the id of that
   * recording.
   */
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
    /** Id of the replay. A second call with the same id does not run the recorded actions again. */
    readonly id?: string | undefined;
  }): Promise<ReplayedActs>;
}

/** The state charts of the kinds of actors. */
export interface Machines {
  kinds(): readonly string[];
  chart(kind: string): Promise<Chart>;
}

export interface CairnEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Secrets by name. No method returns the value of a secret. */
export interface Secrets {
  list(): Promise<readonly SecretInfo[]>;
  set(name: string, value: string, hosts: readonly string[]): Promise<SecretInfo>;
  remove(name: string): Promise<void>;
}

export interface Audit {
  /**
   * Stores an audit entry for an action that starts. The returned function adds the outcome to this entry.
   * Entries and outcomes appear in the audit log a moment later.
   */
  begin(act: AuditAct): (note: AuditNote) => void;
  note(note: AuditNote): void;
  list(request: ListAudit): Promise<AuditPage>;
}

/** Stored results of requests with an `Idempotency-Key`, so that a repeated request gets the first result. */
export interface Repeats {
  /**
   * Starts a request with the idempotency key `id`, and returns its new record. If the key is in use, returns
   * the earlier record.
   */
  begin(id: string, fingerprint: string): Promise<Repeat>;
  end(id: string, repeat: Repeat): Promise<void>;
}

/** Starts, controls and reads explorations of sites. */
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

/** Reads, compares and exports the maps that explorations write. */
export interface Knowledge {
  query(query: KnowledgeQuery): Promise<QueryAnswer>;
  /** Answers an agent's query about a map, for example for a route, for a screen, or for the actions of a screen. */
  ask(knowledgeId: string, query: AgentQuery): Promise<AgentResponse>;
  list(): Promise<KnowledgeList>;
  get(knowledgeId: string): Promise<KnowledgeDetails>;
  screens(knowledgeId: string, question: ScreensQuestion): Promise<ScreenList>;
  /** Returns all screens and the transitions between them, for drawing. */
  graph(knowledgeId: string): Promise<MapGraph>;
  /** Returns the picture of a screen, as a JPEG in base64. */
  picture(knowledgeId: string, screenId: string): Promise<{ readonly data: string }>;
  /**
   * Compares the map with the map `against` of the same site. Without `against`, compares the map with its own state
   * before the last exploration.
   */
  diff(knowledgeId: string, against?: string): Promise<z.infer<typeof mapDiffSchema>>;
  /**
   * Exports the map as a file. A long field is read from the store piece by piece while the file is written.
   */
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

/** Adds documents to maps, and reads them. */
export interface Documents {
  ingest(request: IngestDocument, progress?: DocumentProgress): Promise<Ingested>;
  /** Ingests the bytes of a file. */
  upload(document: GivenDocument): Promise<Ingested>;
  list(knowledgeId: string): Promise<{ readonly sources: DocumentSource[] }>;
  chunks(knowledgeId: string, sourceId: string, cursor: string | undefined): Promise<ChunkList>;
  remove(knowledgeId: string, sourceId: string): Promise<void>;
}

/** Finds and fills gaps in maps and tasks. A gap is an unknown step between two known steps. */
export interface Gaps {
  fill(request: ExtrapolationRequest): Promise<ExtrapolationResult>;
}

/** Answers questions of people, asked in plain language, about what a map contains. */
export interface Questions {
  answer(query: KnowledgeQuery): Promise<QueryAnswer>;
}

/** Reports the progress of an ingest: `done` of `total` parts of the document are ingested. */
export type DocumentProgress = (done: number, total: number, message: string) => void;

export interface Dialogues {
  start(given: z.output<typeof startDialogueSchema>, commandId?: string): Promise<DialogueAccepted>;
  answer(dialogueId: string, incoming: Incoming, commandId?: string): Promise<DialogueAccepted>;
  get(dialogueId: string): Promise<DialogueView>;
  /** Returns those messages of the dialogue whose number is higher than `since`, in order. */
  messages(dialogueId: string, since: number): Promise<{ readonly messages: DialogueMessage[] }>;
  /**
   * Returns stored messages, as `messages` does. For a dialogue that has not started, it returns an empty
   * list and no error.
   */
  storedMessages(dialogueId: string, since: number): Promise<DialogueMessage[]>;
  /** Plans a task without a dialogue. Nothing is executed. */
  planWithConfidence(request: PlanWithConfidence): Promise<z.output<typeof plannedSchema>>;
  refinePlan(request: RefinePlan): Promise<z.output<typeof refinedSchema>>;
}

/** Navigation runs, which answer questions from web pages. */
export interface Navigation {
  start(
    request: StartNavigation,
    commandId?: string,
  ): Promise<{ readonly run_id: string; readonly status: NavigationStatus }>;
  result(runId: string): Promise<NavigationResult>;
  cancel(runId: string): Promise<{ readonly run_id: string; readonly status: NavigationStatus }>;
  /** Waits for the end of a run. Aborting the signal ends the wait and not the run. */
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
  /**
   * Returns a stored result. A result that is too large for an event is stored, and the event contains only
   * the result's id.
   */
  result(resultId: string): Promise<Readonly<Record<string, unknown>>>;

  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly repeats: Repeats;
  readonly secrets: Secrets;
  readonly recordings: Recordings;
  readonly operations: Operations;
  readonly machines: Machines;

  /**
   * Calls `listener` for every event whose topic matches, until the returned function is called. In a topic,
   * `*` matches one part and `>` all remaining parts.
   */
  watch(topic: string, listener: (event: CairnEvent) => void): () => void;
  ready(): Promise<Readonly<Record<string, ReadyCheck>>>;
  /**
   * Writes a backup into the folder `to` while the system runs. The default is `backups` in the data folder.
   */
  backup(to?: string): Promise<{ readonly file: string; readonly records: number }>;
  stop(): Promise<void>;
}
