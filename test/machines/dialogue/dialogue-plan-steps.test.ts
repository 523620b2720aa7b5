/** Tests the steps of a plan in a dialogue: attempts, failures, edits, and what is reported at the end. */
import { describe, expect, test } from "bun:test";
import type { AnyEventObject } from "xstate";
import { flaggedSteps } from "../../../machines/dialogue/dialogue-context.ts";
import {
  AT,
  approval,
  Driver,
  decide,
  executing,
  failed,
  PLACE,
  plan,
  planning,
} from "./support/dialogue-machine-driver.ts";

describe("a dialogue about a task", () => {
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

  test("marks an edited step as high risk if its new words name a risky action", () => {
    const step = { target: { role: "button", name: "Delete account" } };
    const driver = approval().send({ type: "EDIT_STEP", planVersion: 1, stepIndex: 0, step });
    expect(driver.context.plan).toMatchObject({ version: 2, steps: [{ risk: "high" }, { risk: "low" }] });
  });
});
