import { describe, expect, test } from "bun:test";
import {
  isOnlyDate,
  isOnlySite,
  namesByLinks,
  screenName,
  sharedHeadings,
  siteParts,
  tidy,
  titlesOfFolders,
} from "../../../../machines/knowledge/screens/screen-name-from-title.ts";

const URL_HERE = "https://a.example/shop/red-shoes.html";
const named = (title: string, common: ReadonlySet<string>, headings: string[] = []) =>
  screenName({ url: URL_HERE, title, headings }, common);

describe("the name of a screen", () => {
  test("does not contain a random token of the address, which may be secret", () => {
    const nameAt = (path: string) =>
      screenName({ url: `https://a.example${path}`, title: "", headings: [] }, new Set());
    expect(nameAt("/feed/WyJmbGF0Il0.kLSkndAc9BpzP0FlVNNd6T0urQ0.xml")).toBe("Feed");
    expect(nameAt("/invitations/eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.Xk3vQ9pLm2Rt8sWz1YbC4dEf7GhJ6kNq")).toBe(
      "Invitations",
    );
    expect(nameAt("/reset/9f86d081884c7d659a2feaa0c55ad015")).toBe("Reset");
    expect(nameAt("/submissions/FWYC3D")).toBe("FWYC3D");
    expect(nameAt("/docs/Whats-new-in-3.11")).toBe("Whats new in 3");
  });

  test("is the title without the parts that all titles of the site share, at either end", () => {
    const suffixed = ["Orders | Acme", "Invoices | Acme", "A-Z list | Acme"];
    expect(suffixed.map((title) => named(title, siteParts(suffixed)))).toEqual([
      "Orders",
      "Invoices",
      "A-Z list",
    ]);
    const prefixed = ["Acme :: Orders", "Acme :: Invoices"];
    expect(prefixed.map((title) => named(title, siteParts(prefixed)))).toEqual(["Orders", "Invoices"]);
    const manual = [
      "3. Data model — Manual 3.1 documentation",
      "os — Files — Manual 3.1 documentation",
      "Manual 3.1 documentation",
    ];
    const common = siteParts(manual);
    expect(manual.slice(0, 2).map((title) => named(title, common))).toEqual(["3. Data model", "os — Files"]);
  });

  test("leaves out every shared part of the titles, not only the first", () => {
    const titles = ["Orders | Shop | Acme", "Help | Shop | Acme", "News | Shop | Acme"];
    expect(titles.map((title) => named(title, siteParts(titles)))).toEqual(["Orders", "Help", "News"]);
  });

  test("leaves out the site's name and the words after it that only one part of the site has", () => {
    const pages = ["News", "Walks", "Gear", "About us", "Contact"];
    const admin = ["Users", "Tags", "Categories", "General Settings", "Media"];
    for (const ofAdmin of [
      (name: string) => `${name} ‹ Quarry Walkers — WordPress`,
      (name: string) => `${name} - Quarry Walkers - Administration`,
    ]) {
      const common = siteParts([...pages.map((name) => `${name} – Quarry Walkers`), ...admin.map(ofAdmin)]);
      expect(admin.map((name) => named(ofAdmin(name), common))).toEqual(admin);
      expect(named("Gear – Quarry Walkers", common)).toBe("Gear");
    }
    const lone = [...pages.map((name) => `${name} – Acme`), "Status – Acme – Berlin", "Jobs – Acme – Graz"];
    expect(named("Status – Acme – Berlin", siteParts(lone))).toBe("Status – Acme – Berlin");
  });

  test("keeps a part of the title that only some pages of the site share", () => {
    const titles = ["Red - Shoes", "Blue - Shoes", "Round - Hats", "Tall - Hats", "About us"];
    expect(named("Red - Shoes", siteParts(titles))).toBe("Red - Shoes");
  });

  test("is the first specific heading if all pages have one title", () => {
    const common = siteParts(["Acme", "Acme"]);
    expect(named("Acme", common, ["Acme", "Orders ¶"])).toBe("Orders");
    expect(isOnlySite("Acme", common)).toBe(true);
  });

  test("is the name in the menu, a heading, the text of a link, or a word of the address if all titles are equal", () => {
    const common = siteParts(["Acme", "Acme"]);
    const headings = sharedHeadings([
      { headings: ["News", "Orders"] },
      { headings: ["News"] },
      { headings: ["News"] },
    ]);
    const page = { url: URL_HERE, title: "Acme", headings: ["News"] };
    const link = { text: "Our shoes", isInMenu: false };
    const inMenu = { ...link, isInMenu: true };
    const withHeading = { ...page, headings: ["News", "Red shoes and boots"] };
    expect(screenName(withHeading, common, { headings, link: inMenu })).toBe("Our shoes");
    expect(screenName(withHeading, common, { headings, link })).toBe("Red shoes and boots");
    expect(screenName(page, common, { headings, link })).toBe("Our shoes");
    expect(screenName({ ...page, url: "https://a.example/" }, common, { headings, link: inMenu })).toBe(
      "Acme",
    );
    expect(screenName(page, common, { headings })).toBe("Red shoes");
    const url = "https://a.example/orders/edit/8f3a-12";
    expect(screenName({ ...page, url }, common, { headings })).toBe("Edit");
    expect(screenName({ ...page, url: "https://a.example/" }, common, { headings })).toBe("Acme");
    expect(screenName({ ...page, headings: ["News", "Orders"] }, common, { headings })).toBe("Orders");
  });

  test("is the name in the menu for addresses in any script, client-side routes and parameters, but not for the start page", () => {
    const common = siteParts(["Acme", "Acme"]);
    const link = { text: "Заказы", isInMenu: true };
    const nameAt = (path: string, links = {}) =>
      screenName({ url: new URL(path, URL_HERE).href, title: "Acme", headings: [] }, common, links);
    const pages = ["/заказы", "/42", "/?page=orders", "/#/orders", "/", "/#/"];
    expect(pages.map((path) => nameAt(path, { link }))).toEqual([
      ...["Заказы", "Заказы", "Заказы", "Заказы", "Acme", "Acme"],
    ]);
    // Percent-encoded characters contain digits, but such a segment is no id.
    expect(nameAt("/shop/заказы/8f3a-12")).toBe("Заказы");
  });

  test("is the heading, the words of the address or the host if there is no title", () => {
    expect(named("", new Set(), ["Red shoes"])).toBe("Red shoes");
    expect(named(" \n ", new Set())).toBe("Red shoes");
    expect(screenName({ url: "https://a.example/", title: "", headings: [] }, new Set())).toBe("a.example");
    expect(screenName({ url: "https://a.example/%E6%B3%A8", title: "", headings: [] }, new Set())).toBe("注");
    expect(screenName({ url: "https://a.example/%ZZ", title: "", headings: [] }, new Set())).toBe("%ZZ");
  });

  test("is the complete title for a single page", () => {
    expect(named("Orders | Acme", siteParts(["Orders | Acme"]))).toBe("Orders | Acme");
  });

  test("has normalised white space and no permalink mark", () => {
    expect(tidy("  Data\n model¶ ")).toBe("Data model");
    expect(tidy("C#")).toBe("C#");
    expect(tidy("Install #")).toBe("Install");
  });
});

