/** Tests tasks that name values and actions by other words than the page. */
import { describe, expect, test } from "bun:test";
import { textOf, tokensOf } from "../../../../machines/dialogue/task/split-task-into-tokens.ts";
import { spansOf } from "../../../../machines/dialogue/values/possible-values-in-clause.ts";
import { withPlaces } from "../../../../machines/session/page/headings-and-text-around-elements.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const radio = (name: string) =>
  element({ tagName: "input", type: "radio", interactionType: "input", role: "radio", textContent: name });
const checkbox = (labelText: string) =>
  element({ tagName: "input", type: "checkbox", interactionType: "input", labelText, checked: false });

describe("a task that states an address", () => {
  const address = ["Full name", "Street", "Postcode", "Town", "Voucher code"].map((name) => field(name));

  test.each([
    "Deliver to Ida Holm, Kirkegata 7, 0153 Oslo",
    "Name Ida Holm, address: Kirkegata 7, 0153 Oslo",
  ])("is planned with each part of the address in its own field: %s", (task) => {
    expect(stepsOf(task, address)).toEqual([
      "input 0 Ida Holm",
      "input 1 Kirkegata 7",
      "input 2 0153",
      "input 3 Oslo",
    ]);
  });
});

describe("a task that creates a named thing in a small form", () => {
  const inForm = (name: string, more = {}) => ({ xpath: `/html/body/form[1]/div/${name}`, ...more });
  const form = (submit: string) => [
    field("Tag name", inForm("input[1]")),
    button(submit, inForm("input[2]", { tagName: "input", interactionType: "submit" })),
  ];

  test.each([
    ["Add a tag named shops", "Save"],
    ["Create a tag called shops", "Submit"],
  ])("clicks the button that saves the form: %s", (task, submit) => {
    expect(stepsOf(task, form(submit))).toEqual(["input 0 shops", "click 1"]);
  });

  test("enters the name without the separated prefix of the German verb after it ('an' in 'Lege ein Tag namens shops an')", () => {
    expect(stepsOf("Lege ein Tag namens shops an", form("Speichern"))[0]).toBe("input 0 shops");
  });

  test.each([
    "Crée un utilisateur nommé Ada",
    "Crea un usuario llamado Ada",
    "Crea un utente chiamato Ada",
    "Erstelle einen Benutzer genannt Ada",
  ])("never enters the word before the name: %s", (task) => {
    const values = planned(task, [field("Username"), button("Save")]).plan.steps.map(({ value }) => value);
    expect(values.filter((value) => value !== "Ada")).toEqual([]);
  });

  test.each([
    "Create a user named karl with the password Secret-2026",
    "Erstelle einen Benutzer namens karl mit dem Passwort Secret-2026",
    "Crée un utilisateur nommé karl avec le mot de passe Secret-2026",
    "Crea un usuario llamado karl con la contraseña Secret-2026",
    "Crea un utente chiamato karl con la password Secret-2026",
  ])("has no value that contains the name and the password: %s", (task) => {
    const tokens = tokensOf(task);
    const values = spansOf(tokens, () => false).map(({ from, to }) => textOf(tokens.slice(from, to)));
    expect(values).toContain("Secret-2026");
    expect(values.filter((value) => value.includes("karl") && value.includes("Secret"))).toEqual([]);
  });

  test("clicks no button with another meaning, and none outside of the form", () => {
    const save = button("Save", { xpath: "/html/body/div/button", interactionType: "submit" });
    expect(stepsOf("Add a tag named shops", form("Search"))).toEqual(["input 0 shops"]);
    expect(stepsOf("Add a tag named shops", [...form("Search").slice(0, 1), save])).toEqual([
      "input 0 shops",
    ]);
  });
});

