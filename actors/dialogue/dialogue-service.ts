/** The gateway's interface to dialogues: start, answer and read a dialogue, and plan without a dialogue. */

import { hasChatSecret } from "../../machines/dialogue/detect-passwords-in-dialogue-messages.ts";
import type { PreviewRequest } from "../../machines/dialogue/dialogue-protocol.ts";
import type {
  DialogueMessage,
  DialogueView,
  Incoming,
  PlanWithConfidence,
  RefinePlan,
} from "../../machines/dialogue/dialogue-schemas.ts";
import { recommendationOf } from "../../machines/dialogue/messages-about-new-plan.ts";
import type {
  Plan,
  Question,
  Recommendation,
  Refinement,
} from "../../machines/dialogue/plan/plan-schemas.ts";
import { Refused } from "../../machines/errors.ts";
import { mapNotFound } from "../../machines/knowledge/map-not-found-error.ts";
import type { ActionOutcome } from "../../machines/session/actions/action-outcome.ts";
import type {
  AnalysisData,
  AnalyzeRequest,
  HighlightedElement,
} from "../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import { sessionNotFound } from "../../machines/session/session-not-found-error.ts";
import type { ScreenContent, SessionOptions } from "../../machines/session/session-protocol.ts";
import type { Store } from "../../store/index.ts";
import type { CairnSystem } from "../typed-actor-system.ts";
import { WHOLE_PAGE } from "./session-page-for-dialogue.ts";

export interface StartDialogue {
  readonly task: string;
  readonly room_name?: string | undefined;
  readonly url?: string | undefined;
  readonly knowledge_id?: string | undefined;
  readonly dialogue_id?: string | undefined;
  readonly auto_approve: boolean;
  readonly auto_recover: boolean;
}

export interface Accepted {
  readonly dialogue_id: string;
  readonly status: string;
}

/** The session operations that planning without a dialogue needs. */
export interface PageSessions {
  start(room: string, options: SessionOptions): Promise<ActionOutcome>;
  analyze(room: string, options: AnalyzeRequest): Promise<AnalysisData>;
  content(room: string): Promise<ScreenContent>;
  close(room: string): Promise<void>;
}

/** Maximum number of messages of a dialogue in one answer. */
const MOST_MESSAGES = 1_000;
/** Time limit in milliseconds for a plan without a dialogue. It allows several questions to a model. */
const PREVIEW_WITHIN = 60_000;

export class DialogueService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #sessions: PageSessions;

  constructor(system: CairnSystem, store: Store, sessions: PageSessions) {
    this.#system = system;
    this.#store = store;
    this.#sessions = sessions;
  }

  /** Starts a dialogue and returns at once, before the plan is ready. */
  async start(
    { dialogue_id = crypto.randomUUID(), task, room_name, url, knowledge_id, ...flags }: StartDialogue,
    commandId?: string,
  ): Promise<Accepted> {
    refuseSecrets(task);
    if (room_name !== undefined && url === undefined) await this.#assertRoom(room_name);
    if (knowledge_id !== undefined) await this.#assertMap(knowledge_id);
    const place = {
      room_name: room_name ?? `dialogue-${dialogue_id}`,
      url: url ?? null,
      knowledge_id: knowledge_id ?? null,
      ...flags,
    };
    const id = commandId === undefined ? {} : { id: commandId };
    const { status } = await this.#system.ask(
      "dialogue",
      dialogue_id,
      { type: "START_TASK", task, place },
      id,
    );
    return { dialogue_id, status };
  }

  /**
   * Sends a person's answer, for example the approval of a plan. Throws `dialogue.already_decided` when the
   * plan was decided already or has another version.
   */
  async answer(dialogueId: string, incoming: Incoming, commandId?: string): Promise<Accepted> {
    await this.get(dialogueId);
    refuseSecrets(JSON.stringify(incoming));
    refuseEmptyAnswer(incoming);
    const given = incoming.id ?? commandId;
    const id = given === undefined ? {} : { id: given };
    const { status } = await this.#system.ask("dialogue", dialogueId, commandOf(incoming), id);
    return { dialogue_id: dialogueId, status };
  }

  async get(dialogueId: string): Promise<DialogueView> {
    const state = await this.#system.query("dialogue", dialogueId, "state", null);
    if (state.task !== null) return state;
    throw new Refused(
      "dialogue.not_found",
      `There is no dialogue ${dialogueId}. start_dialogue starts one.`,
      {
        status: 404,
      },
    );
  }

  async messages(dialogueId: string, since: number): Promise<{ readonly messages: DialogueMessage[] }> {
    await this.get(dialogueId);
    return { messages: await this.storedMessages(dialogueId, since) };
  }

  /**
   * Returns the stored messages of a dialogue whose numbers are higher than `since`. For a dialogue that does
   * not exist yet, the list is empty.
   */
  async storedMessages(dialogueId: string, since: number): Promise<DialogueMessage[]> {
    const rows = await this.#store.dialogueMessages.since(dialogueId, since, MOST_MESSAGES);
    // The cast is safe: only the dialogue machine writes these rows, as JSON of a `DialogueMessage`.
    return rows.map((body) => JSON.parse(body) as DialogueMessage);
  }

  /** Plans a task on a page without doing anything there. */
  async planWithConfidence({ task, knowledge_id, ...place }: PlanWithConfidence): Promise<{
    readonly plan: Plan;
    readonly confidence: Plan["confidence"];
    readonly recommendation: Recommendation;
    readonly assumptions: Plan["assumptions"];
    readonly questions: Question[];
  }> {
    refuseSecrets(task);
    if (knowledge_id !== undefined) await this.#assertMap(knowledge_id);
    return await this.#onPage(place, async (page) => {
      const request: PreviewRequest = { task, knowledge_id: knowledge_id ?? null, ...page };
      const { plan, questions } = await this.#system.query(
        "dialogue",
        PREVIEW,
        "preview",
        request,
        PREVIEW_WITHIN,
      );
      const { confidence, assumptions } = plan;
      return {
        plan,
        confidence,
        recommendation: recommendationOf(plan),
        assumptions,
        questions: [...questions],
      };
    });
  }

  async refinePlan({ task, plan, feedback, ...place }: RefinePlan): Promise<{
    readonly plan: Plan;
    readonly iterations: Refinement[];
    readonly score: number;
  }> {
    refuseSecrets(task);
    return await this.#onPage(place, async (page) => {
      const request = { task, plan, feedback, knowledge_id: null, ...page };
      const refined = await this.#system.query("dialogue", PREVIEW, "refine", request, PREVIEW_WITHIN);
      return { ...refined, iterations: [...refined.iterations] };
    });
  }

  async #assertMap(knowledgeId: string): Promise<void> {
    if (!(await this.#store.maps.get(knowledgeId))) throw mapNotFound(knowledgeId);
  }

  async #assertRoom(room: string): Promise<void> {
    const { phase } = await this.#system.query("session", room, "phase", { wait: false });
    if (phase !== "absent" && phase !== "closed") return;
    throw sessionNotFound(room);
  }

  /**
   * Runs `work` with the elements of a page. The elements are given, read from a session, or read from an
   * address. For an address, a session is opened until `work` has ended.
   */
  async #onPage<T>(
    { room_name, url, elements }: Pick<PlanWithConfidence, "room_name" | "url" | "elements">,
    work: (page: Pick<PreviewRequest, "elements" | "pageUrl" | "title" | "dom_summary">) => Promise<T>,
  ): Promise<T> {
    if (elements !== undefined)
      return await work({ elements: elements.map(completed), pageUrl: "", title: "", dom_summary: "" });
    const room = room_name ?? `plan-${crypto.randomUUID()}`;
    if (room_name !== undefined) await this.#assertRoom(room_name);
    try {
      if (url !== undefined) await this.#open(room, url);
      const { highlightedElements, url: pageUrl, title } = await this.#sessions.analyze(room, WHOLE_PAGE);
      const { dom_summary } = await this.#sessions.content(room);
      return await work({ elements: highlightedElements, pageUrl, title, dom_summary });
    } finally {
      if (url !== undefined) await this.#sessions.close(room);
    }
  }

  async #open(room: string, url: string): Promise<void> {
    const { width: viewport_width, height: viewport_height } = sessionLimits.viewport;
    const opened = await this.#sessions.start(room, { initial_url: url, viewport_width, viewport_height });
    if (!opened.success)
      throw new Refused("dialogue.page_not_opened", opened.error ?? `${url} could not be opened.`, {
        status: 422,
      });
  }
}

