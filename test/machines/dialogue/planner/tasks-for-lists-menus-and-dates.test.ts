/** Tests plans for tasks about menus, rows of lists and dates. The tasks are written in four languages. */
import { describe, expect, test } from "bun:test";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const link = (textContent: string) => element({ tagName: "a", type: "a", textContent });
const tick = (more: Partial<HighlightedElement>) =>
  element({ tagName: "input", type: "checkbox", checked: false, ...more });

const stepsOf = (task: string, elements: readonly HighlightedElement[]) =>
  planned(task, elements).plan.steps.map(({ action, target, value }) =>
    [action, target?.name, value].filter(Boolean).join(" "),
  );

describe("a menu or link is found by", () => {
  const menu = ["Billing", "Returns", "Past orders", "Readers", "Settings"].map(link);

  test.each([
    ["Ouvre la page de facturation", "Billing"],
    ["Abre las devoluciones", "Returns"],
    ["Öffne die Rücksendungen", "Returns"],
    ["Muéstrame los pedidos anteriores", "Past orders"],
    ["Open the list of readers", "Readers"],
    ["Open the overview of all returns", "Returns"],
  ])("the words of the task: %s", (task, name) => {
    expect(stepsOf(task, menu)).toEqual([`click ${name}`]);
  });
});

test.each(["Aktualisiere die Seite", "Recharge la page", "Actualiza la página", "Lade die Seite neu"])(
  "the task '%s' clicks the button Refresh, or reloads the page if it has no such button",
  (task) => {
    expect(stepsOf(task, [button("Refresh"), button("Update prices")])).toEqual(["click Refresh"]);
    expect(stepsOf(task, [button("Save")])).toEqual(["refresh"]);
  },
);

test.each(["Deja de compartir el presupuesto", "Arrête de partager le budget"])(
  "the task '%s' (stop sharing) clicks Stop sharing, and not Share",
  (task) => {
    expect(stepsOf(task, [button("Share"), button("Copy link"), button("Stop sharing")])).toEqual([
      "click Stop sharing",
    ]);
  },
);

test("a task to select two files ticks the checkboxes in their rows, and does not click the links in the rows", () => {
  const files = ["Budget.xlsx", "Contract.pdf", "Logo.svg"].flatMap((name) => [
    tick({ ariaLabel: `Select ${name}`, row: `${name} Me 10 May` }),
    element({ tagName: "a", type: "a", textContent: name, attributes: { href: `#${name}` } }),
  ]);
  expect(stepsOf("Select the budget and the logo", files)).toEqual([
    "click Select Budget.xlsx",
    "click Select Logo.svg",
  ]);
});

test("a button and the text inside it count as one target of a task", () => {
  const page = [
    button("New message", { selector: "x-button >>> button" }),
    element({
      tagName: "span",
      type: "span",
      textContent: "New message",
      selector: "x-button >>> button > span",
    }),
  ];
  expect(stepsOf("Start a new message", page)).toEqual(["click New message"]);
  expect(planned("Start a new message", page).questions).toEqual([]);
});

test.each([
  ["DD/MM/YYYY", "07/11/1990"],
  ["mm/dd/yyyy", "11/07/1990"],
  ["TT.MM.JJJJ", "07.11.1990"],
  ["jj/mm/aaaa", "07/11/1990"],
  ["YYYY-MM-DD", "1990-11-07"],
  ["Your birthday", "7 November 1990"],
])("a date is typed in the format that the placeholder %s shows", (placeholder, value) => {
  const page = [field("Date of birth", { placeholder }), field("Name")];
  expect(stepsOf("Set the date of birth to 7 November 1990", page)).toEqual([`input Date of birth ${value}`]);
});

test("in 'I have a list of people, import it from a file', 'it' is the list, and the step clicks Import from file", () => {
  const page = [button("Add person"), button("Import from file")];
  const { plan, questions } = planned("I have a list of people, import it from a file", page);
  expect(plan.steps.map(({ target }) => target?.name)).toEqual(["Import from file"]);
  expect(questions).toEqual([]);
});

