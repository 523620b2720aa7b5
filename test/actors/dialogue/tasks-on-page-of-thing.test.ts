/** Tests tasks that add something to a named thing, or change a field of it: on the list, and on the page of the thing. */
import { expect, test } from "bun:test";
import { makePlan } from "../../../actors/dialogue/make-plan.ts";
import { createModels } from "../../../actors/models/index.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import { button, element, field } from "../../machines/dialogue/support/test-page-elements.ts";

const link = (textContent: string, href: string) =>
  element({ tagName: "a", textContent, interactionType: "navigate", attributes: { href } });
const submit = (name: string, form: string) =>
  button(name, { interactionType: "submit", xpath: `${form}/button` });

// Example pages, built like the lists of orders and quotas in pretix. Lists in Redmine have such a filter too.
const orders = [
  field("Order code", { xpath: "/html/body/form/input" }),
  submit("Filter", "/html/body/form"),
  link("A7KXQ", "/orders/A7KXQ/"),
  link("B3MTR", "/orders/B3MTR/"),
];
const order = [
  field("Comment", { tagName: "textarea", xpath: "/html/body/form/textarea" }),
  field("Follow-up date", { xpath: "/html/body/form/input" }),
  submit("Update comment", "/html/body/form"),
];
const quotas = [
  link("Quotas", "/quotas/"),
  field("Quota name", { value: "", attributes: { name: "query" }, xpath: "/html/body/form/input" }),
  submit("Filter", "/html/body/form"),
  link("Create a new quota", "/quotas/add"),
  link("Pier capacity", "/quotas/1/"),
  link("Boathouse capacity", "/quotas/2/"),
];
const quota = [
  link("Quotas", "/quotas/"),
  field("Name", { value: "Pier capacity", xpath: "/html/body/form/input" }),
  field("Total capacity", { value: "10", xpath: "/html/body/form/input[2]" }),
  field("Close this quota permanently once it is sold out", {
    type: "checkbox",
    xpath: "/html/body/form/input[3]",
  }),
  submit("Save", "/html/body/form"),
];

async function stepsOn(
  elements: readonly HighlightedElement[],
  { task, path, open }: { readonly task: string; readonly path: string; readonly open?: readonly string[] },
): Promise<readonly string[]> {
  const pageUrl = `https://app.example${path}`;
  const page = { id: "d", version: 1, task, answers: {}, asked: {}, done: [], elements, pageUrl, title: "" };
  const { plan } = await makePlan(
    { ...page, ...(open ? { open } : {}) },
    { models: createModels({ secrets: [] }), signal: AbortSignal.timeout(10_000) },
  );
  return plan.steps.map(({ description }) => description);
}

const COMMENT = 'Add the comment "calls back on Monday" to order A7KXQ';
const RENAMED = 'Change the name of the quota "Pier capacity" to "Pier places"';

test("on the list of orders, a task that adds a comment to an order first opens this order", async () => {
  expect(await stepsOn(orders, { task: COMMENT, path: "/orders/" })).toEqual(['Click "A7KXQ"']);
});

test.each([
  ["by its address", "/orders/A7KXQ/", undefined],
  [
    "after the plan that has opened it",
    "/details?id=4",
    ["comment", "calls back on Monday", "order", "A7KXQ"],
  ],
] as const)(
  "on the page of an order, recognised %s, a task that adds a comment to this order types only the comment",
  async (_, path, open) => {
    const steps = await stepsOn(order, { task: COMMENT, path, ...(open ? { open } : {}) });
    expect(steps[0]).toBe('Type "calls back on Monday" into "Comment"');
    expect(steps.join()).not.toContain("Follow-up date");
  },
);

test("on the page of an order, a task that adds a comment to another order types nothing", async () => {
  expect(await stepsOn(order, { task: COMMENT, path: "/orders/B3MTR/" })).toEqual([]);
});

test("on the list of quotas, a task that renames a quota opens it, and does not type the new name into the filter of the list", async () => {
  expect(await stepsOn(quotas, { task: RENAMED, path: "/quotas/" })).toEqual(['Click "Pier capacity"']);
});

test("a task to filter a list by a name types the name into the filter", async () => {
  const steps = await stepsOn(quotas, { task: 'Filter by the quota name "Pier"', path: "/quotas/" });
  expect(steps[0]).toBe('Type "Pier" into "Quota name"');
});

test("a task that renames a quota types the new name and saves it on the page that the previous plan has opened", async () => {
  const open = ["name", "quota", "Pier capacity", "Pier places"];
  const steps = await stepsOn(quota, { task: RENAMED, path: "/quotas/1/change", open });
  expect(steps).toEqual(['Type "Pier places" into "Name"', 'Click "Save"']);
});
