/** Tests tasks that state values beside the labels of their fields, in many wordings. */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const form = [
  field("First name"),
  field("Purchase order number"),
  field("City"),
  field("About me", { tagName: "textarea" }),
  field("E-mail", { type: "email" }),
  element({
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    labelText: "Parking zone",
    options: ["Choose", "Zone A, Old Town", "Zone B"],
  }),
  button("Save"),
];

describe("a value beside the label of its field", () => {
  test.each([
    "Put PO-2207 in as the purchase order number",
    "I want PO-2207 as purchase order number",
    "PO-2207 goes into the purchase order number field",
    "Can you fill in PO-2207 where it says purchase order number?",
    "For the purchase order number, take PO-2207",
    "It has the purchase order number PO-2207",
    "purchase order: PO-2207",
  ])("is read with any words around it that only set or state it: %s", (task) => {
    expect(stepsOf(task, form)).toEqual(["input 1 PO-2207"]);
  });

  test("may be words in lower case if the task has all words of the label before them", () => {
    expect(stepsOf("Use Ada for the first name, early bird for the about me", form)).toEqual([
      "input 0 Ada",
      "input 3 early bird",
    ]);
  });

  test("may be an option whose name contains a comma (Zone A, Old Town)", () => {
    expect(stepsOf("Make the parking zone Zone A, Old Town", form)).toEqual([
      "select_dropdown 5 Zone A, Old Town",
    ]);
  });

  test("may come after another value without a verb", () => {
    const account = [
      field("Username"),
      field("Password", { type: "password" }),
      field("City"),
      button("Save"),
    ];
    expect(stepsOf("username boss, city Berlin", account)).toEqual(["input 0 boss", "input 2 Berlin"]);
    const { steps } = planned("username boss, password secret SHOP", account).plan;
    expect(steps.map(({ value, secret }) => value ?? secret)).toEqual(["boss", "SHOP"]);
  });

  test("is read even if the task states other values without labels, which are filled in too", () => {
    const handover = [
      element({
        tagName: "select",
        type: "select-one",
        interactionType: "select",
        labelText: "Vehicle",
        options: ["Choose", "LM-018-A", "KR-377-C"],
      }),
      field("Driver"),
      field("Purpose", { tagName: "textarea" }),
      button("Assign"),
      element({ tagName: "td", textContent: "Noa", interactionType: "click" }),
    ];
    expect(stepsOf("Would you assign LM-018-A to Noa, purpose trade fair?", handover)).toEqual([
      "select_dropdown 0 LM-018-A",
      "input 1 Noa",
      "input 2 trade fair",
      "click 3",
    ]);
  });

  test("may be a bank account number with spaces", () => {
    const account = [field("Account holder"), field("IBAN"), button("Save")];
    expect(stepsOf("Put in my IBAN DE75 5121 0800 1245 1261 99", account)).toEqual([
      "input 1 DE75 5121 0800 1245 1261 99",
    ]);
  });

  test("is not entered as a date of birth if it is the date of something else", () => {
    const visit = [
      field("Patient"),
      field("Date of birth", { type: "date" }),
      field("Day", { type: "date" }),
      button("Book"),
    ];
    expect(stepsOf("Book Lena Vogt, on 2027-02-12", visit)).toEqual([
      "input 0 Lena Vogt",
      "input 2 2027-02-12",
      "click 3",
    ]);
    const flight = [field("Date of birth", { type: "date" }), field("Destination"), button("Search flights")];
    expect(stepsOf("Book a flight on 3 May 2027", flight)).toEqual([]);
  });

  test('is not entered if its label fits two fields, such as "name" for two fields with this word', () => {
    const names = [field("Company name"), field("Project name"), button("Save")];
    expect(stepsOf("The name goes to Ada", names)).toEqual([]);
  });

  test.each(["Is the city Berlin?", "If the city is Berlin, press save", "Never set the city to Berlin"])(
    "is not entered for a question, a condition or a prohibition: %s",
    (task) => {
      expect(stepsOf(task, form).filter((step) => step.startsWith("input"))).toEqual([]);
    },
  );
});
