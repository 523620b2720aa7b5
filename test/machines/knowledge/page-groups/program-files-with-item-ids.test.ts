/**
 * Tests which HTML files in addresses are scripts of the server that show an item by its id (`show_bug.cgi?id=7`),
 * and which are pages of single items (`red-shoe.html`).
 */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { page, paths } from "./screen-group-test-pages.ts";

/**
 * Returns a page of an administration. It shares 40 features with all other sections, and has only a few of its
 * own.
 */
const section = (path: string, kind: string, isInMenu = false, own = 1): ScreenInstance => ({
  ...page(path, "admin", 0, isInMenu),
  structure: sketchOf(
    [
      Array.from({ length: 10 }, (_, at) => `site ${at}`),
      Array.from({ length: 30 }, (_, at) => `admin ${at}`),
      Array.from({ length: own }, (_, at) => `${kind} ${at}`),
    ].flat(),
  ),
});
const rest = [page("/", "home"), page("/help/a/b", "help"), page("/x/y/z/w", "text")];
const numbers = [1, 2, 3, 4];

// In addresses of Request Tracker, the folder and the file contain the name of the screen. In addresses of
// Bugzilla, only the file does.
test.each([
  ["/Admin/Users/Memberships.html?id=", "/Admin/Groups/Memberships.html?id="],
  ["/Admin/Users/History.html?id=", "/Admin/Users/Keys.html?id="],
  ["/show_bug.cgi?id=", "/show_activity.cgi?id="],
])(
  "two scripts of a server that show an item by its id, such as %s and %s, are two screens, although their pages are similar",
  (a, b) => {
    const pages = [a, b].flatMap((start) => numbers.map((number) => section(`${start}${number}`, start)));
    const screens = paths(...pages, ...rest);
    expect(screens).toContain(numbers.map((number) => `${a}${number}`).join(" "));
    expect(screens).toContain(numbers.map((number) => `${b}${number}`).join(" "));
  },
);

test("a page with the id of an item (Memberships.html?id=1) is another screen than pages of sections (Topics.html)", () => {
  const lists = ["Actions", "Conditions", "Scrips", "Topics", "Menus", "Rights"].map((name) =>
    section(`/Admin/Global/${name}.html`, "list"),
  );
  const members = numbers.map((number) => section(`/Admin/Users/Memberships.html?id=${number}`, "members"));
  expect(paths(...lists, ...members, ...rest)).toContain(members.map(({ screen_id }) => screen_id).join(" "));
});

// In Magento and PrestaShop, the file has the name of a product, and the parameter selects one of the
// product's variants.
test("HTML files with the names of items and a numeric parameter (red-shoe.html?color=1) are one screen", () => {
  const names = ["red-shoe", "blue-shirt", "green-hat", "old-lamp", "big-table", "soft-chair", "new-bed"];
  const products = names.map((name, at) => page(`/shop/${name}.html?color=${at}`, "product"));
  const screens = paths(...products, ...rest);
  expect(screens.map((screen) => screen.split(" ").length).sort()).toEqual([1, 1, 1, products.length]);
});
