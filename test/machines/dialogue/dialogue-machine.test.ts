/**
 * Tests the transitions of a dialogue's state machine. Each row of the table in the protocol specification
 * has one test.
 */
import { describe, expect, test } from "bun:test";
import { type AnyEventObject, initialTransition, transition } from "xstate";
import { getAdjacencyMap } from "xstate/graph";
import { type DialogueContext, flaggedSteps } from "../../../machines/dialogue/dialogue-context.ts";
import { dialogueLimits } from "../../../machines/dialogue/dialogue-limits.ts";
import { dialogueMachine } from "../../../machines/dialogue/dialogue-machine.ts";
import { analyseFailure } from "../../../machines/dialogue/failed-step-explanation.ts";
import type { Plan, Question, Refinement } from "../../../machines/dialogue/plan-schemas.ts";
import { acceptedMessages } from "../../../machines/dialogue/refused-message-reasons.ts";
import type { Emitted } from "../../../machines/machine-emissions.ts";

const AT = 1_000_000;

const assumption = { field: "x", assumedValue: "Finish", confidence: 0.8, questionId: "target-1" };
const PLACE = { room_name: "r", url: null, knowledge_id: null, auto_approve: false, auto_recover: false };
const START = { type: "START_TASK", task: "Save it", place: PLACE };