describe("a task that names a thing before its values", () => {
  const user = ["Username", "Given name", "Family name"].map((name) => field(name));

  test.each([
    "Create a user: given name Zoe, family name Zander",
    "Add a user: given name Zoe, family name Zander",
    "Erstelle einen Benutzer: given name Zoe, family name Zander",
  ])("types the values into their fields, and does not take the thing for a field: %s", (task) => {
    expect(stepsOf(task, [...user, button("Submit")]).slice(0, 2)).toEqual(["input 1 Zoe", "input 2 Zander"]);
  });

  test("types the value into the field that has the name of the thing, if there is one", () => {
    expect(stepsOf("Add a tag: quokka", [...user, field("Tag")])).toEqual(["input 3 quokka"]);
  });

  test("does not press the button that opens the form for this thing if the task has no verb", () => {
    const address = ["Straße", "Postleitzahl", "Ort"].map((name) => field(name));
    const task = "Neue Adresse: Straße „Lindenweg 8“, Postleitzahl 26721, Ort Emden, bitte speichern";
    const buttons = [button("Adresse speichern"), button("Neue Adresse")];
    expect(stepsOf(task, [...address, ...buttons])).toEqual([
      "input 0 Lindenweg 8",
      "input 1 26721",
      "input 2 Emden",
      "click 3",
    ]);
  });
});

describe("a task with the name of a person", () => {
  const person = ["Username", "First name", "Last name", "City", "Country"].map((name) => field(name));

  test.each([
    ["Sam Miller is my name", ["input 1 Sam", "input 2 Miller"]],
    ["My name is Sam Miller", ["input 1 Sam", "input 2 Miller"]],
    ["I live in Tallinn, Estonia", ["input 3 Tallinn", "input 4 Estonia"]],
  ])("is planned with each part of the name in its own field: %s", (task, steps) => {
    expect(stepsOf(task, person)).toEqual(steps);
  });
});

describe("a task whose words have the same stem as the names of elements", () => {
  const donation = [field("Phone number"), field("Donation", { role: "spinbutton" })];
  const view = [list("View", ["Monthly", "Weekly", "Daily"]), button("Next")];

  test("is planned with these elements: Donate and Donation, by day and Daily", () => {
    expect(stepsOf("Donate 20", donation)).toEqual(["input 1 20"]);
    expect(stepsOf("Show it by day", view)).toEqual(["select_dropdown 0 Daily"]);
    expect(stepsOf("Go to the next month", view)).toEqual(["click 1"]);
  });
});

describe("a task for buttons that show only an icon", () => {
  const row = (icon: string) => element({ icon, around: "Ada Wong ada@example.com Viewer" });

  test("finds a button by the noun in the icon's name, such as can in 'trash can outline'", () => {
    const page = [row("pencil outline"), row("trash can outline"), button("Discard"), button("Editor")];
    expect(stepsOf("Delete Ada Wong", page)).toEqual(["click 1"]);
    expect(stepsOf("Edit Ada Wong", page)).toEqual(["click 0"]);
  });
});

describe("a task for a list with a placeholder", () => {
  test("chooses an option and not the placeholder", () => {
    const zones = [list("Parking zone", ["Choose zone", "Zone A, Old Town", "Zone B, Harbour"])];
    expect(stepsOf("Choose zone B", zones)).toEqual(["select_dropdown 0 Zone B, Harbour"]);
  });
});

describe("a task that orders goods or removes an access", () => {
  const access = element({
    tagName: "input",
    type: "checkbox",
    role: "switch",
    labelText: "Daniel Okoro",
    checked: true,
  });

  test.each([
    ["Commande la livraison", [button("Order for delivery")]],
    ["Deactivate the access of Daniel Okoro", [access]],
    ["Cancel the application", [button("Cancel application")]],
  ])("needs an approval: %s", (task, elements) => {
    expect(planned(task, elements).plan.steps.map(({ risk }) => risk)).toEqual(["high"]);
  });
});

describe("a task that states a date", () => {
  test("is planned with the page's three fields for the day, the month and the year", () => {
    const born = ["Day", "Month", "Year"].map((name) => field(name));
    expect(stepsOf("I was born on 7 May 1984", born)).toEqual(["input 0 7", "input 1 5", "input 2 1984"]);
  });
});

