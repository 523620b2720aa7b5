/**
 * Tests plans whose elements have only single words of the task in their names. Such a plan must not do
 * something that the task does not ask for.
 */
import { describe, expect, test } from "bun:test";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const link = (textContent: string, href: string) =>
  element({ tagName: "a", type: "link", textContent, attributes: { href } });
const radio = (labelText: string, name: string) =>
  element({
    tagName: "input",
    type: "radio",
    labelText,
    checked: false,
    attributes: { type: "radio", name },
  });
const asks = (task: string, page: readonly HighlightedElement[]): boolean =>
  planned(task, page).questions.length > 0;

describe("a click that only opens a thing", () => {
  const page = [
    link("Claims", "/claims"),
    link("Twitter", "https://twitter.test/"),
    link("Messages", "/messages"),
    element({ tagName: "div", type: "div", textContent: "Root canal: Paul Kerr 11:00" }),
  ];
  test.each([
    "Speed up my claims",
    "Follow her on Twitter",
    "Prescribe Paul Kerr antibiotics",
    "Write to the parents about the messages",
  ])("is not planned if the verb asks for something else: %s", (task) => {
    expect(asks(task, page)).toBe(true);
  });
  test.each([
    ["Open the root canal of Paul Kerr", "click 3"],
    ["Read my messages", "click 2"],
    ["What is new? Show the claims", "click 0"],
    ["Return to the messages", "click 2"],
    ["Schau in die Nachrichten", "click 2"],
  ])("is planned if the verb asks for it: %s", (task, step) => {
    expect(stepsOf(task, page)).toEqual([step]);
  });
});

describe("a task that changes a value of a row without saying the new value", () => {
  const inRow = (name: string, at: number) =>
    button("Edit", { row: `${name} 200 g`, xpath: `/html/body/table/tbody/tr[${at}]/td[3]/button` });
  const amount = field("Amount", { xpath: "/html/body/form/input" });
  test("does not type the name of the row into a field", () => {
    const page = [inRow("Red lentils", 1), inRow("Onions", 2), amount];
    expect(
      planned("Change the amount of red lentils", page).plan.steps.map(({ value }) => value),
    ).not.toContain("red lentils");
    expect(stepsOf("Set the amount of red lentils to 300", [amount])).toEqual(["input 0 300"]);
  });
});

describe("a checkbox that only selects a row", () => {
  const row = (name: string, at: number) =>
    element({
      tagName: "input",
      type: "checkbox",
      labelText: `Select ${name}`,
      checked: false,
      attributes: { type: "checkbox" },
      xpath: `/html/body/main/div/div[${at}]/input`,
    });
  const page = [
    row("Ada Quist ada@quay.example Writes about tides.", 1),
    row("Dario Penna dario@quay.example Weather and currents.", 2),
  ];
  test.each([
    "Rename the author Dario Penna to Dario Pennacchi",
    "Publish Ada Quist",
    "Ändere den Autor Dario Penna in Dario Pennacchi",
  ])("is not planned for a task that changes the thing: %s", (task) => {
    expect(asks(task, page)).toBe(true);
    expect(stepsOf(task, page)).toEqual([]);
  });
  test("is planned for a task that selects the thing", () => {
    expect(stepsOf("Select Dario Penna", page)).toEqual(["click 1"]);
  });
});

describe("an icon that shows the kind of a thing (table, folder)", () => {
  const entry = (name: string, at: number, icon: string) => {
    const path = `/html/body/main/section/div[${at}]/div`;
    return [
      element({ tagName: "div", type: "div", textContent: name, xpath: path }),
      element({ tagName: "div", type: "div", textContent: "", icon, xpath: `${path}/div[1]/div` }),
      element({ tagName: "span", type: "span", textContent: name, xpath: `${path}/div[2]/span` }),
    ];
  };
  test("is not clicked for a task that opens the thing by its name", () => {
    const tables = ["Customers", "Bicycles", "Repairs"].flatMap((name, at) => entry(name, at, "nc table"));
    expect(asks("Open the table Repairs", tables)).toBe(true);
    const folders = ["Invoices", "Reports"].flatMap((name, at) => entry(name, at, "folder"));
    expect(asks("Open the folder Reports", folders)).toBe(true);
  });
  test("is clicked for a task that names only the kind (Open the folder)", () => {
    expect(stepsOf("Open the folder", entry("Reports", 1, "folder"))).toEqual(["click 1"]);
  });
});

