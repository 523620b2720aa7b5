/**
 * The client of the command line. It calls the gateway that serves the data folder or, if none runs, a Cairn that it
 * starts in this process. The interface is the same in both cases, so each command is written only once.
 */
import { join } from "node:path";
import { z } from "zod";
import {
  type DialogueMessage,
  type DialogueView,
  dialogueSchema,
  type Incoming,
  messageSchema,
  type startDialogueSchema,
} from "../machines/dialogue/dialogue-schemas.ts";
import { errorFromBody, Unavailable } from "../machines/errors.ts";
import {
  type ExplorationStatus,
  jobStateSchema,
  resultsSchema,
  type StartExploration,
  startedSchema,
  statusSchema,
} from "../machines/exploration/exploration-protocol.ts";
import {
  type GivenDocument,
  type IngestDocument,
  type Ingested,
  ingestedSchema,
} from "../machines/knowledge/documents/document-ingest-schemas.ts";
import {
  type AgentResponse,
  agentResponseSchema,
  type KnowledgeDetails,
  knowledgeDetailsSchema,
  type QueryAnswer,
  queryAnswerSchema,
  type ScreenList,
  screenListSchema,
} from "../machines/knowledge/knowledge-protocol.ts";
import { type DriftedMap, mapDiffSchema } from "../machines/knowledge/map-diff.ts";
import { questionIn } from "../machines/knowledge/map-question-schemas.ts";
import {
  type NavigationResult,
  navigationResultSchema,
  navigationStartedSchema,
  type StartNavigation,
} from "../machines/navigation/navigation-run-schemas.ts";
import {
  deadLettersSchema,
  discardedSchema,
  replayedSchema,
} from "../machines/runtime/runtime-administration-schemas.ts";
import type {
  AgentQuery,
  Cairn,
  JobState,
  KnowledgeQuery,
  Operations,
  ResultPage,
  ResultsSummary,
  Started,
} from "./actor-system-interface.ts";
import { createCommandLog } from "./log.ts";
import { errorSchema } from "./rest/error-response.ts";
import { findGateway, prepareDataFolder, removePidFile, writePidFile } from "./running-gateway-file.ts";
import { type KeyConfig, ownKey } from "./security/api-keys.ts";
import { type Start, startOptions } from "./settings-to-start-cairn-options.ts";

/**
 * The methods for dead letters (commands that actors could not handle). The command line uses no other part
 * of `Operations`.
 */
export type DeadLetterOperations = Pick<Operations, "deadLetters" | "replay" | "discard">;

type StartDialogue = z.output<typeof startDialogueSchema>;
const dialogueAcceptedSchema = z.object({ dialogue_id: z.string(), status: z.string() });
const dialogueMessagesSchema = z.object({ messages: z.array(messageSchema) });
const dialoguePath = (dialogueId: string): string => `/api/dialogues/${encodeURIComponent(dialogueId)}`;

export interface Outcome {
  readonly summary: ResultsSummary;
  /** The first pages of the exploration job, in the order of discovery. */
  readonly pages: readonly ResultPage[];
}

export interface CliClient {
  /**
   * Text for the user, which states where the command is executed: by a running gateway or in this process.
   */
  readonly where: string;
  start(input: StartExploration): Promise<Started>;
  status(jobId: string): Promise<ExplorationStatus>;
  pause(jobId: string): Promise<JobState>;
  resume(jobId: string): Promise<JobState>;
  outcome(jobId: string, pages: number): Promise<Outcome>;
  query(query: KnowledgeQuery): Promise<QueryAnswer>;
  /** Returns the first screens of a map, and the number of all its screens. */
  map(knowledgeId: string): Promise<KnowledgeDetails>;
  screens(knowledgeId: string, limit: number): Promise<ScreenList>;
  ask(knowledgeId: string, query: AgentQuery): Promise<AgentResponse>;
  ingest(request: IngestDocument): Promise<Ingested>;
  upload(document: GivenDocument): Promise<Ingested>;
  /**
   * Compares two maps.
   *
   * @param against the id of the other map; by default, the same map before its last exploration
   */
  diff(knowledgeId: string, against?: string): Promise<DriftedMap>;
  navigate(request: StartNavigation): Promise<{ readonly run_id: string }>;
  navigated(runId: string): Promise<NavigationResult>;
  cancelNavigation(runId: string): Promise<unknown>;
  startDialogue(request: StartDialogue): Promise<{ readonly dialogue_id: string }>;
  dialogue(dialogueId: string): Promise<DialogueView>;
  dialogueMessages(dialogueId: string, since: number): Promise<{ readonly messages: DialogueMessage[] }>;
  answerDialogue(dialogueId: string, message: Incoming): Promise<unknown>;
  readonly deadLetters: DeadLetterOperations;
  /**
   * Writes a backup. Returns the path of its file; if a gateway writes the backup, the path is relative to the
   * gateway's data folder.
   */
  backup(to: string | undefined): Promise<{ readonly file: string; readonly records: number }>;
  close(): Promise<void>;
}

