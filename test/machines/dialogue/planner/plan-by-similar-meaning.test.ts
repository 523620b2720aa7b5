/**
 * Tests plans for tasks of which no word is in the name of a control. The planner then compares the meanings of
 * words by word vectors.
 */
import { describe, expect, test } from "bun:test";
import { similarElements } from "../../../../machines/dialogue/clauses/control-choice-by-similarity.ts";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";
import { cairnVectors } from "../support/word-vectors-for-tests.ts";

const vectors = await cairnVectors();

const requestFor = (task: string, elements: readonly HighlightedElement[], isWithVectors = true) => ({
  task,
  elements,
  answers: {},
  id: "p",
  version: 1,
  pageUrl: "http://site.test/",
  ...(isWithVectors ? { vectors } : {}),
});

const planned = (task: string, elements: readonly HighlightedElement[], isWithVectors = true) =>
  planRefined(requestFor(task, elements, isWithVectors));

const link = (textContent: string) =>
  element({
    tagName: "a",
    interactionType: "navigate",
    textContent,
    attributes: { href: `/${textContent}` },
  });
const microphone = (xpath = "") => button("", { icon: "microphone", xpath });
const chat = [button("Send"), microphone(), button("", { icon: "bell" })];

describe("a task whose words no control has", () => {
  test("clicks the control with the nearest meaning, and announces this before", () => {
    const { plan, questions } = planned("Record a voice message", chat);
    expect(questions).toEqual([]);
    expect(plan.steps).toMatchObject([{ action: "click", targetId: chat[1]?.highlight_index }]);
    expect(plan.assumptions).toMatchObject([{ field: "Record a voice message", assumedValue: "microphone" }]);
    expect(plan.confidence.overall).toBeGreaterThanOrEqual(0.5);
    expect(plan.confidence.overall).toBeLessThan(0.9);
  });

  test("leads to a question if no word vectors are used", () => {
    const { plan, questions } = planned("Record a voice message", chat, false);
    expect(plan.steps).toEqual([]);
    expect(questions).toHaveLength(1);
  });

  test("chooses the option of a list with the nearest meaning", () => {
    const view = list("View", ["Desktop", "Tablet", "Mobile"]);
    const { plan } = planned("Show the page the way it looks on a phone", [view, button("Publish")]);
    expect(plan.steps).toMatchObject([{ action: "select_dropdown", value: "Mobile" }]);
  });

  test("ignores a clause that gives a reason", () => {
    const buttons = [button("Pause"), button("Renew"), button("Help")];
    const { plan } = planned("We are away over the summer, please put it on hold for now", buttons);
    expect(plan.steps).toMatchObject([{ targetId: buttons[0]?.highlight_index }]);
  });

  test("waits for an approval if the control is of high risk", () => {
    const buttons = [button("Make public"), button("Rename"), button("Print")];
    const { plan, questions } = planned("Everyone should see the repository", buttons);
    expect(questions).toEqual([]);
    expect(plan.steps).toMatchObject([{ risk: "high", targetId: buttons[0]?.highlight_index }]);
  });
});

describe("word vectors make no plan, and the person is asked, for", () => {
  test.each([
    ["a vague task", "Record something by voice message", chat],
    [
      "a task with a name that the nearest control and its row do not have",
      "Record a voice message for Slovenia",
      chat,
    ],
    [
      "a task that several controls fit equally well",
      "Record a voice message",
      [...chat, microphone("/aside/button")],
    ],
    ["a task with two imperatives", "Record a voice message and archive it", chat],
    [
      "a task whose nearest element is a field, which needs a value",
      "Show the page the way it looks on a phone",
      [field("Mobile"), button("Publish")],
    ],
  ])("%s", (_, task, elements) => {
    const { plan, questions } = planned(task, elements);
    expect(plan.steps.filter(({ deferred }) => !deferred)).toEqual([]);
    expect(questions).not.toEqual([]);
  });
});

describe("if a button has the verb of the task but another noun,", () => {
  test.each([
    ["Show the history", "Show filters"],
    ["Show messages", "Show filters"],
    ["Add a member", "Add group"],
    ["Delete the note", "Delete account"],
    ["View invoices", "View order"],
    ["Clear the events of the printer", "Clear current filters"],
  ])('the task "%s" does not press the button "%s", and the person is asked', (task, name) => {
    const { plan, questions } = planned(task, [button(name), button("Export")]);
    expect(plan.steps).toEqual([]);
    expect(questions).not.toEqual([]);
  });

  test.each(["Clear the events", "Clear the events of the printer"])(
    'the task "%s" does not press the button "Clear current filters" under the heading "Events"',
    (task) => {
      const place = { headings: ["Printer", "Events"], caption: [], column: "" };
      const page = [
        { ...button("Clear current filters"), place },
        { ...button("Export"), place },
      ];
      expect(planned(task, page).plan.steps).toEqual([]);
      expect(planned("Clear the filters", page).plan.steps).toHaveLength(1);
    },
  );

  test.each([
    ["Close the warning", "Close alert"],
    ["Save the draft", "Save changes"],
    ["Download the report", "Download CSV"],
    ["Underline it", "Underline (CTRL+U)"],
    ["Move up", "Move up"],
  ])(
    'the task "%s" presses the button "%s", because the button\'s noun means the same or fits anything',
    (task, name) => {
      const page = [button(name), button("Export")];
      expect(planned(task, page).plan.steps).toMatchObject([{ targetId: page[0]?.highlight_index }]);
    },
  );
});

describe("a plan by word vectors", () => {
  const controls = ["Lock door", "Open garage", "Freeze card", "Refund", "Help"].map((name) => button(name));

  test.each(["Unlock the door", "Close the garage", "Unfreeze my card", "Never give the money back"])(
    "neither uses nor offers a control that does the opposite of the task, or what the task forbids: %s",
    (task) => {
      const { plan, questions } = planned(task, controls);
      expect(plan.steps).toEqual([]);
      expect(questions).toMatchObject([{ type: "freeform", options: [] }]);
    },
  );
});

test("a link named Members is a less likely target of 'Repaint the members' than of 'The members'", () => {
  const chanceOf = (clause: string): number =>
    similarElements(clause, [link("Members"), button("Search"), link("Help")], vectors, false).chance;
  expect(chanceOf("Repaint the members")).toBeLessThan(chanceOf("The members"));
});

describe("a question about a task that no control fits well enough", () => {
  const task = "I need the herd list on paper";
  const herd = [
    button("Print herd list"),
    button("Register a calf"),
    button("Export herd list"),
    button("Weather"),
  ];

  test("offers the most similar controls, and the chosen one is clicked", () => {
    const { plan, questions } = planned(task, herd);
    expect(plan.steps).toEqual([]);
    expect(questions).toMatchObject([{ id: "target-0", type: "option_select" }]);
    const [question] = questions;
    expect(question?.options.map(({ text }) => text)).toEqual([
      "Print herd list",
      "Export herd list",
      "Register a calf",
    ]);
    const answers = { "target-0": question?.options[0]?.id ?? "" };
    const { plan: answered } = planRefined({ ...requestFor(task, herd), answers });
    expect(answered.steps).toMatchObject([{ action: "click", targetId: herd[0]?.highlight_index }]);
  });

  test("offers no controls without word vectors", () => {
    expect(planned(task, herd, false).questions).toMatchObject([{ type: "freeform", options: [] }]);
  });
});