describe("a clause after the name of a new thing", () => {
  test.each([
    "Add a monitor called Intranet that watches http://office.test/metrics",
    "Create a list named Reading Club that is private",
  ])("is no part of the name, so the task leads to a question: %s", (task) => {
    expect(asks(task, [field("Name"), button("Create")])).toBe(true);
    expect(asks(task, [button("Create")])).toBe(true);
  });
  test.each([
    "Create a user namens karl mit der E-Mail k@x.de",
    "Erstelle einen Benutzer namens karl mit der E-Mail k@x.de",
    "Add a user named karl with e-mail k@x.de",
  ])(
    "that states a value is no part of the name, so the task leads to a question if the form has no field for the value: %s",
    (task) => {
      const password = field("Password", { type: "password", xpath: "/html/body/form/input[2]" });
      const save = button("Save", { xpath: "/html/body/form/button", interactionType: "submit" });
      expect(asks(task, [field("Username", { xpath: "/html/body/form/input[1]" }), password, save])).toBe(
        true,
      );
    },
  );
  test.each([
    ["Add a task called Call the man that phoned", "Call the man that phoned"],
    ["Add a task called Lunch with the team", "Lunch with the team"],
    ['Create a task called "Call the man that waits"', "Call the man that waits"],
  ])(
    "is a part of the name if the name is quoted, or if more words of the name precede the clause: %s",
    (task, name) => {
      const { plan } = planned(task, [field("Name"), button("Create")]);
      expect(plan.steps.map(({ value }) => value)).toContain(name);
    },
  );
});

describe("a link to a list of things", () => {
  const page = [link("Rooms", "/rooms"), link("Documents", "/documents"), button("Help")];
  test.each(["Choose a room", "Open my old room", "View the file"])(
    "is not clicked for a single thing: %s",
    (task) => {
      expect(asks(task, page)).toBe(true);
    },
  );
  test("is clicked for a task about all of these things", () => {
    expect(stepsOf("Show the rooms", page)).toEqual(["click 0"]);
    expect(stepsOf("Open my documents", page)).toEqual(["click 1"]);
  });
});

describe("a control that makes a new thing", () => {
  const city = [field("name"), field("country"), button("Insert")];
  const page = [button("+ Table"), link("Toggle helper tables", "#"), ...city];
  test.each(["Open the table", "Read the table", 'Type "Wels" into name and open the table'])(
    "is offered in a question, and not clicked for a task that opens or reads: %s",
    (task) => {
      const [question] = planned(task, page).questions;
      expect(question?.options.map(({ text }) => text)).toEqual(["+ Table", "Toggle helper tables"]);
    },
  );
  test.each(["+ Table", "New table", "Add table", "Create table"])(
    "is not clicked for a task that opens, shows or reads: %s",
    (name) => {
      for (const task of ["Open the table", "Show the table", "View my table", "Lis la table"])
        expect(stepsOf(task, [button(name), ...city])).toEqual([]);
    },
  );
  test.each(["Add a table", "Create a table", "Open the form for a new table", "Open the + Table menu"])(
    "is clicked for a task that makes one: %s",
    (task) => {
      expect(stepsOf(task, page)).toEqual(["click 0"]);
    },
  );
});

