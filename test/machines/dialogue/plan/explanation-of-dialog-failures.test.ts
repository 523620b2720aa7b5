/** Tests what a dialogue says about a step that failed because of a dialog of the page. */
import { expect, test } from "bun:test";
import { analyseFailure } from "../../../../machines/dialogue/plan/failed-step-explanation.ts";

const dialog = { type: "confirm", message: "Move to the top?", accepted: false };
const failure = (data: Readonly<Record<string, unknown>>) =>
  analyseFailure(0, { error: "The page opened a dialog.", data });

test.each([
  [
    "asked for a confirmation",
    { code: "approval_needed", dialog },
    "The page asks for a confirmation, and the plan has no approval for it.",
    "Do the step again and accept the dialog.",
    ["retry", "replan", "skip", "abort"],
  ],
  [
    "opened before the step had ended",
    { code: "dialog_open", dialog, interrupted: true },
    "The page opened a dialog before the step had ended.",
    "Do the step again. The dialog is closed.",
    ["retry", "replan", "skip", "abort"],
  ],
  [
    "asked for a text",
    { code: "dialog_open", dialog: { ...dialog, type: "prompt" } },
    "The page asks for a text, and no plan has one.",
    "Continue with the next step.",
    ["skip", "abort"],
  ],
])(
  "a failure because the page's dialog %s states its cause and the possible recoveries",
  (_, data, cause, suggestion, recoveries) => {
    expect(failure(data)).toMatchObject({ cause, suggestion, recoveries, recommendedAction: recoveries[0] });
  },
);

test("the explanation of a failure suggests approving the step if the step needs an approval, even if the page has opened no dialog", () => {
  expect(failure({ code: "approval_needed" }).suggestion).toBe("Approve the step and do it.");
});