function plan(
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

const question: Question = {
  id: "target-0",
  type: "option_select",
  question: "Which one?",
  options: [{ id: "7", text: "Save", confidence: 0.8 }],
  allowFreeform: true,
};

/**
 * Sends events to a dialogue's state machine, and keeps everything that the machine has emitted for the last
 * event.
 */
class Driver {
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

  /** Messages that the machine published for the last event. */
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

  /** Types of the messages that the machine published for the last event. */
  get messages(): readonly string[] {
    return this.emitted.flatMap((one) => (one.type === "publish" ? [String(one.event.type)] : []));
  }

  get refusal(): string | undefined {
    return this.emitted.find((one) => one.type === "refuse")?.code;
  }

  /** Why the machine refused the last event; empty if it accepted the event. */
  get reason(): string {
    return this.emitted.find((one) => one.type === "refuse")?.message ?? "";
  }
}

const planning = () => new Driver().start();
const NO_PLAN = { type: "xstate.error.actor.plan", error: { code: "x", message: "No." } };
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
    ["planning, failure", () => planning().send(NO_PLAN), "error"],
    ["planning, cancel is refused", () => planning().send({ type: "CANCEL" }), "planning"],
    ["clarifying, submitClarification", () => clarifying().send(answer), "refining"],
    [
      "clarifying, cancel of another plan is refused",
      () => clarifying().send({ type: "CANCEL", planVersion: 7 }),
      "clarifying",
    ],
    ["clarifying, cancel of this plan", () => clarifying().send({ type: "CANCEL", planVersion: 1 }), "idle"],
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
    ["refining, failure", () => clarifying().send(answer).send(NO_PLAN), "error"],
    ["refining, cancel is refused", () => clarifying().send(answer).send({ type: "CANCEL" }), "refining"],
    [
      "refining, clear with high risk",
      () =>
        clarifying()
          .send(answer)
          .planned(plan(0.95, { risk: "high" })),
      "awaiting_approval",
    ],
    [
      "assume_announce, its time over",
      () => announced().send({ type: "xstate.done.actor.countdown", output: null }),
      "executing",
    ],
    [
      "assume_announce, corrected with a value",
      () => announced().send({ type: "CORRECT_ASSUMPTION", field: "x", newValue: "y" }),
      "refining",
    ],
    [
      "assume_announce, corrected without",
      () => announced().send({ type: "CORRECT_ASSUMPTION", field: "x" }),
      "clarifying",
    ],
    [
      "assume_announce, cancel of another plan is refused",
      () => announced().send({ type: "CANCEL", planVersion: 7 }),
      "assume_announce",
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
    [
      "executing, unrecoverable failure",
      () => executing().send({ type: "xstate.error.actor.act", error: { code: "x", message: "No." } }),
      "error",
    ],
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
    [
      "replanning, high risk",
      () =>
        failed()
          .send(decide("replan"))
          .planned(plan(0.6, { risk: "high" })),
      "awaiting_approval",
    ],
    ["replanning, failure", () => failed().send(decide("replan")).send(NO_PLAN), "error"],
    [
      "replanning, cancel is refused",
      () => failed().send(decide("replan")).send({ type: "CANCEL" }),
      "replanning",
    ],
    ["error, startTask", () => planning().send(NO_PLAN).startAgain(), "planning"],
    ["completed, startTask", () => completed().startAgain(), "planning"],
  ] as const)("has the specified transitions in the state %s", (_, drive, state) => {
    expect(drive().state).toBe(state);
  });

  test("runs a plan without approval if auto_approve is set and the plan has no high risk", () => {
    const start = { type: "START_TASK", task: "Save it", place: { ...PLACE, auto_approve: true } };
    expect(new Driver().send(start).planned(plan(0.95)).state).toBe("executing");
    expect(new Driver().send(start).planned(plan(0.95, { risk: "high" })).state).toBe("awaiting_approval");
  });

  test("leaves the approval of a risk to the person, even if failed steps are retried automatically", () => {
    const start = { type: "START_TASK", task: "Save it", place: { ...PLACE, auto_recover: true } };
    const running = () =>
      new Driver().send(start).planned(plan(0.95)).send({ type: "APPROVE_PLAN", planVersion: 1 });
    expect(running().acted(false, "element_stale").state).toBe("executing");
    expect(running().acted(false, "approval_needed").state).toBe("mid_exec_dialog");
  });

  test.each([
    ["planning", planning],
    ["clarifying", clarifying],
    ["awaiting_approval", approval],
    ["executing", executing],
    ["completed", completed],
    ["idle", () => approval().send({ type: "CANCEL" })],
  ])("answers a repeated start in the state %s, and starts nothing", (state, reached) => {
    const driver = reached();
    const { context } = driver;
    expect(driver.send(START).emitted).toEqual([{ type: "reply", body: { status: state } }]);
    expect([driver.state, driver.context]).toEqual([state, context]);
  });

  test.each([
    ["task", { task: "Delete it" }],
    ["place", { place: { ...PLACE, auto_approve: true } }],
  ])("refuses a start with another %s while a task runs", (_, other) => {
    const driver = executing().send({ ...START, ...other });
    expect([driver.refusal, driver.state]).toEqual(["dialogue.already_decided", "executing"]);
  });

  test("refuses an answer that arrives late or is for another plan version, and stays in its state", () => {
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

  test.each([
    ["another version", approval, { type: "APPROVE_PLAN", planVersion: 7 }, "has version 1, and not 7"],
    ["a cancel of another version", approval, { type: "CANCEL", planVersion: 7 }, "has version 1, and not 7"],
    [
      "a missing step",
      approval,
      { type: "EDIT_STEP", planVersion: 1, stepIndex: 9, step: { value: "x" } },
      "no step 9. Its steps are 0 to 1",
    ],
    [
      "an unknown question",
      clarifying,
      { ...answer, questionId: "other" },
      'No open question has the id "other". Open are: "target-0"',
    ],
    [
      "an unknown option",
      clarifying,
      { type: "SUBMIT_CLARIFICATION", selectedOptionId: "9" },
      'has no option "9". Its options are: "7"',
    ],
    [
      "an unknown assumption",
      announced,
      { type: "CORRECT_ASSUMPTION", field: "y" },
      'nothing for "y". It has assumptions for: "x"',
    ],
    [
      "an impossible decision",
      () => executing().acted(false, "navigation_blocked"),
      decide("retry"),
      '"retry" is not possible after this failure. Possible are: replan, skip, abort',
    ],
    [
      "another state",
      executing,
      answer,
      "the dialogue is in executing after approvePlan. It accepts: pause, correctAssumption, cancel.",
    ],
    ["a message while it plans", planning, answer, "It accepts no message before its next stateChanged."],
    [
      "a cancel after a failure",
      failed,
      { type: "CANCEL" },
      'Send midExecDecision with one of: retry, replan, skip, abort. "abort" stops the task.',
    ],
  ] as const)("refuses %s with an error that states what does not fit", (_, driver, event, reason) => {
    expect(driver().send(event).reason).toContain(reason);
  });

  test.each([
    ["idle", () => approval().send({ type: "CANCEL" })],
    ["planning", planning],
    ["clarifying", clarifying],
    ["refining", () => clarifying().send(answer)],
    ["assume_announce", announced],
    ["awaiting_approval", approval],
    ["executing", executing],
    ["mid_exec_dialog", failed],
    ["replanning", () => failed().send(decide("replan"))],
    ["completed", completed],
    ["error", () => planning().send(NO_PLAN)],
  ] as const)(
    "accepts in the state %s the messages that its refusals name, and no others",
    (state, reached) => {
      const messages: Readonly<Record<string, AnyEventObject>> = {
        startTask: { type: "START_TASK", task: "Another task", place: null },
        submitClarification: answer,
        correctAssumption: { type: "CORRECT_ASSUMPTION", field: "x" },
        approvePlan: { type: "APPROVE_PLAN", planVersion: 1 },
        rejectPlan: { type: "REJECT_PLAN", planVersion: 1 },
        editStep: { type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step: { value: "x" } },
        midExecDecision: decide("abort"),
        pause: { type: "PAUSE" },
        cancel: { type: "CANCEL" },
      };
      const accepted = Object.entries(messages).filter(
        ([, event]) => reached().send(event).refusal === undefined,
      );
      expect(accepted.map(([action]) => action).toSorted()).toEqual([...acceptedMessages[state]].toSorted());
    },
  );

  test("quotes the answer that did not help when it asks a question again", () => {
    const driver = clarifying()
      .send(answer)
      .planned(plan(0.3, { version: 2 }), [question]);
    const [asked] = driver.context.questions;
    expect([driver.state, asked?.question]).toEqual([
      "clarifying",
      `"${answer.answer}" does not fit this page. Which one?`,
    ]);
    const other = { ...question, question: "Which button?" };
    const next = driver.send(answer).planned(plan(0.3, { version: 3 }), [other]);
    expect(next.context.questions[0]?.question).toBe("Which button?");
  });

  test("numbers its messages and stores each as a row", () => {
    const driver = approval();
    expect(driver.messages).toEqual(["confidenceReport", "stateChanged", "planReady"]);
    const rows = driver.emitted.flatMap((one) => (one.type === "write" ? one.writes : []));
    expect(rows).toMatchObject(
      [3, 4, 5].map((seq) => ({ table: "dialogue_message", rows: [{ id: ["d", seq] }] })),
    );
    expect(driver.send({ type: "APPROVE_PLAN", planVersion: 1 }).messages).toEqual([
      "received",
      "stateChanged",
      "stepStarted",
    ]);
    expect(driver.acted().messages).toEqual(["stepCompleted", "stepStarted"]);
    expect(driver.acted().messages).toEqual(["stepCompleted", "stateChanged", "taskCompleted"]);
  });

  test("publishes the state after a task is cancelled, rejected or stopped", () => {
    for (const [driver, event] of [
      [clarifying(), { type: "CANCEL" }],
      [approval(), { type: "REJECT_PLAN", planVersion: 1 }],
      [failed(), decide("abort")],
    ] as const)
      expect(driver.send(event).messages).toEqual(["received", "stateChanged"]);
  });

  test("accepts the answers to several questions at once, and refuses all of them if one is invalid", () => {
    const questions = [question, { ...question, id: "target-1", options: [] }];
    const asked = () => planning().planned(plan(0.3), questions);
    const both = (id: string) => ({
      type: "SUBMIT_CLARIFICATION",
      answers: [
        { questionId: "target-0", selectedOptionId: "7" },
        { questionId: id, answer: "the last" },
      ],
    });
    expect(asked().send(both("target-1")).context).toMatchObject({
      answers: { "target-0": "7", "target-1": "the last" },
      asked: { "target-0": "Which one?", "target-1": "Which one?" },
    });
    const refused = asked().send(both("target-9"));
    expect([refused.refusal, refused.state, refused.context.answers]).toEqual([
      "dialogue.already_decided",
      "clarifying",
      {},
    ]);
  });

  test("uses the person's correction of an assumption as the answer to the corresponding question", () => {
    const driver = announced().send({ type: "CORRECT_ASSUMPTION", field: "x", newValue: "Save" });
    expect(driver.context.answers).toEqual({ "target-1": "Save" });
  });

  test("numbers each attempt at a step, and continues with the next step after a skipped one", () => {
    const driver = failed();
    expect(driver.context.attempt).toBe(1);
    driver.send(decide("retry"));
    expect(driver.context).toMatchObject({ attempt: 2, stepIndex: 0 });
    driver.acted(false).send(decide("skip"));
    expect(driver.context).toMatchObject({ attempt: 3, stepIndex: 1 });
    expect(driver.context.failed.map(({ resolution }) => resolution)).toEqual(["retried", "skipped"]);
    expect(flaggedSteps(driver.context)).toEqual([1]);
  });

  test("is not completed before the person has decided about a value that no step has used", () => {
    const left = { ...plan(0.95, { steps: 1 }), unplaced: ["beta"] };
    const run = planning().planned(left).send({ type: "APPROVE_PLAN", planVersion: 1 }).acted();
    expect(run.state).toBe("mid_exec_dialog");
    expect(run.context.failure).toMatchObject({
      code: "value_unused",
      recoveries: ["replan", "skip", "abort"],
    });
    expect(run.context.failure?.error).toContain('"beta"');
    expect(run.send(decide("replan")).planned(plan(0.95, { version: 2 })).context).toMatchObject({
      done: ["Click Save"],
      completed: [],
    });
    const skipped = planning().planned(left).send({ type: "APPROVE_PLAN", planVersion: 1 }).acted();
    expect(skipped.send(decide("skip")).state).toBe("completed");
    expect(skipped.context.skipped).toEqual([]);
    const [event] = skipped.emitted.flatMap((one) => (one.type === "publish" ? [one.event] : [])).slice(-1);
    expect(event).toMatchObject({ type: "taskCompleted", unusedValues: ["beta"] });
  });

  test("refuses a late decision with an error that contains the decision already made", () => {
    const driver = executing().send({ type: "APPROVE_PLAN", planVersion: 1 });
    const refusal = driver.emitted.find((one) => one.type === "refuse");
    expect(refusal).toMatchObject({
      details: {
        state: "executing",
        planVersion: 1,
        decided: { action: "approvePlan", planVersion: 1, timestamp: AT / 1_000 },
      },
    });
  });

  test("refuses an option that is not offered and a decision that is not possible", () => {
    const unknown = { type: "SUBMIT_CLARIFICATION", selectedOptionId: "99" };
    expect(clarifying().send(unknown).refusal).toBe("dialogue.already_decided");
    expect(clarifying().send({ ...unknown, selectedOptionId: "7" }).state).toBe("refining");
    const blocked = executing().acted(false, "no_progress").send(decide("retry"));
    expect([blocked.refusal, blocked.state]).toEqual(["dialogue.already_decided", "mid_exec_dialog"]);
  });

  test("retries a failed step automatically a limited number of times, and only if the step had no effect", () => {
    const start = { type: "START_TASK", task: "Save it", place: { ...PLACE, auto_recover: true } };
    const running = () =>
      new Driver().send(start).planned(plan(0.95)).send({ type: "APPROVE_PLAN", planVersion: 1 });
    const driver = running().acted(false).acted(false);
    expect([driver.state, driver.context.attempt]).toEqual(["executing", 3]);
    expect(driver.acted(false).state).toBe("mid_exec_dialog");
    expect(running().acted(false, "interrupted").state).toBe("mid_exec_dialog");
    expect(running().acted(false, "element_not_found").state).toBe("mid_exec_dialog");
  });

  test("stores the address and revision of the page before each step as a checkpoint", () => {
    const driver = executing();
    expect(driver.context.checkpoint).toEqual({
      beforeStepIndex: 0,
      pageState: { url: "http://a/", revision: 1 },
      timestamp: AT / 1_000,
    });
    expect(driver.acted().context.checkpoint?.beforeStepIndex).toBe(1);
  });

  test("continues the numbering of plans with the next task, so that an old approval never applies to a new plan", () => {
    const driver = completed().send({ type: "START_TASK", task: "Again", place: null });
    expect(driver.context).toMatchObject({ room_name: "r", planHistory: [{ version: 1 }], plan: null });
  });

  test("describes an edited step by what it does after the edit", () => {
    const steps = (step: object) =>
      approval().send({ type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step }).context.plan?.steps;
    const city = { role: "textbox", name: "City" };
    expect(steps({ target: { role: "button", name: "Store" } })?.[0]?.description).toBe('Click "Store"');
    expect(steps({ action: "input", target: city, value: "Graz" })?.[0]?.description).toBe(
      'Type "Graz" into "City"',
    );
    expect(steps({ action: "send_keys", target: null, value: "Enter" })?.[0]?.description).toBe(
      "Press Enter",
    );
  });

  test("describes a plan with an edited step by its steps after the edit", () => {
    const step = { target: { role: "button", name: "Store" } };
    const driver = approval().send({ type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step });
    expect(driver.context.plan?.summary).toBe('Click "Store"; Click Save');
  });

  test("reports what was done and what was skipped at the end of a task with a skipped step", () => {
    const driver = executing().acted().acted(false).send(decide("skip"));
    expect(driver.published.at(-1)).toMatchObject({
      type: "taskCompleted",
      summary: "Click Save. Skipped: Click Save.",
      skippedSteps: [1],
    });
  });

  test("says why it waits after a pause, and after a correction while a step runs", () => {
    const reason = (event: AnyEventObject) => executing().send(event).acted().published.at(-1)?.analysis;
    expect(reason({ type: "PAUSE" })).toMatchObject({ cause: "The person paused the plan." });
    expect(reason({ type: "CORRECT_ASSUMPTION", field: "x", newValue: "Save" })).toEqual({
      cause: '"x" was corrected to "Save".',
      suggestion: "Make a new plan with the correction.",
    });
  });

  test("asks how to continue if an assumption is corrected while the last step runs", () => {
    const correction = { type: "CORRECT_ASSUMPTION", field: "x", newValue: "Save" };
    const driver = executing().acted().send(correction).acted();
    expect(driver.state).toBe("mid_exec_dialog");
    expect(driver.context.failure).toMatchObject({
      code: "corrected",
      error: 'The last step was done before "x" was corrected to "Save".',
      recoveries: ["replan", "skip", "abort"],
    });
    expect(driver.send(decide("replan")).state).toBe("replanning");
    expect(driver.context.answers).toEqual({ "target-1": "Save" });
    const kept = executing().acted().send(correction).acted().send(decide("skip"));
    expect([kept.state, kept.context.skipped]).toEqual(["completed", []]);
  });

  test("refuses the approval of a plan that has no steps and whose questions stay open", () => {
    const empty = plan(0.3, { steps: 0 });
    const driver = planning().planned(empty, [question]);
    for (let round = 1; round <= dialogueLimits.rounds; round++) {
      driver.send({ type: "SUBMIT_CLARIFICATION", answer: "Save" });
      driver.planned({ ...empty, version: round + 1 }, [question]);
    }
    expect(driver.state).toBe("awaiting_approval");
    driver.send({ type: "APPROVE_PLAN", planVersion: dialogueLimits.rounds + 1 });
    expect([driver.refusal, driver.state]).toEqual(["dialogue.already_decided", "awaiting_approval"]);
    expect(driver.emitted.find((one) => one.type === "refuse")).toMatchObject({
      message: "The plan has no steps. Reject it, and start the task again in other words.",
    });
  });

  test("shows all questions of a round and each finished step in the conversation", () => {
    const other = { ...question, id: "target-1", question: "Which city?" };
    const asked = planning().planned(plan(0.3), [question, other]);
    expect(asked.context.history.at(-1)?.content).toBe("Which one?; Which city?");
    expect(executing().acted().context.history.at(-2)).toMatchObject({
      content: "Done: Click Save",
      messageType: "stepCompleted",
    });
  });

  test("marks an edited step as high risk if its new words name a risky action", () => {
    const step = { target: { role: "button", name: "Delete account" } };
    const driver = approval().send({ type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step });
    expect(driver.context.plan).toMatchObject({ version: 2, steps: [{ risk: "high" }, { risk: "low" }] });
  });
});

