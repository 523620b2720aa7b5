/** Tests the conversation of `cairn task`: the lines that a person types, and the lines that are printed. */
import { describe, expect, test } from "bun:test";
import { answerOf, lineOf, promptOf, QuestionRound } from "../../gateway/commands/dialogue-terminal-lines.ts";
import { initialContext, viewOf } from "../../machines/dialogue/dialogue-context.ts";
import type { DialogueView } from "../../machines/dialogue/dialogue-schemas.ts";
import type { DialogueStatus } from "../../machines/dialogue/dialogue-states-that-accept-text.ts";
import { analyseFailure } from "../../machines/dialogue/plan/failed-step-explanation.ts";
import type { Plan, Question } from "../../machines/dialogue/plan/plan-schemas.ts";

const plan: Plan = {
  id: "p",
  version: 3,
  summary: "Save",
  confidence: { overall: 0.8, breakdown: { intentClarity: 1, targetMatch: 0.7, valueConfidence: 1 } },
  steps: [],
  assumptions: [{ field: "order", assumedValue: "Finish order", confidence: 0.8, questionId: "target-0" }],
  risks: [],
  source: "page",
  fallback: "unavailable: the model server answered 500",
};
const view = (status: DialogueStatus, code?: string): DialogueView => ({
  ...viewOf({ ...initialContext("d"), plan }, status),
  failure: code === undefined ? null : analyseFailure(0, { error: "late", data: { code } }),
});
const question = (id: string, options: readonly string[]): Question => ({
  id,
  type: options.length > 0 ? "option_select" : "freeform",
  question: `Which ${id}?`,
  options: options.map((text) => ({ id: `${id}-${text}`, text, confidence: 0.5 })),
  allowFreeform: true,
});

describe("a line that a person types into a dialogue in the terminal", () => {
  test.each([
    ["awaiting_approval", "yes", { action: "approvePlan", planVersion: 3 }],
    ["awaiting_approval", "n", { action: "rejectPlan", planVersion: 3 }],
    ["awaiting_approval", "maybe", undefined],
    ["awaiting_approval", "cancel", { action: "cancel" }],
    ["assume_announce", "correct", { action: "correctAssumption", field: "order" }],
    [
      "assume_announce",
      "c the second one",
      { action: "correctAssumption", field: "order", newValue: "the second one" },
    ],
    ["assume_announce", "yes", undefined],
    ["mid_exec_dialog", "r", { action: "midExecDecision", decision: "retry" }],
    ["mid_exec_dialog", "replan", { action: "midExecDecision", decision: "replan" }],
    ["mid_exec_dialog", "stop", { action: "midExecDecision", decision: "abort" }],
    ["executing", "pause", { action: "pause" }],
    ["planning", "yes", undefined],
  ] as const)("becomes the answer that the dialogue expects in the state %s: %j", (status, line, answer) => {
    expect(answerOf(view(status), line)).toEqual(answer as never);
  });

  test("answers several open questions one after another, and all answers are sent together", () => {
    const round = new QuestionRound([question("one", ["Anna", "Bert"]), question("two", [])]);
    expect(round.prompt).toEqual([
      "(1 of 2) Which one?",
      "  1. Anna (50 %)",
      "  2. Bert (50 %)",
      "  Type a number or your own words, or cancel.",
    ]);
    expect(round.add(" ")).toBeUndefined();
    expect(round.add("2")).toBeUndefined();
    expect(round.prompt[0]).toBe("(2 of 2) Which two?");
    expect(round.add("the last")).toEqual({
      action: "submitClarification",
      answers: [
        { questionId: "one", selectedOptionId: "one-Bert" },
        { questionId: "two", answer: "the last" },
      ],
    });
    expect(new QuestionRound([question("one", ["Anna"])]).add("someone else")).toEqual({
      action: "submitClarification",
      questionId: "one",
      answer: "someone else",
    });
  });
});

describe("a line that a dialogue prints in the terminal", () => {
  test("shows the origin of a plan and why the model was not used", () => {
    expect(promptOf(view("awaiting_approval")).join("\n")).toContain(
      "Confidence 80 %, planned from the words of the page.\n  The model was not used: unavailable: the model server answered 500",
    );
  });

  test("shows the possible decisions about a failed step, the best first", () => {
    expect(promptOf(view("mid_exec_dialog", "timeout")).at(-1)).toBe("  retry, skip, replan, abort");
  });

  test("shows steps, their effects and the end of the task", () => {
    const message = { dialogue_id: "d", seq: 1, timestamp: 1 };
    expect([
      lineOf({ ...message, type: "stepStarted", stepIndex: 0, step: { description: "Click Save" } }),
      lineOf({ ...message, type: "stepCompleted", evidence: { effect: "navigated", url: "http://a/" } }),
      lineOf({ ...message, type: "taskCompleted", summary: "Save" }),
      lineOf({ ...message, type: "stateChanged", state: "planning" }),
    ]).toEqual(["1. Click Save", "   done: navigated, http://a/", "Done: Save", undefined]);
  });
});
