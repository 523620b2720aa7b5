/** Tests plans for elements that appear only after a click, and values that a plan must not drop. */
import { describe, expect, test } from "bun:test";
import { stepElement } from "../../../../machines/dialogue/plan/plan-step-element.ts";
import { planOffline } from "../../../../machines/dialogue/planner/plan-by-imperatives.ts";
import { planRefined } from "../../../../machines/dialogue/planner/plan-refine-loop.ts";
import { namedValues } from "../../../../machines/dialogue/task/values-in-task.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const list = [
  button("Create study"),
  button("Add user"),
  button("Settings"),
  button("Delete", { around: "alpha" }),
  field("Search", { type: "search" }),
];
const planned = (
  task: string,
  elements: readonly HighlightedElement[] = list,
  answers: Readonly<Record<string, string>> = {},
) => planOffline({ task, elements, answers, id: "p", version: 1, pageUrl: "http://site.test/" });
const shown = (task: string, elements?: readonly HighlightedElement[], answers?: Record<string, string>) =>
  planned(task, elements, answers).plan.steps.map(
    ({ deferred, description }) => `${deferred ? "later: " : ""}${description}`,
  );

describe("a value of a task whose field is not on the page", () => {
  test.each([
    [
      "Create a new study named beta",
      [
        'Click "Create study"',
        'later: Type "beta" into "study name"',
        'later: Click "Create" in the form of "study name"',
      ],
    ],
    [
      "Add a user named Ada with email ada@x.at and role Admin",
      [
        'Click "Add user"',
        'later: Type "Ada" into "user name"',
        'later: Type "ada@x.at" into "user email"',
        'later: Type "Admin" into "user role"',
        'later: Click "Add" in the form of "user role"',
      ],
    ],
    [
      "Add a user with username leo.marsh and email leo@example.com",
      [
        'Click "Add user"',
        'later: Type "leo.marsh" into "user username"',
        'later: Type "leo@example.com" into "user email"',
        'later: Click "Add" in the form of "user email"',
      ],
    ],
    ["Open settings and set the name to X", ['Click "Settings"', 'later: Type "X" into "name"']],
    ["Click Add user, then enter Ada as the name", ['Click "Add user"', 'later: Type "Ada" into "name"']],
  ])("is entered after the click that opens the form: %s", (task, steps) => {
    const { questions, plan } = planned(task);
    expect(shown(task)).toEqual(steps);
    expect(questions).toEqual([]);
    expect(plan.unplaced).toBeUndefined();
    expect(plan.confidence.overall).toBeGreaterThanOrEqual(0.5);
  });

  test("leads to a question if the plan has no step that uses the value", () => {
    const { plan, questions } = planned('Type "Ada" "Lovelace" into Search');
    expect(plan.confidence.overall).toBeLessThan(0.5);
    expect(questions.map(({ question }) => question).join()).toContain("Lovelace");
    const page = [field("City"), field("Note"), button("Save")];
    const unused = planned("Save the client named Initech", page);
    expect(unused.questions).toMatchObject([{ question: expect.stringContaining('"Initech"') }]);
    expect(unused.plan).toMatchObject({ unplaced: ["Initech"] });
    expect(unused.plan.confidence.overall).toBeLessThan(0.5);
  });

  test("leads to no question if an answer of the person has replaced the value", () => {
    const two = [button("Edit", { around: "Anna" }), button("Edit", { around: "Bert" })];
    const { questions } = planned('Click "Modify"', two);
    const [chosen] = questions[0]?.options ?? [];
    expect(planned('Click "Modify"', two, { "target-0": chosen?.id ?? "" }).questions).toEqual([]);
  });

  test("leads to a question if the value names a missing row, and selects no other row", () => {
    const { plan, questions } = planned("Delete the study named beta");
    expect(questions).toHaveLength(1);
    expect(plan.confidence.overall).toBeLessThan(0.5);
  });
});

test("a task that creates a named thing types the name without another click first, if the page already shows the form", () => {
  const form = (name: string) => ({ xpath: `/html/body/form[1]/${name}` });
  const inline = [
    field("", { placeholder: "What needs to be done?", ...form("input") }),
    button("Add", { interactionType: "submit", ...form("button") }),
  ];
  expect(shown("Add a task named Buy milk", inline)).toEqual([
    'Type "Buy milk" into "What needs to be done?"',
    'Click "Add"',
  ]);
  // "Buy milk" is the name of the new task. The word "Buy" in it does not make the plan risky.
  expect(planned("Add a task named Buy milk", inline).plan.risks).toEqual([]);
});

describe("a task with an element that the page does not have", () => {
  test("leads to a question if no click of the task could open the element, or if the element's name is vague", () => {
    expect(planned("Set the name to X").questions).toHaveLength(1);
    expect(planned("Click Add user, then open something").questions).toHaveLength(1);
  });
});

test("the values of a task are its quoted words, addresses and names", () => {
  expect(namedValues('Add a user called Ada Byron, with "Chief" and ada@x.at')).toEqual([
    "Chief",
    "ada@x.at",
    "Ada Byron",
  ]);
  expect(namedValues("Open the settings")).toEqual([]);
});

