/** Tests tasks that repeat a value, tell a person's name or home, or use a label as a verb. */
import { describe, expect, test } from "bun:test";
import { planned, stepsOf } from "./support/plan-test-task.ts";
import { button, element, field } from "./support/test-page-elements.ts";

const list = (labelText: string, options: readonly string[]) =>
  element({
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    labelText,
    options: [...options],
  });
const area = (labelText: string) =>
  element({ tagName: "textarea", type: "textarea", interactionType: "input", labelText });
const password = (labelText: string) => field(labelText, { type: "password" });

describe("an order to confirm a value", () => {
  const account = [password("New password"), password("Confirm new password"), button("Update password")];
  const newsletter = [field("E-mail"), field("Repeat e-mail"), button("Confirm")];

  test("types a stored secret into the second password field too", () => {
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

  test("fills in the form for the person after a verb such as 'inscris'", () => {
    const course = [...french.slice(0, 2), list("Cours", ["Judo", "Danse"]), button("Inscrire")];
    expect(stepsOf("Inscris Léo Martin au judo", course)).toEqual([
      "input 0 Léo",
      "input 1 Martin",
      "select_dropdown 2 Judo",
      "click 3",
    ]);
  });
});

describe("the label of a field as a verb", () => {
  test.each([
    ["Tag it billing", [field("Tag")], ["input 0 billing"]],
    ["Label it second draft", [field("Label"), field("Author")], ["input 0 second draft"]],
    ["Price it 20", [field("Name"), field("Price")], ["input 1 20"]],
  ])("takes the value after the pronoun: %s", (task, page, steps) => {
    expect(stepsOf(task, page)).toEqual(steps);
  });
});

describe("a text that is sent before a further step", () => {
  const chat = [area("Answer"), button("Send answer"), button("Next question")];

  test.each([
    'Send the answer "Done", then go to the next question',
    'Reply "Done" and open the next question',
  ])("is sent first: %s", (task) => {
    expect(stepsOf(task, chat)).toEqual(["input 0 Done", "click 1", "click 2"]);
  });

  test("is sent once if the task also names the button", () => {
    expect(stepsOf('Write "Done" and send the answer', chat)).toEqual(["input 0 Done", "click 1"]);
  });
});

describe("a text that is kept for later", () => {
  const mail = [field("To"), area("Message"), button("Send"), button("Save draft")];

  test.each(["Don't send it, only keep it for later", "Keep it as a draft"])(
    "is saved as a draft: %s",
    (task) => {
      expect(stepsOf(task, mail)).toEqual(["click 3"]);
    },
  );
});

test("a polite question presses the button of its verb", () => {
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

test("a thing that is named with 'one' is searched for by its other words", () => {
  const search = [field("Search", { type: "search" })];
  expect(stepsOf("Search for the hacker news one", search)).toEqual([
    "input 0 hacker news",
    "send_keys -1 Enter",
  ]);
  expect(stepsOf("Find the blue one", search)).toEqual(["input 0 blue", "send_keys -1 Enter"]);
});
