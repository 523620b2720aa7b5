/**
 * Explorations and maps on a store in memory, for tests that ask a map what it made of a site.
 *
 * The real kinds on the real runtime in one thread; `restart` drops everything that is not committed, as a crash does.
 */
import { exploration } from "../../../actors/exploration.ts";
import { knowledge } from "../../../actors/knowledge.ts";
import { mapQuestion } from "../../../actors/map-question.ts";
import { createReader } from "../../../actors/reading/index.ts";
import {
  ActorSystem,
  address,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  systemClock,
} from "../../../actors/runtime/index.ts";
import type { CairnServices } from "../../../actors/services.ts";
import { RoomEvents } from "../../../actors/session/room-events.ts";
import type { ExplorationRequest } from "../../../machines/exploration/job.ts";
import type { ExplorationStatus } from "../../../machines/exploration/protocol.ts";
import type { AgentContext, AgentResponse, QueryAnswer } from "../../../machines/knowledge/protocol.ts";
import { limits } from "../../../machines/limits.ts";
import { type OwnedStore, openStore } from "../../../store/index.ts";
import { browser, noSessions } from "../../sites/browser.ts";
import { destinations } from "../../sites/destinations.ts";

const PATIENCE = 30_000;

export class Town {
  readonly store: OwnedStore;
  #host: ShardHost;
  #system: ActorSystem;
  #starts = 0;

  static async start(): Promise<Town> {
    const town = new Town(await openStore({ url: "mem://" }));
    await town.#open();
    return town;
  }

  private constructor(store: OwnedStore) {
    this.store = store;
    const bus = new MemoryBus();
    this.#host = this.#makeHost(bus);
    this.#system = new ActorSystem(bus, systemClock, "caller");
  }

  #makeHost(bus: MemoryBus): ShardHost {
    const services: CairnServices = {
      store: this.store,
      reader: createReader({ userAgent: "Cairn/test", destinations }),
      browser,
      events: new RoomEvents(bus),
      sessions: noSessions(this.store),
    };
    return new ShardHost({
      owner: `test-${this.#starts++}`,
      bus,
      leases: new MemoryLeases(systemClock, limits.lease.ttl),
      store: this.store.actors,
      clock: systemClock,
      definitions: [exploration, knowledge],
      services,
      leaseTtl: limits.lease.ttl,
      log: () => {},
    });
  }

  async #open(): Promise<void> {
    await this.#host.start(Array.from({ length: limits.address.shards }, (_, shard) => shard));
  }

  /** Forgets what is in memory and starts again from the store. */
  async restart(): Promise<void> {
    this.#host.close();
    this.#system.close();
    const bus = new MemoryBus();
    this.#host = this.#makeHost(bus);
    this.#system = new ActorSystem(bus, systemClock, "caller");
    await this.#open();
  }

  async stop(): Promise<void> {
    this.#host.close();
    this.#system.close();
    await this.store.close();
    await browser.close();
  }

  /** Starts an exploration into map `knowledgeId`. */
  async begin(
    jobId: string,
    startUrl: string,
    knowledgeId: string,
    request: Partial<ExplorationRequest> = {},
  ): Promise<void> {
    await this.#system.ask(address("exploration", jobId), {
      type: "START",
      request: {
        start_url: startUrl,
        max_pages: 1_000,
        max_depth: 20,
        strategy: "BFS",
        knowledge_id: knowledgeId,
        website_id: "site",
        respect_robots: false,
        scope: "host",
        include: [],
        exclude: [],
        render: "http",
        sitemaps: true,
        ...request,
      } satisfies ExplorationRequest,
    });
  }

  async status(jobId: string): Promise<ExplorationStatus> {
    // The kind's own query made it.
    return (await this.#system.query(address("exploration", jobId), "status")) as ExplorationStatus;
  }

  /** Begins an exploration and waits until it is completed and the map has nothing left to do. */
  async explore(
    jobId: string,
    startUrl: string,
    knowledgeId: string,
    request: Partial<ExplorationRequest> = {},
  ): Promise<ExplorationStatus> {
    await this.begin(jobId, startUrl, knowledgeId, request);
    return await this.completed(jobId, knowledgeId);
  }

  async completed(jobId: string, knowledgeId: string): Promise<ExplorationStatus> {
    await until(async () => ["completed", "failed"].includes((await this.status(jobId)).status));
    await until(async () => (await this.mapStatus(knowledgeId)).state === "idle");
    return await this.status(jobId);
  }

  async mapStatus(knowledgeId: string): Promise<{ exists: boolean; deleting: boolean; state: unknown }> {
    const status = await this.#system.query(address("knowledge", knowledgeId), "status");
    return status as { exists: boolean; deleting: boolean; state: unknown }; // As above.
  }

  async agent(
    knowledgeId: string,
    instruction_type: string,
    target: string,
    context: AgentContext = {},
  ): Promise<AgentResponse> {
    const question = { instruction_type, target, context };
    return (await this.#system.query(address("knowledge", knowledgeId), "agent", question)) as AgentResponse; // As above.
  }

  async query(
    knowledgeId: string,
    query_type: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<QueryAnswer> {
    const question = mapQuestion({ query_type, params });
    return (await this.#system.query(address("knowledge", knowledgeId), "query", question)) as QueryAnswer; // As above.
  }

  async ask(knowledgeId: string, query: string, params: unknown = {}): Promise<unknown> {
    return await this.#system.query(address("knowledge", knowledgeId), query, params);
  }

  async delete(knowledgeId: string): Promise<unknown> {
    return await this.#system.ask(address("knowledge", knowledgeId), { type: "DELETE" });
  }
}

/** Waits for a condition; a test that waits for ever says so instead of hanging. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${PATIENCE} ms: ${condition}`);
    await Bun.sleep(10);
  }
}
