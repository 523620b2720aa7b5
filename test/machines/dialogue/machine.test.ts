/** The transitions of a dialogue: the table of the protocol specification, each row a test. */
import { describe, expect, test } from "bun:test";
import { type AnyEventObject, initialTransition, transition } from "xstate";
import { dialogueMachine } from "../../../machines/dialogue/machine.ts";
import type { Plan, Question } from "../../../machines/dialogue/plan-schemas.ts";
import type { Emitted } from "../../../machines/emitted.ts";

const AT = 1_000_000;

function plan(
  overall: number,
  { risk = "low", steps = 2, version = 1 }: { risk?: "low" | "high"; steps?: number; version?: number } = {},
): Plan {
  const step = {
    action: "click",
    targetId: 1,
    target: { role: "button", name: "Save" },
    value: null,
    description: "Click Save",
    risk,
    reversible: risk === "low",
    confidence: overall,
  };
  return {
    id: `plan-${version}`,
    version,
    summary: "Save",
    confidence: { overall, intentClarity: 1, targetMatch: 1, valueConfidence: 1 },
    steps: Array.from({ length: steps }, () => step),
    assumptions: [],
    risks: [],
  };
}

const question: Question = { id: "target-0", type: "freeform", question: "Which one?", options: [] };

/** A dialogue that a test drives; it keeps what was emitted by the last event. */
class Driver {
  #snapshot = initialTransition(dialogueMachine, { id: "d" })[0];
  emitted: Emitted[] = [];

