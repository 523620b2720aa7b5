/** Tests plans that would do only a part of their task, or another thing, and report it as done. */
import { describe, expect, test } from "bun:test";
import { planned } from "../support/plan-task-for-tests.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const link = (textContent: string, href: string) =>
  element({ tagName: "a", textContent, interactionType: "navigate", attributes: { href } });
const profile = [
  link("My lists", "/lists"),
  link("Profile", "/profile"),
  field("Name", { value: "Reader", xpath: "/html/body/form/input" }),
  button("Save profile", { interactionType: "submit", xpath: "/html/body/form/button" }),
];
const booking = [
  link("Rooms", "/rooms"),
  link("Book a room", "/book"),
  link("My bookings", "/bookings"),
  field("Nights", { type: "number", value: "2", xpath: "/html/body/form/input" }),
  button("Next: extras", { interactionType: "submit", xpath: "/html/body/form/button" }),
];
const shown = (task: string, page: typeof profile) =>
  planned(task, page).plan.steps.map(({ description }) => description);

test("a task that creates a named thing leads to a question if the only field for a name belongs to another thing", () => {
  expect(shown("Make a list called Summer films", profile)).toEqual([]);
});

test("a task that lets other people see a thing leads to a question if the page has only a link that opens this thing", () => {
  expect(shown("Let only friends see my profile", profile)).toEqual([]);
  expect(shown("Let me see my profile", profile)).toEqual(['Click "Profile"']);
});

test("a task with a superlative (the cheapest room) leads to a question, because the page does not show which thing this is", () => {
  expect(shown("Book the cheapest room", booking)).toEqual([]);
  expect(shown("Book a room", booking)).toEqual(['Click "Book a room"']);
});

test.each(["go on", "proceed", "carry on", "continue"])(
  "a task that ends with %p presses the button for the next step",
  (order) => {
    expect(shown(`Set the nights to 3 and ${order}`, booking)).toEqual([
      'Type "3" into "Nights"',
      'Click "Next: extras"',
    ]);
  },
);

test("a task to show the customers opens the link Customers, and does not click the column head of this name, which sorts a table", () => {
  const head = element({ tagName: "th", textContent: "customer" });
  const page = [link("Customers", "/customers"), head, link("Ada", "/customers/1")];
  expect(planned("Zeig mir die Kunden", page).plan.steps.map(({ targetId }) => targetId)).toEqual([
    page[0]?.highlight_index ?? -1,
  ]);
});

test("a search for everything from a person searches for the person", () => {
  const page = [field("Search", { type: "search" })];
  expect(shown("Find everything from Clara Schumann", page)).toEqual([
    'Type "Clara Schumann" into "Search"',
    "Press Enter",
  ]);
});

const tickOf = (labelText: string) =>
  element({ tagName: "input", type: "checkbox", interactionType: "click", labelText, checked: false });

describe("on a page with a recipe and its ingredients", () => {
  const recipe = [
    field("Name of the dish", { value: "Lentil stew" }),
    field("Tags"),
    tickOf("Celery"),
    tickOf("Milk"),
    button("Save recipe"),
    field("", { placeholder: "New ingredient", row: "Ingredients Red lentils 4 kg" }),
    field("", { placeholder: "Amount", row: "Ingredients Red lentils 4 kg" }),
    button("Add", { row: "Ingredients Red lentils 4 kg" }),
    field("Who cooks on Friday?"),
    field("Message to the volunteers"),
    button("Send message"),
  ];

  test("a thing with a lower-case name is entered into the field that is named after it", () => {
    expect(shown("Add the ingredient rice", recipe)).toEqual([
      'Type "rice" into "New ingredient"',
      'Click "Add"',
    ]);
  });

  test.each(["Add the ingredient rice, 3 kg", "Add rice", "Add the tag spicy"])(
    "the button that adds is not pressed while the fields before it are empty: %s",
    (task) => expect(shown(task, recipe)).toEqual([]),
  );

  test("no part of a statement about a thing (This dish contains celery and milk) is typed as a text", () => {
    expect(shown("This dish contains celery and milk", recipe)).toEqual([]);
  });

  test("a message after the word 'that' (Tell the volunteers that we start at 9) is typed without this word and sent", () => {
    expect(shown("Tell the volunteers that we start at 9", recipe)).toEqual([
      'Type "we start at 9" into "Message to the volunteers"',
      'Click "Send message"',
    ]);
  });
});

test("a filter is not ticked if its name and the task have nothing but the word 'only' in common", () => {
  const boats = [{ ...tickOf("Only free ones"), row: "Boats Kind Only free ones Heron, rowing boat for 3" }];
  expect(shown("Show only sailing boats", boats)).not.toContain('Click "Only free ones"');
  expect(shown("Show only free boats", boats)).toEqual(['Click "Only free ones"']);
});

test("a thing that the task names by its position is not typed as a text", () => {
  const page = [
    field("", {
      tagName: "textarea",
      type: "textarea",
      placeholder: "Anything else?",
      row: "Book a pitch Arrival",
    }),
    button("Answer", { type: "submit", namesake: true, around: "Lost: green frisbee, from Theo" }),
    button("Answer", { type: "submit", namesake: true, around: "Guitar night at the fire, from Marisol" }),
    button("Pin it", { row: "Notice board Lost: green frisbee, from Theo" }),
  ];
  expect(shown("Reply to the first notice", page)).not.toContain('Type "first notice" into "Anything else?"');
});