describe("a task that states a date for lists of days, months and years", () => {
  const days = Array.from({ length: 31 }, (_, at) => `${at + 1}`);
  const months = "January February March April May June July August September October November December";
  const years = Array.from({ length: 60 }, (_, at) => `${1970 + at}`);
  const lists = (name: string) => [
    list(name, ["Day", ...days]),
    list("", ["Month", ...months.split(" ")]),
    list("", ["Year", ...years]),
  ];
  const chosen = ["select_dropdown 0 3", "select_dropdown 1 May", "select_dropdown 2 2020"];

  test("chooses the date in the lists that the task names, or in lists without a name", () => {
    expect(stepsOf("Set the date of birth to 3 May 2020", lists("Date of birth"))).toEqual(chosen);
    expect(stepsOf("Set the expiry date to 3 May 2020", lists(""))).toEqual(chosen);
  });

  test.each([
    "Set the expiry date to 3 May 2020",
    "Set the departure to 3 May 2020",
    "My passport was issued on 3 May 2020",
  ])("never chooses it in lists of another name: %s", (task) => {
    expect(stepsOf(task, lists("Date of birth"))).toEqual([]);
  });

  test("types the date into the field that the task names", () => {
    const departure = field("Departure", { type: "date" });
    for (const name of ["Date of birth", ""])
      expect(stepsOf("Set the departure to 3 May 2020", [...lists(name), departure])).toEqual([
        "input 3 2020-05-03",
      ]);
  });
});

test("a word such as 'now' before a value belongs to the value if it has a capital letter", () => {
  const song = [field("Title"), field("Artist")];
  expect(stepsOf("The title is Now and Then", song)).toEqual(["input 0 Now and Then"]);
  expect(stepsOf("The title is Now Playing and the artist is Queen", song)).toEqual([
    "input 0 Now Playing",
    "input 1 Queen",
  ]);
  expect(stepsOf("The title is now Hey Jude", song)).toEqual(["input 0 Hey Jude"]);
});

describe("a task whose verb is in the names of several controls", () => {
  test("leads to a question if none of these names contains the noun of the task", () => {
    const page = [button("Remove proof of address"), button("Remove vehicle log book")];
    expect(planned("Remove the attachment", page).questions).toHaveLength(1);
    expect(stepsOf("Remove the log book", page)).toEqual(["click 1"]);
  });
});

describe("a task that redeems a code", () => {
  test("is planned as entering the code in its field and pressing Apply", () => {
    const basket = [field("Voucher code"), button("Apply"), button("Place order")];
    expect(stepsOf("Redeem the voucher SPRING20", basket)).toEqual(["input 0 SPRING20", "click 1"]);
  });
});

describe("a task that books a table", () => {
  const booking = [field("Name"), field("Guests", { role: "spinbutton" }), radio("19:30"), radio("21:00")];

  test.each([
    ["At half past seven, please", ["click 2"]],
    ["9 pm", ["click 3"]],
    ["Um halb acht", ["click 2"]],
    ["Name Ilse Brandt, 4 guests, 21:00", ["input 0 Ilse Brandt", "input 1 4", "click 3"]],
  ])("is planned with the stated time and numbers, even if they are written in words: %s", (task, steps) => {
    expect(stepsOf(task, booking)).toEqual(steps);
  });
});

describe("a task that states a fact about the person, on a page with a survey,", () => {
  const survey = [
    element({ tagName: "div", type: "div", textContent: "Which languages do you speak?" }),
    checkbox("English"),
    checkbox("French"),
    element({ tagName: "div", type: "div", textContent: "Do you have a driving licence?" }),
    element({ tagName: "div", type: "div", textContent: "No" }),
    element({ tagName: "div", type: "div", textContent: "Yes" }),
  ];

  test.each([
    ["No driving licence", ["click 4"]],
    ["Je parle aussi français", ["click 2"]],
  ])("is planned as a click on the answer that says the same: %s", (task, steps) => {
    expect(stepsOf(task, survey)).toEqual(steps);
  });
});

