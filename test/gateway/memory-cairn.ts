/**
 * A small `Cairn` in memory, for tests of the gateway's shapes, statuses and streams.
 * It does not crawl: a test starts and ends its jobs. `test/e2e` tests the real system.
 */

import { MachineShelf } from "../../actors/charts.ts";
import type { ReadyCheck, ResultsAnswer, ResultsRequest } from "../../actors/index.ts";
import type {
  AgentQuery,
  Cairn,
  CairnEvent,
  JobList,
  JobState,
  KnowledgeList,
  KnowledgeQuery,
  ResultPage,
  Started,
} from "../../gateway/actor-system.ts";
import { Refused } from "../../machines/errors.ts";
import type { ExplorationStatus, StartExploration } from "../../machines/exploration/protocol.ts";
import type { AgentResponse, KnowledgeSummary, QueryAnswer } from "../../machines/knowledge/protocol.ts";
import { MemoryAudit } from "./memory-audit.ts";
import { MemoryOperations } from "./memory-operations.ts";
import { MemoryRecordings } from "./memory-recordings.ts";
import { MemoryRepeats } from "./memory-repeats.ts";
import { MemorySecrets } from "./memory-secrets.ts";
import { MemorySessions } from "./memory-sessions.ts";

const MOMENT = "2026-01-12T10:00:00.000Z";

interface Job {
  readonly request: StartExploration;
  status: ExplorationStatus["status"];
}

export class MemoryCairn implements Cairn {
  readonly jobs = new Map<string, Job>();
  /** Number of pages of every job. */
  pages = 3;
  /** Thrown by the next call. */
  failure: unknown;
  /** The calls, in order. */
  readonly calls: unknown[] = [];
  checks: Readonly<Record<string, ReadyCheck>> = { store: { ok: true, detail: "open" } };
  readonly machines = new MachineShelf();
  readonly operations = new MemoryOperations();
  readonly sessions = new MemorySessions();
  readonly audit = new MemoryAudit();
  readonly repeats = new MemoryRepeats();
  readonly secrets = new MemorySecrets();
  readonly recordings = new MemoryRecordings();
  stopped = false;

  #job(jobId: string): Job {
    if (this.failure !== undefined) throw this.failure;
    const job = this.jobs.get(jobId);
    if (job) return job;
    throw new Refused("job.not_found", `There is no job "${jobId}".`, { status: 404 });
  }

  async startExploration(request: StartExploration): Promise<Started> {
    if (this.failure !== undefined) throw this.failure;
    this.calls.push(request);
    const job_id = request.job_id ?? `job-${this.jobs.size + 1}`;
    this.jobs.set(job_id, { request, status: "queued" });
    return { job_id, status: "queued", message: "Job started.", knowledge_id: "docs", website_id: "docs" };
  }

  async explorationStatus(jobId: string): Promise<ExplorationStatus> {
    const { request, status } = this.#job(jobId);
    return {
      job_id: jobId,
      status,
      progress: {
        completed: this.pages,
        queued: 0,
        failed: 0,
        current_url: null,
        searchable: this.pages,
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
    };
  }

  #steer(jobId: string, status: Job["status"]): JobState {
    this.#job(jobId).status = status;
    return { job_id: jobId, status };
  }
  async pauseExploration(jobId: string): Promise<JobState> {
    return this.#steer(jobId, "paused");
  }
  async resumeExploration(jobId: string): Promise<JobState> {
    return this.#steer(jobId, "running");
  }
  async cancelExploration(jobId: string): Promise<JobState> {
    return this.#steer(jobId, "cancelled");
  }

  async explorationResults(jobId: string, request: ResultsRequest): Promise<ResultsAnswer> {
    const { status } = this.#job(jobId);
    this.calls.push(request);
    if (status !== "completed" && !request.partial) {
      throw new Refused("job.not_finished", `Job "${jobId}" is ${status}.`, { status: 409 });
    }
    const from = Number(request.cursor ?? 0);
    const to = Math.min(this.pages, from + (request.limit ?? this.pages));
    return {
      summary: {
        job_id: jobId,
        status,
        results: {
          pages_stored: this.pages,
          links_stored: this.pages,
          external_links_detected: 0,
          errors: [],
          traps: [],
        },
      },
      pages: this.#pagesOf(from, to),
      links: this.#linksOf(from, to),
      next_cursor: to < this.pages && request.limit !== undefined ? String(to) : null,
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

  async explorations(): Promise<JobList> {
    return {
      jobs: [...this.jobs].map(([job_id, { request, status }]) => ({
        job_id,
        status,
        start_url: request.start_url,
        started_at: MOMENT,
        knowledge_id: "docs",
        website_id: "docs",
      })),
    };
  }
  async deleteExploration(jobId: string): Promise<void> {
    this.#job(jobId);
    this.jobs.delete(jobId);
  }

  async queryKnowledge(query: KnowledgeQuery): Promise<QueryAnswer> {
    if (this.failure !== undefined) throw this.failure;
    this.calls.push(query);
    return { success: true, data: { results: [] }, error: null };
  }
  async askMap(knowledgeId: string, query: AgentQuery): Promise<AgentResponse> {
    await this.map(knowledgeId);
    this.calls.push(query);
    return {
      success: true,
      actions: [],
      expected_result: { screen_id: query.target },
      error: null,
      metadata: {},
    };
  }
  async maps(): Promise<KnowledgeList> {
    return { knowledge: [await this.map("docs")] };
  }
  async map(knowledgeId: string): Promise<KnowledgeSummary> {
    if (this.failure !== undefined) throw this.failure;
    if (knowledgeId !== "docs") {
      throw new Refused("knowledge.not_found", `There is no map "${knowledgeId}".`, { status: 404 });
    }
    return {
      knowledge_id: "docs",
      name: "docs",
      pages: this.pages,
      screens: this.pages,
      transitions: 0,
      searchable: this.pages,
      websites: [],
      created_at: MOMENT,
      updated_at: MOMENT,
    };
  }
  async deleteMap(knowledgeId: string): Promise<void> {
    await this.map(knowledgeId);
  }

  async result(resultId: string): Promise<never> {
    throw new Refused("result.not_found", `There is no result ${resultId}.`, { status: 404 });
  }

  /** Listeners by topic. */
  readonly watchers = new Map<string, Set<(event: CairnEvent) => void>>();
  watch(topic: string, listener: (event: CairnEvent) => void): () => void {
    const listeners = this.watchers.get(topic) ?? new Set();
    this.watchers.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.watchers.delete(topic);
    };
  }
  /** Emits an event to the listeners of exactly this topic. */
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
