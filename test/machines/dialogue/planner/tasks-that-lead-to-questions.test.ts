/**
 * Tests tasks for which a plan asks the person: a question, a negated statement, a later time, or a value
 * that does not fit.
 */
import { describe, expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

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

/** Returns the names of the elements that the plan for a task uses, or "asks" if the plan has questions. */
const acts = (task: string): string => {
  const { plan, questions } = planned(task, page);
  if (questions.length > 0) return "asks";
  return plan.steps
    .map(({ targetId }) => page.find((one) => one.highlight_index === targetId))
    .map((one) => one?.labelText ?? one?.textContent)
    .join();
};

describe("a sentence that could be read as a task", () => {
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
  ])("leads to a question if it is no clear instruction: %s", (task) => {
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
  ])("is carried out if it is a clear instruction: %s", (task, name) => {
    expect(acts(task)).toBe(name);
  });
});

test("the colon in a URL does not separate a field name from a value", () => {
  const values = (task: string) =>
    planned(task, [field("Page address"), button("Add watch")]).plan.steps.map(({ value }) => value);
  expect(values("Watch http://127.0.0.1:5055/settings")).not.toContain("//127.0.0.1:5055/settings");
  expect(values("Page address: http://127.0.0.1:5055/settings")).toEqual(["http://127.0.0.1:5055/settings"]);
});

test.each([
  ["Mark all as read", "Mark all read"],
  ["Mark everything as read", "Mark all read"],
  ["Mark this as read", "Mark as read"],
  ["Mark it unread", "Mark as unread"],
  ["Mark this message unread", "Mark as unread"],
])("a task to mark messages as read or unread clicks the button for this state: %s", (task, name) => {
  const mails = [tick("Select all"), tick("Unread only"), button("Mark as read"), button("Mark as unread")];
  const all = [...mails, button("Mark all read")];
  const { plan } = planned(task, all);
  const names = plan.steps.map(
    ({ targetId }) => all.find((one) => one.highlight_index === targetId)?.textContent,
  );
  expect(names).toEqual([name]);
});

describe("a task that depends on a decision or an event (when the customer replies)", () => {
  const noah = element({
    tagName: "select",
    interactionType: "select",
    labelText: "Assignee",
    options: ["Maria", "Ana", "Noah"],
  });
  const ticket = [
    ...["Maria Silva", "Ana Lopez"].map((around, at) => ({
      ...tick("Select row"),
      around,
      xpath: `/html/body/li[${at + 1}]/input`,
    })),
    noah,
    button("Close ticket"),
    button("Terms or conditions"),
    tick("E-mail me when somebody replies"),
  ];

  test.each([
    "Select Maria or Ana",
    "Assign it to Maria or Ana",
    "When Noah answers, close the ticket",
    "Close the ticket when Noah answers",
    "Once Ana has replied, select Maria",
    "Wenn Noah antwortet, schließe das Ticket",
    "Quand Noah répond, ferme le ticket",
  ])("leads to a question: %s", (task) => {
    const { plan, questions } = planned(task, ticket);
    expect(plan.steps).toEqual([]);
    expect(questions).not.toEqual([]);
  });

  test.each([
    ["Assign it to Noah", "Assignee"],
    ["When you are done, close the ticket", "Close ticket"],
    ["Open the terms or conditions", "Terms or conditions"],
    ["Mail me when somebody replies", "E-mail me when somebody replies"],
  ])("is carried out if a control of the page shows what is meant: %s", (task, name) => {
    const { plan, questions } = planned(task, ticket);
    expect(questions).toEqual([]);
    const [step, other] = plan.steps;
    const target = ticket.find(({ highlight_index }) => highlight_index === step?.targetId);
    expect([target?.labelText ?? target?.textContent, other]).toEqual([name, undefined]);
  });
});

test("the words for when to send a message (when the upload has finished) are not typed as its text", () => {
  const message = [field("Subject"), field("Message", { tagName: "textarea" })];
  const typed = (task: string) => planned(task, message).plan.steps.map(({ value }) => value);
  expect(typed("Send the message when the upload has finished")).toEqual([]);
  expect(typed("Send the message: when we meet, bring the keys")).not.toEqual([]);
});

describe("a task that changes a number by an amount", () => {
  const form = [
    field("Guests", { type: "number", value: "3" }),
    field("Budget", { type: "number", value: "" }),
    field("Price", { value: "1500" }),
    field("Nights", { type: "number", value: "5", attributes: { min: "2", max: "9" } }),
    button("Save"),
  ];
  const typed = (task: string) =>
    planned(task, form).plan.steps.map(({ action, value }) => (action === "click" ? action : value));

  test.each([
    ["Increase the guests by 2", "5"],
    ["Raise the number of guests by two", "5"],
    ["Decrease the guests by 1", "2"],
    ["Set the guests to 2", "2"],
    ["Increase the price by 1,000", "2500"],
    ["Erhöhe den Preis um 1.000", "2500"],
    ["Erhöhe den Preis um 1,5", "1501.5"],
    ["Increase the nights by 4", "9"],
  ])("types the new number: %s", (task, value) => {
    expect(typed(task)).toEqual([value]);
  });

  test("leads to a question if the field has no number yet", () => {
    expect(typed("Increase the budget by 100")).toEqual([]);
  });

  test.each([
    "Reduce the guests by 5",
    "Reduce the guests by 5 and save",
    "Reduce the nights by 4",
    "Increase the nights by 5",
  ])("leads to a question if the field does not accept the new number: %s", (task) => {
    expect(typed(task)).toEqual([]);
  });

  test("types the new number, and does the further parts of the task too", () => {
    expect(typed("Increase the guests by 2 and save")).toEqual(["5", "click"]);
    expect(typed("Increase the guests by 2 and the price by 1")).toEqual(["5", "1501"]);
  });
});

describe("a task that creates something", () => {
  // The names of the buttons are those of Keycloak, Grafana, and WordPress.
  test.each(["Sign In", "Log in", "Anmelden"])("is not planned in the form of a sign-in: %s", (name) => {
    const signIn = [
      field("Username or email"),
      field("Password", { type: "password" }),
      button("Show password"),
      button(name),
    ];
    const { plan, questions } = planned("Create a user with email leo@example.com", signIn);
    expect([plan.steps, questions.length]).toEqual([[], 1]);
  });

  test("is not planned as a click that sends the form of this page before its values are entered", () => {
    const form = [
      field("Email"),
      field("Username"),
      button("Create user", { interactionType: "submit" }),
    ].map((one) => ({ ...one, xpath: `/html/body/form/${one.labelText ?? "button"}/a` }));
    const { plan, questions } = planned("Create a user with admin rights and email leo@example.com", form);
    expect([plan.steps, questions.length]).toEqual([[], 1]);
  });

  test("is planned in the form for the new thing, even if this form has a password field", () => {
    const form = [field("Email"), field("Password", { type: "password" }), button("Create user")];
    const { plan, questions } = planned("Create a user with email leo@example.com", form);
    expect([plan.steps.map(({ value }) => value), questions]).toEqual([["leo@example.com", null], []]);
  });
});
