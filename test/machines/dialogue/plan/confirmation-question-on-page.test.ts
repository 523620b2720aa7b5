/** Tests how a dialogue recognises a confirmation that a page draws, and when the approval of a step counts for it. */
import { describe, expect, test } from "bun:test";
import {
  asksForApproval,
  confirmationOf,
  isApproved,
  isDialogApproved,
  isLeftToStep,
} from "../../../../machines/dialogue/plan/confirmation-question-on-page.ts";
import { analyseFailure } from "../../../../machines/dialogue/plan/failed-step-explanation.ts";
import type { PlanStep } from "../../../../machines/dialogue/plan/plan-schemas.ts";
import { retriedStep } from "../../../../machines/dialogue/plan/plan-step-edits.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const rows = ["Hugo", "Greta"].map((name) => button("Delete", { around: name }));
const before = new Set(rows.map(({ highlight_index }) => highlight_index));

/**
 * Returns the confirmation that a step has opened over a list with two rows. The confirmation has the two given
 * controls.
 */
function asked(
  question: string,
  confirm: string,
  dismiss = "Cancel",
  fields: readonly HighlightedElement[] = [],
) {
  const shown = [...fields, button(dismiss, { segment: 1 }), button(confirm, { segment: 1 })];
  const covered = rows.map((one) => ({ ...one, covered: "div" }));
  const found = confirmationOf(
    {
      highlightedElements: [...covered, ...shown],
      segments: [{ type: "section", selector: "", textContent: question, depth: 1, index: 1, frame: [] }],
    },
    before,
  );
  if (!found) throw new Error(`"${question}" is no confirmation.`);
  return found;
}

const stepFor = (task: string, more: Partial<PlanStep> = {}): PlanStep => {
  const [step] = planned(task, [button("Delete"), button("Send message"), button("Leave group")]).plan.steps;
  if (!step) throw new Error(`"${task}" has no step.`);
  return { ...step, ...more };
};

test("a page's question is recognised although a clickable surface covers the rest of the page (Directus, Bulma)", () => {
  const surface = element({ tagName: "div", interactionType: "click" });
  const shown = [surface, button("Cancel"), button("Delete")];
  const covered = rows.map((one) => ({ ...one, covered: "div" }));
  const found = confirmationOf({ highlightedElements: [...covered, ...shown], segments: [] }, before);
  expect(found?.confirm.textContent).toBe("Delete");
  // The control with the icon "pin" is a further choice, so the page shows more than a confirmation.
  const pin = element({ tagName: "span", interactionType: "click", icon: "pin" });
  const further = { highlightedElements: [...covered, pin, ...shown], segments: [] };
  expect(confirmationOf(further, before)).toBeUndefined();
});

test.each(["times", "x-lg", "close"])(
  "a question is recognised that has a control with only the icon %p beside Cancel and Yes (Kanboard, Bootstrap)",
  (icon) => {
    const corner = element({ tagName: "a", textContent: "", interactionType: "click", icon });
    const covered = rows.map((one) => ({ ...one, covered: "div" }));
    const page = { highlightedElements: [...covered, corner, button("Yes"), button("cancel")], segments: [] };
    const found = confirmationOf(page, before);
    expect([found?.confirm.textContent, found?.dismiss.textContent]).toEqual(["Yes", "cancel"]);
  },
);

describe("the approval of a step", () => {
  test.each([
    ["Delete", "Delete user?", "Delete"],
    ["Delete", "Delete user?", "Remove user"],
    ["Delete", "Are you sure?", "Yes"],
    ["Delete", "Are you sure?", "Yes, delete it"],
    ["Delete", "Really?", "Yes, I'm sure"],
    ["Delete", "Are you sure?", "Confirm deletion"],
    ["Send message", "Send without a subject?", "Send anyway"],
    ["Leave group", "Leave?", "Leave"],
  ])("to click %p also counts for the page's question %p with the button %p", (task, question, confirm) => {
    expect(isApproved(asked(question, confirm), stepFor(task))).toBe(true);
  });

  test.each([
    ["Delete", "Leave without saving?", "Leave"],
    ["Delete", "Undo is part of our paid plan.", "Upgrade"],
    ["Send message", "Delete the draft?", "Delete"],
    ["Send message", "Delete the draft?", "Yes, delete it"],
    ["Send message", "Also tell the whole group?", "Message everybody"],
  ])(
    "to click %p does not count for the page's question %p with the button %p",
    (task, question, confirm) => {
      expect(isApproved(asked(question, confirm), stepFor(task))).toBe(false);
    },
  );

  test("counts for the page's question about a deletion if the step clicked a control that only shows a trash icon", () => {
    const target = { role: "link", name: "", attributes: { icon: "trash" } };
    expect(isApproved(asked("Delete user?", "Delete"), stepFor("Delete", { target }))).toBe(true);
  });

  test("counts for the page's question, whatever its button is called, if the person has approved this question by a retry", () => {
    const dialog = { type: "page", message: "Invite all guests?", accepted: false };
    const failure = analyseFailure(0, { error: "Asked.", data: { code: "approval_needed", dialog } });
    const step = retriedStep(stepFor("Delete"), failure);
    expect(isApproved(asked("Invite all guests?", "Go"), step)).toBe(true);
    expect(isApproved(asked("Invite all members?", "Go"), step)).toBe(false);
  });
});