test("the conversation of a dialogue contains each refinement of the plan by the model, with its scores", () => {
  const improvements = ["Named the button"];
  const rounds = [
    { iteration: 1, previousScore: 0.6, score: 0.8, issues: [], improvements },
    { iteration: 2, previousScore: 0.8, score: 0.92, issues: [], improvements: [] },
  ];
  const { history } = planning().planned(plan(0.95), [], rounds).context;
  const refinements = history.filter(({ messageType }) => messageType === "selfRefineUpdate");
  expect(refinements.map(({ content }) => content)).toEqual([
    "Iteration 1 of 3: score 60% → 80%; Named the button",
    "Iteration 2 of 3: score 80% → 92%",
  ]);
});

/**
 * Events from the person, the planner, a step and the countdown. If the content of an event determines the
 * next state, there is an event for each of these states.
 */
const EVENTS: readonly AnyEventObject[] = [
  START,
  { ...START, place: null },
  { type: "SUBMIT_CLARIFICATION", answer: "Save" },
  { type: "CORRECT_ASSUMPTION", field: "x", newValue: "y" },
  { type: "CORRECT_ASSUMPTION", field: "x" },
  { type: "APPROVE_PLAN", planVersion: 1 },
  { type: "REJECT_PLAN", planVersion: 1 },
  { type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step: { value: "x" } },
  ...["retry", "skip", "replan", "abort"].map(decide),
  { type: "PAUSE" },
  { type: "CANCEL" },
  ...[plan(0.95), plan(0.7), plan(0.3), plan(0.7, { risk: "high" })].map((made) => ({
    type: "xstate.done.actor.plan",
    output: {
      plan: made,
      questions: made.confidence.overall < 0.5 ? [question] : [],
      iterations: [],
      page: null,
    },
  })),
  { type: "xstate.error.actor.plan", error: { code: "x", message: "No." } },
  { type: "xstate.done.actor.countdown", output: null },
  { type: "xstate.done.actor.act", output: { ok: true, evidence: {}, page: null, tab: null } },
  {
    type: "xstate.done.actor.act",
    output: { ok: false, failure: analyseFailure(0, { error: "late", data: { code: "timeout" } }) },
  },
  { type: "xstate.error.actor.act", error: { code: "x", message: "No." } },
];