describe("a text without quotation marks", () => {
  const message = element({ tagName: "textarea", interactionType: "input", placeholder: "Type message" });
  const page = [message, field("Patient"), field("About you"), button("Attach a file")];
  test.each([
    "Tell everybody in the flat that I'm late",
    "The new patient comes for an emergency",
    "I want to attach a photo to my message",
  ])("is not typed if it is a part of a sentence: %s", (task) => {
    expect(stepsOf(task, page).filter((step) => step.startsWith("input"))).toEqual([]);
  });
  test.each([
    ["The patient is Anna von der Heide", "input 1 Anna von der Heide"],
    ["About you: mother of three", "input 2 mother of three"],
  ])("is typed if it is a name or its field is named: %s", (task, step) => {
    expect(stepsOf(task, page)).toEqual([step]);
  });
});

describe("a task that ends by asking to send its text", () => {
  const message = field("Message");
  test("leads to a question if the page has no button for it", () => {
    expect(asks('Write "Yes, at seven" into the message and send it', [message, button("Print")])).toBe(true);
  });
  test("enters the text and then clicks the button that sends it", () => {
    const page = [field("Subject"), message, button("Send"), button("Save draft")];
    expect(stepsOf('Write "Thank you, we accept" as the message and send the reply', page)).toEqual([
      "input 1 Thank you, we accept",
      "click 2",
    ]);
  });
});

test("a plan chooses only one radio button of a group", () => {
  const page = [
    field("Number of visitors", { type: "number" }),
    ...["Tobias", "No guide"].map((name) => radio(name, "guide")),
  ];
  expect(stepsOf("Set the number of visitors to 25 and choose Tobias as the guide", page)).toEqual([
    "input 0 25",
    "click 1",
  ]);
});

test("a task that describes a row (Choose the room with the lake view) clicks only the button in this row", () => {
  const choose = (around: string, row: number) =>
    button("Choose", { around, xpath: `/html/body/table/tr[${row}]/td/button` });
  const rows = ["Garden room 110", "Twin, lake view 145"].map((text, at) => choose(text, at + 1));
  const page = [link("Rooms", "/rooms"), button("Show free rooms"), ...rows, choose("Suite 290", 3)];
  expect(stepsOf("Choose the room with the lake view", page)).toEqual(["click 3"]);
});

test("a task with 'No VAT' chooses the option None of VAT, because 'No VAT' forbids nothing", () => {
  const place = { caption: ["VAT"], headings: [], column: "" };
  const page = [
    ...["Customer", "Hours"].map((name) => field(name)),
    ...["20 %", "None"].map((name) => ({ ...radio(name, "vat"), place })),
    element({ tagName: "input", type: "checkbox", labelText: "Attach time sheet", checked: false }),
    button("Save"),
  ];
  expect(stepsOf("No VAT on this one, and attach the time sheet", page)).toEqual(["click 3", "click 4"]);
});

test("a plan does not click a link whose name only describes the row of the wanted button (Remove the call with Jonas Wirth)", () => {
  const row = { around: "Call with Jonas Wirth" };
  const page = [
    button("Remove", row),
    element({ tagName: "a", type: "link", textContent: "Jonas Wirth", ...row }),
  ];
  expect(stepsOf("Remove the call with Jonas Wirth", page)).toEqual(["click 0"]);
});

test("an option of a list is not chosen if the verb of the task asks for something else (Deal with the returns)", () => {
  expect(asks("Deal with the returns", [list("Status", ["All", "Returned"])])).toBe(true);
});

test("if a task asks for a text to be written (an e-mail about robots), the words for this text are not typed into a field", () => {
  const page = [list("Related to", ["Warehouse robots", "Harbour app"]), field("Amount")];
  expect(asks("Write an e-mail about Warehouse robots", page)).toBe(true);
});

test("a task to open a thing does not click the button that saves it", () => {
  expect(asks("Open the profile of the new colleague", [button("Save profile"), button("Help")])).toBe(true);
});

test("the button Cancel of a form is clicked only for the verb cancel, and not for a similar verb (void)", () => {
  const page = [field("Customer"), button("Save invoice"), button("Cancel", { type: "button" })];
  expect(asks("Void the invoice", page)).toBe(true);
  expect(stepsOf("Cancel the invoice", page)).toEqual(["click 2"]);
});

