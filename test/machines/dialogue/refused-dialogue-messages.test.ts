/** Tests which messages of a person a dialogue refuses, and that the error says what it accepts instead. */
import { describe, expect, test } from "bun:test";
import type { AnyEventObject } from "xstate";
import { dialogueLimits } from "../../../machines/dialogue/dialogue-limits.ts";
import { acceptedMessages } from "../../../machines/dialogue/refused-dialogue-message-reasons.ts";
import {
  AT,
  announced,
  answer,
  approval,
  clarifying,
  completed,
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

describe("a dialogue about a task", () => {
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
  ] as const)("refuses %s, and the error states why", (_, driver, event, reason) => {
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
    "accepts in the state %s exactly the messages that a refusal in this state lists",
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
});
