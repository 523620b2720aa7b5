/** Tests which field searches a list, for tasks whose object is in a row that the list does not show. */
import { expect, test } from "bun:test";
import { searchFieldOf } from "../../../../machines/knowledge/tasks/ways-to-further-list-rows.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { field } from "../../dialogue/support/test-page-elements.ts";

const search = (labelText: string, more: Partial<HighlightedElement> = {}) =>
  field(labelText, { xpath: "/html/body/main/input", ...more });
const pageWith = (...methods: string[]) => ({
  controls: {
    headings: [],
    buttons: [],
    inputs: [],
    forms: methods.map((method) => ({ action: "/users/", method, fields: ["q"] })),
  },
});
const inForm = { xpath: "/html/body/main/form/input", attributes: { name: "q" } };

test("the only search field in the content of the page searches the list", () => {
  const found = search("Search users");
  expect(searchFieldOf([found], pageWith())).toBe(found);
});

test.each([
  ["the search of the whole site", search("Search", { xpath: "/html/body/header/input" })],
  ["a field that adds what is typed", search("Search for a user to invite")],
  ["a field with suggestions", search("Search users", { role: "combobox" })],
])(
  "a field that searches something else, or does more than search, does not count as the search of the list: %s",
  (_, found) => {
    expect(searchFieldOf([found], pageWith())).toBeUndefined();
  },
);

test("a field counts as the search of a list only if each form with this field only reads data (method GET)", () => {
  const found = search("Search users", inForm);
  expect(searchFieldOf([found], pageWith("get"))).toBe(found);
  expect(searchFieldOf([found], pageWith("get", "post"))).toBeUndefined();
});
