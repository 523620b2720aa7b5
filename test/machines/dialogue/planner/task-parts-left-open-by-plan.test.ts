/**
 * Tests which words of a task no step of its plan has used, and how such a task continues in the form that the plan
 * has opened.
 */
import { describe, expect, test } from "bun:test";
import { wordsOfTask } from "../../../../machines/dialogue/planner/plans-that-lead-to-thing.ts";
import {
  elementsToContinue,
  isPageOfTask,
  openWordsOf,
  orderForLeftVerb,
  planInOpenForm,
  planInOpenList,
} from "../../../../machines/dialogue/planner/task-parts-left-open-by-plan.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const link = (textContent: string, href: string, around?: string) =>
  element({
    tagName: "a",
    textContent,
    interactionType: "navigate",
    attributes: { href },
    ...(around ? { around } : {}),
  });
const menu = [
  link("Create New", "/issues/new", "Issues Show All"),
  link("Create New", "/keywords/new", "Keywords Edit Existing"),
  link("User List", "/users"),
  link("Add Tag", "/tags/new"),
  button("Delete", { around: "alpha" }),
];
const open = (task: string, elements: readonly HighlightedElement[] = menu) =>
  openWordsOf({ task, plan: planned(task, elements).plan, elements });

describe("the words that a plan does not use yet", () => {
  test.each([
    ["Add the keyword hardware", ["hardware"]],
    ["Add the tag urgent", ["urgent"]],
    ["Open the user import page", ["import"]],
  ])("of the task %p are %p", (task, words) => {
    expect(open(task)).toEqual(words);
  });

  test.each([
    "Add a tag",
    "Add a tag to the issue",
    "Open the user page",
    "Show me the users",
    "Delete alpha",
  ])("of the task %p are none", (task) => {
    expect(open(task)).toEqual([]);
  });
});

describe("the verb of a task", () => {
  const users = [link("ben.cole", "/users/7"), link("ada.byron", "/users/8"), button("Add user")];

  test.each(["Disable the user ben.cole", "Deactivate ben.cole"])(
    "is still to be done after a plan that only opens the thing, if the verb is risky: %p",
    (task) => {
      expect(planned(task, users).plan.steps.map(({ description }) => description)).toEqual([
        'Click "ben.cole"',
      ]);
      expect(open(task, users)).toEqual(task.split(" ").slice(0, 1));
    },
  );

  // As in Uptime Kuma, "Pause" is a label above the table, for the number of paused monitors. It is no control that
  // pauses a monitor.
  const monitors = ["Wiki", "Mail server"].map((name, at) =>
    Object.assign(link(name, `/dashboard/${at}`), {
      place: { headings: ["Quick Stats", "Pause"], caption: at === 1 ? ["Pause", "0"] : [], column: "Name" },
    }),
  );
  test.each(["Pause the monitor Wiki", "Pause the monitor Mail server"])(
    "is still to be done after a plan that opens the thing, if only a text before the thing contains the verb: %p",
    (task) => {
      expect(planned(task, monitors).plan.steps).toHaveLength(1);
      expect(open(task, monitors)).toEqual(["Pause"]);
    },
  );
  test("is done by the plan if the task does not name the clicked element, or if this element creates something", () => {
    const place = { headings: ["Pause the monitor", "Create"], caption: [], column: "" };
    const page = [link("Continue", "/next"), link("Invoice", "/invoices/new")].map((one) =>
      Object.assign(one, { place }),
    );
    expect(open("Create an invoice", page)).toEqual([]);
    expect(open("Pause the monitor", page)).toEqual([]);
  });

  test("is done by the plan if a control does what the verb says, or if the verb says only to open the thing", () => {
    const row = [...users, button("Disable", { around: "ben.cole" })];
    expect(open("Disable ben.cole", row)).toEqual([]);
    expect(open("Open the user ben.cole", users)).toEqual([]);
  });
});

describe("after a task has opened the page of its thing,", () => {
  const tick = (labelText: string) => element({ tagName: "input", type: "checkbox", labelText });
  const email = field("Email");

  test.each([
    ["Disable the user ben.cole", [tick("Enabled"), email], 'Disable "Enabled"'],
    ["Deactivate ben.cole", [tick("Active"), tick("Staff status")], 'Deactivate "Active"'],
    ["Disable the user ben.cole", [tick("Enabled"), button("Disable user")], 'click "Disable user"'],
    ["Disable the user ben.cole", [button("Disable two-factor"), email], undefined],
    ["Disable the user ben.cole", [tick("Enabled"), tick("Active")], undefined],
    ["Delete the user ben.cole", [tick("Enabled"), email], undefined],
    ["Change the email address of order C9WFZ to ada@example.com", [link("Change", "/info")], undefined],
    ["Change the order to paid", [link("Change order", "/change")], undefined],
    ["Make Ada an editor", [button("Make editor")], 'click "Make editor"'],
  ])("its verb is done by the only control that does what the verb says: %p", (task, elements, order) => {
    expect(orderForLeftVerb(task, task.split(" ").slice(0, 1), elements)).toBe(order);
  });

  test("its verb may also be done by a switch (Enabled) if the plan has used no word of the task", () => {
    const task = 'Disable the promotion "Big order discount"';
    expect(orderForLeftVerb(task, wordsOfTask(task), [tick("Enabled"), email])).toBe('Disable "Enabled"');
  });

  test("a control that gives the thing to its own user is not chosen for a task that names another person", () => {
    const mine = button("Assign to me");
    const task = "Assign the task Find a fish stall to Carla Mota";
    expect(orderForLeftVerb(task, wordsOfTask(task), [mine])).toBeUndefined();
    const own = "Assign the task Find a fish stall to me";
    expect(orderForLeftVerb(own, wordsOfTask(own), [mine])).toBe('click "Assign to me"');
  });

  test("no control is chosen for a word of the task other than its verb", () => {
    expect(orderForLeftVerb("Disable the user ben.cole", ["user"], [tick("Enabled")])).toBeUndefined();
  });
});

