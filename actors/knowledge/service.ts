/** The service of maps for the gateway: query, ask for a route, list, describe, delete. */
import { Refused, TimedOut } from "../../machines/errors.ts";
import { inBrowserUseDialect } from "../../machines/knowledge/browser-use-dialect.ts";
import { instructionOf } from "../../machines/knowledge/instructions.ts";
import type {
  AgentQuestion,
  AgentResponse,
  KnowledgeSummary,
  QueryAnswer,
  ScreenList,
  ScreensQuestion,
} from "../../machines/knowledge/protocol.ts";
import { walkLimits } from "../../machines/walk/limits.ts";
import type { WalkResult } from "../../machines/walk/walk-schemas.ts";
import type { Store } from "../../store/index.ts";
import type { CairnSystem } from "../cairn-system.ts";
import { pause, systemClock } from "../runtime/index.ts";
import { agentQuestion, type KnowledgeQuestion, mapQuestion } from "./map-question.ts";
import { answerInRoom, contextInRoom, type Rooms } from "./room-answers.ts";

/** Milliseconds between two questions for a walk that a caller waits for. */
const WALK_POLL = 100;

function executed({ status, error, ...walk }: WalkResult): AgentResponse {
  const arrived = status === "arrived";
  return {
    success: arrived,
    actions: [],
    expected_result: { screen_id: walk.screen_id },
    error: arrived ? null : (error?.message ?? `The walk was ${status}.`),
    metadata: { ...(error ? { code: error.code } : {}), execution: { status, ...walk } },
  };
}

export class KnowledgeService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #rooms: Rooms;

  constructor(system: CairnSystem, store: Store, rooms: Rooms) {
    this.#system = system;
    this.#store = store;
    this.#rooms = rooms;
  }

  async query({
    knowledge_id,
    ...query
  }: KnowledgeQuestion & { readonly knowledge_id?: string | undefined }): Promise<QueryAnswer> {
    if (query.query_type === "agent_query") return await this.#agentQuery(knowledge_id, query.params);
    const question = mapQuestion(query);
    if (knowledge_id === undefined && question.query_type === "search") {
      const { query: words, top_k } = question.params;
      return {
        success: true,
        data: { results: await this.#store.search(undefined, words, top_k) },
        error: null,
      };
    }
    const map = knowledge_id ?? (await this.#mapFor(query.params));
    return await this.#system.query("knowledge", map, "query", question);
  }

  async ask(knowledgeId: string, question: AgentQuestion): Promise<AgentResponse> {
    if (question.execute) return await this.#execute(knowledgeId, question);
    const rooms = this.#rooms;
    const context = await contextInRoom(question.context, rooms);
    const plain = await this.#system.query("knowledge", knowledgeId, "agent", { ...question, context });
    const { room_name, dialect } = context;
    const type = instructionOf(question.instruction_type ?? question.query_type ?? "");
    const answer = room_name === undefined ? plain : await answerInRoom(plain, room_name, { type, rooms });
    if (dialect !== "browser-use") return answer;
    return { ...answer, actions: answer.actions.flatMap((action) => inBrowserUseDialect(action) ?? []) };
  }

  /** Goes to the target in a session, and answers on arrival. The id makes it happen once. */
  async #execute(
    knowledgeId: string,
    { id = crypto.randomUUID(), target, ...question }: AgentQuestion,
  ): Promise<AgentResponse> {
    const type = instructionOf(question.instruction_type ?? question.query_type ?? "");
    const { room_name } = question.context;
    if (type !== "navigate_to_screen" || typeof room_name !== "string") {
      throw new Refused(
        "request.invalid",
        "execute goes with navigate_to_screen and a session in context.room_name.",
        { status: 422 },
      );
    }
    await this.get(knowledgeId);
    const request = { room_name, knowledge_id: knowledgeId, target };
    await this.#system.ask("walk", id, { type: "START", request });
    const until = performance.now() + walkLimits.waitWithin;
    for (;;) {
      const result = await this.#system.query("walk", id, "result", null);
      if (result && result.status !== "walking") return executed(result);
      if (performance.now() > until)
        throw new TimedOut("walk.timeout", `The walk ${id} has not ended; ask again with this id.`);
      await pause(systemClock, WALK_POLL);
    }
  }

  /** The screens of a map with their actions, and its statistics. */
  async screens(knowledgeId: string, question: ScreensQuestion): Promise<ScreenList> {
    return await this.#system.query("knowledge", knowledgeId, "screens", question);
  }

  /** An instruction as a query: the answer is in `data`. */
  async #agentQuery(
    knowledgeId: string | undefined,
    params: Readonly<Record<string, unknown>>,
  ): Promise<QueryAnswer> {
    const question = agentQuestion(params);
    const map = knowledgeId ?? question.knowledge_id ?? (await this.#mapFor({}));
    const answer = await this.ask(map, question);
    return { success: answer.success, data: { ...answer }, error: answer.error };
  }

  async list(): Promise<{ knowledge: KnowledgeSummary[] }> {
    return { knowledge: [...(await this.#store.maps.list())] };
  }

  async get(knowledgeId: string): Promise<KnowledgeSummary> {
    const map = await this.#store.maps.get(knowledgeId);
    if (map) return map;
    throw new Refused(
      "knowledge.not_found",
      `There is no map ${knowledgeId}. GET /api/knowledge lists the maps.`,
      { status: 404 },
    );
  }

  async delete(knowledgeId: string): Promise<void> {
    await this.get(knowledgeId);
    await this.#store.ping();
    // The map leaves the lists with this step; an effect then deletes its records and survives a crash.
    await this.#system.tell("knowledge", knowledgeId, { type: "DELETE" });
  }

  /** Without a knowledge_id: the map that holds the URL, or the only map. */
  async #mapFor(params: Readonly<Record<string, unknown>>): Promise<string> {
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
