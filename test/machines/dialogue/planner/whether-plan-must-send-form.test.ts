/** Tests when a plan that fills in a form must also press the form's button, and which plans already do so. */
import { describe, expect, test } from "bun:test";
import { sendingButtonOf } from "../../../../machines/dialogue/elements/elements-of-one-form.ts";
import {
  needsSending,
  withFormSent,
} from "../../../../machines/dialogue/planner/whether-plan-must-send-form.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field, list } from "../support/test-page-elements.ts";

const inForm = (one: HighlightedElement, at: number): HighlightedElement => ({
  ...one,
  xpath: `/html/body/form/div[${at + 1}]/${one.tagName}`,
  ...(one.tagName === "button" ? { interactionType: "submit" as const } : {}),
});
const form = (...elements: readonly HighlightedElement[]) => elements.map(inForm);
const tick = (labelText: string) =>
  element({ tagName: "input", type: "checkbox", interactionType: "click", labelText, checked: false });

const summaryOf = (task: string, elements: readonly HighlightedElement[], isOpened = false) => {
  const { plan, questions } = planned(task, elements);
  expect(questions).toEqual([]);
  return withFormSent({ task, plan, elements }, isOpened).summary;
};

const settings = () =>
  form(
    list("Currency", ["EUR", "CHF"]),
    list("Language", ["English", "German"]),
    tick("Dark mode"),
    button("Save"),
  );

test("a plan sends a form without a button by the button in the title bar above it", () => {
  const bar = { ...button("Update"), xpath: "/html/body/main/header/button" };
  const phone = { ...field("Phone number"), xpath: "/html/body/main/form/div/input" };
  const edit = { ...button("Edit field"), xpath: "/html/body/main/form/div/button" };
  expect(summaryOf("Change the phone number to 555 0777", [bar, phone, edit])).toBe(
    'Type "555 0777" into "Phone number"; Click "Update"',
  );
});

test.each([
  ["in the title bar", "/html/body/div/header/div/button", true],
  ["in the head of a card", "/html/body/div/article/header/button", false],
])("a plan sends fields outside of any form by an icon button %s: %p", (_, xpath, isSent) => {
  const check = { ...button(""), icon: "check", xpath };
  const city = { ...field("City"), xpath: "/html/body/div/main/div[1]/input" };
  const add = { ...button("Add tag"), xpath: "/html/body/div/main/div[2]/button" };
  expect(summaryOf("Change the city to Frome", [check, city, add])).toBe(
    `Type "Frome" into "City"${isSent ? `; Click "check"` : ""}`,
  );
});

describe("on a settings page without forms whose Save waits for a change", () => {
  const box = "/html/body/main/div";
  const first = field("First Name *", { xpath: `${box}/div[1]/div[1]/input` });
  const mail = field("Email *", { xpath: `${box}/div[1]/div[2]/input` });
  const password = button("Change password", { xpath: `${box}/div[2]/button` });
  const save = button("Save", { disabled: true, xpath: `${box}/div[3]/button` });
  const page = [first, mail, password, save];

  test("a changed value is saved, although another button changes the password", () => {
    expect(summaryOf("Change my first name to Idalia", page)).toBe(
      'Type "Idalia" into "First Name *"; Click "Save"',
    );
  });

  test("no button is pressed for a changed field if another button names this field (Change email), because either may save it", () => {
    const change = { ...password, textContent: "Change email" };
    expect(summaryOf("Change the email to ida@quay.example", [first, mail, change, save])).toBe(
      'Type "ida@quay.example" into "Email *"',
    );
  });

  test("the button that saves a field is found if it is the only one, but not if there are several, and not for a search field", () => {
    expect(sendingButtonOf(first, page)).toBe(save);
    const second = { ...save, xpath: `${box}/div[4]/button` };
    expect(sendingButtonOf(first, [...page, second])).toBeUndefined();
    expect(sendingButtonOf({ ...first, type: "search" }, page)).toBeUndefined();
  });

  test("a button in the box of other fields does not save the field", () => {
    const inner = { ...save, xpath: `${box}/div[2]/div/button` };
    const city = field("City", { xpath: `${box}/div[2]/div/input` });
    expect(sendingButtonOf(first, [first, city, inner])).toBeUndefined();
    expect(sendingButtonOf(city, [first, city, inner])).toBe(inner);
  });
});

test("a heading or a switch of a folded box with the name Save does not send the form", () => {
  const box = { interactionType: "click" as const, attributes: { "aria-expanded": "true" } };
  const page = [
    ...form(field("Alternative text"), field("Caption")),
    { ...element({ tagName: "h2", textContent: "Save" }), xpath: "/html/body/form/aside/h2" },
    { ...button("Toggle panel: Save", box), xpath: "/html/body/form/aside/button" },
    { ...button("Update"), xpath: "/html/body/form/aside/div/button", interactionType: "submit" as const },
  ];
  expect(summaryOf('Change the alternative text to "A stile of larch"', page, true)).toBe(
    'Type "A stile of larch" into "Alternative text"; Click "Update"',
  );
});