describe("a planned step for an element that a click should show", () => {
  const steps = planned("Add a user named Ada with the role Admin").plan.steps;
  const dialog = (name: string) => ({ xpath: `/html/body/div/form[1]/${name}` });
  const opened = [
    button("Add user"),
    field("Name", { covered: "div.backdrop" }),
    field("Name", { ...dialog("input"), new: true }),
    element({
      tagName: "select",
      interactionType: "select",
      labelText: "Role",
      options: ["Reader", "Admin"],
      ...dialog("select"),
    }),
    button("Cancel", { ...dialog("button[1]") }),
    button("Save", { interactionType: "submit", ...dialog("button[2]") }),
  ];
  const found = (at: number, elements = opened) => {
    const step = steps[at];
    return step ? stepElement(step, elements) : undefined;
  };

  test("uses the new field, and not a covered field of the same name", () => {
    expect(found(1)).toMatchObject({ element: { new: true }, step: { action: "input", value: "Ada" } });
  });

  test("selects the value as an option if the field is a list", () => {
    expect(found(2)).toMatchObject({
      element: { labelText: "Role" },
      step: { action: "select_dropdown", value: "Admin" },
    });
  });

  test("submits the form of the field, and does not click the button that opened the form", () => {
    expect(found(3)).toMatchObject({ element: { textContent: "Save" } });
  });

  test("fails if the click has not shown the form", () => {
    expect(found(1, list)).toMatchObject({ code: "element_not_found" });
    expect(found(3, list)).toMatchObject({ code: "element_not_found" });
  });
});

describe("a disabled button whose name is in the task", () => {
  const next = button("Next", { disabled: true });

  test("is pressed after the task has filled the field that may enable it", () => {
    const { plan, questions } = planned("Type ada into Username and click Next", [field("Username"), next]);
    expect(questions).toEqual([]);
    expect(plan.steps.map(({ description }) => description)).toEqual([
      'Type "ada" into "Username"',
      'Click "Next"',
    ]);
  });

  test("is not pressed if an enabled button fits", () => {
    const enabled = button("Next page");
    expect(planned("Click next", [next, enabled]).plan.steps).toMatchObject([
      { targetId: enabled.highlight_index },
    ]);
  });
});

describe("a new plan after the server has refused a form", () => {
  const again = (value: string, done: readonly string[]) =>
    planOffline({
      task: 'Type "Ada" into Name and click Add',
      elements: [field("Name", { value }), button("Add")],
      answers: {},
      id: "p",
      version: 2,
      pageUrl: "http://site.test/",
      done,
    }).plan.steps.map(({ description }) => description);

  test("enters the values again that the page has removed", () => {
    expect(again("", ['Type "Ada" into "Name"'])).toEqual(['Type "Ada" into "Name"', 'Click "Add"']);
    expect(again("Ada", ['Type "Ada" into "Name"'])).toEqual(['Click "Add"']);
  });

  test("does not enter a value again if the form of that value was sent", () => {
    expect(again("", ['Type "Ada" into "Name"', 'Click "Add"'])).toEqual([]);
  });
});

describe("a task to create a named thing, on a page with a form,", () => {
  const users = [
    element({ tagName: "a", textContent: "Create page", attributes: { href: "/-/create" } }),
    field("Name", { xpath: "/html/body/form/input[1]" }),
    field("Email", { xpath: "/html/body/form/input[2]", type: "email" }),
    button("Add", { xpath: "/html/body/form/button", interactionType: "submit" }),
  ];
  test("presses a control for the thing (Create page) first, and does not fill in the form that is shown", () => {
    expect(shown("Create a page named Lighthouse", users)).toEqual([
      'Click "Create page"',
      'later: Type "Lighthouse" into "page name"',
      'later: Click "Create" in the form of "page name"',
    ]);
  });
  test("fills in the page's form for a new user, although the form does not say what it creates", () => {
    expect(shown("Add a user named Bob", users)).toEqual(['Type "Bob" into "Name"', 'Click "Add"']);
  });
  test("sends the form by its button, and not by a checkbox with the task's words", () => {
    const keyword = [
      field("", { xpath: "/html/body/form/input[1]", attributes: { name: "name" } }),
      element({
        tagName: "input",
        type: "checkbox",
        labelText: "Continue adding keywords",
        xpath: "/html/body/form/input[2]",
      }),
      button("Submit new entry", { xpath: "/html/body/form/button", interactionType: "submit" }),
    ];
    const { plan } = planRefined({
      ...{ task: "Add a keyword named hardware", elements: keyword, answers: {} },
      ...{ id: "p", version: 1, pageUrl: "http://site.test/" },
    });
    expect(plan.summary).toBe('Type "hardware" into "name"; Click "Submit new entry"');
  });
  test("leads to a question if the only control is for another thing (New Ticket)", () => {
    const tickets = [
      element({ tagName: "a", textContent: "New Ticket", attributes: { href: "/newticket" } }),
    ];
    expect(shown("Create a page named Lighthouse", tickets)).toEqual([]);
    expect(planned("Create a page named Lighthouse", tickets).questions).not.toEqual([]);
  });
});

test('a value with the name "name" is typed into the field Name, and not into the field Login Name', () => {
  const form = [field("Login Name"), field("Name"), field("E-mail address")];
  const { steps } = planned("Add a user with login name olga, name Olga Ek and e-mail olga@t.example").plan;
  const filled = steps
    .filter(({ action }) => action === "input")
    .map((step) => {
      const found = stepElement(step, form);
      return [step.value, "element" in found ? found.element.labelText : found.code];
    });
  expect(filled).toEqual([
    ["olga", "Login Name"],
    ["Olga Ek", "Name"],
    ["olga@t.example", "E-mail address"],
  ]);
});
