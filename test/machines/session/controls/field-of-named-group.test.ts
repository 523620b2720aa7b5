/** Tests which field of a page a label means by the name of the group around the field. */
import { describe, expect, test } from "bun:test";
import {
  fieldsOfNamedGroup,
  isUnclearInGroup,
} from "../../../../machines/session/controls/field-of-named-group.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";

const field = (index: number, given: Partial<HighlightedElement>): HighlightedElement => ({
  highlight_index: index,
  tagName: "input",
  type: "text",
  interactionType: "input",
  selector: "",
  xpath: "",
  attributes: {},
  box: { x: 0, y: 0, width: 10, height: 10 },
  in_viewport: true,
  frame: [],
  segment: null,
  ...given,
});
const radio = (index: number, name: string, labelText: string) =>
  field(index, { type: "radio", interactionType: "click", labelText, attributes: { name } });
const indices = (found: readonly HighlightedElement[]) => found.map(({ highlight_index }) => highlight_index);

describe("a label that is the name of a group with a date and a time", () => {
  // Example pages from pretix, whose group has a mark, and from Django's administration.
  const pages = [
    [field(1, { ariaLabel: "Date" }), field(2, { ariaLabel: "Time" })],
    [field(1, { labelText: "Day", type: "date" }), field(2, { type: "time" })],
    [field(1, { placeholder: "2000-12-31" }), field(2, { placeholder: "18:00:00" })],
  ];
  const groups = new Map([
    [1, "Valid until Optional"],
    [2, "Valid until Optional"],
  ]);

  test.each(pages.map((page) => [page]))("means the field for the entered part", (page) => {
    expect(indices(fieldsOfNamedGroup(page, "Valid until", groups, "date"))).toEqual([1]);
    expect(indices(fieldsOfNamedGroup(page, "Valid until", groups, "time"))).toEqual([2]);
  });

  test("means no single field if both parts are entered", () => {
    const found = fieldsOfNamedGroup(pages[0] ?? [], "Valid until", groups);
    expect([indices(found), isUnclearInGroup(found, "Valid until")]).toEqual([[1, 2], true]);
  });
});

describe("options with equal names in several groups", () => {
  const page = [
    radio(1, "orders", "No access"),
    radio(2, "orders", "View"),
    radio(3, "items", "No access"),
    radio(4, "items", "View"),
  ];
  const groups = new Map([
    [1, "Orders"],
    [2, "Orders"],
    [3, "Products"],
    [4, "Products"],
  ]);

  test("are found by the group and their own name", () => {
    const found = fieldsOfNamedGroup(page, "Products: No access", groups);
    expect([indices(found), isUnclearInGroup(found, "Products: No access")]).toEqual([[3], false]);
  });

  test("are found by both names if no other group has such an option", () => {
    const only = [...page, radio(5, "orders", "View all")];
    const found = fieldsOfNamedGroup(only, "Orders: View all", new Map([...groups, [5, "Orders"]]));
    expect(indices(found)).toEqual([5]);
  });

  test("are not found by the group alone", () => {
    expect(isUnclearInGroup(fieldsOfNamedGroup(page, "Products", groups), "Products")).toBe(true);
  });
});

test("a single checkbox of a group is not found by the name of the group", () => {
  const page = [field(1, { type: "checkbox", interactionType: "click", labelText: "Set to null" })];
  const found = fieldsOfNamedGroup(page, "Audience", new Map([[1, "Audience"]]));
  expect(isUnclearInGroup(found, "Audience")).toBe(true);
});
