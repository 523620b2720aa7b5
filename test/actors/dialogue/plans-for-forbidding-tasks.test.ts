/** Tests plans of a dialogue for tasks that forbid something. No model and no map is configured. */
import { expect, test } from "bun:test";
import { makePlan } from "../../../actors/dialogue/make-plan.ts";
import { createModels } from "../../../actors/models/index.ts";
import { button, field } from "../../machines/dialogue/support/test-page-elements.ts";

const TIMEOUT = 60_000;

const planned = (task: string) =>
  makePlan(
    {
      ...{ id: "p", version: 1, task, answers: {}, asked: {}, done: [], title: "Team" },
      elements: [field("Email"), button("Send invitation"), button("Show PIN"), button("Block card")],
      pageUrl: "http://site.test/",
    },
    { models: createModels({ secrets: [] }), signal: AbortSignal.timeout(TIMEOUT) },
  );

test("a plan has no step for the part of a task that forbids something", async () => {
  const { plan, questions } = await planned("Show the PIN, but don't block the card");
  expect(questions).toEqual([]);
  expect(plan.steps.map(({ target }) => target?.name)).toEqual(["Show PIN"]);
});

test("the planner asks a question if a part of the task would do what another part forbids", async () => {
  const { plan, questions } = await planned("Invite ada@example.com, but don't send it yet");
  expect([plan.steps.length, questions.map(({ id }) => id)]).toEqual([0, ["part-0"]]);
});