test("a heading counts as common to the site's pages if it is on more than half of them, and on at least three", () => {
  const pages = (...headings: string[][]) => headings.map((some) => ({ headings: some }));
  expect([...sharedHeadings(pages(["News", "A"], ["News", "A"], ["News"], ["B"]))]).toEqual(["News"]);
  expect([...sharedHeadings(pages(["News"], ["News"]))]).toEqual([]);
});

test("a page is named by the most frequent of the link texts that lead to this page only", () => {
  const to = (url: string, text: string) => ({ url, text });
  const menu = to("/a", "Orders");
  const names = namesByLinks([
    [menu, menu, to("/b", "Edit"), to("/c", "Edit"), to("/d", "12"), to("/e", "https://a.example/e")],
    [menu, to("/a", "All of them"), to("/g", "Help")],
    [menu, to("/f", "A long text that describes the page behind the link in a whole sentence.")],
  ]);
  expect(Object.fromEntries(names)).toEqual({
    "/a": { text: "Orders", isInMenu: true },
    "/g": { text: "Help", isInMenu: false },
  });
});

test("a counter at the end of a link's text (Orders 7) is left out of the name if the address ends in the other words (/orders)", () => {
  const link = (url: string, text: string) => ({ url: `https://a.example${url}`, text });
  const menu = (count: number) => [
    link("/shop/orders", `Orders ${count}`),
    link("/unread", `Unread (${count})`),
    link("/#/open-tasks?all=1", `Open tasks ${count}+`),
    link("/%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7%D1%8B", `Заказы ${count}`),
    link("/%D0%BA%D0%BD%D0%B8%D0%B3%D0%B0", "Глава 2"),
    link("/chapters/2", "Chapter 2"),
    link("/results-2030", "Results 2030"),
    link("/room?id=1", "Room 1"),
    link("/#/sprint?n=7", "Sprint (7)"),
    link("/issues?size=120", "Issues 12"),
  ];
  const names = namesByLinks([menu(1), menu(1), menu(7)]);
  expect([...names.values()].map(({ text }) => text)).toEqual([
    "Orders",
    "Unread",
    "Open tasks",
    "Заказы",
    "Глава 2",
    "Chapter 2",
    "Results 2030",
    "Room 1",
    "Sprint (7)",
    "Issues",
  ]);
});

