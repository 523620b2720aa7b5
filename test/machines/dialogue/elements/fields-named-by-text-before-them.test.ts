/** Tests that the text before a field without a label names the field, as in forms of Directus and Uptime Kuma. */
import { expect, test } from "bun:test";
import { namesOf } from "../../../../machines/dialogue/elements/texts-that-may-name-element.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, field } from "../support/test-page-elements.ts";

const unlabelled = (around: string, more: Partial<HighlightedElement> = {}) =>
  field("", { around, placeholder: "Enter a value...", ...more });
const page = (...captions: string[]) => [
  button("Search"),
  ...captions.map((caption) => unlabelled(caption)),
  button("Save"),
];

test.each([
  ["Enter Paris as the city", ["input 1 Paris"]],
  ["Change the city to Paris", ["input 1 Paris"]],
  ["city: Paris, postcode: 1000", ["input 1 Paris", "input 2 1000"]],
])("the text before a field without a label names the field, for example in the task: %s", (task, steps) => {
  const elements = page("City", "Postcode");
  expect(stepsOf(task, elements)).toEqual(steps);
  expect(planned(task, elements).plan.confidence.overall).toBeGreaterThan(0.9);
});

test("a task for the title fills the field after the text Title, and not the field after the longer text Sub title", () => {
  expect(stepsOf('Set the title to "Rope work"', page("Title", "Sub title"))).toEqual(["input 1 Rope work"]);
});

test("a field is not named by the text of its row, by a long text before it, or by a text before it if it has a label", () => {
  const names = (element: HighlightedElement) => namesOf(element).map(({ text }) => text);
  expect(names(unlabelled("Rope", { xpath: "/html/body/table/tr[2]/td[2]/input" }))).not.toContain("Rope");
  const long = "Write here what the members of the workshop should bring";
  expect(names(unlabelled(long))).not.toContain(long);
  expect(names(field("Town", { around: "City" }))).not.toContain("City");
});
