/** Tests how Cairn recognises that an application asks whether to leave a page with values that are not saved. */
import { expect, test } from "bun:test";
import {
  asksBeforeLeaving,
  questionBeforeLeaving,
} from "../../../../machines/dialogue/plan/question-before-leaving.ts";
import { button, field } from "../support/test-page-elements.ts";

const page = (question: string, names: readonly string[]) => ({
  highlightedElements: [
    ...[field("Name"), button("Save")].map((one) => ({ ...one, covered: "div" })),
    ...names.map((name) => button(name, { segment: 1 })),
  ],
  segments: [
    { type: "section" as const, selector: "", textContent: question, depth: 1, index: 1, frame: [] },
  ],
});
const answers = (question: string, names: readonly string[]) => {
  const asked = questionBeforeLeaving(page(question, names));
  return (
    asked && [
      asked.leave.ariaLabel ?? asked.leave.textContent,
      asked.stay.ariaLabel ?? asked.stay.textContent,
    ]
  );
};

test.each([
  "There are unsaved changes, are you sure you want to exit?",
  "Some of your changes weren't saved. Are you sure you want to ignore them?",
  "Your changes will be lost. Continue?",
  "Ungespeicherte Änderungen verwerfen?",
  "Des modifications ne sont pas enregistrées.",
  "Hay cambios sin guardar.",
])("%s is a question before the page is left", (message) => {
  expect(asksBeforeLeaving({ type: "confirm", message })).toBe(true);
});

test.each(["Delete Alpha?", "Are you sure?", "Send the letter to all readers?"])(
  "%s is no question before the page is left",
  (message) => {
    expect(asksBeforeLeaving({ type: "confirm", message })).toBe(false);
  },
);

test("a question that the page draws has a control that leaves the page, and one that stays", () => {
  const unsaved = "Unsaved changes. Are you sure you want to leave this page?";
  expect(answers(unsaved, ["Discard changes", "Keep editing"])).toEqual(["Discard changes", "Keep editing"]);
  expect(answers(unsaved, ["Save", "Don't save", "Cancel"])).toEqual(["Don't save", "Cancel"]);
  expect(answers(unsaved, ["Stay", "Leave"])).toEqual(["Leave", "Stay"]);
  expect(answers("Delete Alpha?", ["Cancel", "Confirm"])).toBeUndefined();
  expect(answers(unsaved, ["Save"])).toBeUndefined();
});
