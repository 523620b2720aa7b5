/**
 * Runs one Cairn process: the store, the message bus, the workers, and the services that the gateway calls.
 */
import { mkdir } from "node:fs/promises";
import type { KindProtocol } from "../machines/actor-kind-protocol.ts";
import { kindVersions, type Protocols } from "../machines/actor-kinds.ts";
import { roles } from "../machines/runtime/cluster-node-roles.ts";
import { lifecycleLimits } from "../machines/session/session-limits.ts";
import type { Store } from "../store/index.ts";
import { sweepProfiles } from "./browser/index.ts";
import { DialogueService } from "./dialogue/dialogue-service.ts";
import { createDestinations } from "./egress/index.ts";
import { keptResult } from "./exploration/exploration-results.ts";
import { ExplorationService } from "./exploration/exploration-service.ts";
import { DocumentService } from "./knowledge/ingested-document-service.ts";
import { KnowledgeService } from "./knowledge/knowledge-service.ts";
import { GapService } from "./knowledge/map-gap-service.ts";
import { QuestionService } from "./knowledge/map-question-service.ts";
import { createModels, type Models, noModels } from "./models/index.ts";
import { NavigationService } from "./navigation/navigation-run-service.ts";
import { prepareBrowser } from "./node/chromium-at-node-start.ts";
import { joinNodeCluster } from "./node/join-cluster.ts";
import { Membership } from "./node/node-as-cluster-member.ts";
import type { NodeStore } from "./node/open-node-store.ts";
import { backupFolder, browserFolder, downloadsFolder, uploadsFolder } from "./node/paths-in-data-folder.ts";
import type { ReadyCheck, StartCairnOptions } from "./node/start-cairn-option-types.ts";
import { storeMetrics } from "./node/store-request-metric.ts";
import { OperationsService } from "./operations/actor-and-node-administration.ts";
import { AuditService } from "./operations/audit-service.ts";
import { IdempotentRequests } from "./operations/encrypted-idempotent-requests.ts";
import type { Reader } from "./reading/index.ts";
import { ActorSystem, type Cluster, type Log, systemClock, WorkerPool } from "./runtime/index.ts";
import { Secrets } from "./secrets/secret-store.ts";
import { RecordingService } from "./session/session-recording-service.ts";
import { SessionService } from "./session/session-service.ts";
import { ChartRegistry } from "./statecharts-for-console.ts";
import type { CairnSystem } from "./typed-actor-system.ts";
import { loadProtocols, validateCommand } from "./validate-command.ts";
import type { WorkerSettings } from "./worker-entry.ts";

