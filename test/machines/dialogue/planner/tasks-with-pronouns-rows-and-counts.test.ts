/** Tests tasks that refer to an earlier clause, count things, sort a list, or only ask a question. */
import { describe, expect, test } from "bun:test";
import {
  withoutEntryOrder,
  withReferent,
} from "../../../../machines/dialogue/task/references-to-earlier-clause.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const entry = (labelText: string, type: string) => field(labelText, { type });
const inRow = (name: string, around: string) => button(name, { around });

describe("a task with a pronoun (The comment is fine, approve it)", () => {
  test.each([
    ["The comment by Ottilie is fine, approve it", "approve the comment by Ottilie"],
    ["Got the tomatoes and the feta, check them", "check the tomatoes and the feta"],
    ["Tell me about it. My order from May is lost, cancel it", "Tell me about it, cancel my order from May"],
    ["What happened with the stolen bike claim? Show the details", "Show details of the stolen bike claim"],
    ["Der Kommentar von Ida ist gut, lösche ihn", "lösche der Kommentar von Ida"],
  ])("is rewritten with the noun of an earlier clause in place of the pronoun: %s", (task, rewritten) => {
    expect(withReferent(task)).toBe(rewritten);
  });

  test.each([
    "Open the mail and star it",
    "Save it",
    "Open the settings, then close them",
    "Type Ada, send it",
  ])("is not rewritten if an instruction, or nothing, precedes the pronoun: %s", (task) => {
    expect(withReferent(task)).toBeUndefined();
  });

  test("clicks the button in the row that the earlier clause describes", () => {
    const rows = ["Ottilie Brand", "Noah Kern"].flatMap((one) => [
      inRow("Approve", one),
      inRow("Delete", one),
    ]);
    expect(stepsOf("The comment by Noah is fine, approve it", rows)).toEqual(["click 2"]);
  });
});

describe("a task with dates, times and numbers, but without names of fields", () => {
  const claim = [
    list("Policy", ["Household HH-20931", "Liability LI-11207", "Car CA-77410"]),
    entry("Day of the damage", "date"),
    entry("Time, if known", "time"),
    entry("Estimated damage", "text"),
    entry("Persons", "number"),
  ];

  test("types each value into the only field of its type", () => {
    expect(
      stepsOf("It's about my car policy, the damage happened on 21 November 2026 at 16:40", claim),
    ).toEqual(["select_dropdown 0 Car CA-77410", "input 1 2026-11-21", "input 2 16:40"]);
    expect(stepsOf("Set the policy to Liability for 3 persons", claim)).toContain("input 4 3");
  });

  test("types the start and the end of a time span into the two date fields", () => {
    const span = [field("Name"), entry("From", "date"), entry("Until", "date")];
    expect(stepsOf('Name "Winter" from 2026-11-27 to 2026-12-03', span)).toEqual([
      "input 0 Winter",
      "input 1 2026-11-27",
      "input 2 2026-12-03",
    ]);
  });
});

describe("a task that sorts a list", () => {
  const sort = list("Sort by", ["Recommended", "Lowest price", "Largest room", "Most recent"]);

  test.each([
    ["cheapest first", "Lowest price"],
    ["Sort the rooms by size, biggest first", "Largest room"],
    ["newest first please", "Most recent"],
  ])("chooses the option with the requested order: %s", (task, option) => {
    expect(stepsOf(task, [sort, field("Name")])).toEqual([`select_dropdown 0 ${option}`]);
  });

  test("chooses no option if the task only asks, or leaves the choice open", () => {
    for (const task of ["Which room do you recommend?", "Choose a room"]) {
      const { plan, questions } = planned(task, [sort]);
      expect([task, plan.steps, questions.length]).toEqual([task, [], 1]);
    }
  });
});

describe("a task whose verb is the name of several buttons", () => {
  test("leads to a question, and does not use a control with a similar verb", () => {
    const page = [
      element({
        tagName: "input",
        type: "checkbox",
        interactionType: "input",
        labelText: "Allow comments",
        checked: false,
      }),
      inRow("Approve", "Ottilie"),
      inRow("Approve", "Noah"),
    ];
    const { plan, questions } = planned("Approve the comment", page);
    expect([plan.steps, questions.length]).toEqual([[], 1]);
  });
});

test("a task to select rows ticks the checkboxes of the named rows, although the checkboxes have no names", () => {
  const rows = ["Ada Berg", "Erik Lund", "Mia Holm"].flatMap((around) => [
    element({ tagName: "input", type: "checkbox", interactionType: "input", checked: false, around }),
    element({ tagName: "a", textContent: around }),
  ]);
  expect(stepsOf("Select Ada and Mia", rows)).toEqual(["click 0", "click 4"]);
});

