/** Tests which values a walk enters into a form, and which fields it asks its caller for. */
import { expect, test } from "bun:test";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import { formEntries, missingText } from "../../../machines/walk/required-fields-of-walk.ts";

let index = 0;
const element = (given: Partial<HighlightedElement>, form = "/html/body/form"): HighlightedElement =>
  // The cast is safe: the object has all fields of an element that the tested function reads.
  ({
    highlight_index: index++,
    tagName: "input",
    type: "text",
    interactionType: "input",
    required: true,
    frame: [],
    attributes: {},
    xpath: `${form}/input[${index}]`,
    ...given,
  }) as HighlightedElement;
const next = (given: Partial<HighlightedElement> = {}) =>
  element({
    tagName: "button",
    type: "submit",
    interactionType: "submit",
    textContent: "Next",
    required: false,
    ...given,
  });
const values = (given: Readonly<Record<string, unknown>>) => new Map(Object.entries(given));

test("a walk along a route asks for values only for empty required fields in the form of the button that it presses", () => {
  const elements = [
    element({ labelText: "Name", attributes: { name: "guest" } }),
    element({ labelText: "Nights", type: "number", value: "2" }),
    element({ labelText: "Remarks", required: false }),
    element({ labelText: "News", type: "email" }, "/html/body/form[2]"),
  ];
  const { entries, missing } = formEntries(next(), elements, values({}));
  expect(entries).toEqual([]);
  expect(missing).toEqual([{ name: "guest", label: "Name", type: "text", example: "Sample" }]);
});

test("a walk along a route asks for no values before it presses a button that cancels its form or does not submit it", () => {
  const elements = [element({ labelText: "Name" })];
  for (const button of [
    next({ type: "button", interactionType: "click" }),
    next({ textContent: "Cancel" }),
    next({ attributes: { formnovalidate: "" } }),
    next({ xpath: "/html/body/button" }),
  ])
    expect(formEntries(button, elements, values({})).missing).toEqual([]);
});

test("a walk along a route chooses the given option of a radio group, and ticks a checkbox for the given value true", () => {
  const radio = (textContent: string) =>
    element({
      type: "radio",
      interactionType: "click",
      labelText: textContent,
      attributes: { name: "meal" },
    });
  const [none, full] = [radio("None"), radio("Full board")];
  const terms = element({ type: "checkbox", labelText: "I agree", attributes: { name: "terms" } });
  const asked = formEntries(next(), [none, full, terms], values({}));
  expect(asked.missing.map(({ name, options }) => [name, options])).toEqual([
    ["meal", ["None", "Full board"]],
    ["terms", undefined],
  ]);
  const { entries } = formEntries(next(), [none, full, terms], values({ meal: "full board", terms: true }));
  expect(entries).toEqual([
    { index: full.highlight_index, value: true },
    { index: terms.highlight_index, value: true },
  ]);
});

test("a walk along a route asks for a radio group again if the given value is none of its options", () => {
  const radio = element({ type: "radio", labelText: "None", attributes: { name: "meal" } });
  const { entries, missing } = formEntries(next(), [radio], values({ meal: "Lunch" }));
  expect([entries, missing.map(({ name }) => name)]).toEqual([[], ["meal"]]);
});

test("a password is never taken from the request of a walk", () => {
  const password = element({ type: "password", labelText: "Password", attributes: { name: "pw" } });
  const { entries, missing } = formEntries(next(), [password], values({ pw: "secret" }));
  expect(entries).toEqual([]);
  expect(missingText("Sign in", missing)).toBe(
    "The step Sign in needs values in context.parameters: pw (Password). Passwords, other secrets and files are entered in the session before the walk.",
  );
});