/** Starts a node of Cairn: opens the store, starts the workers, and resumes interrupted work. */
export async function startCairn(options: StartCairnOptions): Promise<CairnNode> {
  await mkdir(options.dataDir, { recursive: true });
  const name = `node-${crypto.randomUUID().slice(0, 8)}`;
  const { cluster, store } = await joinNodeCluster(name, options);
  // Only this Cairn process uses the data folder. Browser profiles that are in it at the start were left by
  // an earlier process, so they can be removed.
  const folder = browserFolder(options.dataDir);
  await sweepProfiles(folder);
  const node = new CairnNode(name, cluster, store, await loadProtocols(), options);
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
  readonly #system: CairnSystem;
  readonly #pool: WorkerPool;
  /** The service that lists and operates actors, dead letters and nodes. */
  readonly operations: OperationsService;
  readonly sessions: SessionService;
  readonly audit: AuditService;
  readonly repeats: IdempotentRequests;
  readonly secrets: Secrets;
  readonly recordings: RecordingService;
  readonly explorations: ExplorationService;
  readonly knowledge: KnowledgeService;
  readonly documents: DocumentService;
  readonly gaps: GapService;
  readonly questions: QuestionService;
  readonly dialogues: DialogueService;
  readonly navigation: NavigationService;
  readonly machines = new ChartRegistry();
  readonly #log: Log;
  readonly #models: Models;
  /**
   * Fetches documents in the main thread; pages are fetched by the workers. The reader is loaded with the
   * first document, because its parsers take 4 MB.
   */
  #reader: Reader | undefined;
  #exhausted: string | undefined;

  constructor(
    name: string,
    cluster: Cluster,
    nodeStore: NodeStore,
    protocols: ReadonlyMap<string, KindProtocol>,
    options: StartCairnOptions,
  ) {
    const {
      dataDir,
      userAgent,
      egress,
      chromium,
      evaluate = false,
      preparesPage = true,
      secrets = {},
      livekit = {},
      models = noModels,
      version,
      leaseTtl,
      log,
    } = options;
    const ownRoles = options.roles ?? roles;
    // A node whose only role is `gateway` runs no actors.
    const workers = ownRoles.some((role) => role !== "gateway") ? options.workers : 0;
    this.#cluster = cluster;
    const self = { name, roles: ownRoles, workers, version, kinds: kindVersions, since: systemClock.now() };
    this.#membership = new Membership(cluster, self, log);
    const { store } = nodeStore;
    this.#nodeStore = nodeStore;
    this.#store = store;
    this.#dataDir = dataDir;
    this.#log = log;
    this.#system = new ActorSystem<Protocols>(cluster.bus, systemClock, name, (kind, command) =>
      validateCommand(protocols, kind, command),
    );
    this.audit = new AuditService(store.audit, systemClock, log, dataDir);
    this.secrets = new Secrets(dataDir, secrets);
    this.repeats = new IdempotentRequests(store, () => this.secrets.vault, systemClock);
    this.sessions = new SessionService(this.#system, {
      actors: store.actors,
      egress,
      secrets: this.secrets,
      oneKey: () => this.#membership.oneKey,
      livekit,
    });
    this.recordings = new RecordingService(store, this.sessions);
    this.explorations = new ExplorationService(this.#system, store, egress, this.secrets);
    this.knowledge = new KnowledgeService(this.#system, store, this.sessions, this.explorations);
    const reader: Pick<Reader, "readBytes"> = {
      readBytes: async (url, options) => {
        const { createReader } = await import("./reading/index.ts");
        this.#reader ??= createReader({ userAgent, destinations: createDestinations({ policy: egress }) });
        return await this.#reader.readBytes(url, options);
      },
    };
    this.documents = new DocumentService(this.#system, store, egress, reader, (id, file) =>
      this.knowledge.import(id, file),
    );
    this.dialogues = new DialogueService(this.#system, store, this.sessions);
    this.navigation = new NavigationService(this.#system, store, egress, this.secrets);
    const settings: WorkerSettings = {
      userAgent,
      egress,
      chromium,
      evaluate,
      preparesPage,
      uploads: uploadsFolder(dataDir),
      downloads: downloadsFolder(dataDir),
      secrets,
      browserFolder: browserFolder(dataDir),
      dataDir,
      livekit,
      liveSessions: Math.max(
        1,
        Math.floor((options.liveSessions ?? lifecycleLimits.liveSessions) / Math.max(1, workers)),
      ),
      store: nodeStore.forWorkers,
      models,
    };
    this.#models = createModels(models);
    this.gaps = new GapService(this.#system, store, this.#models);
    this.questions = new QuestionService(this.knowledge, this.#models);
    this.#pool = new WorkerPool({
      module: new URL("./worker-entry.ts", import.meta.url),
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
    this.operations = new OperationsService(this.#system, store.actors, {
      nodes: async () => [...(await this.#membership.nodes(() => this.#pool.reports()))],
      ping: () => store.ping(),
      metrics: async () => [
        ...(await this.#pool.reports()).flatMap(({ host }) => host?.metrics ?? []),
        storeMetrics(store),
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
    const poked = this.#system.ask("janitor", "store", { type: "POKE" });
    // On a single node, the start waits until the janitor (the actor that deletes old data) has received the
    // message. In a cluster, the janitor may run on another node that is still starting, so the start does
    // not wait.
    if (!this.#cluster.broker()) await poked;
    else poked.catch((error) => this.#log("warn", "the janitor was not reached", { error: String(error) }));
  }

  async result(resultId: string): Promise<Readonly<Record<string, unknown>>> {
    return await keptResult(this.#store, resultId);
  }

  /**
   * Calls `listener` for every event whose topic matches the pattern, until the returned function is called.
   * Events may be lost.
   */
  watch(
    topic: string,
    listener: (event: { readonly type: string; readonly [field: string]: unknown }) => void,
  ): () => void {
    // The cast is safe: every event that a machine publishes has a `type` (`Publish` in
    // machines/machine-emissions.ts).
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
    const model = await this.#models.status();
    return {
      store,
      workers: { ok: down.length === 0, detail },
      ...(cluster ? { cluster } : {}),
      ...(model.configured ? { models: { ok: model.ok, detail: model.detail, optional: true } } : {}),
    };
  }

  async backup(
    to: string = backupFolder(this.#dataDir),
  ): Promise<{ readonly file: string; readonly records: number }> {
    return await this.#store.backup(to);
  }

  async stop(): Promise<void> {
    await this.#membership.leave();
    await this.#pool.stop();
    this.#reader?.close();
    this.#system.close();
    await this.audit.close();
    await this.#nodeStore.close();
    await this.#cluster.close();
  }
}
