/** Tests how a dialogue recognises a page that only asks for a confirmation. */
import { expect, test } from "bun:test";
import { confirmationForm } from "../../../../machines/dialogue/plan/confirmation-form.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, element, field } from "../support/test-page-elements.ts";

const BEFORE: ReadonlySet<number> = new Set([9_001, 9_002]);
const menu = ["Events", "Log out", "Settings"].map((textContent, at) =>
  element({ tagName: "a", textContent, interactionType: "navigate", xpath: `/html/body/nav/a[${at + 1}]` }),
);
const inForm = (name: string, tag: "a" | "button", form = 1): HighlightedElement =>
  tag === "a"
    ? element({
        tagName: "a",
        textContent: name,
        interactionType: "navigate",
        xpath: `/html/body/form[${form}]/a`,
      })
    : button(name, { interactionType: "submit", xpath: `/html/body/form[${form}]/button` });
const asked = (...elements: readonly HighlightedElement[]) =>
  confirmationForm({ highlightedElements: [...menu, ...elements], segments: [] }, BEFORE);

test.each([
  ["Delete", "Cancel"],
  ["Yes, I’m sure", "No, take me back"],
  ["Remove member", "Go back"],
])(
  "a page with the menu of the site and a form with %s and %s asks for a confirmation",
  (confirm, dismiss) => {
    const found = asked(inForm(dismiss, "a"), inForm(confirm, "button"));
    expect([found?.confirm.textContent, found?.dismiss?.textContent]).toEqual([confirm, dismiss]);
  },
);

test.each(["Confirm Deletion", "Confirm", "Yes, delete the user"])(
  "a page with a form whose only button is %s asks for a confirmation, also without Cancel",
  (name) => {
    const found = asked(inForm(name, "button"));
    expect([found?.confirm.textContent, found?.dismiss, found?.fields]).toEqual([name, undefined, []]);
  },
);

test("a form that confirms a deletion and asks what to do with the content has fields", () => {
  const list = field("Attribute all content to", { xpath: "/html/body/form[1]/select" });
  const found = asked(list, inForm("Confirm Deletion", "button"));
  expect(found?.fields.map(({ labelText }) => labelText)).toEqual(["Attribute all content to"]);
  expect(asked(list, inForm("Confirm", "button"))).toBeUndefined();
});

test.each([
  [
    "the form has a field",
    [inForm("Cancel", "a"), field("Name", { xpath: "/html/body/form[1]/input" }), inForm("Delete", "button")],
  ],
  ["the form saves something", [inForm("Cancel", "a"), inForm("Save", "button")]],
  ["nothing goes back", [inForm("Delete", "button")]],
  [
    "two forms ask",
    [
      inForm("Cancel", "a"),
      inForm("Delete", "button"),
      inForm("Cancel", "a", 2),
      inForm("Delete", "button", 2),
    ],
  ],
  [
    "the element is of the page before",
    [inForm("Cancel", "a"), { ...inForm("Delete", "button"), highlight_index: 9_001 }],
  ],
] as const)("a page asks for no confirmation if %s", (_, elements) => {
  expect(asked(...elements)).toBeUndefined();
});
