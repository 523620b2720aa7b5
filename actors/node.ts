/**
 * One running Cairn: the store, the bus, the workers, and the calls that the gateway makes on them.
 *
 * The gateway reaches actors only through here. Commands and states are asked of the actors; lists and
 * results, which are reads of what they committed, come from the store. Neighbours: `worker.ts` is what runs
 * in the threads, `results.ts` streams a job's results.
 */
import { mkdir } from "node:fs/promises";
import { assertUrlAllowed, type EgressPolicy } from "../machines/egress/policy.ts";
import { Refused } from "../machines/errors.ts";
import type { ExplorationRequest } from "../machines/exploration/job.ts";
import type { ExplorationStatus, StartExploration } from "../machines/exploration/protocol.ts";
import { siteId } from "../machines/exploration/scope.ts";
import { parseStartUrl } from "../machines/exploration/url.ts";
import type { AgentResponse, KnowledgeSummary, QueryAnswer } from "../machines/knowledge/protocol.ts";
import type { JobStatus } from "../machines/records.ts";
import { roles } from "../machines/runtime/roles.ts";
import { versions } from "../machines/runtime/versions.ts";
import { lifecycleLimits } from "../machines/session/limits.ts";
import type { Store } from "../store/index.ts";
import { AuditDesk } from "./audit-desk.ts";
import { sweepProfiles } from "./browser/index.ts";
import { prepareBrowser } from "./browser-readiness.ts";
import { backupFolder, browserFolder, downloadsFolder, uploadsFolder } from "./data-folder.ts";
import { MachineShelf } from "./machines.ts";
import { type AgentQuestion, type KnowledgeQuestion, mapQuestion } from "./map-question.ts";
import { Membership } from "./membership.ts";
import { openSurroundings } from "./node-cluster.ts";
import type { NodeStore } from "./node-store.ts";
import { OperationsDesk } from "./operations-desk.ts";
import { Repeats } from "./repeats.ts";
import { jobResults, keptResult, type ResultsAnswer, type ResultsRequest } from "./results.ts";
import {
  ActorSystem,
  address,
  type Cluster,
  type Log,
  pause,
  systemClock,
  WorkerPool,
} from "./runtime/index.ts";
import { askLimits } from "./runtime/limits.ts";
import { Secrets } from "./secrets.ts";
import { SessionDesk } from "./session/desk.ts";
import { RecordingDesk } from "./session/recordings.ts";
import type { ReadyCheck, StartCairnOptions } from "./start-options.ts";
import { storeStatements } from "./store-statements.ts";
import type { WorkerSettings } from "./worker.ts";

/** Opens the store, starts the workers, and lets everything go on that was under way. */
export async function startCairn(options: StartCairnOptions): Promise<CairnNode> {
  await mkdir(options.dataDir, { recursive: true });
  const name = `node-${crypto.randomUUID().slice(0, 8)}`;
  const { cluster, store } = await openSurroundings(name, options);
  // The data folder is ours alone, so whatever lies there is a dead Cairn's.
  const folder = browserFolder(options.dataDir);
  await sweepProfiles(folder);
  const node = new CairnNode(name, cluster, store, options);
  options.starting?.("the workers are being started");
  try {
    await node.start();
  } catch (error) {
    await node.stop();
    throw error;
  }
  if (options.prepareBrowser) void prepareBrowser({ chromium: options.chromium, folder, log: options.log });
  return node;
}

export class CairnNode {
  readonly #nodeStore: NodeStore;
  readonly #cluster: Cluster;
  readonly #membership: Membership;
  readonly #store: Store;
  readonly #dataDir: string;
  readonly #system: ActorSystem;
  readonly #pool: WorkerPool;
  /** For those who operate it: actors, dead letters, nodes. */
  readonly operations: OperationsDesk;
  readonly sessions: SessionDesk;
  readonly audit: AuditDesk;
  readonly repeats: Repeats;
  readonly secrets: Secrets;
  readonly recordings: RecordingDesk;
  readonly machines = new MachineShelf();
  readonly #egress: EgressPolicy;
  readonly #log: Log;
  #exhausted: string | undefined;

