/**
 * Tests statements such as "My new account is AT61...": the value goes into the page's only field for a value of its
 * kind.
 */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

describe("a statement with a value, such as an e-mail address,", () => {
  test.each([
    ["my email adress is now jesse@site.test", ["City", "Email address"], "jesse@site.test"],
    ["Mi correo es rosa@site.test", ["Ciudad", "Correo electrónico"], "rosa@site.test"],
    ["My new account is AT611904300234573201", ["Account holder", "IBAN"], "AT611904300234573201"],
    ["Der Zähler hat die Nummer 1ESY4471", ["Zählerstand in kWh", "Zählernummer"], "1ESY4471"],
    ["The meter has the number 4471", ["Meter reading", "Meter number"], "4471"],
    ["Kenji covers for me while I'm away", ["Find a colleague", "Who stands in for you?"], "Kenji"],
    ["Lena vertritt mich", ["Name", "Vertretung"], "Lena"],
    ["The material should go to 30 Park Lane", ["Name", "Deliver to"], "30 Park Lane"],
    ['Describe it as "Two planks missing"', ["Title", "Details"], "Two planks missing"],
    ["Me llamo Rosa Iglesias", ["Correo", "Nombre y apellidos"], "Rosa Iglesias"],
    ["Mi chiamo Ada Rossi", ["Città", "Nome e cognome"], "Ada Rossi"],
  ] as const)("fills the page's only field for a value of its kind: %s", (task, [other, own], value) => {
    expect(stepsOf(task, [field(other), field(own), button("Save")])).toEqual([`input 1 ${value}`]);
  });

  test("fills no field if the page has two fields for a value of its kind", () => {
    const page = [field("Cover for the first week"), field("Cover for the second week"), button("Save")];
    expect(planned("Kenji covers for me", page).plan.steps).toEqual([]);
  });

  test("fills the field for its kind of value, even if it is the second statement of a sentence", () => {
    const page = [field("Nombre completo"), field("Correo"), button("Guardar")];
    expect(stepsOf("Me llamo Rosa Iglesias y mi correo es rosa@site.test", page)).toEqual([
      "input 0 Rosa Iglesias",
      "input 1 rosa@site.test",
    ]);
  });
});

describe("a number with its unit", () => {
  test("is typed into the field for this unit, even if the task shortens the unit (km)", () => {
    const page = [field("Kilometres, about", { type: "number" }), field("Seats", { type: "number" })];
    expect(stepsOf("I need a car for about 120 km", page)).toEqual(["input 0 120"]);
  });

  test("is typed into the field whose label the same clause contains before the number", () => {
    const page = [field("Check for mail every (minutes)", { type: "number" }), button("Apply")];
    expect(stepsOf("Check for mail every 5 minutes and apply", page)).toEqual(["input 0 5", "click 1"]);
  });
});

describe("a span of days or times", () => {
  test("fills the two fields that are named for a start and an end, in five languages", () => {
    const page = (start: string, end: string) => [
      field(start, { type: "time" }),
      field(end, { type: "time" }),
      field("Site"),
    ];
    expect(stepsOf("Internet de 09:00 à 19:30", page("Internet à partir de", "Internet jusqu'à"))).toEqual([
      "input 0 09:00",
      "input 1 19:30",
    ]);
    expect(stepsOf("Geöffnet von 09:00 bis 19:30", page("Beginn", "Ende"))).toEqual([
      "input 0 09:00",
      "input 1 19:30",
    ]);
  });

  test("fills text fields with the labels From and To", () => {
    const page = [field("From"), field("To"), button("Apply filters")];
    expect(stepsOf("Filter the list from 2026-12-01 to 2026-12-15 and apply it", page)).toEqual([
      "input 0 2026-12-01",
      "input 1 2026-12-15",
      "click 2",
    ]);
  });
});

