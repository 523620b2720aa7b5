/** Tests that a question, a negated statement, a later time or an unfit value leads to a question. */
import { describe, expect, test } from "bun:test";
import { planned } from "./support/plan-test-task.ts";
import { button, element, field } from "./support/test-page-elements.ts";

const tick = (labelText: string) =>
  element({ tagName: "input", type: "checkbox", interactionType: "click", labelText });
const page = [
  ...["Maria da Silva", "Vincent van Gogh"].flatMap((around) => [
    button("Suspend", { around }),
    button("Delete", { around }),
  ]),
  field("Name"),
  field("Amount", { type: "number" }),
  field("Start date", { type: "date" }),
  tick("Breakfast"),
  tick("Select all"),
  button("Pause all"),
  button("Pay now"),
  button("Recheck all"),
  button("Subscribe"),
];

/** Returns the names of the elements that a plan uses, or "asks". */
const acts = (task: string): string => {
  const { plan, questions } = planned(task, page);
  if (questions.length > 0) return "asks";
  return plan.steps
    .map(({ targetId }) => page.find((one) => one.highlight_index === targetId))
    .map((one) => one?.labelText ?? one?.textContent)
    .join();
};

describe("a task that orders nothing", () => {
  test.each([
    "Is Maria suspended?",
    "Has Vincent been deleted?",
    "Did you delete Maria",
    "Is everything paused?",
    "Is breakfast included?",
    "How do I pay?",
    "Explain Pay now",
    "What is the name?",
    "The amount is too high",
    "The start date is wrong",
    "Pay later",
    "Stop the subscription",
    "Maria should not be deleted",
    "Stop deleting Maria",
    "The name must not be Ana",
    "The name should not be changed",
    "If Maria is gone, delete her",
    "Pause https://site.test/news",
    "Recheck all twice",
    "Suspend Maria for 3 days",
    "Delete Maria in case she is gone",
    "Select all except Vincent",
    "Die Anfrage von Maria ist alt, lösche sie nicht",
    "The request of Maria is fine but the one of Vincent is not, delete it",
    "The name by Maria is not fine, don't delete it",
  ])("leads to a question: %s", (task) => {
    expect(acts(task)).toBe("asks");
  });

  test.each([
    ["Can you recheck all?", "Recheck all"],
    ["Delete Maria", "Delete"],
    ["The name should be Ana", "Name"],
    ["The amount is 12", "Amount"],
    ["Could you pause all?", "Pause all"],
    ["Check everything again", "Recheck all"],
    ["Check all", "Select all"],
    ["Suspend Maria", "Suspend"],
  ])("is still done if it orders something: %s", (task, name) => {
    expect(acts(task)).toBe(name);
  });
});

test("the colon of an address separates no name from a value", () => {
  const values = (task: string) =>
    planned(task, [field("Page address"), button("Add watch")]).plan.steps.map(({ value }) => value);
  expect(values("Watch http://127.0.0.1:5055/settings")).not.toContain("//127.0.0.1:5055/settings");
  expect(values("Page address: http://127.0.0.1:5055/settings")).toEqual(["http://127.0.0.1:5055/settings"]);
});

test.each([
  ["Mark all as read", "Mark all read"],
  ["Mark everything as read", "Mark all read"],
  ["Mark this as read", "Mark as read"],
])("an order to mark with a state presses the button for it: %s", (task, name) => {
  const mails = [tick("Select all"), tick("Unread only"), button("Mark as read"), button("Mark as unread")];
  const all = [...mails, button("Mark all read")];
  const { plan } = planned(task, all);
  const names = plan.steps.map(
    ({ targetId }) => all.find((one) => one.highlight_index === targetId)?.textContent,
  );
  expect(names).toEqual([name]);
});