describe("a form with a button for one action, such as Send invitation", () => {
  const invitation = [field("Work email"), list("Role", ["Viewer", "Editor"]), button("Send invitation")];
  const mail = [
    field("To"),
    element({ tagName: "textarea", type: "textarea", interactionType: "input", labelText: "Message" }),
    button("Send"),
  ];

  test("is filled in, and submitted after an approval, if the task asks for this action", () => {
    const task = "Invite ada@example.com as editor";
    expect(stepsOf(task, invitation)).toEqual([
      "input 0 ada@example.com",
      "select_dropdown 1 Editor",
      "click 2",
    ]);
    expect(planned(task, invitation).plan.steps.at(-1)?.risk).toBe("high");
    expect(stepsOf('Send a message to ada@example.com saying "I am late"', mail)).toEqual([
      "input 0 ada@example.com",
      "input 1 I am late",
      "click 2",
    ]);
  });

  test("is filled in but not submitted if the task does not ask for this action", () => {
    const note = element({
      tagName: "textarea",
      type: "textarea",
      interactionType: "input",
      labelText: "Note for the courier",
    });
    expect(stepsOf('Tell the courier: "Ring twice"', [note, field("Voucher"), button("Apply")])).toEqual([
      "input 0 Ring twice",
    ]);
  });
});

describe("a task for which the page has no control", () => {
  const page = [
    field("Message"),
    button("Susan Doe"),
    button("Week"),
    field("Contact email", { type: "email" }),
  ];

  test.each(["Assign the ticket to Susan", "Print the mail from Rahul", "Plan my week"])(
    "leads to a question: %s",
    (task) => {
      const { plan, questions } = planned(task, page);
      expect(plan.steps).toEqual([]);
      expect(questions.length).toBeGreaterThan(0);
    },
  );
});

describe("a button that saves changes", () => {
  test("is not used for a task that changes something else", () => {
    expect(planned("Change the font", [button("Save changes"), field("Name")]).questions).toHaveLength(1);
    expect(stepsOf("Save the changes", [button("Save changes"), field("Name")])).toEqual(["click 0"]);
  });
});

describe("a task with an idiom (take out, forget)", () => {
  const row = (name: string) => button("Remove", { around: name });
  test("is planned like a task with the plain verb", () => {
    expect(stepsOf("Take Blue Band out of the list", [row("Blue Band"), row("Watch")])).toEqual(["click 0"]);
    expect(stepsOf("Forget my changes", [button("Save changes"), button("Discard")])).toEqual(["click 1"]);
  });
});

describe("a task that names a command of the browser", () => {
  test("clicks the control of the page that has the name of the command", () => {
    const page = [button("Back"), button("Refresh")];
    expect(stepsOf("Go back", page)).toEqual(["click 0"]);
    expect(stepsOf("Reload the page", page)).toEqual(["click 1"]);
  });

  test("is done by the browser if the page has no control with this name", () => {
    expect(planned("Go back", [button("Save")]).plan.steps.map(({ action }) => action)).toEqual(["go_back"]);
  });
});

describe("controls with the same name", () => {
  const link = (at: number) =>
    element({
      tagName: "a",
      type: "a",
      textContent: "Ada Wong",
      attributes: { href: "mail.html" },
      xpath: `/html/body/table/tbody/tr[${at}]/td/a`,
    });

  test("lead to a question if they are in different rows of a table, even if their addresses are the same", () => {
    expect(planned("Open the mail from Ada Wong", [link(1), link(2)]).questions).toHaveLength(1);
  });

  test("count as one control if one of them is the label of the other", () => {
    const page = [
      radio("Active"),
      radio("Blocked"),
      element({ tagName: "span", type: "span", textContent: "Blocked" }),
    ];
    expect(stepsOf("Set the status to blocked", page)).toEqual(["click 1"]);
  });
});