/**
 * For each state of a dialogue, the states that may follow. They come from the protocol specification, or
 * from Cairn's own decisions where the specification leaves them open.
 */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  idle: ["planning"],
  planning: ["assume_announce", "awaiting_approval", "clarifying", "error"],
  clarifying: ["idle", "refining"],
  refining: ["awaiting_approval", "clarifying", "error"],
  assume_announce: ["clarifying", "executing", "idle", "refining"],
  awaiting_approval: ["executing", "idle"],
  executing: ["completed", "error", "idle", "mid_exec_dialog"],
  mid_exec_dialog: ["completed", "executing", "idle", "replanning"],
  replanning: ["assume_announce", "awaiting_approval", "clarifying", "error"],
  completed: ["planning"],
  error: ["planning"],
};

test("the state machine of a dialogue has exactly the specified states and transitions", () => {
  const stateOf = (value: unknown): string =>
    typeof value === "object" && value !== null ? (Object.keys(value)[0] ?? "") : String(value);
  const adjacency = getAdjacencyMap(
    dialogueMachine as never,
    {
      input: { id: "d" },
      events: EVENTS.map((event) => ({ at: AT, ...event })),
      // Two snapshots of the machine count as equal if all fields on which transitions depend are equal.
      // Messages and histories are left out, because they grow without limit.
      serializeState: (snapshot: { value: unknown; context: DialogueContext }) => {
        const { stepIndex, round, pausing, plan: made, questions, failure } = snapshot.context;
        return JSON.stringify([
          snapshot.value,
          stepIndex,
          round,
          pausing,
          // The test approves only version 1 of a plan. All later versions behave alike, so each counts as
          // version 2, which limits the number of states.
          Math.min(2, made?.version ?? 0),
          questions.length,
          failure?.code ?? null,
        ]);
      },
      limit: 20_000,
    } as never,
  ) as unknown as Readonly<
    Record<string, { state: { value: unknown }; transitions: Record<string, { state: { value: unknown } }> }>
  >;
  const found = new Map<string, Set<string>>();
  for (const { state, transitions } of Object.values(adjacency)) {
    const from = stateOf(state.value);
    const to = found.get(from) ?? new Set();
    for (const next of Object.values(transitions)) {
      const reached = stateOf(next.state.value);
      if (reached !== from) to.add(reached);
    }
    found.set(from, to);
  }
  expect(Object.fromEntries([...found].map(([from, to]) => [from, [...to].sort()]))).toEqual(
    Object.fromEntries(Object.entries(FOLLOWING).map(([from, to]) => [from, [...to].sort()])),
  );
});
