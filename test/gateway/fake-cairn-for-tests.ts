/**
 * A substitute for `Cairn`, for tests of the gateway's response shapes, statuses and streams. It keeps all data in
 * memory and does not crawl: the test itself starts and ends the jobs. `test/e2e` tests the real system.
 */

import type { ReadyCheck, ResultsAnswer, ResultsRequest } from "../../actors/index.ts";
import { ChartRegistry } from "../../actors/statecharts-for-console.ts";
import type {
  AgentQuery,
  Cairn,
  CairnEvent,
  DialogueAccepted,
  Dialogues,
  Documents,
  Explorations,
  Gaps,
  JobList,
  JobState,
  Knowledge,
  KnowledgeList,
  KnowledgeQuery,
  Navigation,
  Questions,
  ResultPage,
  Started,
} from "../../gateway/actor-system-interface.ts";
import type { DialogueMessage, DialogueView } from "../../machines/dialogue/dialogue-schemas.ts";
import { Refused } from "../../machines/errors.ts";
import type { ExplorationStatus, StartExploration } from "../../machines/exploration/exploration-protocol.ts";
import type {
  ChunkList,
  GivenDocument,
  IngestDocument,
  Ingested,
} from "../../machines/knowledge/documents/document-ingest-schemas.ts";
import type {
  AgentResponse,
  KnowledgeDetails,
  QueryAnswer,
  ScreenList,
} from "../../machines/knowledge/knowledge-protocol.ts";
import type { NavigationResult, NavigationStatus } from "../../machines/navigation/navigation-run-schemas.ts";
import { MemoryOperations } from "./in-memory-actors-and-nodes-for-tests.ts";
import { MemoryAudit } from "./in-memory-audit-log-for-tests.ts";
import { MemoryRepeats } from "./in-memory-idempotent-requests-for-tests.ts";
import { MemoryRecordings } from "./in-memory-recordings-for-tests.ts";
import { MemorySecrets } from "./in-memory-secrets-for-tests.ts";
import { MemorySessions } from "./in-memory-sessions-for-tests.ts";

const MOMENT = "2026-01-12T10:00:00.000Z";

interface Job {
  readonly request: StartExploration;
  status: ExplorationStatus["status"];
}

class MemoryExplorations implements Explorations {
  readonly #cairn: MemoryCairn;

  constructor(cairn: MemoryCairn) {
    this.#cairn = cairn;
  }

  #job(jobId: string): Job {
    if (this.#cairn.failure !== undefined) throw this.#cairn.failure;
    const job = this.#cairn.jobs.get(jobId);
    if (job) return job;
    throw new Refused("job.not_found", `There is no job "${jobId}".`, { status: 404 });
  }

  async start(request: StartExploration): Promise<Started> {
    if (this.#cairn.failure !== undefined) throw this.#cairn.failure;
    this.#cairn.calls.push(request);
    const job_id = request.job_id ?? `job-${this.#cairn.jobs.size + 1}`;
    this.#cairn.jobs.set(job_id, { request, status: "queued" });
    return { job_id, status: "queued", message: "Job started.", knowledge_id: "docs", website_id: "docs" };
  }

  async status(jobId: string): Promise<ExplorationStatus> {
    const { request, status } = this.#job(jobId);
    return {
      job_id: jobId,
      status,
      progress: {
        completed: this.#cairn.pages,
        queued: 0,
        failed: 0,
        current_url: null,
        searchable: this.#cairn.pages,
        skipped: 0,
        external_links: 0,
        nofollow_links: 0,
      },
      knowledge_id: "docs",
      website_id: "docs",
      start_url: request.start_url,
      started_at: MOMENT,
      updated_at: MOMENT,
      error: null,
      traps: [],
      held_back: [],
      interactive: null,
    };
  }

  #steer(jobId: string, status: Job["status"]): JobState {
    this.#job(jobId).status = status;
    return { job_id: jobId, status };
  }
  async pause(jobId: string): Promise<JobState> {
    return this.#steer(jobId, "paused");
  }
  async resume(jobId: string): Promise<JobState> {
    return this.#steer(jobId, "running");
  }
  async cancel(jobId: string): Promise<JobState> {
    return this.#steer(jobId, "cancelled");
  }