describe("the form that a plan has opened", () => {
  const search = [
    field("Search", { xpath: "/html/body/form[1]/input" }),
    button("Search", { xpath: "/html/body/form[1]/button", interactionType: "submit" }),
  ];
  const keyword = [
    field("", { xpath: "/html/body/form[2]/table/tr/td/input", around: "Keyword" }),
    button("Submit New Entry", { xpath: "/html/body/form[2]/button", interactionType: "submit" }),
  ];
  const planOn = (elements: readonly HighlightedElement[]) => {
    const task = "Add the keyword hardware";
    const plan = planInOpenForm({ task, plan: planned(task, menu).plan, elements }, ["hardware"]);
    return plan?.steps.map(({ action, targetId, value }) => [
      action,
      elements.findIndex((one) => one.highlight_index === targetId),
      value,
    ]);
  };
  test("is filled in with the unused words of the task, in the field that has the task's noun, and is sent", () => {
    expect(planOn([...search, ...keyword])).toEqual([
      ["input", 2, "hardware"],
      ["click", 3, null],
    ]);
  });
  test("is not filled in if the form only searches", () => {
    expect(planOn(search)).toBeUndefined();
  });
});

test("when a task is planned again, the controls that it has pressed and links to the current page are left out", () => {
  const page = { url: "http://site.test/keywords/new", title: "New", highlightedElements: menu };
  const [first] = menu;
  const left = elementsToContinue(page, [first?.highlight_index ?? 0]);
  expect(left).toEqual(menu.slice(2));
});

test('a page is the one that a task names ("the user import page") if its title or address has most of these words', () => {
  const at = (title: string, url: string) => isPageOfTask("Open the user import page", { title, url }, []);
  expect(at("Users", "http://site.test/users")).toBe(false);
  expect(at("Import users", "http://site.test/users/1")).toBe(true);
  expect(at("Users", "http://site.test/users/import")).toBe(true);
});

test("the page Members is not 'the team member invite page', because it lacks the word 'invite', which the plan has not used", () => {
  const at = (url: string) =>
    isPageOfTask("Open the team member invite page", { title: "Members", url }, ["invite"]);
  expect(at("http://site.test/team/members")).toBe(false);
  expect(at("http://site.test/team/members/invite")).toBe(true);
});

test("the page that a task names may have an address with an invalid percent-escape", () => {
  const page = { title: "Search", url: "http://site.test/search?q=100%" };
  expect(isPageOfTask("Open the search page", page, [])).toBe(true);
});

describe("a task that adds one thing to another", () => {
  const TASK = "Add the user timo to the group divers";
  const page = [link("Add to a group", ""), link("Remove", "")];
  const plan = planned("click Add to a group", page).plan;

  test("still has to use the name of the other thing (divers) after a plan that only opens the list of things of this kind", () => {
    expect(openWordsOf({ task: TASK, plan, elements: page })).toEqual(["divers"]);
    const place = { headings: ["Edit user Timo Falk"], caption: [], column: "" };
    const titled = page.map((one) => ({ ...one, place }));
    expect(openWordsOf({ task: TASK, plan, elements: titled })).toEqual(["divers"]);
    const cart = [button("Add to cart")];
    const added = planned("click Add to cart", cart).plan;
    expect(openWordsOf({ task: "Add the sandwich to the cart", plan: added, elements: cart })).toEqual([]);
  });

  // The dialog "Select groups" of Camunda: rows with checkboxes without a name, and the button below the list.
  const row = (around: string, more: Partial<HighlightedElement> = {}) =>
    element({
      tagName: "input",
      type: "checkbox",
      interactionType: "click",
      checked: false,
      around,
      ...more,
    });
  const steps = (elements: readonly HighlightedElement[], words = ["divers"]) =>
    planInOpenList({ task: TASK, plan, elements }, words)?.steps.map(({ action, targetId }) => [
      action,
      elements.findIndex((one) => one.highlight_index === targetId),
    ]);
  const groups = [row("clerks Clerks WORKFLOW"), row("divers Divers WORKFLOW"), button("Close")];

  test("ticks the only row with the unused words of the task and presses the only button with its verb", () => {
    const covered = button("Add to a group", { covered: "div" });
    expect(steps([...groups, button("Add Groups"), covered])).toEqual([
      ["click", 1],
      ["click", 3],
    ]);
  });

  test("ticks nothing if several rows, no button or several buttons fit, or if a row is ticked already", () => {
    expect(steps([...groups, row("divers Divers of the north"), button("Add Groups")])).toBeUndefined();
    expect(steps(groups)).toBeUndefined();
    expect(steps([...groups, button("Add Groups"), button("Add all")])).toBeUndefined();
    expect(steps([...groups, row("pilots", { checked: true }), button("Add Groups")])).toBeUndefined();
    expect(steps([...groups, button("Add Groups")], ["welders"])).toBeUndefined();
  });
});
