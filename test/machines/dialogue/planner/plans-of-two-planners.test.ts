/** Tests which plan is used if the plan by imperatives and the plan by matching words differ. */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const list = (options: readonly string[], more: Parameters<typeof element>[0] = {}) =>
  element({
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    options: [...options],
    ...more,
  });
const tick = (labelText: string, more: Parameters<typeof element>[0] = {}) =>
  element({ tagName: "input", type: "checkbox", labelText, ...more });
const MONTHS = ["Month", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const YEARS = ["Year", "2014", "2015", "2016", "2017"];

describe("a value that a task states with the name of its field", () => {
  const form = [field("Place"), field("Phone", { type: "tel" }), field("Apartment"), field("Last name")];

  test("keeps its commas after a colon", () => {
    expect(stepsOf("Place: underground car park, Lindenallee 4", form)).toEqual([
      "input 0 underground car park, Lindenallee 4",
    ]);
  });

  test("keeps a first word (Unit 4B) that looks like a part of the field's name", () => {
    expect(stepsOf("Put Unit 4B into the apartment field", form)).toEqual(["input 2 Unit 4B"]);
  });

  test.each([
    ["My last name is now Berg", "Berg"],
    ["Mein Nachname ist jetzt Berg", "Berg"],
  ])("is typed without an adverb before it: %s", (task, value) => {
    expect(stepsOf(task, form)).toEqual([`input 3 ${value}`]);
  });

  test("is typed into the search for mails if the task says to find mails", () => {
    const mails = [field("Search…", { type: "search" }), field("Search mail", { type: "search" })];
    expect(planned("Find the mails that mention refund", mails).plan.steps[0]?.targetId).toBe(
      mails[1]?.highlight_index,
    );
  });

  test("is typed into the field Cc if the task says 'in copy'", () => {
    const mail = [field("To"), field("Cc"), field("Subject")];
    expect(stepsOf("Put boss@example.net in copy", mail)).toEqual(["input 1 boss@example.net"]);
    expect(stepsOf("Send it to boss@example.net", mail)).toEqual(["input 0 boss@example.net"]);
  });
});

describe("a month and a year in a task", () => {
  test("are chosen in the two lists (month, year) that the task names", () => {
    const page = [
      list(MONTHS, { around: "Starting From" }),
      list(YEARS, { around: "Starting From" }),
      list(MONTHS, { around: "Ending In" }),
      list(YEARS, { around: "Ending In" }),
    ];
    expect(stepsOf("I started in Sep 2016", page)).toEqual([
      "select_dropdown 0 Sep",
      "select_dropdown 1 2016",
    ]);
  });

  test("are chosen in the only two lists for them, even if the task gives the number of the month", () => {
    const numbers = Array.from({ length: 12 }, (_, at) => String(at + 1));
    const page = [
      field("Card number"),
      list(numbers, { labelText: "Month" }),
      list(YEARS, { labelText: "Year" }),
    ];
    expect(stepsOf("The credit card expires in March 2016", page)).toEqual([
      "select_dropdown 1 3",
      "select_dropdown 2 2016",
    ]);
  });
});

describe("a task on a page with rows and lists", () => {
  const rows = ["Project 1 Plans Filter", "Project 2 Plans Filter"].flatMap((row, at) =>
    ["Plans", "Filter"].map((name, place) =>
      tick(name, { row, xpath: `/html/body/ul/li[${at + 1}]/input[${place + 1}]` }),
    ),
  );

  test("ticks both named checkboxes in the same row", () => {
    expect(stepsOf("In Project 2 mark Plans and Filter as done", rows)).toEqual(["click 2", "click 3"]);
  });

  test("clicks the header of a column only to sort", () => {
    const page = [
      element({ tagName: "th", textContent: "Customer" }),
      button("Delete", { row: "Ada 777-555-5555" }),
      button("Delete", { row: "Bob 777-555-1234" }),
    ];
    expect(stepsOf("Delete the customer with the number 777-555-5555", page)).toEqual(["click 1"]);
    expect(stepsOf("Sort by customer", page)).toEqual(["click 0"]);
  });

  test("clicks a read-only combobox to open it", () => {
    const page = [field("Name"), field("Gender", { role: "combobox", attributes: { readonly: "" } })];
    expect(stepsOf("Gender: female", page)).toEqual(["click 1"]);
  });

  test("has no step for a reason that follows the instruction", () => {
    const page = [field("Subject"), button("Collapse", { around: "Sales graph" })];
    expect(stepsOf("Collapse the sales graph, only the title should stay", page)).toEqual(["click 1"]);
  });
});

describe("a control without words", () => {
  test("is named by its icon, although it shows a counter", () => {
    const page = [
      element({ tagName: "a", textContent: "4", icon: "envelope o", attributes: { href: "#" } }),
      element({ tagName: "a", textContent: "10", icon: "bell o", attributes: { href: "#" } }),
    ];
    expect(stepsOf("Show the notifications", page)).toEqual(["click 1"]);
  });
});

describe("a link that works like a button", () => {
  test("submits a code, although the link and the field are in different boxes", () => {
    const page = [
      field("Coupon code", { xpath: "/html/body/form/div/div[1]/input" }),
      element({
        tagName: "a",
        textContent: "Apply coupon",
        attributes: { href: "javascript:void(0);", class: "btn" },
        xpath: "/html/body/form/div/div[2]/a",
      }),
    ];
    expect(stepsOf("Use the coupon code SUMMER10", page)).toEqual(["input 0 SUMMER10", "click 1"]);
  });
});

test("a clear task to type a text and to click a button has a plan of full confidence", () => {
  const page = [field("id"), field("name"), button("Insert"), button("Cancel")];
  const { plan } = planned('Type "Vienna" into name and click the Insert button', page);
  expect(plan.steps.map(({ description }) => description)).toEqual([
    'Type "Vienna" into "name"',
    'Click "Insert"',
  ]);
  expect(plan.confidence.overall).toBeGreaterThan(0.9);
});
