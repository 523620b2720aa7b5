/**
 * Tests plans that are made by the meaning of words, for tasks that contain no imperative that the planner
 * knows.
 */
import { describe, expect, mock, test } from "bun:test";
import { readJointly } from "../../../../machines/dialogue/clauses/best-elements-for-all-clauses.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { planned, stepsOf } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

/** Returns a row of a data editor: a key and its value, both of which can be edited. */
const row = (at: number, key: string, value: string): readonly HighlightedElement[] =>
  [key, value].map((textContent, column) =>
    element({
      tagName: "div",
      type: "div",
      interactionType: "input",
      textContent,
      value: textContent,
      xpath: `/html/body/table/tbody/tr[${at}]/td[${column + 1}]/div`,
      attributes: { contenteditable: "true" },
    }),
  );

describe("a task that only states values", () => {
  const person = [field("City"), field("Country"), field("Postal code", { type: "number" }), button("Save")];

  test("fills the fields that its words and values fit", () => {
    expect(stepsOf("My zip is 1010 and I live in Austria now", person)).toEqual([
      "input 2 1010",
      "input 1 Austria",
    ]);
  });
});

describe("a form with lists and checkboxes", () => {
  const client = element({
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    labelText: "Client",
    options: ["Acme Corp", "Globex Inc"],
  });
  const summary = element({
    tagName: "input",
    type: "checkbox",
    labelText: "Send weekly summary email",
    checked: true,
  });
  const form = [field("Project name"), client, summary, button("Create project")];

  test.each([
    ["It's called Winter campaign", ["input 0 Winter campaign"]],
    ["the client's Globex Inc", ["select_dropdown 1 Globex Inc"]],
    ["I don't want the weekly summary email any more", ["click 2"]],
  ])('is filled in from the statement "%s"', (task, steps) => {
    expect(stepsOf(task, form)).toEqual(steps);
  });
});

describe("a task with several values for a form", () => {
  const mail = [
    field("To:"),
    field("Subject:"),
    element({ tagName: "textarea", type: "textarea", interactionType: "input", labelText: "Your message" }),
    button("Send message"),
  ];
  const person = [field("City"), field("Country"), field("Name"), field("Phone"), button("Submit")];
  const category = element({
    tagName: "select",
    type: "select-one",
    interactionType: "select",
    labelText: "Category",
    options: ["One", "Two"],
  });
  const item = [field("Name"), category, button("Submit")];

  test.each([
    ["Write Hobart as the city, then Peru as the country", person, ["input 0 Hobart", "input 1 Peru"]],
    [
      "Fill in the contact form: name Omar Haddad, phone 555 0199",
      person,
      ["input 2 Omar Haddad", "input 3 555 0199"],
    ],
    ["Call it Winter lamp and submit", item, ["input 0 Winter lamp", "click 2"]],
    ["Name it Lamp, category Two", item, ["input 0 Lamp", "select_dropdown 1 Two"]],
    ["Email ada@x.at with the subject Figures", mail, ["input 0 ada@x.at", "input 1 Figures"]],
    ["tell them 'I would like to join'", mail, ["input 2 I would like to join", "click 3"]],
  ])("is planned with each value in the field that fits its meaning: %s", (task, elements, steps) => {
    expect(stepsOf(task, elements)).toEqual(steps);
  });
});

describe("a form that creates a thing from one value", () => {
  const calendar = [
    element({
      tagName: "input",
      type: "text",
      interactionType: "input",
      placeholder: "Event title",
      xpath: "/html/body/div/input",
    }),
    button("Add", { xpath: "/html/body/div/div/button" }),
  ];

  test("is filled in and submitted if the task names the new thing", () => {
    expect(stepsOf("Create an event called Dentist", calendar)).toEqual(["input 0 Dentist", "click 1"]);
  });
});

describe("an editor with a row for each key and value", () => {
  const rows = [...row(1, "name", "Ada"), ...row(2, "age", "28")];

  test("gets the new value in the right row: 'He is 31 now' changes the age", () => {
    expect(stepsOf("He is 31 now", rows)).toEqual(["input 3 31"]);
  });
});

