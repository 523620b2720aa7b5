/**
 * Runs explorations and maps on a store in memory. A test explores a small site with this system, and then
 * queries the map.
 */

import { exploration } from "../../../actors/exploration/exploration-actor-kind.ts";
import { knowledge } from "../../../actors/knowledge/knowledge-actor-kind.ts";
import { mapQuestion } from "../../../actors/knowledge/query-knowledge-validation.ts";
import { address } from "../../../actors/runtime/index.ts";
import type { CairnSystem } from "../../../actors/typed-actor-system.ts";
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import type { ExplorationRequest } from "../../../machines/exploration/exploration-request.ts";
import type {
  AgentContext,
  AgentResponse,
  QueryAnswer,
} from "../../../machines/knowledge/knowledge-protocol.ts";
import type {
  FoundState,
  FoundTransition,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { OwnedStore } from "../../../store/index.ts";
import { browser } from "../../sites/lazy-test-browser.ts";
import { MemoryActors } from "../actors-with-memory-store.ts";

const PATIENCE = 30_000;

export class Town {
  readonly #actors: MemoryActors;

  static async start(): Promise<Town> {
    return new Town(await MemoryActors.start([exploration, knowledge]));
  }

  private constructor(actors: MemoryActors) {
    this.#actors = actors;
  }

  /** The actor system with the type `CairnSystem`, which services need. */
  get cairn(): CairnSystem {
    // The cast is safe: `CairnSystem` is the type of the same object, with the types of each kind's commands
    // and queries added.
    return this.#actors.system as unknown as CairnSystem;
  }

  get store(): OwnedStore {
    return this.#actors.store;
  }

  async restart(): Promise<void> {
    await this.#actors.restart();
  }

  async stop(): Promise<void> {
    await this.#actors.stop();
    await browser.close();
  }

  /** Starts an exploration whose pages become part of the map `knowledgeId`. */
  async begin(
    jobId: string,
    startUrl: string,
    knowledgeId: string,
    request: Partial<ExplorationRequest> = {},
  ): Promise<void> {
    await this.#actors.system.ask(address("exploration", jobId), {
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
    // The cast is safe: the protocol of explorations declares this type for `status`. It would be `null` only
    // for an unknown id.
    return (await this.#actors.system.query(address("exploration", jobId), "status")) as ExplorationStatus;
  }

  /** Runs an exploration until it is completed and its map has ingested every page. */
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
    const status = await this.#actors.system.query(address("knowledge", knowledgeId), "status");
    // The cast is safe: the protocol of maps declares a result with these fields for `status`.
    return status as { exists: boolean; deleting: boolean; state: unknown };
  }

  async agent(
    knowledgeId: string,
    instruction_type: string,
    target: string,
    context: AgentContext = {},
  ): Promise<AgentResponse> {
    const question = { instruction_type, target, context };
    return (await this.#actors.system.query(
      address("knowledge", knowledgeId),
      "agent",
      question,
    )) as AgentResponse; // The cast is safe: the protocol of maps declares this result.
  }

  async query(
    knowledgeId: string,
    query_type: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<QueryAnswer> {
    const question = mapQuestion({ query_type, params });
    return (await this.#actors.system.query(
      address("knowledge", knowledgeId),
      "query",
      question,
    )) as QueryAnswer; // The cast is safe: the protocol of maps declares this result.
  }

  async ask(knowledgeId: string, query: string, params: unknown = {}): Promise<unknown> {
    return await this.#actors.system.query(address("knowledge", knowledgeId), query, params);
  }

  /**
   * Adds states to the map, in the way in which an exploration sends the states that it has found by pressing
   * controls.
   */
  async addStates(
    knowledgeId: string,
    states: readonly FoundState[],
    transitions: readonly FoundTransition[],
  ): Promise<void> {
    const event = { type: "STATES", states, transitions } as const;
    await this.#actors.system.ask(address("knowledge", knowledgeId), event);
    await until(async () => (await this.mapStatus(knowledgeId)).state === "idle");
  }

  async delete(knowledgeId: string): Promise<unknown> {
    return await this.#actors.system.ask(address("knowledge", knowledgeId), { type: "DELETE" });
  }
}

/** Waits until a condition is true. Throws an error after a time limit. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not so after ${PATIENCE} ms: ${condition}`);
    await Bun.sleep(10);
  }
}
