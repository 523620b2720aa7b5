import { expect, test } from "bun:test";
import { groupNamesByTitle } from "../../../../machines/knowledge/screens/screen-name-from-shared-title-part.ts";

const screen = (screen_id: string, pages: Readonly<Record<string, string>>) => ({
  screen_id,
  urls: Object.keys(pages).map((path) => `https://a.example${path}`),
  names: Object.values(pages),
});

test("a screen is named by the part that the titles of its pages share (Issues), unless a title of another screen starts with that part", () => {
  const names = groupNamesByTitle([
    screen("issues", { "/issues/1": "Issues · Ferry Booking", "/issues/2": "Issues · Tide Tables" }),
    screen("orders", { "/orders/1": "Order 1", "/orders/2": "Order 2" }),
    screen("help", { "/help": "Help" }),
  ]);
  expect([...names]).toEqual([["issues", "Issues"]]);
});

test("screens of several folders with one title also have the name of their folder", () => {
  const names = groupNamesByTitle([
    screen("project", {
      "/projects/1/members": "Members · Ferry Booking",
      "/projects/2/members": "Members · Tide Tables",
    }),
    screen("team", { "/teams/a/members": "Members · Harbour", "/teams/b/members": "Members · Mill" }),
  ]);
  expect([...names]).toEqual([
    ["project", "Members (projects)"],
    ["team", "Members (teams)"],
  ]);
});

test("a title that is only a verb (Edit) is completed by the folder (users), and a title that starts with a symbol is not used", () => {
  const names = groupNamesByTitle([
    screen("edit", { "/users/1/edit?sort=name": "Edit · Ann", "/users/2/edit?sort=name": "Edit · Bob" }),
    screen("accept", { "/talks/A/accept": "→ accepted :: Boats", "/talks/B/accept": "→ accepted :: Tides" }),
  ]);
  expect([...names]).toEqual([["edit", "Edit (users)"]]);
});

test("no screen is named after a part (Shop) with which the titles of many screens start", () => {
  const names = groupNamesByTitle([
    screen("product", { "/shop/1": "Shop: Red shoes", "/shop/2": "Shop: Blue shoes" }),
    screen("cart", { "/shop/cart": "Shop: Cart" }),
    screen("help", { "/shop/help": "Shop: Help" }),
    screen("terms", { "/shop/terms": "Shop: Terms" }),
  ]);
  expect([...names]).toEqual([]);
});