  async results(jobId: string, request: ResultsRequest): Promise<ResultsAnswer> {
    const { status } = this.#job(jobId);
    this.#cairn.calls.push(request);
    if (status !== "completed" && !request.partial) {
      throw new Refused("job.not_finished", `Job "${jobId}" is ${status}.`, { status: 409 });
    }
    const from = Number(request.cursor ?? 0);
    const to = Math.min(this.#cairn.pages, from + (request.limit ?? this.#cairn.pages));
    return {
      summary: {
        job_id: jobId,
        status,
        results: {
          pages_stored: this.#cairn.pages,
          links_stored: this.#cairn.pages,
          external_links_detected: 0,
          errors: [],
          traps: [],
        },
      },
      pages: this.#pagesOf(from, to),
      links: this.#linksOf(from, to),
      next_cursor: to < this.#cairn.pages && request.limit !== undefined ? String(to) : null,
    };
  }
  async *#pagesOf(from: number, to: number): AsyncGenerator<ResultPage> {
    for (let page = from; page < to; page += 1) {
      yield { url: `http://site/${page}`, title: `Page ${page}`, content: `Text "of" page ${page}\n` };
    }
  }
  async *#linksOf(from: number, to: number): AsyncGenerator<{ from: string; to: string; type: "internal" }> {
    for (let page = from; page < to; page += 1) {
      yield { from: `http://site/${page}`, to: `http://site/${page + 1}`, type: "internal" };
    }
  }

  async list(): Promise<JobList> {
    return {
      jobs: [...this.#cairn.jobs].map(([job_id, { request, status }]) => ({
        job_id,
        status,
        start_url: request.start_url,
        started_at: MOMENT,
        knowledge_id: "docs",
        website_id: "docs",
      })),
    };
  }
  async delete(jobId: string): Promise<void> {
    this.#job(jobId);
    this.#cairn.jobs.delete(jobId);
  }
}

class MemoryKnowledge implements Knowledge {
  readonly #cairn: MemoryCairn;

  constructor(cairn: MemoryCairn) {
    this.#cairn = cairn;
  }