test("a task that quotes the text above a radio button selects the button, and asks nothing about the quoted text", () => {
  const radio = element({ tagName: "input", type: "radio", labelText: "Only my contacts", checked: false });
  const place = { headings: [], caption: ["Answer to"], column: "" };
  const page = [{ ...radio, place }, button("Save")];
  const { plan, questions } = planned('Set "Answer to" to only my contacts', page);
  expect(plan.steps.map(({ target }) => target?.name)).toEqual(["Only my contacts"]);
  expect(questions).toEqual([]);
});

describe("a value in a task", () => {
  test("that is a number shown in a row selects this row: 'Edit ticket 4107' clicks Edit in the row of #4107", () => {
    const row = (text: string) => [
      tick({ ariaLabel: `Select ${text}`, row: text }),
      button("Edit", { row: text, around: text }),
    ];
    const page = [
      ...row("#4107 New laptop"),
      ...row("#4099 VPN drops"),
      field("Minutes", { type: "number" }),
    ];
    const { plan } = planned("Edit ticket 4107", page);
    expect(plan.steps.map(({ targetId }) => targetId)).toEqual([page[1]?.highlight_index ?? -1]);
    expect(stepsOf("Set the minutes to 45", page)).toEqual(["input Minutes 45"]);
  });

  test("that follows the name of its field is not joined to the value before it", () => {
    const page = [field("Barcode"), field("Reader number"), field("Remark")];
    expect(stepsOf("Lend barcode 30112 to reader number 884", page)).toEqual([
      "input Barcode 30112",
      "input Reader number 884",
    ]);
  });

  test("that is a time (14:00) is chosen in the only list that has this time as an option", () => {
    const list = (labelText: string, options: string[]) =>
      element({ tagName: "select", type: "select-one", interactionType: "select", labelText, options });
    const courts = list("Court", ["Any court", "Court 1", "Court 3 (indoor)"]);
    const page = [courts, list("Start", ["8:00", "14:00", "16:00"]), button("Start over"), button("Book")];
    expect(stepsOf("Take court 3 at 14:00", page)).toEqual([
      "select_dropdown Court Court 3 (indoor)",
      "select_dropdown Start 14:00",
    ]);
    expect(stepsOf("Choose court 1 and a start at 16:00", page)).toEqual([
      "select_dropdown Court Court 1",
      "select_dropdown Start 16:00",
    ]);
  });

  test("that is a number in words ('four players') is typed in digits", () => {
    const page = [field("Number of players", { type: "number" }), tick({ labelText: "Doubles" })];
    expect(stepsOf("Four players, and we play doubles", page)).toEqual([
      "input Number of players 4",
      "click Doubles",
    ]);
  });
});

test("'Search my mail' types into the field Search mail, although the field Message has a similar name", () => {
  const page = [field("Search mail", { type: "search" }), field("Message", { tagName: "textarea" })];
  expect(stepsOf('Search my mail for "kitchen"', page)).toContain("input Search mail kitchen");
});

test("'Add gift wrap and a sample bag' ticks the two checkboxes of these names, although a button Add customer exists", () => {
  const extras = [tick({ labelText: "Gift wrap" }), tick({ labelText: "Sample bag" })];
  const page = [button("New order"), button("Add customer"), ...extras];
  expect(stepsOf("Add gift wrap and a sample bag", page)).toEqual(["click Gift wrap", "click Sample bag"]);
});

test("a task to rename a file types the new name and clicks the button Rename next to the field", () => {
  const name = field("New name of “Logo.svg”", { value: "Logo.svg" });
  expect(stepsOf("Rename Logo.svg to Logo-2027.svg", [name, button("Rename")])).toEqual([
    "input New name of “Logo.svg” Logo-2027.svg",
    "click Rename",
  ]);
});