  constructor(name: string, cluster: Cluster, nodeStore: NodeStore, options: StartCairnOptions) {
    const {
      dataDir,
      userAgent,
      egress,
      chromium,
      evaluate = false,
      secrets = {},
      version,
      leaseTtl,
      log,
    } = options;
    const ownRoles = options.roles ?? roles;
    // A node that only serves requests hosts nothing.
    const workers = ownRoles.some((role) => role !== "gateway") ? options.workers : 0;
    this.#cluster = cluster;
    const self = { name, roles: ownRoles, workers, version, kinds: versions, since: systemClock.now() };
    this.#membership = new Membership(cluster, self, log);
    const { store } = nodeStore;
    this.#nodeStore = nodeStore;
    this.#store = store;
    this.#dataDir = dataDir;
    this.#egress = egress;
    this.#log = log;
    this.#system = new ActorSystem(cluster.bus, systemClock, name);
    this.audit = new AuditDesk(store.audit, systemClock, log, dataDir);
    this.secrets = new Secrets(dataDir, secrets);
    this.repeats = new Repeats(store, () => this.secrets.vault, systemClock);
    this.sessions = new SessionDesk(this.#system, egress, this.secrets, () => this.#membership.oneKey);
    this.recordings = new RecordingDesk(store, this.sessions);
    const settings: WorkerSettings = {
      userAgent,
      egress,
      chromium,
      evaluate,
      uploads: uploadsFolder(dataDir),
      downloads: downloadsFolder(dataDir),
      secrets,
      browserFolder: browserFolder(dataDir),
      dataDir,
      liveSessions: Math.max(
        1,
        Math.floor((options.liveSessions ?? lifecycleLimits.live) / Math.max(1, workers)),
      ),
      store: nodeStore.forWorkers,
    };
    this.#pool = new WorkerPool({
      module: new URL("./worker.ts", import.meta.url),
      size: workers,
      node: name,
      bus: cluster.bus,
      leases: cluster.leases,
      direct: cluster.direct,
      wanted: (worker) => this.#membership.wanted(worker),
      store: (bytes) => nodeStore.serve(bytes),
      clock: systemClock,
      leaseTtl,
      settings,
      log,
      exhausted: (worker) => {
        this.#exhausted = worker;
        log("error", "worker crashed too often and stays down; restart this Cairn", { worker });
      },
    });
    this.operations = new OperationsDesk(this.#system, store.actors, {
      nodes: async () => [...(await this.#membership.nodes(() => this.#pool.reports()))],
      ping: () => store.ping(),
      metrics: async () => [
        ...(await this.#pool.reports()).flatMap(({ host }) => host?.metrics ?? []),
        storeStatements(store),
      ],
    });
  }

  async start(): Promise<void> {
    await this.#pool.start();
    await this.#membership.join(
      () => this.#pool.reconsider(),
      () => this.#pool.reports(),
      (await this.secrets.vault).fingerprint,
    );
    const poked = this.#system.tell(address("janitor", "store"), { type: "POKE" });
    // In a cluster its shard may be another node's, which need not be there yet.
    if (!this.#cluster.broker()) await poked;
    else poked.catch((error) => this.#log("warn", "the janitor was not reached", { error: String(error) }));
  }

  // ——— explorations

  async startExploration(input: StartExploration): Promise<{
    job_id: string;
    status: JobStatus;
    message: string;
    knowledge_id: string;
    website_id: string;
  }> {
    const start_url = parseStartUrl(input.start_url);
    // What a name resolves to is known only once it is fetched; the rest is told at once.
    assertUrlAllowed(new URL(start_url), this.#egress);
    // Without a store, or room in it, a job would only wait: better that its caller hears so at once.
    await this.#store.ping();
    const job_id = input.job_id ?? `job-${crypto.randomUUID()}`;
    const request: ExplorationRequest = {
      start_url,
      max_pages: input.max_pages,
      max_depth: input.max_depth,
      strategy: input.strategy,
      knowledge_id: input.knowledge_id ?? siteId(start_url),
      website_id: input.website_id ?? siteId(start_url),
      respect_robots: input.respect_robots,
      scope: input.scope,
      include: input.include,
      exclude: input.exclude,
      render: input.render,
      sitemaps: input.sitemaps,
    };
    const map = await this.#askKnowledge<{ readonly deleting: boolean }>(
      request.knowledge_id,
      "status",
      null,
    );
    if (map.deleting) {
      throw new Refused(
        "knowledge.deleting",
        `Map ${request.knowledge_id} is being deleted. Try again in a moment, or name another with knowledge_id.`,
        { status: 409 },
      );
    }
    const answer = await this.#system.ask(address("exploration", job_id), { type: "START", request });
    const existing = typeof answer === "object" && answer !== null && "existing" in answer;
    const status = existing ? (await this.explorationStatus(job_id)).status : "queued";
    const message = existing
      ? `This job exists with these parameters; it is ${status}.`
      : `Job started. Use /api/knowledge/explore/status/${job_id} to check progress.`;
    return { job_id, status, message, knowledge_id: request.knowledge_id, website_id: request.website_id };
  }

  async explorationStatus(jobId: string): Promise<ExplorationStatus> {
    // The kind's own query made it; its shape is checked by the gateway's output schema.
    const status = (await this.#system.query(
      address("exploration", jobId),
      "status",
    )) as ExplorationStatus | null;
    if (status) return status;
    throw new Refused(
      "job.not_found",
      `There is no job ${jobId}. GET /api/knowledge/explore/jobs lists the jobs.`,
      { status: 404 },
    );
  }

  pauseExploration(jobId: string): Promise<{ job_id: string; status: JobStatus }> {
    return this.#command(jobId, "PAUSE");
  }

  resumeExploration(jobId: string): Promise<{ job_id: string; status: JobStatus }> {
    return this.#command(jobId, "RESUME");
  }

  cancelExploration(jobId: string): Promise<{ job_id: string; status: JobStatus }> {
    return this.#command(jobId, "CANCEL");
  }

  async explorationResults(jobId: string, request: ResultsRequest): Promise<ResultsAnswer> {
    return await jobResults(this.#store, await this.explorationStatus(jobId), request);
  }

  /** The newest first. */
  async explorations() {
    const jobs = await this.#store.jobs.list();
    return {
      jobs: jobs.map(({ id, status, start_url, started_at, knowledge_id, website_id }) => ({
        job_id: id,
        status,
        start_url,
        started_at: new Date(started_at).toISOString(),
        knowledge_id,
        website_id,
      })),
    };
  }

  async deleteExploration(jobId: string): Promise<void> {
    await this.explorationStatus(jobId);
    await this.#store.ping();
    await this.#system.tell(address("exploration", jobId), { type: "DELETE" });
    // As with a map: deleted for certain, and gone from the lists in a moment.
    const until = systemClock.monotonic() + askLimits.timeout;
    while ((await this.#store.jobs.get(jobId)) && systemClock.monotonic() < until) {
      await pause(systemClock, askLimits.lookAgain);
    }
  }

  // ——— knowledge

  async queryKnowledge({
    knowledge_id,
    ...query
  }: KnowledgeQuestion & { readonly knowledge_id?: string | undefined }): Promise<QueryAnswer> {
    const question = mapQuestion(query);
    if (knowledge_id === undefined && question.query_type === "search") {
      const { query: words, top_k } = question.params;
      return {
        success: true,
        data: { results: await this.#store.search(undefined, words, top_k) },
        error: null,
      };
    }
    return await this.#askKnowledge(knowledge_id ?? (await this.#theMapFor(query.params)), "query", question);
  }

  async askMap(knowledgeId: string, question: AgentQuestion): Promise<AgentResponse> {
    return await this.#askKnowledge(knowledgeId, "agent", question);
  }

  async maps(): Promise<{ knowledge: KnowledgeSummary[] }> {
    return { knowledge: [...(await this.#store.maps.list())] };
  }

  async map(knowledgeId: string): Promise<KnowledgeSummary> {
    const map = await this.#store.maps.get(knowledgeId);
    if (map) return map;
    throw new Refused(
      "knowledge.not_found",
      `There is no map ${knowledgeId}. GET /api/knowledge lists the maps.`,
      { status: 404 },
    );
  }

  async deleteMap(knowledgeId: string): Promise<void> {
    await this.map(knowledgeId);
    await this.#store.ping();
    // The step takes the map off the lists; its records go behind that, and a crash does not stop them.
    await this.#system.tell(address("knowledge", knowledgeId), { type: "DELETE" });
  }

  async result(resultId: string): Promise<Readonly<Record<string, unknown>>> {
    return await keptResult(this.#store, resultId);
  }

  // ——— the node itself

  /** Calls `listener` for every event of the topic pattern until the answer is called; lossy. */
  watch(
    topic: string,
    listener: (event: { readonly type: string; readonly [field: string]: unknown }) => void,
  ): () => void {
    // Machines publish events with a type; see `Publish` in machines/emitted.ts.
    return this.#system.watch(topic, (event) => listener(event as { type: string }));
  }

  async ready(): Promise<Readonly<Record<string, ReadyCheck>>> {
    const store = await this.#store.ping().then(
      () => ({ ok: true, detail: `${this.#store.place} answers` }),
      (error) => ({ ok: false, detail: error instanceof Error ? error.message : String(error) }),
    );
    const workers = this.#pool.status();
    const down = workers.filter((worker) => !worker.ready).map((worker) => worker.name);
    const detail = this.#exhausted
      ? `${this.#exhausted} crashed too often`
      : down.length > 0
        ? `${down.length} of ${workers.length} are starting`
        : `${workers.length} ready`;
    const cluster = this.#membership.ready();
    return { store, workers: { ok: down.length === 0, detail }, ...(cluster ? { cluster } : {}) };
  }

  async backup(
    to: string = backupFolder(this.#dataDir),
  ): Promise<{ readonly file: string; readonly records: number }> {
    return await this.#store.backup(to);
  }

  async stop(): Promise<void> {
    await this.#membership.leave();
    await this.#pool.stop();
    this.#system.close();
    await this.audit.close();
    await this.#nodeStore.close();
    await this.#cluster.close();
  }

  async #command(
    jobId: string,
    type: "PAUSE" | "RESUME" | "CANCEL",
  ): Promise<{ job_id: string; status: JobStatus }> {
    await this.explorationStatus(jobId);
    await this.#store.ping(); // As above: the cause is known at once, and the command would only wait.
    const answer = await this.#system.ask(address("exploration", jobId), { type });
    return answer as { job_id: string; status: JobStatus }; // The machine's own reply, checked by the output schema.
  }

  async #askKnowledge<Answer>(knowledgeId: string, query: string, params: unknown): Promise<Answer> {
    return (await this.#system.query(address("knowledge", knowledgeId), query, params)) as Answer; // As above.
  }

  /** Without a knowledge_id: the map of the URL's site, or the only map there is. */
  async #theMapFor(params: Readonly<Record<string, unknown>>): Promise<string> {
    const maps = await this.#store.maps.list();
    if (typeof params.url === "string") {
      for (const { knowledge_id } of maps) {
        if (await this.#store.pages.byUrl(knowledge_id, params.url)) return knowledge_id;
      }
    }
    const [only, ...others] = maps;
    if (only && others.length === 0) return only.knowledge_id;
    const known = maps.map(({ knowledge_id }) => knowledge_id).join(", ");
    throw new Refused(
      "knowledge.which_map",
      maps.length === 0
        ? "There is no map yet. Start an exploration first."
        : `Name one map with knowledge_id: ${known}.`,
      { status: maps.length === 0 ? 404 : 422 },
    );
  }
}
