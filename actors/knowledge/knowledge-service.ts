/** The gateway's interface to maps: query, ask for a route, list, describe, import, export, delete. */

import { Refused, TimedOut } from "../../machines/errors.ts";
import {
  type StartExploration,
  type Started,
  startExplorationSchema,
} from "../../machines/exploration/exploration-protocol.ts";
import { isRecord } from "../../machines/is-plain-object.ts";
import { inBrowserUseDialect } from "../../machines/knowledge/formats/browser-use-dialect.ts";
import type { MapFile } from "../../machines/knowledge/formats/map-file-schema.ts";
import type {
  AgentQuestion,
  AgentResponse,
  KnowledgeDetails,
  KnowledgeSummary,
  QueryAnswer,
  ScreenList,
  ScreensQuestion,
} from "../../machines/knowledge/knowledge-protocol.ts";
import { isEmptyMap } from "../../machines/knowledge/map-answer-text.ts";
import { mapDiff } from "../../machines/knowledge/map-diff.ts";
import { type MapGraph, mapGraphOf } from "../../machines/knowledge/map-drawing-graph.ts";
import { instructionOf } from "../../machines/knowledge/map-instruction-types.ts";
import { knowledgeLimits } from "../../machines/knowledge/map-limits.ts";
import { mapNotFound } from "../../machines/knowledge/map-not-found-error.ts";
import {
  findingsOf,
  type LiveForm,
  screensOfForm,
} from "../../machines/knowledge/screens/session-form-to-map-states.ts";
import { readRemoval } from "../../machines/knowledge/tasks/removal-target.ts";
import { parseAction } from "../../machines/session/actions/parse-action.ts";
import type { AnalyzeRequest } from "../../machines/session/page/page-snapshot.ts";
import { sessionNotFound } from "../../machines/session/session-not-found-error.ts";
import { withoutSecrets } from "../../machines/walk/redact-walk-values.ts";
import { walkLimits } from "../../machines/walk/walk-limits.ts";
import type { WalkResult } from "../../machines/walk/walk-schemas.ts";
import type { Store, StoredPicture } from "../../store/index.ts";
import { pause, systemClock } from "../runtime/index.ts";
import type { CairnSystem } from "../typed-actor-system.ts";
import { MapExport } from "./map-export.ts";
import { agentQuestion, type KnowledgeQuestion, mapQuestion } from "./query-knowledge-validation.ts";
import { answerInRoom, contextInRoom, type Rooms } from "./tasks-in-session/adapt-map-answers-to-session.ts";
import {
  answerOfQuestion,
  QuestionsInSession,
  withQuestion,
} from "./tasks-in-session/answer-native-dialogs-for-task.ts";
import {
  consequencesToApprove,
  plannedRemoval,
  refusedRemoval,
} from "./tasks-in-session/plan-removal-in-session.ts";
import { type PlannedTask, plannedInSession } from "./tasks-in-session/plan-task-in-session.ts";
import type { SearchedSession } from "./tasks-in-session/session-interface-for-task-search.ts";

/** The function of the exploration service with which the map service starts an exploration. */
export interface Explorations {
  start(input: StartExploration): Promise<Started>;
}

/**
 * The numbers of screens, actions, transitions and other rows that the import of a file has added to a map.
 */
export interface Imported {
  readonly knowledge_id: string;
  readonly screens: number;
  readonly actions: number;
  readonly transitions: number;
}

/** Maximum number of rows of each type in one command of an import. */
const IMPORT_PART = knowledgeLimits.importPart;

/**
 * Milliseconds between two queries for the state of a walk (the execution of a route) while a caller waits
 * for its end.
 */
const WALK_POLL = 100;

/** Options of a snapshot with all elements of the page. */
const WHOLE_PAGE: AnalyzeRequest = {
  viewport_only: false,
  include_left_out: false,
  highlight: false,
  include_text: false,
};

function executed({ status, error, missing, ...walk }: WalkResult): AgentResponse {
  const arrived = status === "arrived";
  return {
    success: arrived,
    actions: [],
    expected_result: { screen_id: walk.screen_id },
    error: arrived ? null : (error?.message ?? `The walk was ${status}.`),
    metadata: {
      ...(error ? { code: error.code } : {}),
      ...(missing ? { missing_parameters: missing.map(({ name }) => name), fields: missing } : {}),
      execution: { status, ...walk },
    },
  };
}