test("a task to download a customer's invoice does not choose that customer in a list", () => {
  const row = "2027-012 Northwind School Overdue";
  const page = [
    button("PDF", { row, around: row }),
    button("PDF", { row: "2027-011 Villa Rosa Paid", around: "2027-011 Villa Rosa Paid" }),
    element({
      tagName: "select",
      type: "select-one",
      interactionType: "select",
      labelText: "Customer",
      options: ["Choose …", "Northwind School", "Villa Rosa"],
    }),
  ];
  const { plan } = planned("Download the PDF of the Northwind School invoice", page);
  expect(plan.steps.some(({ action }) => action === "select_dropdown")).toBe(false);
});

describe("a date or a time span in a task", () => {
  const dated = [field("Date", { type: "date" }), field("Notes"), button("Save")];

  test.each([
    "Move the appointment to 14 April 2027",
    "Postpone it to 14 April 2027",
    "The date of the visit shall be 14 April 2027",
  ])("is typed into the only field for dates: %s", (task) => {
    expect(stepsOf(task, dated)).toEqual(["input Date 2027-04-14"]);
  });

  test('is not planned as typing into the field "Date" alone if the page has a button "Move appointment"', () => {
    expect(
      stepsOf("Move the appointment to 14 April 2027", [...dated, button("Move appointment")]),
    ).not.toEqual(["input Date 2027-04-14"]);
  });

  test("fills the fields for the start and the end if it is a time span", () => {
    const times = [field("Opens", { type: "time" }), field("Closes", { type: "time" })];
    const page = [...times, button("Update hours")];
    expect(stepsOf("The branch opens at 10:00 and closes at 19:30, update the hours", page)).toEqual([
      "input Opens 10:00",
      "input Closes 19:30",
      "click Update hours",
    ]);
    expect(stepsOf("Von 9:00 bis 18:30", times)).toEqual(["input Opens 09:00", "input Closes 18:30"]);
  });
});

test("the text before the first radio button describes each button of its group", () => {
  const radio = (labelText: string, caption: string) => ({
    ...element({
      tagName: "input",
      type: "radio",
      labelText,
      checked: false,
      attributes: { name: "remind" },
    }),
    place: { headings: [], caption: [caption], column: "" },
  });
  const page = [radio("None", "Reminder"), radio("Text message", "None"), radio("E-mail", "Text message")];
  expect(stepsOf("Remind her by text message", page)).toEqual(["click Text message"]);
});

test("an amount of money is typed without its currency into a field for numbers", () => {
  const page = [field("Income", { attributes: { inputmode: "numeric" } }), field("Note")];
  expect(stepsOf("Set the income to $980", page)).toEqual(["input Income 980"]);
  expect(stepsOf("Set the note to $980", page)).toEqual(["input Note $980"]);
});

test("a task to redeem a voucher types its code and clicks the button next to the field", () => {
  const page = [
    field("Voucher", { xpath: "/html/body/div/span/input" }),
    button("Redeem", { xpath: "/html/body/div/button" }),
  ];
  expect(stepsOf("redeem voucher WINTER-77", page)).toEqual(["input Voucher WINTER-77", "click Redeem"]);
});

test("a task to assign a ticket chooses the person in the list Assignee, and does not open the link Assigned to me", () => {
  const list = (labelText: string, options: string[]) =>
    element({ tagName: "select", type: "select-one", interactionType: "select", labelText, options });
  const page = [
    link("Assigned to me 6"),
    list("Assignee", ["Me", "Jonas Weber", "Amara Obi"]),
    list("Priority", ["Low", "Urgent"]),
  ];
  expect(stepsOf("Assign it to Amara and set priority to urgent", page)).toEqual([
    "select_dropdown Assignee Amara Obi",
    "select_dropdown Priority Urgent",
  ]);
});

test.each([
  ["Acepto las condiciones de cancelación", "I accept the cancellation terms"],
  ["Paie la facture en ligne", "Pay invoice online"],
])("the task '%s' is translated, and clicks '%s'", (task, name) => {
  expect(
    stepsOf(task, [tick({ labelText: "I accept the cancellation terms" }), button("Pay invoice online")]),
  ).toEqual([`click ${name}`]);
});