describe("values with the labels of their fields", () => {
  test("may follow each other without a comma", () => {
    const page = [field("English term"), field("Swedish term"), button("Add term")];
    expect(stepsOf("Add the English term anchor with the Swedish term ankare", page)).toEqual([
      "input 0 anchor",
      "input 1 ankare",
      "click 2",
    ]);
  });

  test("are not read from a pronoun after a verb: 'publish it' presses Publish, and types nothing into the field 'Publish on'", () => {
    const page = [list("Category", ["Trains", "Food"]), field("Publish on"), button("Publish")];
    expect(stepsOf("Set the category to Trains, then publish it", page)).toEqual([
      "select_dropdown 0 Trains",
      "click 2",
    ]);
  });

  test("do not include a noun for a thing: 'Put the post into the category' only selects the category", () => {
    const page = [
      list("Category", ["Trains", "Food"]),
      field("Email this post to subscribers", {
        type: "checkbox",
        interactionType: "click",
        checked: false,
      }),
    ];
    expect(stepsOf("Put the post into the category Food", page)).toEqual(["select_dropdown 0 Food"]);
  });
});

describe("an option of a list", () => {
  test("is chosen if the task has its whole name and no other control has these words", () => {
    const page = [list("Font", ["Arial", "Courier New"]), button("New message")];
    expect(stepsOf("Use Courier New", page)).toEqual(["select_dropdown 0 Courier New"]);
  });

  test("is not chosen if a button has the same words", () => {
    const page = [list("Font", ["Arial", "Courier New"]), button("Courier New")];
    expect(stepsOf("Use Courier New", page)).toEqual(["click 1"]);
  });

  test("is chosen if it is the person to whom the task assigns something, and further values of the task are entered", () => {
    const page = [
      list("Assignee", ["Nobody", "Dagny"]),
      field("Due", { type: "date" }),
      button("Save card"),
      button("Delete card"),
    ];
    expect(stepsOf("Assign FA-31 to Dagny, due 2027-03-05, and save the card", page)).toEqual([
      "select_dropdown 0 Dagny",
      "input 1 2027-03-05",
      "click 2",
    ]);
  });
});

test("words between a value and its label are not typed: 'date of entry 04/01/2027'", () => {
  const page = [list("Section", ["Bébés", "Grands"]), field("Date d'entrée"), button("Enregistrer")];
  expect(stepsOf("Section Bébés, date of entry 04/01/2027", page)).toEqual([
    "select_dropdown 0 Bébés",
    "input 1 04/01/2027",
  ]);
});

describe("a question with 'when' or 'which'", () => {
  const tab = (name: string) => element({ textContent: name, role: "tab" });

  test("opens the tab whose name contains all content words of the question", () => {
    expect(stepsOf("When are the public holidays?", [tab("Absences"), tab("Public holidays")])).toEqual([
      "click 1",
    ]);
  });

  test.each(["When should I take my holidays?", "Which holidays do you recommend?"])(
    "leads to no step if no tab's name contains all content words of the question: %s",
    (task) => {
      expect(stepsOf(task, [tab("Absences"), tab("Public holidays")])).toEqual([]);
    },
  );
});

describe("a task with a number of things from a list (12 m² of the white tiles)", () => {
  const page = [
    list("Material", ["White tiles, 1 m²", "Grey grout, 5 kg", "Grey paint, 1 l"]),
    field("Quantity", { type: "number" }),
    button("Put on the list"),
    button("Order now"),
  ];

  test.each([
    [
      "Put 12 m² of the white tiles on the list",
      ["select_dropdown 0 White tiles, 1 m²", "input 1 12", "click 2"],
    ],
    ["Order 5 bags of grey grout right now", ["select_dropdown 0 Grey grout, 5 kg", "input 1 5", "click 3"]],
  ])("chooses the thing and types the number: %s", (task, steps) => {
    expect(stepsOf(task, page)).toEqual(steps);
  });

  test("chooses nothing if two options have the words of the task", () => {
    expect(stepsOf("Put 12 kg of grey on the list", page)).not.toContain(
      "select_dropdown 0 Grey grout, 5 kg",
    );
  });
});
