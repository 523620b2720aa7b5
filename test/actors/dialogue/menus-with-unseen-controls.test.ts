/**
 * Tests tasks for a control in a closed menu. The elements of the closed menu are still on the page, but are
 * transparent and lie below other elements.
 */
import { expect, test } from "bun:test";
import { makePlan } from "../../../actors/dialogue/make-plan.ts";
import { createModels } from "../../../actors/models/index.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import { button, field } from "../../machines/dialogue/support/test-page-elements.ts";

const MAIN = "/html/body/main";
const UNSEEN = { hidden: true, covered: "p" };
// Example page from Ghost: the page of a member, with the menu "Actions".
const page = (entry: Partial<HighlightedElement>, ...others: readonly HighlightedElement[]) => [
  field("Name", { xpath: `${MAIN}/form/input`, value: "Finn" }),
  button("Save", { xpath: `${MAIN}/section/button` }),
  button("Actions", { xpath: `${MAIN}/section/span/button` }),
  button("Delete member", { xpath: `${MAIN}/section/span/ul/li[2]/button`, ...entry }),
  ...others,
];

async function planned(elements: readonly HighlightedElement[]) {
  const task = "Delete the member Finn";
  const given = { id: "d", version: 1, task, answers: {}, asked: {}, done: [], elements, title: "Finn" };
  const sources = { models: createModels({ secrets: [] }), signal: AbortSignal.timeout(10_000) };
  const { plan } = await makePlan({ ...given, pageUrl: "https://app.example/members/1" }, sources);
  return plan.steps.map(({ description, risk }) => [description, risk]);
}

test("a task for a control in a closed menu first opens the menu, and this step has a low risk", async () => {
  expect(await planned(page(UNSEEN))).toEqual([['Click "Actions"', "low"]]);
});

test("a task for a control that a person sees, because its menu is open, presses this control", async () => {
  expect(await planned(page({}))).toEqual([['Click "Delete member"', "high"]]);
});

test("a task for a control in a closed menu opens no menu if two buttons share the element that contains the menu", async () => {
  const other = button("More", { xpath: `${MAIN}/section/span/button[2]` });
  expect(await planned(page(UNSEEN, other))).not.toEqual([['Click "Actions"', "low"]]);
});