describe("a dialog after a step without approval", () => {
  test.each([
    ["Invite all guests?", "Go", "Cancel"],
    ["The user will be removed.", "Delete", "Cancel"],
    ["Publish now?", "OK", "×"],
    ["Delete the ticket?", "Delete", "Close"],
  ])("needs an approval if it says %p and has the buttons %p and %p", (question, confirm, dismiss) => {
    expect(asksForApproval(asked(question, confirm, dismiss))).toBe(true);
  });

  test.each([
    ["Ticket 7: The printer is broken", "Delete", "Close"],
    ["Need more help? Read on", "Open the handbook", "×"],
    ["Saved", "View", "Cancel"],
  ])(
    "needs no approval if it says %p and has the buttons %p and %p, because it only shows something",
    (question, confirm, dismiss) => {
      expect(asksForApproval(asked(question, confirm, dismiss))).toBe(false);
    },
  );
});

describe("two controls that the page shows in the place of the pressed one", () => {
  const list = ["Hugo", "Greta", "Ada"].map((name) => button("Delete", { around: name }));
  const known = new Set(list.map(({ highlight_index }) => highlight_index));
  const inPlace = (names: readonly string[], gone = 1) =>
    confirmationOf(
      { highlightedElements: [...list.slice(gone), ...names.map((name) => button(name))], segments: [] },
      known,
    );

  test.each([
    ["yes", "no"],
    ["Cancel", "Confirm"],
    ["Delete", "Keep"],
  ])("count as a question that needs an approval if they are %p and %p", (one, other) => {
    const found = inPlace([one, other]);
    expect(found && asksForApproval(found)).toBe(true);
  });

  test.each([
    ["two names that are no answers", inPlace(["Save", "Cancel"])],
    ["a third control", inPlace(["yes", "no", "Later"])],
    ["another control that is gone, too", inPlace(["yes", "no"], 2)],
  ])("do not count as a question if the page has %s", (_case, found) => {
    expect(found).toBeUndefined();
  });
});

test("the plan's next step, and not the dialogue, answers the page's question if the step names a button only by its words, or closes the question", () => {
  const question = asked("Delete the user?", "Delete");
  expect(isLeftToStep(question, stepFor("Delete", { targetId: null }))).toBe(true);
  expect(isLeftToStep(question, stepFor("Delete", { target: { role: "button", name: "Cancel" } }))).toBe(
    true,
  );
});

test("the plan's next step, and not the dialogue, answers the page's question if the step types the text that the question asks for", () => {
  const question = asked("Type its name.", "Delete", "Cancel", [field("Name")]);
  const typing: Partial<PlanStep> = { action: "input", value: "Hugo", target: { role: "", name: "name" } };
  expect(isLeftToStep(question, stepFor("Delete", { ...typing, targetId: null, deferred: true }))).toBe(true);
  expect(
    isLeftToStep(
      question,
      stepFor("Delete", { ...typing, targetId: null, action: "navigate", target: null }),
    ),
  ).toBe(false);
});

test("the dialogue, and not the plan's next step, answers the page's question if the step presses a button of the same name in another row", () => {
  const [, greta] = rows;
  const next = stepFor("Delete", { targetId: greta?.highlight_index ?? null });
  expect(isLeftToStep(asked("Delete the user?", "Delete"), next)).toBe(false);
  expect(isLeftToStep(asked("Delete the user?", "Delete"), undefined)).toBe(false);
});

describe("the approval of a step, if the browser then asks in a confirm dialog,", () => {
  const isAccepted = (name: string, message: string, task = name, more: Partial<PlanStep> = {}) =>
    isDialogApproved(
      { type: "confirm", message },
      { ...stepFor("Delete"), target: { role: "button", name }, description: `Click "${name}"`, ...more },
      task,
    );

  test.each([
    ["Delete", "Are you sure?"],
    ["Delete", "This action cannot be undone. Continue?"],
    ["Delete", "Are you sure you want to remove Alpha?"],
    ["Send", "Send without a subject?"],
    ["Löschen", "Möchten Sie den Eintrag wirklich löschen?"],
    ["Supprimer", "Êtes-vous sûr de vouloir supprimer ce lien ?"],
    ["Move up", "Move to the top?"],
  ])("counts for the control %p and the question %p", (name, message) => {
    expect(isAccepted(name, message)).toBe(true);
  });

  test("counts for a control that shows only a symbol (×) if the task says what the question says", () => {
    expect(isAccepted("×", "Really delete?", "Delete the comment of Greta")).toBe(true);
  });

  test.each([
    ["Sign out", "Discard your draft?"],
    ["Send", "Delete all drafts?"],
    ["Empty trash", "Join the beta programme?"],
  ])(
    "does not count for the control %p and the question %p, unless the person has approved this question",
    (name, message) => {
      expect(isAccepted(name, message)).toBe(false);
      expect(isAccepted(name, message, name, { approved: message })).toBe(true);
    },
  );

  test("does not count for a question about something that another part of the task asks for", () => {
    const task = "Delete the old note, then sign out";
    expect(isAccepted("Sign out", "Delete your draft?", task)).toBe(false);
  });

  test("never counts for a prompt, and counts for the question whether to leave the page only after a retry", () => {
    const step = stepFor("Delete");
    const leave = { type: "beforeunload", message: "" };
    expect(isDialogApproved({ type: "prompt", message: "Name?" }, step, "Delete")).toBe(false);
    expect(isDialogApproved(leave, step, "Delete")).toBe(false);
    expect(isDialogApproved(leave, { ...step, approved: "" }, "Delete")).toBe(true);
  });
});
