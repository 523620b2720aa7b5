/** Tests plans that would do only a part of their task, or another thing, and report it as done. */
import { expect, test } from "bun:test";
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

test("the person is asked if the only field for the name of a new thing belongs to another thing", () => {
  expect(shown("Make a list called Summer films", profile)).toEqual([]);
});

test("the person is asked if a task lets other people see a thing, and the page has only a link that opens it", () => {
  expect(shown("Let only friends see my profile", profile)).toEqual([]);
  expect(shown("Let me see my profile", profile)).toEqual(['Click "Profile"']);
});

test("the person is asked which thing a superlative means (the cheapest room)", () => {
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

test("a link is opened instead of the head of a column that sorts a table", () => {
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
