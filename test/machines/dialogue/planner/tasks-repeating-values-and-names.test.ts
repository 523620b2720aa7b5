/** Tests tasks that repeat a value, state the name or home of a person, or use a label as a verb. */
import { describe, expect, test } from "bun:test";
import { tokensOf } from "../../../../machines/dialogue/task/split-task-into-tokens.ts";
import { spansOf } from "../../../../machines/dialogue/values/possible-values-in-clause.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const area = (labelText: string) =>
  element({ tagName: "textarea", type: "textarea", interactionType: "input", labelText });
const password = (labelText: string) => field(labelText, { type: "password" });

describe("a task that asks to confirm a value", () => {
  const account = [password("New password"), password("Confirm new password"), button("Update password")];
  const newsletter = [field("E-mail"), field("Repeat e-mail"), button("Confirm")];

  test("types the secret that the task names (secret SHOP) into both password fields", () => {
    const { plan } = planned("Set the new password to secret SHOP, confirm it and update", account);
    expect(plan.steps.map(({ targetId, secret }) => [targetId, secret])).toEqual([
      [account[0]?.highlight_index ?? null, "SHOP"],
      [account[1]?.highlight_index ?? null, "SHOP"],
      [account[2]?.highlight_index ?? null, null],
    ]);
  });

  test("types an e-mail address into the second e-mail field too", () => {
    expect(stepsOf("Enter ada@example.com as the e-mail, confirm it", newsletter)).toEqual([
      "input 0 ada@example.com",
      "input 1 ada@example.com",
    ]);
  });

  test('also clicks the button Confirm if it says only "confirm" and not "confirm it"', () => {
    const page = [password("New password"), password("Confirm new password"), button("Confirm")];
    const { steps } = planned("Set the new password to secret SHOP and confirm", page).plan;
    expect(steps.map(({ action, secret }) => secret ?? action)).toEqual(["SHOP", "SHOP", "click"]);
    expect(stepsOf("Enter ada@example.com as the e-mail and confirm", newsletter)).toEqual([
      "input 0 ada@example.com",
      "input 1 ada@example.com",
      "click 2",
    ]);
  });
  test("clicks no button that confirms something else", () => {
    const page = [password("New password"), password("Confirm new password"), button("Confirm order")];
    const { steps } = planned("Set the new password to secret SHOP and confirm", page).plan;
    expect(steps.map(({ action, secret }) => secret ?? action)).toEqual(["SHOP", "SHOP"]);
  });
  test("clicks the button Confirm if the page has no second field", () => {
    const page = [field("E-mail"), button("Confirm")];
    expect(stepsOf("Enter ada@example.com as the e-mail and confirm it", page)).toEqual([
      "input 0 ada@example.com",
      "click 1",
    ]);
  });
});

describe("a statement about a person", () => {
  const spanish = ["Nombre", "Apellidos", "Ciudad"].map((name) => field(name));
  const french = ["Prénom", "Nom", "Ville"].map((name) => field(name));

  test.each([
    ["Me llamo Lucía Ortega", spanish, ["input 0 Lucía", "input 1 Ortega"]],
    ["Me llamo Lucía y vivo en Sevilla", spanish, ["input 0 Lucía", "input 2 Sevilla"]],
    ["Je m'appelle Léo Martin", french, ["input 0 Léo", "input 1 Martin"]],
    ["J'habite à Lyon", french, ["input 2 Lyon"]],
  ])("fills in the fields for first name, last name and city: %s", (task, page, steps) => {
    expect(stepsOf(task, page)).toEqual(steps);
  });

  test("does not guess how to split three words of a name: it types them as a whole or not at all", () => {
    expect(stepsOf("Me llamo Juan Carlos Ortega", spanish)).toEqual(["input 0 Juan Carlos Ortega"]);
    const english = ["First name", "Last name"].map((name) => field(name));
    expect(stepsOf("I am Mary Jane Watson", english)).toEqual([]);
  });
  test("fills in the form for the person that the verb enrols (Inscris Léo Martin au judo), and presses its button", () => {
    const course = [...french.slice(0, 2), list("Cours", ["Judo", "Danse"]), button("Inscrire")];
    expect(stepsOf("Inscris Léo Martin au judo", course)).toEqual([
      "input 0 Léo",
      "input 1 Martin",
      "select_dropdown 2 Judo",
      "click 3",
    ]);
  });
});

test("a task whose verb is also the name of a field (Price it 20) fills this field with the number after the pronoun", () => {
  expect(stepsOf("Price it 20", [field("Name"), field("Price")])).toEqual(["input 1 20"]);
});

test("the verb of a task (Email them the report) is not read as the name of a field (Email) with the words after it as its value", () => {
  const page = [field("Email"), field("Contact"), button("Send report"), button("Archive all")];
  expect(stepsOf("Email them the report", page)).toEqual([]);
  expect(stepsOf("Archive all, email them the report", page)).toEqual(["click 3"]);
});