describe("a task with several values in one clause", () => {
  const lesson = [
    field("Room"),
    field("Date", { type: "date" }),
    field("Starts", { type: "time" }),
    field("Ends", { type: "time" }),
  ];

  test("puts a date and both ends of a time span into their fields", () => {
    expect(stepsOf("Room 1.07 on 2 December 2026 from 9:15 to 11:45", lesson)).toEqual([
      "input 0 1.07",
      "input 1 2026-12-02",
      "input 2 09:15",
      "input 3 11:45",
    ]);
  });

  test("divides an address with a country or a state between the fields for its parts", () => {
    const address = [
      field("Street address"),
      field("City"),
      field("State"),
      field("ZIP Code"),
      field("Country"),
    ];
    expect(stepsOf("I live at 212 Mill Road, Burlington, Vermont 05401", address)).toEqual([
      "input 0 212 Mill Road",
      "input 1 Burlington",
      "input 2 Vermont",
      "input 3 05401",
    ]);
    expect(stepsOf("The address is 14 Harbour Street, Galway, Ireland", address)).toEqual([
      "input 0 14 Harbour Street",
      "input 1 Galway",
      "input 4 Ireland",
    ]);
  });

  test("never divides a quoted text", () => {
    const [step] = planned('Type "Thanks for the tools in the shed" into Comment', [field("Comment")]).plan
      .steps;
    expect(step?.value).toBe("Thanks for the tools in the shed");
  });
});

describe("a task on a page whose switches or checkboxes have no names", () => {
  const network = withPlaces(
    [checkbox(""), checkbox("")].map((one) => ({ ...one, role: "switch", checked: false })),
    [
      { at: 0, text: "Home network", level: 2 },
      { at: 1, text: "Guest network", level: 2 },
    ],
  );

  test("clicks the switch under the heading that the task names", () => {
    expect(stepsOf("Turn on the guest network", network)).toEqual(["click 1"]);
  });

  test("ticks the checkbox of each row that the task names", () => {
    const rows = ["Lea Moser", "Paul Okafor"].flatMap((around) => [
      { ...checkbox(""), around },
      element({ tagName: "a", textContent: around }),
    ]);
    expect(stepsOf("Tick Lea and Paul", rows)).toEqual(["click 0", "click 2"]);
  });
});

describe("a task with one value for several fields", () => {
  const size = ["Width", "Height", "Terms", "Terms and conditions"].map((name) => field(name));

  test("types the value into each field", () => {
    expect(stepsOf("Enter 5 in Width and Height", size)).toEqual(["input 0 5", "input 1 5"]);
    expect(stepsOf("Type 5 into Width and into Height", size)).toEqual(["input 0 5", "input 1 5"]);
  });

  test("types the value once if 'Terms and conditions' is the name of one field", () => {
    expect(stepsOf("Type none into Terms and conditions", size)).toEqual(["input 3 none"]);
  });
});

describe("a task with a value for a field that the page does not have", () => {
  test("asks for the field, even if the rest of the task fits the page", () => {
    const { plan, questions } = planned(
      "Set the username to boss and the first name to Tom, then create the account",
      [field("Username"), button("Create account")],
    );
    expect(plan.confidence.overall).toBeLessThan(0.5);
    expect(questions[0]?.question).toContain("first name");
  });
});

describe("a task that names a stored secret", () => {
  test.each(["username boss, password secret SHOP", "Enter boss as username and secret SHOP as password"])(
    "types the secret, and not its name: %s",
    (task) => {
      const page = ["Username", "Password", "Note"].map((name) => field(name));
      const [, step] = planned(task, page).plan.steps;
      expect(step).toMatchObject({ target: { name: "Password" }, secret: "SHOP", value: null });
    },
  );
});