test("the verb 'do' leads to a question if the task does not name the element (do something)", () => {
  const page = [radio("Do nothing", "alarm"), button("Sound the siren"), button("Do a backup")];
  expect(asks("Do the same as last week", page)).toBe(true);
  expect(asks("Sound the siren, do something", page)).toBe(true);
  expect(stepsOf("Do a backup", page)).toEqual(["click 2"]);
});

describe("a field of a form", () => {
  test("for an e-mail address is only filled with an e-mail address", () => {
    const page = [field("Email", { type: "email" }), button("Subscribe")];
    expect(asks("Email the report", page)).toBe(true);
    expect(stepsOf("Email: ada@x.example", page)).toEqual(["input 0 ada@x.example"]);
  });
  test("for a number is only filled with a text that contains a digit", () => {
    const page = [field("Order number"), field("Name or number"), button("Track")];
    expect(asks("The order number is unknown", page)).toBe(true);
    expect(stepsOf("Name or number: Ada", page)).toEqual(["input 1 Ada"]);
  });
});

test('a text is typed with its last words (such as "again"), except for the word "please"', () => {
  const page = [
    element({ tagName: "textarea", interactionType: "input", labelText: "Message" }),
    button("Print"),
  ];
  expect(stepsOf("Write see you again", page)).toEqual(["input 0 see you again"]);
  expect(stepsOf("Write hello there please", page)).toEqual(["input 0 hello there"]);
});

describe("a field that the task says to keep", () => {
  const page = [
    field("Name", { value: "X" }),
    field("Email"),
    field("Phone", { value: "123" }),
    button("Save"),
  ];
  test.each([
    ["Change the name to Ada, keep the phone", "input 0 Ada"],
    ["Change the name to Ada and keep the phone as it is", "input 0 Ada"],
    ["Set the email to ada@x.example but keep the phone", "input 1 ada@x.example"],
  ])("gets no step: %s", (task, step) => {
    expect(stepsOf(task, page)).toEqual([step]);
  });
  test("leads to a question if the task says only to keep it", () => {
    expect(asks("Keep the phone", page)).toBe(true);
  });
});

test.each([
  "Buche eine Sendung: Kunde Nova AG, Stadt Graz, aber noch nicht absenden",
  "Book a shipment: customer Nova AG, city Graz, 2 pallets, but don't send it yet",
])(
  "a task that forbids sending a form does not press its button, even if the button has another verb (Book shipment): %s",
  (task) => {
    const isGerman = task.startsWith("Buche");
    const page = [
      ...(isGerman ? ["Kunde", "Stadt"] : ["Customer", "City"]).map((name) => field(name)),
      field(isGerman ? "Paletten" : "Pallets", { type: "number" }),
      button(isGerman ? "Sendung buchen" : "Book shipment"),
    ];
    expect(stepsOf(task, page)).toEqual([]);
    expect(asks(task, page)).toBe(true);
  },
);

test("a task that creates a thing never types into a search field", () => {
  const name = "Search for a user...";
  const page = [
    element({
      tagName: "input",
      type: "search",
      interactionType: "input",
      ariaLabel: name,
      placeholder: name,
    }),
  ];
  expect(stepsOf("Ajoute un utilisateur : nom complet Ines Roy, identifiant inesroy", page)).toEqual([]);
  expect(stepsOf("Search for Greta", page)).toEqual(["input 0 Greta", "send_keys -1 Enter"]);
});

test.each([[["Username"]], [["Username", "Email"]]])(
  "a task that creates a thing does not send the form for another thing, whose fields are %p",
  (labels) => {
    const inForm = (at: number) => ({ xpath: `/html/body/form/div[${at}]/*` });
    const page = [
      ...labels.map((label, at) => field(label, inForm(at))),
      button("Create user", { interactionType: "submit", ...inForm(8) }),
      button("Cancel", inForm(9)),
    ];
    const task = "Create a project named Blue sky with the description Trial";
    expect(stepsOf(task, page)).toEqual([]);
    expect(asks(task, page)).toBe(true);
  },
);
