import { expect, test } from "bun:test";
import {
  pageByLinkAndAddress,
  partToFind,
  screenByLinks,
} from "../../../../machines/knowledge/screens/screen-by-link-text.ts";

const links = (name: string, to: string, pages: number, first = 0, page = to) =>
  Array.from({ length: pages }, (_, at) => ({ from: `page-${first + at}`, to, page, name }));

test("a screen is found by the entry of the menu that leads to it", () => {
  const found = screenByLinks(
    [...links("Settings", "edit-project", 5), ...links("Bills", "bills", 5)],
    "settings",
  );
  expect(found).toEqual({ screen_id: "edit-project", page: "edit-project", score: 0.995 });
});

test("of a screen with several pages, the page to which the entry of the menu leads is found", () => {
  const menu = [
    ...links("Unread Books", "books", 5, 0, "unread"),
    ...links("Archived Books", "books", 5, 0, "archived"),
  ];
  expect(screenByLinks(menu, "unread books")).toMatchObject({ screen_id: "books", page: "unread" });
  expect(screenByLinks(menu, "archived books")).toMatchObject({ screen_id: "books", page: "archived" });
});

test.each([2, 3])(
  "a link text (Edit) that leads to %p pages of one screen finds the screen, but none of its pages",
  (count) => {
    const orders = Array.from({ length: count }, (_, at) => at + 1);
    const edits = orders.flatMap((order) => links("Edit", "edit-order", 1, order, `order-${order}`));
    expect(screenByLinks(edits, "Edit")).toEqual({ screen_id: "edit-order", score: 0.995 });
  },
);

test("a screen is found by one word of a longer link text, with a lower score", () => {
  const found = screenByLinks(links("Reports & Statistics", "reports", 5), "the reports page");
  expect(found?.screen_id).toBe("reports");
  expect(found?.score).toBeLessThan(0.98);
  expect(found?.score).toBeGreaterThan(0.96);
});

test("a link text that leads from each page to a different screen (such as Edit) finds no screen", () => {
  const edits = [1, 2, 3].flatMap((order) => links("Edit", `order-${order}`, 1, order));
  expect(screenByLinks(edits, "Edit")).toBeUndefined();
});

test("if links with the same text lead to two screens, the screen to which more pages link is found", () => {
  const found = screenByLinks(
    [...links("Users", "accounts", 4), ...links("Users", "help-users", 1, 9)],
    "users",
  );
  expect(found?.screen_id).toBe("accounts");
});

test("a link text that has only few of the requested words finds no screen", () => {
  expect(screenByLinks(links("Settings", "settings", 3), "delete my old account settings")).toBeUndefined();
});

test("links are found in the store by the longest word of a request, and not by words such as 'please show'", () => {
  expect(partToFind("please show the users")).toBe("user");
  expect("all categories").toContain(partToFind("the category") ?? "-");
  expect("the category").toContain(partToFind("all categories") ?? "-");
});

test("links are found in the store by the longest part of a word without accents, which every Unicode form spells equally", () => {
  expect(partToFind("Übersicht")).toBe("bersicht");
  expect(partToFind("U\u0308bersicht")).toBe("bersicht");
  expect(partToFind("les paramètres")).toBe("param");
  expect(partToFind("설정")).toBe("설정");
  expect(partToFind("?")).toBeUndefined();
});

test("a screen is found whether a request writes the accents of the link text or not", () => {
  const menu = links("Paramètres du compte", "account", 4);
  for (const text of ["paramètres du compte", "Parametres du compte"])
    expect(screenByLinks(menu, text)?.screen_id).toBe("account");
});

const link = (name: string, url: string) => ({ from: "start", to: url, page: url, name, url });

test("a page is found by words of which one is in the text of its link and the others are in its address", () => {
  const found = pageByLinkAndAddress(
    [
      link("Add", "https://a.example/admin#/newsletters/new"),
      link("Add", "https://a.example/admin#/boats/new"),
    ],
    "new newsletter",
  );
  expect(found?.screen_id).toBe("https://a.example/admin#/newsletters/new");
  expect(found?.score).toBeLessThan(0.97);
});

test("the page is left open if links with the words lead to different pages of one screen", () => {
  const pages = [1, 2].map((id) => ({
    ...link("Add", `https://a.example/newsletters/${id}/new`),
    to: "form",
  }));
  expect(pageByLinkAndAddress(pages, "new newsletter")).toMatchObject({ screen_id: "form" });
  expect(pageByLinkAndAddress(pages, "new newsletter")?.page).toBeUndefined();
  expect(pageByLinkAndAddress(pages.slice(1), "new newsletter")?.page).toEndWith("/newsletters/2/new");
});

test.each([
  ["two pages have the words", "edit order"],
  ["the target is one word", "start"],
  ["a word is missing", "edit order 17 address"],
])("no page is found by its link and address if %s", (_, text) => {
  const pages = [
    link("Edit", "https://a.example/orders/17"),
    link("Edit", "https://a.example/orders/18"),
    link("Begin", "https://a.example/start"),
  ];
  expect(pageByLinkAndAddress(pages, text)).toBeUndefined();
});