/**
 * Opens the client for this configuration. With `url`, it calls the gateway at this URL instead of the
 * gateway that serves the data folder.
 */
export async function openCliClient(
  { config, secrets }: Start,
  options: { readonly command: string; readonly url?: string | undefined },
): Promise<CliClient> {
  if (options.url !== undefined) return remoteClient(options.url, config);
  const gateway = await findGateway(config.dataDir);
  return gateway ? remoteClient(gateway.url, config) : localClient({ config, secrets }, options.command);
}

/** Creates a client that runs a Cairn in this process. */
async function localClient({ config, secrets }: Start, command: string): Promise<CliClient> {
  const log = createCommandLog(
    config,
    Object.values(secrets).map(({ value }) => value),
  );
  await prepareDataFolder(config.dataDir);
  // The module is imported only here, so that `cairn --help` does not load a database.
  const { startCairn } = await import("../actors/index.ts");
  const cairn: Cairn = await startCairn(startOptions({ config, secrets }, log));
  const instance = crypto.randomUUID();
  await writePidFile(config.dataDir, { pid: process.pid, command, instance, url: null });
  return {
    where: "in this process",
    start: (input) => cairn.explorations.start(input),
    status: (jobId) => cairn.explorations.status(jobId),
    pause: (jobId) => cairn.explorations.pause(jobId),
    resume: (jobId) => cairn.explorations.resume(jobId),
    async outcome(jobId, limit) {
      const { summary, pages } = await cairn.explorations.results(jobId, { partial: true, limit });
      return { summary, pages: await Array.fromAsync(pages) };
    },
    query: (query) => (questionIn(query) ? cairn.questions.answer(query) : cairn.knowledge.query(query)),
    map: (knowledgeId) => cairn.knowledge.get(knowledgeId),
    screens: (knowledgeId, limit) => cairn.knowledge.screens(knowledgeId, { limit }),
    ask: (knowledgeId, query) => cairn.knowledge.ask(knowledgeId, query),
    ingest: (request) => cairn.documents.ingest(request),
    upload: (document) => cairn.documents.upload(document),
    diff: (knowledgeId, against) => cairn.knowledge.diff(knowledgeId, against),
    navigate: (request) => cairn.navigation.start(request),
    navigated: (runId) => cairn.navigation.result(runId),
    cancelNavigation: (runId) => cairn.navigation.cancel(runId),
    startDialogue: (request) => cairn.dialogues.start(request),
    dialogue: (dialogueId) => cairn.dialogues.get(dialogueId),
    dialogueMessages: (dialogueId, since) => cairn.dialogues.messages(dialogueId, since),
    answerDialogue: (dialogueId, message) => cairn.dialogues.answer(dialogueId, message),
    deadLetters: cairn.operations,
    backup: (to) => cairn.backup(to),
    async close() {
      await cairn.stop();
      await removePidFile(config.dataDir, instance);
    },
  };
}