describe("a task that writes a text and then names a further step", () => {
  const chat = [area("Answer"), button("Send answer"), button("Next question")];

  test.each([
    'Send the answer "Done", then go to the next question',
    'Reply "Done" and open the next question',
  ])("sends the text before the further step: %s", (task) => {
    expect(stepsOf(task, chat)).toEqual(["input 0 Done", "click 1", "click 2"]);
  });

  test.each([
    'Reply "Done" and attach a file',
    'Answer "Done" and click Bold',
    'Reply "Done" and save it as a draft',
  ])("does not send the text if the further step belongs to the text: %s", (task) => {
    const page = [
      area("Answer"),
      button("Attach file"),
      button("Send"),
      button("Bold"),
      button("Save draft"),
    ];
    expect(stepsOf(task, page)).not.toContain("click 2");
  });
  test("sends the text only once if the further step is to send it", () => {
    expect(stepsOf('Write "Done" and send the answer', chat)).toEqual(["input 0 Done", "click 1"]);
  });
});

describe("a task that says to keep a text for later", () => {
  const mail = [field("To"), area("Message"), button("Send"), button("Save draft")];

  test.each(["Don't send it, only keep it for later", "Keep it as a draft"])(
    "presses the button that saves a draft: %s",
    (task) => {
      expect(stepsOf(task, mail)).toEqual(["click 3"]);
    },
  );
});

test("a task to open the drafts clicks no button that postpones something (Maybe later)", () => {
  expect(stepsOf("Open the drafts", [button("Maybe later"), button("Compose")])).toEqual([]);
});

test("a polite question (Can you create a ticket?) is carried out like an imperative", () => {
  const ticket = [field("Subject"), list("Priority", ["Low", "High"]), button("Create ticket")];
  for (const task of [
    'Can you create a ticket "Printer broken" with high priority?',
    'Could you please create a ticket "Printer broken" with high priority?',
    'Create a ticket "Printer broken" with high priority',
  ])
    expect([task, stepsOf(task, ticket)]).toEqual([
      task,
      ["input 0 Printer broken", "select_dropdown 1 High", "click 2"],
    ]);
});

test("a task to search for 'the blue one' types only the word blue", () => {
  const search = [field("Search", { type: "search" })];
  expect(stepsOf("Search for the hacker news one", search)).toEqual([
    "input 0 hacker news",
    "send_keys -1 Enter",
  ]);
  expect(stepsOf("Find the blue one", search)).toEqual(["input 0 blue", "send_keys -1 Enter"]);
});

describe("a task that only lists values for a form", () => {
  const shipment = [
    field("Customer"),
    field("City"),
    field("Pallets", { type: "number" }),
    list("Service", ["Standard", "Express"]),
    button("Book shipment"),
  ];
  const filled = ["input 0 Nova AG", "input 1 Graz", "input 2 2", "select_dropdown 3 Express"];

  test.each(["Nova AG, Graz, 2 pallets, express", "Customer Nova AG, city Graz, 2 pallets, express"])(
    "fills each value into the field that fits it: %s",
    (task) => {
      expect(stepsOf(task, shipment)).toEqual(filled);
    },
  );

  test("presses the button with the task's first verb (Book, Invite), after an approval", () => {
    const { plan } = planned("Book a shipment: customer Nova AG, city Graz", shipment);
    expect(plan.steps.map(({ action, risk }) => `${action} ${risk}`)).toEqual([
      "input low",
      "input low",
      "click high",
    ]);
    const invitation = [field("E-mail address"), field("Full name"), button("Send invitation")];
    expect(stepsOf("Invite pat@reed.example, full name Pat Reed", invitation)).toEqual([
      "input 0 pat@reed.example",
      "input 1 Pat Reed",
      "click 2",
    ]);
  });

  test("presses no button if its verb is 'fill in'", () => {
    const adoption = [field("New owner"), field("Phone"), button("Confirm adoption")];
    expect(stepsOf("Fill in the adoption: new owner Karin Blom, phone 555-0148", adoption)).toEqual([
      "input 0 Karin Blom",
      "input 1 555-0148",
    ]);
  });
});

describe("a word beside a value, such as 'bitte' or a noun for the value,", () => {
  test.each([
    ["Trag bitte Lina Beck als Kundin ein", [field("Kundin")], ["input 0 Lina Beck"]],
    [
      "Find the turbine SA-03",
      [field("Find a turbine", { type: "search" })],
      ["input 0 SA-03", "send_keys -1 Enter"],
    ],
  ])("is not typed: %s", (task, page, steps) => {
    expect(stepsOf(task, page)).toEqual(steps);
  });
});

describe("a text that follows a verb such as write or reply", () => {
  const chat = [area("Message"), button("Send")];
  test.each([
    ["Write could you please call me back", "could you please call me back"],
    ["Schreibe: kannst du bitte kommen", "kannst du bitte kommen"],
    ["Nachricht: ruf mich bitte an", "ruf mich bitte an"],
    ["Reply not yet", "not yet"],
  ])("is typed with all of its words: %s", (task, text) => {
    expect(stepsOf(task, chat)).toContain(`input 0 ${text}`);
  });
});