describe("on a page without forms that has a disabled check mark", () => {
  const check = { ...button(""), icon: "check", disabled: true, xpath: "/html/body/div/header/div/button" };
  const title = field("Title", { xpath: "/html/body/div/main/div[1]/input" });
  const status = field("Status", { attributes: { readonly: "" }, xpath: "/html/body/div/main/div[2]/input" });
  const bookmark = element({ tagName: "span", role: "button", icon: "bookmark" });
  const page = [bookmark, check, title, status];

  test.each([
    ['Change the title to "Wasps" and save', 'Type "Wasps" into "Title"; Click "check"'],
    ["Change the status to Draft and save it", 'Select "Draft" in "Status"; Click "check"'],
    ["Click Save", 'Click "check"'],
  ])("the task %p presses the check mark in the title bar", (task, summary) => {
    expect(summaryOf(task, page)).toBe(summary);
  });

  test("a task that saves never presses an icon for a bookmark or a download", () => {
    for (const icon of ["bookmark", "download"]) {
      const { plan } = planned('Change the title to "Wasps" and save', [{ ...bookmark, icon }, title]);
      expect(plan.summary).not.toContain("Click");
    }
  });

  test("a task that saves asks which button to press if the check mark is in the head of a card", () => {
    const card = { ...check, xpath: "/html/body/div/article/header/button" };
    const { questions } = planned('Change the title to "Wasps" and save', [card, title, status]);
    expect(questions).not.toEqual([]);
  });
});

describe("a plan that enters values in a form", () => {
  test.each([
    "Change the currency to CHF",
    "Set the currency to CHF",
    "Could you set the currency to CHF?",
    "Ändere die Währung auf CHF",
  ])("sends the form if the task changes something: %s", (task) => {
    expect(summaryOf(task, settings())).toBe('Select "CHF" in "Currency"; Click "Save"');
  });

  test("sends the form once after several values", () => {
    expect(summaryOf("Change the currency to CHF and the language to German", settings())).toBe(
      'Select "CHF" in "Currency"; Select "German" in "Language"; Click "Save"',
    );
    expect(summaryOf("Change the currency to CHF and save", settings())).toBe(
      'Select "CHF" in "Currency"; Click "Save"',
    );
  });

  test.each(["Enable dark mode", "Switch dark mode on"])(
    "sends the form in which the task turns a switch on: %s",
    (task) => {
      expect(summaryOf(task, settings())).toBe('Click "Dark mode"; Click "Save"');
    },
  );

  test.each([
    ["Select CHF as the currency", 'Select "CHF" in "Currency"'],
    ["Enter CHF as the currency", 'Select "CHF" in "Currency"'],
    ["Tick dark mode", 'Click "Dark mode"'],
    ["Change the currency to CHF, but don't save it yet", 'Select "CHF" in "Currency"'],
  ])("does not send the form if the task only fills it in or forbids to send it: %s", (task, summary) => {
    expect(summaryOf(task, settings())).toBe(summary);
  });

  test("sends the form by its only button if the task subscribes or creates, whatever the button is named", () => {
    const feeds = form(
      field("URL", { type: "url" }),
      list("Category", ["All", "Weather"]),
      button("Find a feed"),
    );
    expect(summaryOf("Subscribe to https://w.test/feed.xml in the category Weather", feeds)).toBe(
      'Type "https://w.test/feed.xml" into "URL"; Select "Weather" in "Category"; Click "Find a feed"',
    );
    expect(summaryOf("Enter https://w.test/feed.xml as the URL", feeds)).not.toContain("Click");
  });

  test("does not send the form if its button creates a thing (Create ticket), and the task only changes a value", () => {
    const ticket = form(field("Subject"), list("Priority", ["Low", "High"]), button("Create ticket"));
    expect(summaryOf("Set the priority to High", ticket)).toBe('Select "High" in "Priority"');
  });

  test("does not press a button for the whole form if the task adds only one of its values", () => {
    const loan = form(field("Book"), field("Borrower"), field("Remark"), button("Lend"));
    expect(summaryOf('Add the remark "cover torn"', loan)).toBe('Type "cover torn" into "Remark"');
    const order = form(field("Customer"), tick("Gift wrap"), tick("Sample bag"), button("Create order"));
    expect(summaryOf("Add gift wrap and a sample bag", order)).not.toContain("Create order");
    const city = form(field("City"), field("Country"), field("Mayor"), button("Create city"));
    expect(summaryOf('Add the city "Bonn"', city)).toBe('Type "Bonn" into "City"; Click "Create city"');
    const comment = form(field("Name"), field("Website"), field("Comment"), button("Post"));
    expect(summaryOf('Add the comment "Well done"', comment)).toBe(
      'Type "Well done" into "Comment"; Click "Post"',
    );
  });

  test("presses neither Submit nor Save as draft if the form has both buttons and the task names none", () => {
    const page = form(list("Priority", ["Low", "High"]), button("Save as draft"), button("Submit"));
    expect(summaryOf("Set the priority to High", page)).toBe('Select "High" in "Priority"');
  });

  test("does not send a form for a task that only states something about a new thing (New colleague Ivo Kral)", () => {
    const page = form(field("Name"), list("Department", ["Sales", "Production"]), button("Add colleague"));
    const task = "New colleague Ivo Kral, in production";
    const { plan } = planned('Type "Ivo Kral" into Name', page);
    expect(withFormSent({ task, plan, elements: page })).toBe(plan);
  });

  test("stays as it is if no button sends the form", () => {
    expect(summaryOf("Set the currency to CHF", settings().slice(0, 3))).toBe('Select "CHF" in "Currency"');
  });

  test("presses a button outside of forms only if no other button of the page has a verb that saves", () => {
    const page = [list("Currency", ["EUR", "CHF"]), button("Save")];
    expect(summaryOf("Set the currency to CHF", page)).toBe('Select "CHF" in "Currency"; Click "Save"');
    const other = [list("Currency", ["EUR", "CHF"]), button("Save hours")];
    expect(summaryOf("Set the currency to CHF", other)).toBe('Select "CHF" in "Currency"');
    const several = [...page, field("Note"), button("Save")];
    expect(summaryOf("Set the currency to CHF", several)).toBe('Select "CHF" in "Currency"');
  });

  test("sends the form if the dialogue has opened it", () => {
    expect(summaryOf("Enter CHF as the currency", settings(), true)).toBe(
      'Select "CHF" in "Currency"; Click "Save"',
    );
  });
});

