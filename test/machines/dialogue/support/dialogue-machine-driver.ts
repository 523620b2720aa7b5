/** Drives the state machine of a dialogue without a runtime: events go in, and emissions are kept. */
import { type AnyEventObject, initialTransition, transition } from "xstate";
import { dialogueMachine } from "../../../../machines/dialogue/dialogue-machine.ts";
import { analyseFailure } from "../../../../machines/dialogue/plan/failed-step-explanation.ts";
import type { Plan, Question, Refinement } from "../../../../machines/dialogue/plan/plan-schemas.ts";
import type { Emitted } from "../../../../machines/machine-emissions.ts";

export const AT = 1_000_000;

export const assumption = { field: "x", assumedValue: "Finish", confidence: 0.8, questionId: "target-1" };
export const PLACE = {
  room_name: "r",
  url: null,
  knowledge_id: null,
  auto_approve: false,
  auto_recover: false,
};
export const START = { type: "START_TASK", task: "Save it", place: PLACE };

export function plan(
  overall: number,
  { risk = "low", steps = 2, version = 1 }: { risk?: "low" | "high"; steps?: number; version?: number } = {},
): Plan {
  const step = {
    action: "click",
    targetId: 1,
    target: { role: "button", name: "Save" },
    value: null,
    secret: null,
    expectedResult: { type: "effect" as const, expected: null },
    description: "Click Save",
    risk,
    reversible: risk === "low",
    confidence: overall,
    deferred: false,
    dependsOn: [],
  };
  return {
    id: `plan-${version}`,
    version,
    summary: "Save",
    confidence: { overall, breakdown: { intentClarity: 1, targetMatch: 1, valueConfidence: 1 } },
    steps: Array.from({ length: steps }, (_, at) => ({ ...step, dependsOn: at === 0 ? [] : [at - 1] })),
    assumptions: [assumption],
    risks: [],
    source: "page",
  };
}

export const question: Question = {
  id: "target-0",
  type: "option_select",
  question: "Which one?",
  options: [{ id: "7", text: "Save", confidence: 0.8 }],
  allowFreeform: true,
};

/**
 * Sends events to a dialogue's state machine, and keeps everything that the state machine has emitted for the last
 * event.
 */
export class Driver {
  #snapshot = initialTransition(dialogueMachine, { id: "d" })[0];
  emitted: Emitted[] = [];

  send(event: AnyEventObject): this {
    // The test adds the field `at` (the time) to each event, as the runtime does.
    const [next, actions] = transition(dialogueMachine, this.#snapshot, { at: AT, ...event } as never);
    this.#snapshot = next;
    // The cast is needed, because XState's type lists only the machine's own actions, and `xstate.emit` is an
    // action of XState itself.
    this.emitted = (actions as readonly { readonly type: string; readonly params?: unknown }[]).flatMap(
      (action) => (action.type === "xstate.emit" ? [(action.params as { event: Emitted }).event] : []),
    );
    if (next.status === "error") throw next.error;
    return this;
  }

  start(): this {
    return this.send(START);
  }

  /** Starts another task in the same dialogue. */
  startAgain(): this {
    return this.send({ type: "START_TASK", task: "Save it", place: null });
  }

  planned(made: Plan, questions: readonly Question[] = [], iterations: readonly Refinement[] = []): this {
    const output = { plan: made, questions, iterations, page: { url: "http://a/", revision: 1 } };
    return this.send({ type: "xstate.done.actor.plan", output });
  }

  acted(ok = true, code = "element_stale"): this {
    const failure = analyseFailure(this.context.stepIndex, { error: "late", data: { code } });
    const output = ok ? { ok, evidence: {}, page: null, tab: null } : { ok, failure };
    return this.send({ type: "xstate.done.actor.act", output });
  }

  /** Messages that the state machine published for the last event. */
  get published() {
    return this.emitted.flatMap((one) => (one.type === "publish" ? [one.event] : []));
  }

  get state(): string {
    const { value } = this.#snapshot;
    return typeof value === "string" ? value : (Object.keys(value)[0] ?? "");
  }

  get context() {
    return this.#snapshot.context;
  }

  /** Types of the messages that the state machine published for the last event. */
  get messages(): readonly string[] {
    return this.emitted.flatMap((one) => (one.type === "publish" ? [String(one.event.type)] : []));
  }

  get refusal(): string | undefined {
    return this.emitted.find((one) => one.type === "refuse")?.code;
  }

  /** Why the state machine refused the last event; empty if it accepted the event. */
  get reason(): string {
    return this.emitted.find((one) => one.type === "refuse")?.message ?? "";
  }
}

export const planning = () => new Driver().start();
export const NO_PLAN = { type: "xstate.error.actor.plan", error: { code: "x", message: "No." } };
export const clarifying = () => planning().planned(plan(0.3), [question]);
export const announced = () => planning().planned(plan(0.7));
export const approval = () => planning().planned(plan(0.95));
export const executing = () => approval().send({ type: "APPROVE_PLAN", planVersion: 1 });
export const failed = () => executing().acted(false);
export const completed = () => executing().acted().acted();
export const decide = (decision: string) => ({ type: "MID_EXEC_DECISION", decision });
export const answer = { type: "SUBMIT_CLARIFICATION", answer: "Save" };