  send(event: AnyEventObject): this {
    const [next, actions] = transition(dialogueMachine, this.#snapshot, { at: AT, ...event } as never); // The runtime adds the time.
    this.#snapshot = next;
    // XState types the names of the machine's own actions only.
    this.emitted = (actions as readonly { readonly type: string; readonly params?: unknown }[]).flatMap(
      (action) => (action.type === "xstate.emit" ? [(action.params as { event: Emitted }).event] : []),
    );
    if (next.status === "error") throw next.error;
    return this;
  }

  start(): this {
    return this.send({ type: "START_TASK", task: "Save it", room_name: "r", auto_approve: false });
  }

  planned(made: Plan, questions: readonly Question[] = []): this {
    return this.send({ type: "xstate.done.actor.plan", output: { plan: made, questions } });
  }

  acted(ok = true): this {
    const failure = {
      stepIndex: 0,
      code: "timeout",
      error: "late",
      cause: "",
      canRetry: true,
      canSkip: true,
    };
    const output = ok ? { ok, evidence: {} } : { ok, failure };
    return this.send({ type: "xstate.done.actor.act", output });
  }

  get state(): string {
    const { value } = this.#snapshot;
    return typeof value === "string" ? value : (Object.keys(value)[0] ?? "");
  }

  get context() {
    return this.#snapshot.context;
  }

  /** Types of the messages that the last event sent. */
  get messages(): readonly string[] {
    return this.emitted.flatMap((one) => (one.type === "publish" ? [String(one.event.type)] : []));
  }

  get refusal(): string | undefined {
    return this.emitted.find((one) => one.type === "refuse")?.code;
  }
}

const planning = () => new Driver().start();
const clarifying = () => planning().planned(plan(0.3), [question]);
const announced = () => planning().planned(plan(0.7));
const approval = () => planning().planned(plan(0.95));
const executing = () => approval().send({ type: "APPROVE_PLAN", planVersion: 1 });
const failed = () => executing().acted(false);
const completed = () => executing().acted().acted();
const decide = (decision: string) => ({ type: "MID_EXEC_DECISION", decision });
const answer = { type: "SUBMIT_CLARIFICATION", answer: "Save" };

describe("a dialogue", () => {
  test.each([
    ["idle, startTask", () => new Driver().start(), "planning"],
    ["planning, confidence of 0.9", () => planning().planned(plan(0.9)), "awaiting_approval"],
    ["planning, high risk", () => planning().planned(plan(0.6, { risk: "high" })), "awaiting_approval"],
    ["planning, confidence of 0.5", () => planning().planned(plan(0.5)), "assume_announce"],
    ["planning, confidence below 0.5", clarifying, "clarifying"],
    [
      "planning, unclear with high risk",
      () => planning().planned(plan(0.4, { risk: "high" }), [question]),
      "clarifying",
    ],
    [
      "planning, failure",
      () => planning().send({ type: "xstate.error.actor.plan", error: { code: "x", message: "No." } }),
      "error",
    ],
    ["clarifying, submitClarification", () => clarifying().send(answer), "refining"],
    ["clarifying, cancel", () => clarifying().send({ type: "CANCEL" }), "idle"],
    ["refining, improved and clear", () => clarifying().send(answer).planned(plan(0.8)), "awaiting_approval"],
    ["refining, still unclear", () => clarifying().send(answer).planned(plan(0.4), [question]), "clarifying"],
    [
      "refining, after three rounds",
      () => {
        const driver = clarifying();
        for (let round = 1; round <= 3; round++) driver.send(answer).planned(plan(0.4), [question]);
        return driver;
      },
      "awaiting_approval",
    ],
    [
      "assume_announce, its time over",
      () => announced().send({ type: "xstate.done.actor.countdown", output: null }),
      "executing",
    ],
    [
      "assume_announce, corrected with a value",
      () => announced().send({ type: "CORRECT_ASSUMPTION", field: "x", value: "y" }),
      "refining",
    ],
    [
      "assume_announce, corrected without",
      () => announced().send({ type: "CORRECT_ASSUMPTION", field: "x" }),
      "clarifying",
    ],
    ["assume_announce, cancel", () => announced().send({ type: "CANCEL" }), "idle"],
    ["awaiting_approval, approvePlan", executing, "executing"],
    ["awaiting_approval, rejectPlan", () => approval().send({ type: "REJECT_PLAN", planVersion: 1 }), "idle"],
    ["awaiting_approval, cancel", () => approval().send({ type: "CANCEL" }), "idle"],
    [
      "awaiting_approval, editStep",
      () => approval().send({ type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step: { value: "x" } }),
      "awaiting_approval",
    ],
    ["executing, last step done", completed, "completed"],
    ["executing, a step fails", failed, "mid_exec_dialog"],
    ["executing, pause", () => executing().send({ type: "PAUSE" }).acted(), "mid_exec_dialog"],
    [
      "executing, correctAssumption",
      () => executing().send({ type: "CORRECT_ASSUMPTION", field: "x" }).acted(),
      "mid_exec_dialog",
    ],
    ["executing, cancel", () => executing().send({ type: "CANCEL" }), "idle"],
    ["mid_exec_dialog, retry", () => failed().send(decide("retry")), "executing"],
    ["mid_exec_dialog, skip", () => failed().send(decide("skip")), "executing"],
    [
      "mid_exec_dialog, skip of the last step",
      () => executing().acted().acted(false).send(decide("skip")),
      "completed",
    ],
    ["mid_exec_dialog, replan", () => failed().send(decide("replan")), "replanning"],
    ["mid_exec_dialog, abort", () => failed().send(decide("abort")), "idle"],
    [
      "replanning, confidence of 0.9",
      () => failed().send(decide("replan")).planned(plan(0.9)),
      "awaiting_approval",
    ],
    [
      "replanning, confidence of 0.5",
      () => failed().send(decide("replan")).planned(plan(0.5)),
      "assume_announce",
    ],
    [
      "replanning, confidence below 0.5",
      () => failed().send(decide("replan")).planned(plan(0.2), [question]),
      "clarifying",
    ],
    ["completed, startTask", () => completed().start(), "planning"],
  ] as const)("in %s, continues as specified", (_, drive, state) => {
    expect(drive().state).toBe(state);
  });

  test("runs a plan without risk under auto_approve, and never one of high risk", () => {
    const start = { type: "START_TASK", task: "Save it", room_name: "r", auto_approve: true };
    expect(new Driver().send(start).planned(plan(0.95)).state).toBe("executing");
    expect(new Driver().send(start).planned(plan(0.95, { risk: "high" })).state).toBe("awaiting_approval");
  });

  test("refuses a late answer, or one to another version, and keeps its state", () => {
    for (const [driver, event, state] of [
      [approval(), { type: "APPROVE_PLAN", planVersion: 2 }, "awaiting_approval"],
      [executing(), { type: "APPROVE_PLAN", planVersion: 1 }, "executing"],
      [executing(), answer, "executing"],
      [clarifying(), { ...answer, questionId: "other" }, "clarifying"],
    ] as const) {
      driver.send(event);
      expect([driver.refusal, driver.state]).toEqual(["dialogue.already_decided", state]);
    }
  });

  test("numbers its messages and writes each as a row", () => {
    const driver = approval();
    expect(driver.messages).toEqual(["stateChanged", "planReady"]);
    const rows = driver.emitted.flatMap((one) => (one.type === "write" ? one.writes : []));
    expect(rows).toMatchObject([
      { table: "dialogue_message", rows: [{ id: ["d", 2] }] },
      { table: "dialogue_message", rows: [{ id: ["d", 3] }] },
    ]);
    expect(driver.send({ type: "APPROVE_PLAN", planVersion: 1 }).messages).toEqual([
      "stateChanged",
      "stepStarted",
    ]);
    expect(driver.acted().messages).toEqual(["stepCompleted", "stepStarted"]);
    expect(driver.acted().messages).toEqual(["stepCompleted", "stateChanged", "taskCompleted"]);
  });

  test("takes a correction as the answer to the question of its assumption", () => {
    const assumption = {
      field: "that order",
      assumedValue: "Finish",
      confidence: 0.8,
      questionId: "target-1",
    };
    const driver = planning().planned({ ...plan(0.7), assumptions: [assumption] });
    driver.send({ type: "CORRECT_ASSUMPTION", field: "that order", value: "Save" });
    expect(driver.context.answers).toEqual({ "target-1": "Save" });
  });

  test("requests each attempt at a step with a new id, and continues after a skipped one", () => {
    const driver = failed();
    expect(driver.context.attempt).toBe(1);
    driver.send(decide("retry"));
    expect(driver.context).toMatchObject({ attempt: 2, stepIndex: 0 });
    driver.acted(false).send(decide("skip"));
    expect(driver.context).toMatchObject({ attempt: 3, stepIndex: 1 });
    expect(driver.context.failed.map(({ resolution }) => resolution)).toEqual(["retried", "skipped"]);
  });
});
