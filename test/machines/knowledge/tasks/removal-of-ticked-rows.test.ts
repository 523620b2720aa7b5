/**
 * Tests which checkbox of a row only selects the row. Such a checkbox may be ticked to see whether the page then
 * shows a control that removes the row.
 */
import { expect, test } from "bun:test";
import type {
  ObjectRow,
  RemovalPage,
} from "../../../../machines/knowledge/tasks/control-that-removes-object.ts";
import { isOnlyTicked, selectingTick } from "../../../../machines/knowledge/tasks/removal-of-ticked-rows.ts";
import { element } from "../../dialogue/support/test-page-elements.ts";

const ROW = "/html/body/main/div/div/div[2]";

/** Returns whether the checkbox with the given name, in the row of the tag "Regatta", counts as one that selects it. */
const selects = (name: string): boolean => {
  const tick = element({
    tagName: "input",
    type: "checkbox",
    labelText: name,
    checked: false,
    attributes: { type: "checkbox" },
    xpath: `${ROW}/div[1]/label/input`,
  });
  const page: RemovalPage = {
    url: "http://quay.test/tags",
    title: "Tags",
    headings: ["Tags"],
    texts: [],
    rows: [ROW],
    elements: [tick],
  };
  const row: ObjectRow = {
    xpath: ROW,
    text: "Regatta 2 posts",
    elements: [tick],
    removing: [],
    menus: [],
    link: undefined,
  };
  return selectingTick(page, row) === tick;
};

test.each(["Select Regatta", "Select Regatta 2 posts", "Select row"])(
  "a checkbox named %p counts as one that only selects its row",
  (name) => {
    expect(selects(name)).toBe(true);
  },
);

test.each(["Done", "Select", "Select a newsletter", "Regatta"])(
  "a checkbox named %p does not count as one that only selects its row",
  (name) => {
    expect(selects(name)).toBe(false);
  },
);

test("the only ticked row is found again if the tick has moved the whole list, and no other row is taken for it", () => {
  const list = (before: string, checked: readonly boolean[]) =>
    checked.map((isChecked, at) =>
      element({
        tagName: "input",
        type: "checkbox",
        checked: isChecked,
        xpath: `/html/body/${before}/div[${at + 1}]/label/input`,
      }),
    );
  const tick = "/html/body/div[1]/main/div/div[2]/label/input";
  const moved = "div[2]/main/div[1]";
  expect(isOnlyTicked(list(moved, [false, true, false]), tick, false)).toBe(true);
  expect(isOnlyTicked(list(moved, [true, false, false]), tick, false)).toBe(false);
  expect(isOnlyTicked(list(moved, [true, true, false]), tick, false)).toBe(false);
  expect(isOnlyTicked(list(moved, [false, false, false]), tick, false)).toBe(false);
});
