/** Tests which control of an object's own page removes the object. */
import { expect, test } from "bun:test";
import {
  type RemovalPage,
  removingOnOwnPage,
} from "../../../../machines/knowledge/tasks/control-that-removes-object.ts";
import type { RemovalTarget } from "../../../../machines/knowledge/tasks/removal-target.ts";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { button, field } from "../../dialogue/support/test-page-elements.ts";

const target: RemovalTarget = { kind: "promotion", kinds: ["promotion"], name: "Old week", place: [] };

const removing = (...elements: readonly HighlightedElement[]) => {
  const page: RemovalPage = {
    url: "http://shop.test/promotions/3",
    title: "Old week",
    headings: [],
    texts: [],
    rows: [],
    elements: [field("Discount", { xpath: "/html/body/form/div/input" }), ...elements],
  };
  return removingOnOwnPage(page, target).map(nameOf);
};

test("a control Remove in a form with fields removes a part of the form, and not the object", () => {
  expect(removing(button("Remove", { xpath: "/html/body/form/div/button" }))).toEqual([]);
});

test("a control that deletes, names the object's kind or is outside of the form removes the object", () => {
  expect(removing(button("Delete", { xpath: "/html/body/form/div/button" }))).toEqual(["Delete"]);
  expect(removing(button("Remove promotion", { xpath: "/html/body/form/div/button" }))).toEqual([
    "Remove promotion",
  ]);
  expect(removing(button("Remove", { xpath: "/html/body/header/button" }))).toEqual(["Remove"]);
});

test.each([
  "Move to trash",
  "Move this promotion to the Trash",
  "Move “Old week” to the Trash",
  "In den Papierkorb verschieben",
])("the control %s moves the object to the trash (Nextcloud, WordPress)", (name) => {
  expect(removing(button(name, { xpath: "/html/body/header/button" }))).toEqual([name]);
});

test.each([
  "Trash",
  "View trash",
  "Trash (3)",
  "Move “New week” to the Trash",
  "Move all to trash",
  "Trash rules",
])("the control %s does not remove the object", (name) => {
  expect(removing(button(name, { xpath: "/html/body/header/button" }))).toEqual([]);
});

test("a link Trash removes the object if its address changes data", () => {
  const trash = (href: string) =>
    button("Trash", { tagName: "a", xpath: "/html/body/main/a", attributes: { href } });
  expect(removing(trash("/promotions.php?id=3&action=trash&_wpnonce=617076bd36"))).toEqual(["Trash"]);
  expect(removing(trash("/promotions?folder=trash"))).toEqual([]);
});
