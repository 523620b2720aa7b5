/**
 * Tests the transitions of a dialogue's state machine. Each row of the table in the protocol specification
 * has one test.
 */
import { describe, expect, test } from "bun:test";
import type { AnyEventObject } from "xstate";
import { getAdjacencyMap } from "xstate/graph";
import type { DialogueContext } from "../../../machines/dialogue/dialogue-context.ts";
import { dialogueMachine } from "../../../machines/dialogue/dialogue-machine.ts";
import { analyseFailure } from "../../../machines/dialogue/plan/failed-step-explanation.ts";
import {
  AT,
  announced,
  answer,
  approval,
  clarifying,
  completed,
  Driver,
  decide,
  executing,
  failed,
  NO_PLAN,
  PLACE,
  plan,
  planning,
  question,
  START,
} from "./support/dialogue-machine-driver.ts";

/**
 * Runs a task to its last step, which enters a value in a form.
 *
 * @param not_pressed name of the form's button, which the step has not pressed
 */
const filled = (task: string, not_pressed: string) =>
  new Driver()
    .send({ ...START, task })
    .planned(plan(0.95, { steps: 1 }))
    .send({ type: "APPROVE_PLAN", planVersion: 1 })
    .send({
      type: "xstate.done.actor.act",
      output: { ok: true, evidence: { not_pressed, not_pressed_index: 9 }, page: null, tab: null },
    });
const unsent = () => filled("Change the currency to CHF", "Save");

describe("a form that is not sent at the end of a task", () => {
  test("is sent by a click on its button if the person decides to retry", () => {
    const asked = unsent();
    expect(asked.context.failure).toMatchObject({
      code: "form_not_sent",
      recoveries: ["retry", "skip", "abort"],
    });
    const { plan: now, stepIndex } = asked.send(decide("retry")).context;
    expect(now?.steps[stepIndex]).toMatchObject({
      action: "click",
      targetId: 9,
      target: { name: "Save" },
      risk: "high",
    });
    expect(asked.acted().state).toBe("completed");
  });

  test("is in the last message of the task if the person skips the step", () => {
    const { published } = unsent().send(decide("skip"));
    expect(published.at(-1)).toMatchObject({ type: "taskCompleted", notPressed: "Save" });
    expect(published.at(-1)?.summary).toContain('Skipped: Click "Save"');
  });
});

describe("a dialogue about a task", () => {
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
    ["executing, the task changes something and its form is not sent", unsent, "mid_exec_dialog"],
    [
      "executing, the form of a task that only fills it in is not sent",
      () => filled("Enter CHF as the currency", "Save"),
      "completed",
    ],
    [
      "executing, a form that searches is not sent",
      () => filled("Set the status to open", "Search"),
      "completed",
    ],
    ["mid_exec_dialog, retry of a form that is not sent", () => unsent().send(decide("retry")), "executing"],
    ["mid_exec_dialog, skip of a form that is not sent", () => unsent().send(decide("skip")), "completed"],
    [
      "mid_exec_dialog, replan of a form that is not sent is refused",
      () => unsent().send(decide("replan")),
      "mid_exec_dialog",
    ],
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
      // Two snapshots of the state machine count as equal if all fields on which transitions depend are equal.
      // Messages and histories are left out, because they grow without limit.
      serializeState: (snapshot: { value: unknown; context: DialogueContext }) => {
        const { stepIndex, round, pausing, plan: made, questions, failure } = snapshot.context;
        return JSON.stringify([
          snapshot.value,
          stepIndex,
          round,
          pausing,
          // A test must not reach an unlimited number of states. Only version 1 of a plan is approved here. All
          // later versions behave in the same way, so all of them count as version 2.
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
