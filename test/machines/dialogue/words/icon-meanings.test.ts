/**
 * Tests tasks for a button that shows only an icon. The words by which people search for such an icon find the
 * button, for example "recording" for a microphone.
 */
import { expect, test } from "bun:test";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import { meaningsOfIcon } from "../../../../machines/dialogue/words/icon-meanings.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button } from "../support/test-page-elements.ts";

const planned = (task: string, elements: readonly HighlightedElement[]) =>
  planRefined({ task, elements, answers: {}, id: "p", version: 1, pageUrl: "http://site.test/" }).plan;

test("the meanings of an icon are the search words on which most icon sets agree, without the icon's own name", () => {
  expect(meaningsOfIcon("heart outline")).toContain("favourite");
  expect(meaningsOfIcon("trash-2")).toContain("rubbish");
  // The icon "x" usually means "close", so "delete" is not among its search words.
  expect(meaningsOfIcon("x")).not.toContain("delete");
  expect(meaningsOfIcon("microphone")).not.toContain("microphone");
});

test("a task finds a button that shows only an icon by a word for the icon, such as recording for a microphone", () => {
  const elements = [button("", { icon: "bell" }), button("", { icon: "microphone" }), button("Send")];
  const { steps } = planned("Start the recording", elements);
  expect(steps).toMatchObject([{ action: "click", targetId: elements[1]?.highlight_index }]);
});

test("the task Change clicks the button named Change, and not the pencil icon, which also means change", () => {
  const elements = [button("", { icon: "pencil" }), button("Change")];
  const { steps } = planned("Change", elements);
  expect(steps).toMatchObject([{ action: "click", targetId: elements[1]?.highlight_index }]);
});

test("a task does not find a button by the meaning of its icon if the button has a name", () => {
  const { steps } = planned("Start the recording", [button("Help", { icon: "microphone" })]);
  expect(steps).toEqual([]);
});
