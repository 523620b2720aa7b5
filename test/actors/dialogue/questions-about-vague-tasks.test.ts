/** Tests the questions about a plan that has an element for each step, but a confidence below 0.5. */
import { expect, test } from "bun:test";
import { makePlan } from "../../../actors/dialogue/make-plan.ts";
import { createModels } from "../../../actors/models/index.ts";
import { dialogueLimits } from "../../../machines/dialogue/dialogue-limits.ts";
import { withQuestionIfUnsure } from "../../../machines/dialogue/planner/question-for-unsure-plan.ts";
import { button, element } from "../../machines/dialogue/support/test-page-elements.ts";

const TIMEOUT = 60_000;
const VAGUE = "Do that stuff with it on Dashboard somehow";

const links = ["Home", "Dashboard", "Users", "Reports"].map((textContent) =>
  element({ tagName: "a", type: "", interactionType: "navigate", textContent }),
);
const dashboard = String(links[1]?.highlight_index);

const planned = (task: string, answers: Record<string, string> = {}) =>
  makePlan(
    {
      ...{ id: "p", version: 1, task, answers, asked: {}, done: [], title: "Team" },
      elements: [...links, button("Save")],
      pageUrl: "http://site.test/",
    },
    { models: createModels({ secrets: [] }), signal: AbortSignal.timeout(TIMEOUT) },
  );

test("a plan with low confidence asks which element is meant, and offers the assumed one", async () => {
  const { plan, questions } = await planned(VAGUE);
  expect(plan.confidence.overall).toBeLessThan(dialogueLimits.assume);
  expect(plan.steps).toMatchObject([{ target: { name: "Dashboard" }, risk: "low" }]);
  expect(questions).toMatchObject([
    { type: "option_select", options: [{ id: dashboard, text: "Dashboard" }], allowFreeform: true },
  ]);
});

test("the answer to a question about the element leads to a plan for this element, and the question is not asked again", async () => {
  const [question] = (await planned(VAGUE)).questions;
  const { plan, questions } = await planned(VAGUE, { [question?.id ?? ""]: dashboard });
  expect(plan.steps).toMatchObject([{ target: { name: "Dashboard" } }]);
  expect(questions).toEqual([]);
});

test("no question is asked about a clear plan, or about an unclear one of high risk, which waits for approval", async () => {
  expect((await planned("Click Dashboard")).questions).toEqual([]);
  const { plan, ...rest } = await planned(VAGUE);
  const risky = { ...plan, steps: plan.steps.map((step) => ({ ...step, risk: "high" as const })) };
  expect(withQuestionIfUnsure({ ...rest, plan: risky, questions: [] }, {}).questions).toEqual([]);
});

test("a plan with low confidence asks the person for other words if it assumes no element that the person could confirm", async () => {
  const { plan, ...rest } = await planned(VAGUE);
  const unsure = { ...rest, plan: { ...plan, assumptions: [] }, questions: [] };
  expect(withQuestionIfUnsure(unsure, {}).questions).toMatchObject([{ id: "part-0", type: "freeform" }]);
});