/**
 * The id of an actor that exists only for queries: it answers queries about plans without a dialogue, and
 * never gets a command.
 */
const PREVIEW = "preview";

function refuseSecrets(text: string): void {
  if (!hasChatSecret(text)) return;
  throw new Refused(
    "dialogue.secret_in_chat",
    'A password does not belong into a conversation. Store it with PUT /api/secrets/{name} and write "secret NAME" in its place.',
    { status: 422 },
  );
}

/** Refuses a clarification without an answer as an invalid message. */
function refuseEmptyAnswer(incoming: Incoming): void {
  if (incoming.action !== "submitClarification") return;
  const given = incoming.answers ?? [incoming];
  if (given.every(({ answer, selectedOptionId }) => answer !== undefined || selectedOptionId !== undefined))
    return;
  const message = "answer or selectedOptionId is needed for each question";
  throw new Refused("request.invalid", `The arguments are not valid. message.answer: ${message}`, {
    status: 422,
    details: { issues: [{ path: "message.answer", message }] },
  });
}

/** Returns the element that a caller described, with default values for all fields that are missing. */
function completed(given: Readonly<Record<string, unknown>>, at: number): HighlightedElement {
  return {
    highlight_index: at,
    type: "",
    interactionType: "click",
    selector: "",
    xpath: "",
    attributes: {},
    box: { x: 0, y: 0, width: 0, height: 0 },
    in_viewport: true,
    frame: [],
    segment: null,
    ...given,
    // The caller's element has the same fields as an element of a page snapshot, so the cast is safe.
  } as unknown as HighlightedElement;
}

function commandOf(incoming: Incoming) {
  switch (incoming.action) {
    case "startTask":
      return { type: "START_TASK", task: incoming.task, place: null } as const;
    case "submitClarification": {
      const { questionId, answer, selectedOptionId, answers } = incoming;
      return { type: "SUBMIT_CLARIFICATION", questionId, answer, selectedOptionId, answers } as const;
    }
    case "correctAssumption":
      return { type: "CORRECT_ASSUMPTION", field: incoming.field, newValue: incoming.newValue } as const;
    case "approvePlan":
      return { type: "APPROVE_PLAN", planVersion: incoming.planVersion } as const;
    case "rejectPlan":
      return { type: "REJECT_PLAN", planVersion: incoming.planVersion, reason: incoming.reason } as const;
    case "editStep": {
      const { planVersion, stepIndex, step } = incoming;
      return { type: "EDIT_STEP", planVersion, stepIndex, step } as const;
    }
    case "midExecDecision":
      return { type: "MID_EXEC_DECISION", decision: incoming.decision } as const;
    case "pause":
      return { type: "PAUSE" } as const;
    case "cancel":
      return { type: "CANCEL", planVersion: incoming.planVersion } as const;
  }
}