describe("a title that several pages share", () => {
  const pages = (title: string, paths: readonly string[]) =>
    paths.map((path) => ({ url: `https://a.example${path}`, title }));
  const inFolders = ["/assets/a", "/assets/b", "/jobs/c", "/jobs/d", "/runs/e", "/runs/f"];

  test("is the name of none of them if at least six pages in at least three top folders have it", () => {
    expect([...titlesOfFolders(pages("Store", inFolders))]).toEqual(["Store"]);
  });

  test("is their name if they are in only two folders, or if the title has several parts", () => {
    expect([...titlesOfFolders(pages("Store", inFolders.slice(0, 4)))]).toEqual([]);
    const two = ["/assets/a", "/assets/b", "/assets/c", "/jobs/d", "/jobs/e", "/jobs/f"];
    expect([...titlesOfFolders(pages("Store", two))]).toEqual([]);
    expect([...titlesOfFolders(pages("Runs | All", inFolders))]).toEqual([]);
  });
});

test("pages with the same path below different tenants (/north/settings, /south/settings) are named by their shared title", () => {
  const tenants = ["north", "south", "east", "west", "upper", "lower"];
  const pages = tenants.map((name) => ({
    url: `https://a.example/${name}/settings`,
    title: "Einstellungen",
  }));
  const common = titlesOfFolders(pages);
  expect(named("Einstellungen", common, ["Einstellungen", "Sprache"])).toBe("Einstellungen");
});
test("no page is named after a heading that reports a failed request", () => {
  const headings = ["Failed to fetch", "Network Error", "Load failed", "Orders"];
  expect(named("Acme", new Set(["Acme"]), headings)).toBe("Orders");
});

test.each([
  "November 28, 2026",
  "Saturday, 28 November 2026",
  "28. November 2026",
  "November 2026",
  "2026-11-28",
  "28.11.2026 10:15 Uhr",
  "10:15 PM",
  "28 novembre 2026",
])("the heading %s is a date, which names no page", (date) => {
  expect(isOnlyDate(date)).toBe(true);
  const page = { url: "https://a.example/logbook", title: "Acme", headings: [date, "Entries"] };
  expect(screenName(page, new Set(["Acme"]))).toBe("Entries");
  const link = { text: "Logbook", isInMenu: false };
  expect(screenName({ ...page, headings: [date] }, new Set(["Acme"]), { link })).toBe("Logbook");
});

test.each([
  "March",
  "May",
  "Invoice 17",
  "Version 2026.1",
  "Release 3.11",
  "2026",
  "Plan of November 2026",
  "Chapter 2",
])("the heading %s is no date", (text) => {
  expect(isOnlyDate(text)).toBe(false);
});