  async query(query: KnowledgeQuery): Promise<QueryAnswer> {
    if (this.#cairn.failure !== undefined) throw this.#cairn.failure;
    this.#cairn.calls.push(query);
    return { success: true, data: { results: [] }, error: null };
  }
  async ask(knowledgeId: string, query: AgentQuery): Promise<AgentResponse> {
    await this.get(knowledgeId);
    this.#cairn.calls.push(query);
    return {
      success: true,
      actions: [],
      expected_result: { screen_id: query.target },
      error: null,
      metadata: {},
    };
  }
  async list(): Promise<KnowledgeList> {
    const { building: _, ...summary } = await this.get("docs");
    return { knowledge: [summary] };
  }
  async get(knowledgeId: string): Promise<KnowledgeDetails> {
    if (this.#cairn.failure !== undefined) throw this.#cairn.failure;
    if (knowledgeId !== "docs") {
      throw new Refused("knowledge.not_found", `There is no map "${knowledgeId}".`, { status: 404 });
    }
    return {
      knowledge_id: "docs",
      name: "docs",
      pages: this.#cairn.pages,
      screens: this.#cairn.pages,
      transitions: 0,
      searchable: this.#cairn.pages,
      documents: 0,
      websites: [],
      building: false,
      created_at: MOMENT,
      updated_at: MOMENT,
    };
  }
  async export(knowledgeId: string): Promise<Readonly<Record<string, unknown>>> {
    await this.get(knowledgeId);
    return { format: "cairn-map", version: 1, websites: [], screens: [], actions: [], transitions: [] };
  }
  async diff(knowledge_id: string, against = knowledge_id) {
    await this.get(knowledge_id);
    await this.get(against);
    const nothing = { came: [], went: [] };
    const screens = { ...nothing, changed: [] };
    return { knowledge_id, against, equal: true, screens, transitions: nothing };
  }
  async import(knowledge_id: string) {
    return { knowledge_id, screens: 0, actions: 0, transitions: 0 };
  }
  async graph(knowledgeId: string) {
    await this.get(knowledgeId);
    return { knowledge_id: knowledgeId, screens: [], transitions: [] };
  }
  async picture(knowledgeId: string) {
    await this.get(knowledgeId);
    return { data: "/9j/" };
  }
  async screens(knowledgeId: string): Promise<ScreenList> {
    await this.get(knowledgeId);
    const statistics = {
      web_ui_screens: 0,
      documentation_screens: 0,
      actionable_screens: 0,
      non_actionable_screens: 0,
    };
    return { screens: [], statistics, next_cursor: null };
  }
  async delete(knowledgeId: string): Promise<void> {
    await this.get(knowledgeId);
  }
}

class MemoryDialogues implements Dialogues {
  async start(): Promise<DialogueAccepted> {
    return { dialogue_id: "task", status: "planning" };
  }
  async answer(dialogueId: string): Promise<DialogueAccepted> {
    return { dialogue_id: dialogueId, status: "executing" };
  }
  async get(dialogueId: string): Promise<DialogueView> {
    throw new Refused("dialogue.not_found", `There is no dialogue ${dialogueId}.`, { status: 404 });
  }
  async messages(dialogueId: string): Promise<{ messages: DialogueMessage[] }> {
    throw new Refused("dialogue.not_found", `There is no dialogue ${dialogueId}.`, { status: 404 });
  }
  async storedMessages(): Promise<DialogueMessage[]> {
    return [];
  }
  async planWithConfidence(): Promise<never> {
    throw new Refused("session.not_found", "There is no session.", { status: 404 });
  }
  async refinePlan(): Promise<never> {
    throw new Refused("session.not_found", "There is no session.", { status: 404 });
  }
}

class MemoryNavigation implements Navigation {
  async start(): Promise<{ run_id: string; status: NavigationStatus }> {
    return { run_id: "run", status: "queued" };
  }
  async result(runId: string): Promise<NavigationResult> {
    throw new Refused("navigation.not_found", `There is no run ${runId}.`, { status: 404 });
  }
  async cancel(runId: string): Promise<{ run_id: string; status: NavigationStatus }> {
    return { run_id: runId, status: "cancelled" };
  }
  wait(runId: string): Promise<NavigationResult> {
    return this.result(runId);
  }
}

/** A document service that contains no documents. */
class MemoryDocuments implements Documents {
  async ingest(request: IngestDocument): Promise<Ingested> {
    return { knowledge_id: request.knowledge_id, sources: [], problems: [] };
  }

  async upload(document: GivenDocument): Promise<Ingested> {
    return { knowledge_id: document.knowledge_id, sources: [], problems: [] };
  }

  async list(): Promise<{ sources: [] }> {
    return { sources: [] };
  }

  async chunks(): Promise<ChunkList> {
    return { chunks: [], next_cursor: null };
  }

  async remove(): Promise<void> {}
}

export class MemoryCairn implements Cairn {
  readonly navigation: Navigation = new MemoryNavigation();
  readonly dialogues: Dialogues = new MemoryDialogues();
  readonly explorations: Explorations = new MemoryExplorations(this);
  readonly knowledge: Knowledge = new MemoryKnowledge(this);
  readonly documents: Documents = new MemoryDocuments();
  readonly questions: Questions = { answer: (query) => this.knowledge.query(query) };
  readonly gaps: Gaps = {
    fill: async () => {
      if (this.failure !== undefined) throw this.failure;
      const nothing = { inferred_actions: [], inferred_transitions: [], confidence_scores: {}, errors: [] };
      return { ...nothing, gaps_filled: 0, gaps_found: 0, stored: 0 };
    },
  };
  readonly jobs = new Map<string, Job>();
  /** Number of pages in the status of every job of this fake Cairn. */
  pages = 3;
  /** If set, the next call of this fake Cairn throws this value. */
  failure: unknown;
  readonly calls: unknown[] = [];
  checks: Readonly<Record<string, ReadyCheck>> = { store: { ok: true, detail: "open" } };
  readonly machines = new ChartRegistry();
  readonly operations = new MemoryOperations();
  readonly sessions = new MemorySessions();
  readonly audit = new MemoryAudit();
  readonly repeats = new MemoryRepeats();
  readonly secrets = new MemorySecrets();
  readonly recordings = new MemoryRecordings();
  stopped = false;

  async result(resultId: string): Promise<never> {
    throw new Refused("result.not_found", `There is no result ${resultId}.`, { status: 404 });
  }

  /** The listeners to events, by topic. */
  readonly watchers = new Map<string, Set<(event: CairnEvent) => void>>();
  watch(topic: string, listener: (event: CairnEvent) => void): () => void {
    const listeners = this.watchers.get(topic) ?? new Set();
    this.watchers.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.watchers.delete(topic);
    };
  }
  /** Calls the listeners that have subscribed to this topic. Wildcards in topics are not supported. */
  tell(topic: string, event: CairnEvent): void {
    for (const listener of [...(this.watchers.get(topic) ?? [])]) listener(event);
  }
  async ready(): Promise<Readonly<Record<string, ReadyCheck>>> {
    return this.checks;
  }
  async backup(to = "backups"): Promise<{ file: string; records: number }> {
    return { file: `${to}/backup-1.jsonl.gz`, records: 7 };
  }
  async stop(): Promise<void> {
    this.stopped = true;
  }
}