/** Creates a client that calls a gateway over REST. */
export function remoteClient(url: string, config: KeyConfig): CliClient {
  const key = ownKey(config);
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };

  async function call<S extends z.ZodType>(
    schema: S,
    method: string,
    path: string,
    body?: unknown,
    file?: { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string },
  ): Promise<z.output<S>> {
    let response: Response;
    try {
      response = await fetch(new URL(path, url), {
        method,
        headers: file ? { ...headers, "content-type": file.type } : headers,
        ...(file ? { body: file.bytes } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      throw new Unavailable(
        "gateway.unreachable",
        `No Cairn answers at ${url}. Start one with \`npm start\`, or leave --url out to work without a gateway.`,
        { cause },
      );
    }
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) {
      const failure = errorSchema.safeParse(answer);
      if (failure.success) {
        const { code, message, details } = failure.data.error;
        throw errorFromBody({ code, message, status: response.status, ...(details ? { details } : {}) });
      }
    }
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new Unavailable("gateway.not_cairn", `What answers at ${url} is not this version of Cairn.`);
  }

  const explore = "/api/knowledge/explore";
  return {
    where: `through the gateway at ${url}`,
    navigate: (request) => call(navigationStartedSchema, "POST", "/api/navigate", request),
    navigated: (runId) => call(navigationResultSchema, "GET", `/api/navigate/${encodeURIComponent(runId)}`),
    cancelNavigation: (runId) =>
      call(navigationStartedSchema, "POST", `/api/navigate/${encodeURIComponent(runId)}/cancel`, {}),
    startDialogue: (request) => call(dialogueAcceptedSchema, "POST", "/api/dialogues", request),
    dialogue: (dialogueId) => call(dialogueSchema, "GET", dialoguePath(dialogueId)),
    dialogueMessages: (dialogueId, since) =>
      call(dialogueMessagesSchema, "GET", `${dialoguePath(dialogueId)}/messages?since=${since}`),
    answerDialogue: (dialogueId, message) =>
      call(dialogueAcceptedSchema, "POST", `${dialoguePath(dialogueId)}/messages`, { message }),
    start: (input) => call(startedSchema, "POST", `${explore}/start`, input),
    status: (jobId) => call(statusSchema, "GET", `${explore}/status/${encodeURIComponent(jobId)}`),
    pause: (jobId) => call(jobStateSchema, "POST", `${explore}/pause`, { job_id: jobId }),
    resume: (jobId) => call(jobStateSchema, "POST", `${explore}/resume`, { job_id: jobId }),
    async outcome(jobId, limit) {
      const path = `${explore}/results/${encodeURIComponent(jobId)}?partial=true&limit=${limit}`;
      const { pages, job_id, status, results } = await call(resultsSchema, "GET", path);
      return { summary: { job_id, status, results }, pages };
    },
    query: (query) => call(queryAnswerSchema, "POST", "/api/knowledge/query", query),
    map: (knowledgeId) =>
      call(knowledgeDetailsSchema, "GET", `/api/knowledge/${encodeURIComponent(knowledgeId)}`),
    screens: (knowledgeId, limit) =>
      call(
        screenListSchema,
        "GET",
        `/api/knowledge/${encodeURIComponent(knowledgeId)}/screens?limit=${limit}`,
      ),
    ask: (knowledgeId, query) =>
      call(agentResponseSchema, "POST", `/api/knowledge/${encodeURIComponent(knowledgeId)}/query`, query),
    ingest: ({ knowledge_id, ...request }) =>
      call(ingestedSchema, "POST", `/api/knowledge/${encodeURIComponent(knowledge_id)}/documents`, request),
    upload: ({ knowledge_id, name, media_type, bytes }) => {
      const path = `/api/knowledge/${encodeURIComponent(knowledge_id)}/documents/${encodeURIComponent(name)}`;
      const type = media_type ?? "application/octet-stream";
      return call(ingestedSchema, "PUT", path, undefined, { bytes, type });
    },
    diff: (knowledgeId, against) => {
      const path = `/api/knowledge/${encodeURIComponent(knowledgeId)}/diff`;
      const query = against === undefined ? "" : `?${new URLSearchParams({ against })}`;
      return call(mapDiffSchema, "GET", `${path}${query}`);
    },
    deadLetters: {
      deadLetters: ({ limit, cursor }) => {
        const page = new URLSearchParams({
          limit: String(limit),
          ...(cursor === undefined ? {} : { cursor }),
        });
        return call(deadLettersSchema, "GET", `/api/dead-letters?${page}`);
      },
      replay: (id) => call(replayedSchema, "POST", `/api/dead-letters/${encodeURIComponent(id)}/replay`),
      discard: (id) => call(discardedSchema, "DELETE", `/api/dead-letters/${encodeURIComponent(id)}`),
    },
    async backup() {
      const { file, records } = await call(
        z.object({ file: z.string(), records: z.number() }),
        "POST",
        "/api/backups",
      );
      return { file: join("backups", file), records };
    },
    close: async () => undefined,
  };
}