describe("an option of a list that has only a noun in common with the task", () => {
  const state = list("State", ["All", "In milk", "Dry"]);
  const barn = list("Barn", ["Main barn", "Calf house"]);

  test.each(["Improve the milk yield", "Sort out the calf house situation"])("is not chosen: %s", (task) => {
    expect(planned(task, [state, barn]).questions).toHaveLength(1);
  });

  test.each([
    ["Show only cows in milk", ["select_dropdown 0 In milk"]],
    ["Set the barn to calf house", ["select_dropdown 1 Calf house"]],
  ])("is chosen if the verb of the task asks for it: %s", (task, steps) => {
    expect(stepsOf(task, [state, barn])).toEqual(steps);
  });
});

test("a value never starts with a verb such as the German 'hat'", () => {
  const tokens = tokensOf("Der Zähler hat die Nummer 1ESY4471");
  const starts = spansOf(tokens, () => false).map(({ from }) => tokens[from]?.text);
  expect(starts).toContain("1ESY4471");
  expect(starts).not.toContain("hat");
});

describe("a form that is described in one sentence", () => {
  const radio = (labelText: string) =>
    element({ tagName: "input", type: "radio", interactionType: "click", labelText, checked: false });
  const rental = [
    field("First name"),
    field("Last name"),
    field("Days of payment", { type: "number" }),
    radio("Cash"),
    radio("Card"),
    button("Create rental"),
  ];
  const boat = [
    field("Skipper"),
    field("People on board", { type: "number" }),
    field("Date", { type: "date" }),
    button("Reserve"),
  ];

  test("is filled in with the choice after a participle (paying by card)", () => {
    expect(stepsOf("Create a rental for Anna Lund, 3 days, paying by card", rental)).toEqual([
      "input 0 Anna",
      "input 1 Lund",
      "input 2 3",
      "click 4",
      "click 5",
    ]);
  });

  test("is filled in with the person's name in the only text field", () => {
    expect(stepsOf("Reserve for Sofia Brandt, 4 people, 12 June 2027", boat)).toEqual([
      "input 0 Sofia Brandt",
      "input 1 4",
      "input 2 2027-06-12",
      "click 3",
    ]);
    const two = [field("Skipper"), field("Harbour"), ...boat.slice(1)];
    expect(stepsOf("Reserve for Sofia Brandt, 4 people, 12 June 2027", two)).not.toContain(
      "input 0 Sofia Brandt",
    );
  });
});

describe("a verb that is the name of several buttons", () => {
  const books = ["The Tin Whale", "Night Trains"].map((around) => button("Renew", { around }));
  const page = [...books, list("Format", ["Book", "Film"])];

  test("leads to a question if the task names no row, even if an option of a list contains the noun of the task", () => {
    expect(planned("Renew the book", page).questions).toHaveLength(1);
    expect(stepsOf("Renew Night Trains", page)).toEqual(["click 1"]);
  });

  test("leads to a question if the task only names 'the next one'", () => {
    const waiting = ["Biscuit", "Captain"].map((around) => button("Call in", { around }));
    expect(planned("Call the next one in", [...waiting, field("Name")]).questions).toHaveLength(1);
  });

  test.each(["Captain can come in", "Captain can come in now", "Fais entrer Captain"])(
    "is carried out by the button in the row that the task names: %s",
    (task) => {
      const waiting = ["Biscuit", "Captain"].map((around) => button("Call in", { around }));
      expect(stepsOf(task, waiting)).toEqual(["click 1"]);
    },
  );
});

test("'Let the visitor in' clicks the button Let visitor in, and 'Let everybody know that people can come in' clicks nothing", () => {
  const door = [button("Let visitor in"), button("Call visitor")];
  expect(stepsOf("Let the visitor in", door)).toEqual(["click 0"]);
  expect(stepsOf("Let everybody know that people can come in", [button("Call in")])).toEqual([]);
});
test("the noun 'hat' names a control (Take the hat), although 'hat' is also a German verb", () => {
  const products = ["Hat", "Scarf"].map((name) => button(name));
  expect(stepsOf("Take the hat", products)).toEqual(["click 0"]);
});
test("'Give them 10 % off' types the number into the field for the discount", () => {
  const bill = [field("Discount in %", { type: "number" }), button("Print bill")];
  expect(stepsOf("Give them 10 % off the bill and print it", bill)).toEqual(["input 0 10", "click 1"]);
});

describe("a task that names only a desired outcome", () => {
  const page = [button("Public holidays", { role: "tab" }), button("More colours"), button("Load more")];

  test.each([
    "Make everybody happy with the holidays",
    "Find more readers",
    "Make more money with the holidays",
  ])("leads to a question: %s", (task) => {
    expect(planned(task, page).questions).toHaveLength(1);
  });

  test("is carried out if a control or an option of a list has the word for the outcome (Make them admin)", () => {
    expect(stepsOf("Get more colours", page)).toEqual(["click 1"]);
    const roles = [list("Role", ["Member", "Admin"]), button("Save")];
    for (const task of ["Make them admin", "Make everyone an admin"])
      expect(stepsOf(task, roles)).toEqual(["select_dropdown 0 Admin"]);
  });
});