test.each(["go back one step", "one step back please", "geh einen Schritt zurück"])(
  "a task to go back presses the button of the page: %s",
  (task) => {
    expect(stepsOf(task, [button("Next"), button("Previous")])).toEqual(["click 1"]);
  },
);
describe("a task with values for several fields", () => {
  const fields = ["Width", "Height", "First name", "Last name"].map((name) => field(name));

  test.each(["Set width and height to 10 and 20", "Set the width and height to 10 x 20"])(
    "types each value into its own field: %s",
    (task) => {
      expect(stepsOf(task, fields)).toEqual(["input 0 10", "input 1 20"]);
    },
  );

  test("leads to a question if one text would have to be divided between the fields", () => {
    expect(planned("Set the first name and last name to Anna Smith", fields).questions).toHaveLength(1);
  });
});

test("the words 'secret garden' in a task are typed as text, and name a stored secret only for a password field", () => {
  const page = [field("Title"), field("Password", { type: "password" })];
  expect(planned("Type secret garden into Title", page).plan.steps).toMatchObject([
    { value: "secret garden", secret: null },
  ]);
  expect(planned("Type secret garden into Password", page).plan.steps).toMatchObject([{ secret: "garden" }]);
});

test.each(["Go back", "Go back to the previous page"])(
  "a task to go back presses no button of a gallery: %s",
  (task) => {
    expect(planned(task, [button("Next"), button("Previous")]).plan.steps).toMatchObject([
      { action: "go_back" },
    ]);
  },
);

test("a task with a thousand spaces in a row is planned like a task with one", () => {
  expect(stepsOf(`Click${" ".repeat(1_000)}Save`, [button("Save")])).toEqual(["click 0"]);
});

test("a value for a read-only combobox is planned as a click that opens the options", () => {
  const country = field("Country", { role: "combobox", attributes: { readonly: "" } });
  const page = [country, field("City"), button("Save")];
  expect(stepsOf("Choose France as country", page)).toEqual(["click 0"]);
  expect(stepsOf("Set the country to France", page)).toEqual(["click 0"]);
  expect(stepsOf("Set the city to Paris", page)).toEqual(["input 1 Paris"]);
});

test.each([
  ["Hide comments", ["input 0 hi"]],
  ["View all comments", ["input 0 hi"]],
  ["Add comment", ["input 0 hi", "click 1"]],
  ["Send", ["input 0 hi", "click 1"]],
  ["OK", ["input 0 hi", "click 1"]],
  ["+", ["input 0 hi", "click 1"]],
])(
  "a link after a field is clicked to send the field's text only if the link's name fits the task: %s",
  (name, steps) => {
    const comment = field("Comment", { tagName: "textarea", xpath: "/html/body/div/textarea" });
    const link = element({
      tagName: "a",
      type: "a",
      textContent: name,
      attributes: { href: "#" },
      xpath: "/html/body/div/a",
    });
    expect(stepsOf('Post the comment "hi"', [comment, link])).toEqual(steps);
  },
);

describe("a task that names the owner of a field", () => {
  const customer = (first: string, last: string) => [
    field("First name", { value: first }),
    field("Last name", { value: last }),
    field("Phone number", { value: "555 0121" }),
  ];

  test("types only the new value, and not the owner", () => {
    const { plan, questions } = planned(
      "Change the phone number of the customer Bo Lund to 555 0777",
      customer("Bo", "Lund"),
    );
    expect({ summary: plan.summary, questions }).toEqual({
      summary: 'Type "555 0777" into "Phone number"',
      questions: [],
    });
  });

  test("leads to a question on the page of another owner", () => {
    const task = "Change the phone number of the customer Bo Lund to 555 0777";
    expect(planned(task, customer("Ada", "Strand")).questions).not.toEqual([]);
  });

  test("never renames another owner", () => {
    const { plan, questions } = planned(
      "Change the phone number of Bo Lund to 555 0777",
      customer("Ada", "Strand"),
    );
    expect({ steps: plan.steps, questions: questions.length }).toEqual({ steps: [], questions: 1 });
  });
});
