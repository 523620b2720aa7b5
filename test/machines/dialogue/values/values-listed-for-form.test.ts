/** Tests tasks that give several values for one form, without the names of all its fields. */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const tick = (labelText: string, type = "checkbox") =>
  element({ tagName: "input", type, interactionType: "click", labelText, checked: false });

describe("a task with several values for one form", () => {
  const invoice = [
    list("Client", ["Choose a client", "Delta Logistics", "Villa Rosa"]),
    field("What for"),
    field("Hours", { type: "number" }),
    tick("Attach time sheet"),
    button("Save invoice as draft"),
    button("Send invoice"),
  ];

  test("fills fields by options, by kinds of values and by quoted texts, and presses the button that the task names", () => {
    expect(
      stepsOf(
        'New invoice for Villa Rosa, "Route planning", 4 hours, with the time sheet, and save it as a draft',
        invoice,
      ),
    ).toEqual(["select_dropdown 0 Villa Rosa", "input 1 Route planning", "input 2 4", "click 3", "click 4"]);
  });

  test("is not planned as values of a form if one of its parts fits no field", () => {
    const steps = stepsOf('New invoice for Villa Rosa, "Route planning", and a rocket to the moon', invoice);
    expect(steps).not.toEqual(["select_dropdown 0 Villa Rosa", "input 1 Route planning"]);
  });

  test("enters the values first, and then presses the button that the verb names", () => {
    const lesson = [
      field("Subject"),
      field("Room"),
      field("Starts", { type: "time" }),
      field("Ends", { type: "time" }),
      button("Add lesson"),
      button("Email the class"),
    ];
    expect(stepsOf("Add a chemistry lesson in room 1.07 from 10:15 to 11:45", lesson)).toEqual([
      "input 0 chemistry",
      "input 1 1.07",
      "input 2 10:15",
      "input 3 11:45",
      "click 4",
    ]);
  });

  test("ticks two checkboxes that two clauses of the task state", () => {
    const staff = [field("Name"), tick("Freelance"), tick("Works remotely"), button("Save profile")];
    expect(stepsOf("She is freelance now, and she works remotely", staff)).toEqual(["click 1", "click 2"]);
  });

  test("fills the first and the last name of a person, and a registration number of two words", () => {
    const member = [
      field("First name"),
      field("Family name"),
      field("E-mail", { type: "email" }),
      field("Registration number"),
      button("Join"),
    ];
    expect(stepsOf("Ida Falk, ida@falk.se, registration number GH19 TUV", member)).toEqual([
      "input 0 Ida",
      "input 1 Falk",
      "input 2 ida@falk.se",
      "input 3 GH19 TUV",
    ]);
  });

  test("leads to a question if its verb asks or searches, and the form creates something", () => {
    const ticket = [
      field("Customer"),
      field("Subject"),
      list("Priority", ["Choose", "Low", "Medium", "High"]),
      button("Create ticket"),
    ];
    for (const task of [
      "Is there a ticket for Acme with high priority?",
      "Did I create a ticket for Acme with high priority?",
      "How do I create a ticket for Acme with high priority?",
      "Can you see a ticket for Acme with low priority?",
      "Find the ticket for Anna Smith with high priority",
      "Print the ticket for Anna Smith with high priority",
      "Delete the ticket for Anna Smith with high priority",
      "Suche das Ticket für Anna Schmidt mit hoher Priorität",
      "Trouve le ticket pour Jean Dupont avec priorité haute",
      "Y a-t-il un ticket pour Jean Dupont avec priorité haute ?",
      "Busca el ticket para Ana García con prioridad alta",
      "¿Hay un ticket para Ana García con prioridad alta?",
      "Create two tickets for Acme with high priority",
    ])
      expect({ task, steps: stepsOf(task, ticket) }).toEqual({ task, steps: [] });
    const filled = ["input 0 Anna Smith", "select_dropdown 2 High"];
    const created = "Can you create a ticket for Anna Smith with high priority?";
    expect(stepsOf(created, ticket)).toEqual([...filled, "click 3"]);
    const filters = [field("Customer"), field("City"), button("Query"), button("Add customer")];
    expect(stepsOf("Find the customers called Becker", filters)).toContain("input 0 Becker");
  });

  test("sends the form only after an approval", () => {
    const plan = planned('Invoice Delta Logistics for "Route planning" and send it', invoice).plan;
    expect(plan.steps.map(({ action }) => action)).toEqual(["select_dropdown", "input", "click"]);
    expect(plan.steps.at(-1)?.risk).toBe("high");
  });
});

describe("an option whose words are part of another option", () => {
  test("is not chosen in place of the longer one", () => {
    const stock = list("Stock", ["Any", "In stock", "Out of stock", "Ordered"]);
    expect(stepsOf("Show only what is out of stock", [stock])).toEqual(["select_dropdown 0 Out of stock"]);
  });
});
