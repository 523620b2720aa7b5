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

test("a screen is named by a verb and its object with which all titles begin, or by the title with which all others begin", () => {
  const names = groupNamesByTitle([
    screen("user", { "/user?id=1": "Edit User Ann", "/user?id=2": "Edit User Bob" }),
    screen("post", { "/post?id=1": "Edit Post “Dippers”", "/post?id=2": "Edit Post “Boots”" }),
    screen("comments", { "/comments": "Comments", "/comments?p=1": "Comments on “Dippers”" }),
    screen("guide", { "/guide/a": "Write a test", "/guide/b": "Write a kind" }),
    screen("orders", { "/orders/1": "Order 1", "/orders/2": "Order 2" }),
  ]);
  expect([...names]).toEqual([
    ["user", "Edit User"],
    ["post", "Edit Post"],
    ["comments", "Comments"],
  ]);
});

test("screens whose titles begin with the same verb and object also have the name of their folder", () => {
  const names = groupNamesByTitle([
    screen("forum", { "/forum/1": "Edit topic A", "/forum/2": "Edit topic B" }),
    screen("wiki", { "/wiki/1": "Edit topic C", "/wiki/2": "Edit topic D" }),
  ]);
  expect([...names]).toEqual([
    ["forum", "Edit topic (forum)"],
    ["wiki", "Edit topic (wiki)"],
  ]);
});