describe("a plan that ends by typing the name of a new thing", () => {
  const dialog = [field("Colour"), button("Cancel"), button("Save")];
  const sends = (task: string, elements: readonly HighlightedElement[]) => {
    const { plan } = planned('Type "violet" into Colour', elements);
    return withFormSent({ task, plan, elements }).summary;
  };
  test.each(["Add the colour violet", "Lege eine Farbe namens violet an"])(
    "presses the button that saves the form: %s",
    (task) => {
      expect(sends(task, dialog)).toBe('Type "violet" into "Colour"; Click "Save"');
    },
  );
  test("stays as it is if the task only enters a value, or if no button saves the form", () => {
    expect(sends("Enter violet as the colour", dialog)).toBe('Type "violet" into "Colour"');
    expect(sends("Add the colour violet", dialog.slice(0, 2))).toBe('Type "violet" into "Colour"');
  });
});

test("a task that chooses its action in a form (Resolve this ticket) sends the form", () => {
  const radio = { ...tick("resolve"), type: "radio" };
  const elements = form(field("Comment"), radio, button("Preview"), button("Submit changes"));
  const { plan } = planned("Tick resolve", elements);
  expect(withFormSent({ task: "Resolve this ticket", plan, elements }).summary).toBe(
    'Click "resolve"; Click "Submit changes"',
  );
});

describe("a task whose form was not sent", () => {
  test.each([
    "Change the currency to CHF",
    "Subscribe to https://w.test/feed.xml",
    "Assign the ticket to Ada",
    "Schalte den Dunkelmodus ein",
  ])("is not done if it changes something: %s", (task) => {
    expect(needsSending(task, "Create")).toBe(true);
    expect(needsSending(task, "Search tickets")).toBe(false);
  });

  test.each([
    'Type "set" into Name',
    "Fill in the form with the name Ada and set the topic to Help",
    "Search for Ada",
    "Choose CHF",
    "Tick the newsletter",
    "Order number is 30",
    "Currency: CHF",
    "Set the name to Ada without saving",
  ])("is done if it only fills in, searches, chooses or states something: %s", (task) => {
    expect(needsSending(task, "Create")).toBe(false);
  });
});

describe("a task that adds a thing with a text after a colon", () => {
  const inPart = (path: string, one: HighlightedElement): HighlightedElement => ({
    ...one,
    xpath: `${path}/${one.tagName}`,
  });
  const ticket = [
    inPart("/html/body/form[1]", field("New job")),
    inPart("/html/body/form[1]", button("Add job")),
    inPart("/html/body/form[2]/p", field("Your comment")),
    inPart("/html/body/form[2]/div", button("Post comment")),
  ];

  test("sends the form of this thing, and of no other", () => {
    expect(summaryOf("Add a job: order spare rollers", ticket)).toBe(
      'Type "order spare rollers" into "New job"; Click "Add job"',
    );
    expect(summaryOf("Add a comment: The seals came, all of them", ticket)).toBe(
      'Type "The seals came, all of them" into "Your comment"; Click "Post comment"',
    );
  });

  test("does not press a button that publishes something else", () => {
    const page = [
      inPart("/html/body/form[2]/p", field("Comment")),
      inPart("/html/body/form[2]/div", button("Publish page")),
    ];
    expect(summaryOf("Add a comment: Well done", page)).not.toContain("Publish");
  });

  test("does not send a message if the task adds something else", () => {
    const page = [field("Cooks"), field("Message to the volunteers"), button("Send message")];
    expect(summaryOf("Add Max to the cooks", page)).toBe('Type "Max" into "Cooks"');
  });

  test("leads to a question if the page only creates another thing", () => {
    const page = [...ticket.slice(0, 2), button("Comments")];
    expect(planned("Add a comment: The seals came", page).plan.steps).toEqual([]);
  });
});