describe("a task that describes a form in one clause", () => {
  const filter = list("Role filter", ["All roles", "Viewer", "Editor"]);
  const [mail, role, until] = [
    field("E-mail", { type: "email", formId: "invite" }),
    list("Role", ["Viewer", "Editor"]),
    field("Access until", { type: "date", formId: "invite" }),
  ];

  test("fills each field, even without commas", () => {
    expect(
      stepsOf("Fill in the invitation for lin@beacon.ng as an editor until 2027-03-31", [mail, role, until]),
    ).toEqual(["input 0 lin@beacon.ng", "select_dropdown 1 Editor", "input 2 2027-03-31"]);
  });

  test("types a count into the number field with its noun (2 people), and a percentage into the field in percent", () => {
    const form = [
      field("Your name"),
      entry("Date", "date"),
      entry("People", "number"),
      entry("Discount in %", "number"),
    ];
    expect(stepsOf("I'm Olu Adeyemi, lesson on 2026-12-08 for 2 people", form)).toEqual([
      "input 0 Olu Adeyemi",
      "input 1 2026-12-08",
      "input 2 2",
    ]);
    expect(stepsOf("Your name: Ada Berg, with 25 %", form)).toEqual(["input 0 Ada Berg", "input 3 25"]);
  });

  test("uses a filter list outside of the form if the task says 'only show'", () => {
    const inForm = (one: HighlightedElement, at: number) => ({
      ...one,
      xpath: `/html/body/form/p[${at}]/input`,
    });
    const page = [{ ...filter, xpath: "/html/body/select" }, inForm(mail, 1), inForm(role, 2)];
    expect(stepsOf("Only show editors", page)).toEqual(["select_dropdown 0 Editor"]);
  });
});

describe("a task for a row of a table", () => {
  const cells = (row: number, ...texts: readonly string[]) =>
    texts.map((textContent, at) =>
      element({ tagName: "td", textContent, xpath: `/html/body/table/tbody/tr[${row}]/td[${at + 1}]` }),
    );
  const control = (row: number, icon: string, more: Partial<HighlightedElement> = {}) =>
    element({ icon, xpath: `/html/body/table/tbody/tr[${row}]/td[3]/button`, row: `R-30${row}`, ...more });

  test("clicks the control that shows details (eye icon), and not a cell", () => {
    const page = [1, 2].flatMap((row) => [...cells(row, `R-30${row}`, "Open"), control(row, "eye outline")]);
    expect(stepsOf("Look at R-302", page)).toEqual(["click 5"]);
  });

  test("ticks the named rows, then clicks the Delete button outside of the rows for the selected ones", () => {
    const tick = (around: string) =>
      element({
        tagName: "input",
        type: "checkbox",
        interactionType: "input",
        ariaLabel: "Select row",
        checked: false,
        around,
      });
    const page = [
      ...[1, 2, 3].flatMap((row) => [tick(`Lamp ${row}`), button("Delete", { around: `Lamp ${row}` })]),
      button("Delete"),
    ];
    expect(stepsOf("Select Lamp 1 and Lamp 3 and delete the selected", page)).toEqual([
      "click 0",
      "click 4",
      "click 6",
    ]);
  });
});

test("'Tell them about my injuries: …' types the text into its field, and does not click Request lesson", () => {
  const form = [field("Injuries we should know about"), button("Request lesson")].map((one, at) => ({
    ...one,
    xpath: `/html/body/form/p[${at + 1}]/input`,
  }));
  expect(stepsOf("Tell them about my injuries: sprained left ankle", form)).toEqual([
    "input 0 sprained left ankle",
  ]);
});

test("a task that searches types into the field directly before the search button", () => {
  const page = [
    field("", { placeholder: "Client or number" }),
    element({ icon: "magnify" }),
    field("Client"),
    field("Note"),
  ];
  expect(stepsOf("Search for Yoga", page)[0]).toBe("input 0 Yoga");
});

test("numbers and times of a task are typed in the format of their fields", () => {
  const page = [entry("Quantity", "number"), entry("Opens at", "time")];
  const values = [
    "Set the quantity to two",
    "Set the quantity to 1,234",
    "Set opens at to 19.30",
    "Set opens at to 19h30",
    "Set opens at to 7 pm",
  ];
  expect(values.map((task) => planned(task, page).plan.steps[0]?.value)).toEqual([
    "2",
    "1234",
    "19:30",
    "19:30",
    "19:00",
  ]);
});

test("the imperative 'put that in' at the end of a task is not read as a part of its values", () => {
  expect(withoutEntryOrder("My daughter was born on 2019-05-14, put that in")).toBe(
    "My daughter was born on 2019-05-14",
  );
  expect(withoutEntryOrder("Put that in")).toBeUndefined();
});

test("a date is entered by choosing the month in a list and typing the day and the year", () => {
  const months = ["Choose a month", "03 - March", "04 - April", "05 - May"];
  const birth = [list("Month", months), field("Day"), field("Year")];
  expect(stepsOf("Born on 9 April 1974", birth)).toEqual([
    "select_dropdown 0 04 - April",
    "input 1 9",
    "input 2 1974",
  ]);
});

test("a checkbox and the control that is drawn over it count as one target of a task", () => {
  const tick = (role: string, tagName: string) =>
    element({
      tagName,
      type: "checkbox",
      interactionType: "input",
      role,
      ariaLabel: "Needs an interpreter",
      xpath: `/html/body/div/${tagName}`,
      checked: false,
    });
  const page = [tick("checkbox", "input"), tick("checkbox", "button"), field("Name")];
  expect(stepsOf("she needs an interpreter", page)).toEqual(["click 0"]);
});

describe("a task that states a wish (Make it more popular), but names no action,", () => {
  const editor = [button("Bold"), button("Larger text"), field("Message")];

  test.each(["Make the text catchier", "Make it more popular"])("leads to a question: %s", (task) => {
    const { plan, questions } = planned(task, editor);
    expect([plan.steps, questions.length]).toEqual([[], 1]);
  });

  test("clicks the control that has the wish in its name (Larger text)", () => {
    expect(stepsOf("Make the text larger", editor)).toEqual(["click 1"]);
  });
});