describe("a task to post a message in a chat", () => {
  const chat = [
    field("Search", { type: "search" }),
    element({
      tagName: "input",
      type: "text",
      interactionType: "input",
      placeholder: "Type message…",
      xpath: "/html/body/main/div/input",
    }),
    element({ icon: "plus", xpath: "/html/body/main/div/span/button" }),
  ];

  test.each(['Post "See you at noon" in the chat', "Antworte im Chat mit 'See you at noon'"])(
    "is planned as typing the text and sending it after an approval: %s",
    (task) => {
      expect(stepsOf(task, chat)).toEqual(["input 1 See you at noon", "click 2"]);
      expect(planned(task, chat).plan.steps.at(-1)?.risk).toBe("high");
    },
  );
});

describe("a control that each of several posts has", () => {
  const post = (at: number, date: string): readonly HighlightedElement[] => [
    element({ tagName: "a", textContent: `Marc, ${date}`, xpath: `/html/body/div/main/div[${at}]/p/a` }),
    button("Share", { xpath: `/html/body/div/main/div[${at}]/ul/li[1]/a` }),
    field("Comment", { xpath: `/html/body/div/main/div[${at}]/div/input` }),
  ];
  const posts = [...post(1, "26 Oct"), ...post(2, "1 Oct")];

  test("is found by the words of the task that describe its post", () => {
    expect(stepsOf("share what Marc posted on 1 Oct", posts)).toEqual(["click 4"]);
  });
});

describe("a task that fits two elements equally well", () => {
  test("leads to a question", () => {
    const two = [button("Open", { around: "Anna" }), button("Open", { around: "Bert" })];
    expect(planned("can you open the attachment?", two).questions).toHaveLength(1);
  });
});

describe("a task of 2,000 characters", () => {
  const nouns = ["Customer", "Order", "City", "Phone", "Street", "Note", "Team", "Budget"];
  const page = Array.from({ length: 300 }, (_, at) => {
    const label = `${nouns[at % 8]} ${nouns[(at * 3 + 1) % 8]}`;
    return at % 3 === 0 ? field(label) : button(label);
  });
  /**
   * Repeats a text, with spaces between the copies, and cuts the result at 2,000 characters.
   *
   * @param separators a comma is added to this number of copies, from the first one on
   */
  const repeated = (text: string, separators = 0): string =>
    Array.from({ length: 2_000 / text.length + 1 }, (_, at) => (at < separators ? `${text},` : text))
      .join(" ")
      .slice(0, 2_000);
  /**
   * Maximum number of interpretations of the task that the planner rates: a few thousand for each clause of
   * the task.
   */
  const MAX_READINGS = 20_000;

  const contents = [
    ["words that the page lacks", "somebody talked about papers we lost yesterday", 0],
    ["words of the page", "customer order city phone street note", 0],
    ["words of the page in clauses", "customer order city phone street note", 9],
    ["names and joining words", "Anna to Berlin as 42", 0],
    ["names and joining words in clauses", "Anna to Berlin as 42", 9],
    ["a field and names", "Note Anna Berlin Rome Bob", 0],
    ["numbers", "1-11 (1) 11-", 0],
  ] as const;

  // The fast tier tests only every third of these contents.
  test.each(contents.filter((_, at) => isFull || at % 3 === 0))(
    "is planned with a limited number of interpretations (content of the task: %s)",
    (_, text, separators) => {
      const onScored = mock(() => undefined);
      readJointly(repeated(text, separators), page, onScored);
      expect(onScored.mock.calls.length).toBeGreaterThan(0);
      expect(onScored.mock.calls.length).toBeLessThan(MAX_READINGS);
    },
  );

  test("keeps a long value of the task complete", () => {
    const value = repeated("somebody talked about papers we lost yesterday").slice(0, 1_900).trim();
    const read = readJointly(`Set the budget to ${value}`, [field("Budget"), button("Save")]);
    expect(read?.clauses.map(({ reading }) => reading.value)).toEqual([value]);
  });
});

test("a task to send what was entered presses the button, and not a checkbox with the same verb", () => {
  const form = (name: string) => ({ xpath: `/html/body/form[1]/${name}` });
  const page = [
    field("Subject", form("input")),
    field("Message", { tagName: "textarea", ...form("textarea") }),
    field("Send me a copy", { type: "checkbox", checked: false, ...form("input[2]") }),
    button("Send message", { interactionType: "submit", ...form("button") }),
  ];
  const task = "Write to the team: subject Harvest, message 'I will be late on Friday', and send it";
  expect(stepsOf(task, page)).toEqual(["input 0 Harvest", "input 1 I will be late on Friday", "click 3"]);
});