export class KnowledgeService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #rooms: Rooms;
  readonly #explorations: Explorations;

  constructor(system: CairnSystem, store: Store, rooms: Rooms, explorations: Explorations) {
    this.#explorations = explorations;
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
    if (instructionOf(question.instruction_type ?? question.query_type ?? "") === "explore_website") {
      return await this.#explore(knowledgeId, question);
    }
    const rooms = this.#rooms;
    const context = await contextInRoom(question.context, rooms);
    const plain = await this.#system.query("knowledge", knowledgeId, "agent", { ...question, context });
    const { room_name, dialect } = context;
    const type = instructionOf(question.instruction_type ?? question.query_type ?? "");
    const answer = room_name === undefined ? plain : await answerInRoom(plain, room_name, { type, rooms });
    if (dialect !== "browser-use") return answer;
    return { ...answer, actions: answer.actions.flatMap((action) => inBrowserUseDialect(action) ?? []) };
  }

  /**
   * Exports the map as a file. The answer streams: each part is read from the store just before it is sent.
   */
  async export(knowledgeId: string): Promise<Readonly<Record<string, unknown>>> {
    const { websites } = await this.get(knowledgeId);
    const file = await MapExport.open(this.#store, knowledgeId);
    return {
      format: "cairn-map",
      version: 1,
      knowledge_id: knowledgeId,
      exported_at: new Date().toISOString(),
      websites,
      screens: file.screens(),
      actions: file.actions(),
      transitions: file.transitions(),
    };
  }

  /** Merges a map file into a map, and creates the map if it does not exist. */
  async import(knowledgeId: string, file: MapFile): Promise<Imported> {
    await this.#store.ping();
    const { websites, screens, actions, transitions } = file;
    const rows = Math.max(
      1,
      Math.ceil(Math.max(screens.length, actions.length, transitions.length) / IMPORT_PART),
    );
    for (let at = 0; at < rows; at++) {
      const slice = <Row>(all: readonly Row[]): Row[] => all.slice(at * IMPORT_PART, (at + 1) * IMPORT_PART);
      const part = {
        websites: at === 0 ? websites : [],
        screens: slice(screens),
        actions: slice(actions),
        transitions: slice(transitions),
      };
      await this.#system.ask("knowledge", knowledgeId, { type: "IMPORT", part });
    }
    return {
      knowledge_id: knowledgeId,
      screens: screens.length,
      actions: actions.length,
      transitions: transitions.length,
    };
  }

  /**
   * Starts an exploration that adds pages to this map. It begins at the address that the agent names as
   * target.
   */
  async #explore(knowledgeId: string, { target, context }: AgentQuestion): Promise<AgentResponse> {
    const url = target.trim() || (typeof context.current_url === "string" ? context.current_url : "");
    const request = startExplorationSchema.safeParse({ start_url: url, knowledge_id: knowledgeId });
    if (!request.success) {
      throw new Refused(
        "request.invalid",
        "Name the address to explore in target, or in context.current_url.",
        {
          status: 422,
        },
      );
    }
    const started = await this.#explorations.start(request.data);
    return {
      success: true,
      actions: [],
      expected_result: { job_id: started.job_id, status: started.status },
      error: null,
      metadata: { ...started },
    };
  }

  /**
   * Runs a walk: leads a session to the screen that the agent names, or carries out a task there. Returns
   * when the walk has ended. A repeated call with the same id starts no second walk.
   */
  async #execute(
    knowledgeId: string,
    { id = crypto.randomUUID(), target, ...question }: AgentQuestion,
  ): Promise<AgentResponse> {
    const type = instructionOf(question.instruction_type ?? question.query_type ?? "");
    const { room_name, parameters, role } = question.context;
    const isTask = type === "execute_task";
    if ((type !== "navigate_to_screen" && !isTask) || typeof room_name !== "string") {
      throw new Refused(
        "request.invalid",
        "execute goes with navigate_to_screen or execute_task and a session in context.room_name.",
        { status: 422 },
      );
    }
    await this.get(knowledgeId);
    const known = await this.#system.query("walk", id, "result", null);
    if (!known) await this.#assertRoom(room_name);
    let planned: PlannedTask | undefined;
    try {
      if (!known) await this.#questionsIn(room_name, question.approve_risk).answerOpen();
      if (isTask && !known)
        planned = await this.#plannedTask(knowledgeId, room_name, { ...question, target });
    } catch (thrown) {
      return answerOfQuestion(thrown);
    }
    if (planned && "error" in planned) return planned;
    const approval = question.approve_risk;
    const request = {
      room_name,
      knowledge_id: knowledgeId,
      target,
      ...(typeof role === "string" ? { role } : {}),
      ...(planned ? { task: planned.task } : {}),
      ...(approval === undefined ? {} : { approved_question: approval }),
      ...(!isTask && isRecord(parameters) ? { parameters: withoutSecrets(parameters) } : {}),
    };
    // If a walk with this id already runs, this call only waits for its result. The task is not planned
    // again, because the session now shows another page.
    if (!known || !isTask) await this.#system.ask("walk", id, { type: "START", request });
    const until = performance.now() + walkLimits.waitWithin;
    for (;;) {
      const result = await this.#system.query("walk", id, "result", null);
      if (result && result.status !== "walking") {
        const asked = result.steps.at(-1)?.question;
        const answer = asked === undefined ? executed(result) : withQuestion(executed(result), asked);
        const consequences = result.steps.at(-1)?.consequences;
        const { approve_risk: approved } = question;
        return consequences === undefined || approved === undefined
          ? answer
          : consequencesToApprove(answer, approved, consequences);
      }
      if (performance.now() > until)
        throw new TimedOut("walk.timeout", `The walk ${id} has not ended; ask again with this id.`);
      await pause(systemClock, WALK_POLL);
    }
  }

  async #assertRoom(room: string): Promise<void> {
    const { phase } = await this.#system.query("session", room, "phase", { wait: false });
    if (phase === "absent" || phase === "closed") throw sessionNotFound(room);
  }

  /** Plans a task in a session: by the form of the map, or by a form that is found in the session. */
  async #plannedTask(knowledgeId: string, room: string, question: AgentQuestion): Promise<PlannedTask> {
    const { target, context, approve_risk: approved } = question;
    const removal = readRemoval(target);
    if (removal && "problem" in removal) return refusedRemoval(target, removal.problem);
    const answer = await this.ask(knowledgeId, { ...question, execute: false });
    const session = this.#sessionFor(room, this.#questionsIn(room, approved));
    if (removal)
      return await plannedRemoval(answer, { task: target, target: removal.target, approved }, session);
    const planned = await plannedInSession(answer, { target, parameters: context.parameters }, session);
    if ("task" in planned && planned.live) await this.#addToMap(knowledgeId, planned.live, context.role);
    return planned;
  }

  /** Adds the page or dialog with a form that was found in a session to the map, as an exploration does. */
  async #addToMap(knowledgeId: string, form: LiveForm, role: unknown): Promise<void> {
    const { websites } = await this.get(knowledgeId);
    const origin = URL.parse(form.page.url)?.origin;
    const website = websites.find(({ base_url }) => URL.parse(base_url)?.origin === origin);
    if (!website) return;
    const records = await this.#store.screens.recognisable(knowledgeId, screensOfForm(form));
    const known = new Set(records.map(({ screen_id }) => screen_id));
    const { states, transitions } = findingsOf(form, website.website_id, known);
    const command = { type: "STATES", states, transitions } as const;
    await this.#system.ask(
      "knowledge",
      knowledgeId,
      typeof role === "string" ? { ...command, role } : command,
    );
  }

  #questionsIn(room: string, approved: string | undefined): QuestionsInSession {
    return new QuestionsInSession(room, { rooms: this.#rooms, system: this.#system }, approved);
  }

  /** Returns the functions of a session with which a task is planned. */
  #sessionFor(room: string, questions: QuestionsInSession): SearchedSession {
    const rooms = this.#rooms;
    const elements = async () => (await rooms.analyze(room, WHOLE_PAGE)).highlightedElements;
    return {
      page: () => rooms.page(room),
      elements,
      async removalPage() {
        return { ...(await rooms.texts(room)), elements: await elements() };
      },
      async open(url) {
        const success = await questions.perform(parseAction("navigate", { url }));
        // An address that differs only after `#` does not load the document again, so dialogs of the page would
        // stay open. After such an address, the page is refreshed.
        if (!success || !URL.parse(url)?.hash) return success;
        return await questions.perform(parseAction("refresh", {}));
      },
      act: (action) => questions.perform(action),
      press: (index) => questions.perform(parseAction("click", { index })),
    };
  }

  /**
   * Compares the map with another map of the same site (`against`). Without `against`, compares it with its
   * state before the last exploration.
   */
  async diff(knowledgeId: string, against?: string) {
    if (against === undefined) return await this.#drift(knowledgeId);
    const [after, before] = await Promise.all([
      this.#system.query("knowledge", knowledgeId, "sketch", null),
      this.#system.query("knowledge", against, "sketch", null),
    ]);
    return { knowledge_id: knowledgeId, against, ...mapDiff(after, before) };
  }

  async #drift(knowledgeId: string) {
    await this.get(knowledgeId);
    const after = await this.#system.query("knowledge", knowledgeId, "sketch", null);
    const earlier = await this.#store.sketches.get(knowledgeId);
    const since = earlier ? { job_id: earlier.job_id, at: new Date(earlier.at).toISOString() } : null;
    // If no earlier state of the map is stored, the map is compared with itself, and the result is empty.
    return {
      knowledge_id: knowledgeId,
      against: knowledgeId,
      since,
      ...mapDiff(after, earlier?.sketch ?? after),
    };
  }

  /** Returns the screens of a map with their actions, and the statistics of the map. */
  async screens(knowledgeId: string, question: ScreensQuestion): Promise<ScreenList> {
    return await this.#system.query("knowledge", knowledgeId, "screens", question);
  }

  /** Returns all screens and the transitions between them, for drawing a graph. */
  async graph(knowledgeId: string): Promise<MapGraph> {
    await this.get(knowledgeId);
    const { screens, pictures } = this.#store;
    const [instances, groups, memberships, transitions, pictured] = await Promise.all([
      screens.outlines(knowledgeId),
      screens.groups(knowledgeId),
      screens.memberships(knowledgeId),
      screens.transitionHeads(knowledgeId),
      pictures.ids(knowledgeId),
    ]);
    return mapGraphOf({
      knowledgeId,
      instances,
      groups,
      memberships,
      transitions,
      pictures: new Set(pictured),
    });
  }

  /** Returns the picture of a screen that an exploration has taken. */
  async picture(knowledgeId: string, screenId: string): Promise<StoredPicture> {
    const picture = await this.#store.pictures.get(knowledgeId, screenId);
    if (picture) return picture;
    throw new Refused(
      "knowledge.no_picture",
      `There is no picture of ${screenId} on the map ${knowledgeId}. An exploration takes pictures where it presses elements (mode interactive).`,
      { status: 404 },
    );
  }

  /** Runs an instruction of an agent as a query. Its answer is in `data`. */
  async #agentQuery(
    knowledgeId: string | undefined,
    params: Readonly<Record<string, unknown>>,
  ): Promise<QueryAnswer> {
    const question = agentQuestion(params);
    const type = instructionOf(question.instruction_type ?? question.query_type ?? "");
    if (question.execute || type === "explore_website") {
      throw new Refused(
        "knowledge.invalid_params",
        "This query only reads: ask query_knowledge_for_agent to execute or to explore.",
        { status: 422 },
      );
    }
    const map = knowledgeId ?? question.knowledge_id ?? (await this.#mapFor({}));
    const answer = await this.ask(map, question);
    return { success: answer.success, data: { ...answer }, error: answer.error };
  }

  async list(): Promise<{ knowledge: KnowledgeSummary[] }> {
    return { knowledge: [...(await this.#store.maps.list())] };
  }

  async get(knowledgeId: string): Promise<KnowledgeDetails> {
    const map = await this.#summary(knowledgeId);
    const { state, crawling } = await this.#system.query("knowledge", knowledgeId, "status", null);
    return { ...map, building: state !== "idle" || crawling.length > 0 };
  }

  async #summary(knowledgeId: string): Promise<KnowledgeSummary> {
    const map = await this.#store.maps.get(knowledgeId);
    if (map) return map;
    throw mapNotFound(knowledgeId);
  }

  async delete(knowledgeId: string): Promise<void> {
    await this.#summary(knowledgeId);
    await this.#store.ping();
    // The command removes the map from all lists of maps. An effect of the map's actor then deletes the
    // records; it continues after a crash.
    await this.#system.ask("knowledge", knowledgeId, { type: "DELETE" });
  }

  /**
   * Returns the map for a request without `knowledge_id`: the map that contains the URL, or the only map.
   * Empty maps, which failed explorations leave, do not count.
   */
  async #mapFor(params: Readonly<Record<string, unknown>>): Promise<string> {
    const maps = (await this.#store.maps.list()).filter((map) => !isEmptyMap(map));
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
