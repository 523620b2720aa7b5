/** Tests plans that are made without a language model, and the confidence of these plans. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  confidenceOf,
  intentClarity,
  routeOf,
  targetScore,
} from "../../../../machines/dialogue/plan/plan-confidence.ts";
import { planOffline } from "../../../../machines/dialogue/planner/plan-by-imperatives.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const page = [
  field("City"),
  field("Search", { type: "search" }),
  element({ tagName: "select", type: "select-one", interactionType: "select", labelText: "Country" }),
  button("Save"),
  button("Delete account"),
  element({ tagName: "a", type: "", interactionType: "navigate", textContent: "Orders" }),
];

const planned = (task: string, answers: Record<string, string> = {}, elements = page) =>
  planOffline({ task, elements, answers, id: "p", version: 1, pageUrl: "http://site.test/" });

describe("a task that is planned without a model", () => {
  test.each([
    ['Type "Vienna" into City and click Save', ["input City Vienna", "click Save"]],
    ["Fill in City with Linz, then press Save", ["input City Linz", "click Save"]],
    ["Select Austria in Country", ["select_dropdown Country Austria"]],
    ["Go to the Orders page", ["click Orders"]],
    ["Search for 'AI tools'", ["input Search AI tools", "send_keys Enter"]],
    ["Open https://example.com/x", ["navigate https://example.com/x"]],
    ['Click "Delete account"', ["click Delete account"]],
  ])("becomes the steps %s", (task, steps) => {
    const { plan, questions } = planned(task);
    expect(
      plan.steps.map(({ action, target, value }) => [action, target?.name, value].filter(Boolean).join(" ")),
    ).toEqual(steps);
    expect(questions).toEqual([]);
    expect(plan.confidence.overall).toBeGreaterThan(0.5);
  });

  test("gets a plan with high confidence if it is clear, and a plan with a risk if it deletes something", () => {
    expect(planned('Type "Vienna" into City and click Save').plan.confidence.overall).toBeGreaterThanOrEqual(
      0.9,
    );
    const { plan } = planned("Delete account");
    expect(plan.steps).toMatchObject([{ risk: "high", reversible: false }]);
    expect(plan.risks).toHaveLength(1);
    expect(plan.confidence.overall).toBeLessThanOrEqual(0.7);
  });

  test.each(["Everything is done, tick all of them", "Tick all, mark all as complete"])(
    "clicks a checkbox once if two parts mean it, and takes no statement for a value: %s",
    (task) => {
      const list = [
        field("What needs to be done?"),
        element({ type: "checkbox", role: "checkbox", labelText: "Mark all as complete" }),
      ];
      const { steps } = planned(task, {}, list).plan;
      expect(steps.map(({ action, target }) => [action, target?.name])).toEqual([
        ["click", "Mark all as complete"],
      ]);
    },
  );

  test("has a high risk if Cancel cancels an entry of a list, and a low risk if it closes a form", () => {
    const entries = [button("Cancel", { around: "Nona, 12 December" }), button("Book")];
    expect(planned("Click Cancel", {}, entries).plan.steps).toMatchObject([{ risk: "high" }]);
    const xpath = "/html/body/form/button";
    const form = [button("Cancel", { around: "New booking", xpath }), button("Book")];
    expect(planned("Click Cancel", {}, form).plan.steps).toMatchObject([{ risk: "low" }]);
  });

  test("selects the button with the exact name before a button whose name has one more letter", () => {
    const { plan, questions } = planned("Open the plan", {}, [button("Plane"), button("Plan")]);
    expect([plan.steps.map(({ target }) => target?.name), questions]).toEqual([["Plan"], []]);
  });

  test("leads to a question if several elements match equally, and the answer selects one of them", () => {
    const two = [button("Edit", { around: "Anna" }), button("Edit", { around: "Bert" })];
    const { plan, questions } = planned("Click Edit", {}, two);
    expect(plan.confidence.overall).toBeLessThan(0.5);
    expect(questions).toMatchObject([
      { type: "option_select", options: [{ text: "Edit, Anna" }, { text: "Edit, Bert" }] },
    ]);
    const second = questions[0]?.options[1]?.id ?? "";
    const answered = planned("Click Edit", { "target-0": second }, two);
    expect(answered.questions).toEqual([]);
    expect(answered.plan.steps).toMatchObject([{ targetId: Number(second) }]);
  });

  test("leads to a free-text question if it is vague, and the answer is planned instead", () => {
    const { plan, questions } = planned("Do something with that stuff");
    expect(plan.confidence.overall).toBeLessThan(0.5);
    expect(questions).toMatchObject([{ id: "target-0", type: "freeform" }]);
    expect(planned("Do something with that stuff", { "target-0": "Save" }).plan.steps).toMatchObject([
      { target: { name: "Save" } },
    ]);
  });
});

describe("the confidence of a plan", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  test("is between 0 and 1, and risks can only lower it", () => {
    fc.assert(
      fc.property(share, fc.array(share), fc.array(share), (clarity, targets, values) => {
        const calm = confidenceOf(clarity, targets, values, false).overall;
        const risky = confidenceOf(clarity, targets, values, true).overall;
        expect(calm).toBeGreaterThanOrEqual(0);
        expect(calm).toBeLessThanOrEqual(1);
        expect(risky).toBeLessThanOrEqual(calm);
        expect(risky).toBeCloseTo(calm * 0.7, 2);
      }),
    );
  });

  test("leads to a question below 0.5, to an announcement below 0.9, and otherwise to an approval", () => {
    expect([0.49, 0.5, 0.89, 0.9].map((overall) => routeOf(overall, false))).toEqual([
      "clarify",
      "announce",
      "announce",
      "approve",
    ]);
    expect([0.49, 0.5].map((overall) => routeOf(overall, true))).toEqual(["clarify", "approve"]);
  });

  test("depends on the score of each target (0 if missing, at least 0.6 if found) and is lower for a vague task", () => {
    expect([targetScore(undefined), targetScore(0), targetScore(1)]).toEqual([0, 0.6, 1]);
    expect(intentClarity("Click Save", { unread: 0, rivals: 0 })).toBe(1);
    expect(intentClarity("Do something with that", { unread: 0, rivals: 0 })).toBeLessThan(0.5);
    expect(intentClarity('Type "do something with that" into Note', { unread: 0, rivals: 0 })).toBe(1);
  });
});
