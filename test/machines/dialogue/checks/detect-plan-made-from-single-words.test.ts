/**
 * Tests tasks of which only single words are on the page. The planner must ask a question and not use a
 * click, a choice or a text that matches by chance.
 */
import { describe, expect, test } from "bun:test";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const link = (textContent: string, more: Partial<HighlightedElement> = {}) =>
  element({ tagName: "a", type: "link", textContent, attributes: { href: "#" }, ...more });
const tick = (labelText: string) =>
  element({ tagName: "input", type: "checkbox", interactionType: "click", labelText, checked: false });

const asks = (task: string, page: readonly HighlightedElement[]): boolean =>
  planned(task, page).questions.length > 0;

describe("a thing that the task names", () => {
  const page = [
    link("GPS watch"),
    link("Sports T-Shirt"),
    element({ tagName: "div", textContent: "Water pipes" }),
    button("Help"),
  ];
  test.each([
    "Take the GPS watch offline",
    "I do not want the Sports T-Shirt any more, take it out",
    "The water pipes are done, tick them off",
  ])("is not clicked if the task asks for more than to open the thing: %s", (task) => {
    expect(asks(task, page)).toBe(true);
  });
  test("is clicked if the task only asks to open or show it", () => {
    expect(stepsOf("Show the GPS watch", page)).toEqual(["click 0"]);
    expect(stepsOf("I like the Sports T-Shirt, open it", page)).toEqual(["click 1"]);
  });
});

describe("a control that is named after a state (Created)", () => {
  const page = [button("Created"), link("View archived flags"), button("Help")];
  test.each(["Create a feature flag named pier-cam", "Archive the flag menu-order"])(
    "is not clicked for an instruction with the verb of this state (create): %s",
    (task) => {
      expect(asks(task, page)).toBe(true);
    },
  );
  test("is clicked if the task names the state (Sort by created)", () => {
    expect(stepsOf("View the archived flags", page)).toEqual(["click 1"]);
    expect(stepsOf("Sort by created", page)).toEqual(["click 0"]);
  });
});

describe("a task that has a word in common with a control", () => {
  const page = [
    link("Meter and plan"),
    field("Description"),
    element({ tagName: "input", type: "search", interactionType: "input", labelText: "Search animals" }),
    tick("Natural gas"),
    list("Branch", ["Town hall", "Book bus"]),
  ];
  test.each([
    "My meter is broken",
    "The description needs to be better",
    "Find Biscuit a better name",
    "Find me something nice for the weekend",
    "Upload my gas bill",
    "Is this a good book?",
  ])("leads to a question if it is a complaint or a wish, or asks something: %s", (task) => {
    expect(asks(task, page)).toBe(true);
  });
  test("is carried out if the task states the value or option to set", () => {
    expect(stepsOf("Tick natural gas", page)).toEqual(["click 3"]);
    expect(stepsOf("Choose the book bus", page)).toEqual(["select_dropdown 4 Book bus"]);
    expect(stepsOf('Set the description to "better"', page)).toEqual(["input 1 better"]);
  });
});

describe("a button that has the verb of the task and another noun (Remove cover)", () => {
  const page = [button("Remove cover"), button("Clear all"), link("Formatting"), link("Filters")];
  test("is not pressed if the page has a control with the noun of the task", () => {
    expect(stepsOf("Remove the formatting", page)).not.toEqual(["click 0"]);
  });
  test("is pressed if its noun stands for everything (Clear all)", () => {
    expect(stepsOf("Clear the filters", page)).toEqual(["click 1"]);
  });
});

describe("an adjective (first floor) that excludes another one (ground floor)", () => {
  const page = ["Ground floor", "First floor"].flatMap((floor) => [
    element({ tagName: "td", textContent: `${floor}, Church Row`, around: `${floor}, Church Row Olga` }),
    button("Receipt", { around: `${floor}, Church Row Olga` }),
  ]);
  test("decides which of two similar rows is meant", () => {
    expect(stepsOf("Open the receipt of the flat on the first floor of Church Row", page)).toEqual([
      "click 3",
    ]);
    expect(stepsOf("Open the receipt of the flat on the ground floor of Church Row", page)).toEqual([
      "click 1",
    ]);
  });
});

test("a task with an acronym (VPN) never clicks a control without this acronym if other controls have it", () => {
  const to = (href: string) => ({ interactionType: "navigate" as const, attributes: { href } });
  const page = [
    element({
      tagName: "input",
      type: "submit",
      interactionType: "submit",
      value: "Show issue:",
      row: "Issues",
    }),
    link("Your Issues", to("issue?assignedto=1")),
    link("Your Details", to("user1")),
    link("VPN drops every hour", to("issue2")),
    link("VPN client for Linux", to("issue5")),
  ];
  expect(stepsOf("Open the VPN issue", page)).toEqual([]);
});

test("a plan to create a thing does not click a link to another page and then type into a field of the current page", () => {
  const row = (at: number, name: string) => ({
    xpath: `/html/body/div/form/table/tbody/tr[${at}]/td/${name}`,
  });
  const page = [
    link("Add User", { interactionType: "navigate", attributes: { href: "user?@template=item" } }),
    field("Login Name", { value: "", ...row(2, "input") }),
    field("E-mail address", { value: "", ...row(9, "input") }),
    field("Alternate E-mail addresses One address per line", { tagName: "textarea", ...row(10, "textarea") }),
  ];
  expect(stepsOf("Add a user: login name nina, full name Nina Holm, e-mail nina@t.example", page)).toEqual(
    [],
  );
});

describe("a field that filters a list", () => {
  // A list with a field that filters it, as the task list of Camunda and the lists of Keycloak ("Filter by name")
  // have.
  const page = [
    field("", { placeholder: "Filter Tasks" }),
    link("Check invoice"),
    link("Check invoice"),
    link("Plan survey"),
  ];
  test.each(['Complete the task "Check invoice"', 'Claim the task "Plan survey"'])(
    "does not carry out a task that does something with an entry: %s",
    (task) => {
      expect(asks(task, page)).toBe(true);
    },
  );
  test("carries out a task that looks for entries or enters a text", () => {
    expect(stepsOf("Search the tasks for invoice", page)[0]).toStartWith("input 0");
    expect(stepsOf('Enter "invoice" into Filter Tasks', page)[0]).toStartWith("input 0");
  });
});
