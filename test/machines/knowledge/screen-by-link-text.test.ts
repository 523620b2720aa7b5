import { expect, test } from "bun:test";
import { partToFind, screenByLinks } from "../../../machines/knowledge/screen-by-link-text.ts";

const links = (name: string, to: string, pages: number, first = 0) =>
  Array.from({ length: pages }, (_, at) => ({ from: `page-${first + at}`, to, name }));

test("a screen is found by the entry of the menu that leads to it", () => {
  const found = screenByLinks(
    [...links("Settings", "edit-project", 5), ...links("Bills", "bills", 5)],
    "settings",
  );
  expect(found).toEqual({ screen_id: "edit-project", score: 0.995 });
});

test("the words of a longer text are found, with a lower score", () => {
  const found = screenByLinks(links("Reports & Statistics", "reports", 5), "the reports page");
  expect(found?.screen_id).toBe("reports");
  expect(found?.score).toBeLessThan(0.98);
  expect(found?.score).toBeGreaterThan(0.96);
});

test("a text that leads to another screen from each page names none", () => {
  const edits = [1, 2, 3].flatMap((order) => links("Edit", `order-${order}`, 1, order));
  expect(screenByLinks(edits, "Edit")).toBeUndefined();
});

test("of equal texts, the one that most pages have names the screen", () => {
  const found = screenByLinks(
    [...links("Users", "accounts", 4), ...links("Users", "help-users", 1, 9)],
    "users",
  );
  expect(found?.screen_id).toBe("accounts");
});

test("a text with few of the words does not fit", () => {
  expect(screenByLinks(links("Settings", "settings", 3), "delete my old account settings")).toBeUndefined();
});

test("links are selected by the longest word that is no part of the instruction", () => {
  expect(partToFind("please show the users")).toBe("user");
});

test("links are selected by the letters without accents, because these are the same in each spelling", () => {
  expect(partToFind("Übersicht")).toBe("bersicht");
  expect(partToFind("U\u0308bersicht")).toBe("bersicht");
  expect(partToFind("les paramètres")).toBe("param");
  expect(partToFind("설정")).toBe("설정");
  expect(partToFind("?")).toBeUndefined();
});

test("a link is found whether its accents are written or not", () => {
  const menu = links("Paramètres du compte", "account", 4);
  for (const text of ["paramètres du compte", "Parametres du compte"])
    expect(screenByLinks(menu, text)?.screen_id).toBe("account");
});
