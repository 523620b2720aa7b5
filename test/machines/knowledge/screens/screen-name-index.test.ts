import { describe, expect, test } from "bun:test";
import {
  comparedWords,
  MIN_NAME_SCORE,
  NameIndex,
} from "../../../../machines/knowledge/screens/screen-name-index.ts";

function names(entries: Readonly<Record<string, string>>): NameIndex {
  const index = new NameIndex();
  for (const [id, name] of Object.entries(entries)) index.put(id, name, `https://a.example/${id}.html`);
  return index;
}

const shop = names({
  orders: "Orders",
  "order-history": "Order history",
  "invoice-settings": "Invoice settings",
  settings: "Settings",
  über: "Über uns",
  注文: "注文 一覧",
});
const best = (text: string) => shop.search(text, 3)[0];

describe("finding a screen by words", () => {
  test("prefers an exact name, ignoring case and accents", () => {
    expect(best("settings")).toEqual({ screen_id: "settings", score: 1 });
    expect(best("UBER UNS")).toEqual({ screen_id: "über", score: 1 });
    expect(best("注文 一覧")).toEqual({ screen_id: "注文", score: 1 });
  });

  test("ignores filler words and plurals", () => {
    expect(best("go to the invoice setting page")?.screen_id).toBe("invoice-settings");
    expect(best("go to the invoice setting page")?.score).toBeGreaterThan(MIN_NAME_SCORE);
  });

  test("ignores the words 'that are' or 'that were' between a thing and its participle (plugins that are installed)", () => {
    const plugins = names({ directory: "Plugin Directory", installed: "Installed Plugins" });
    expect(plugins.search("plugins that are installed", 1)).toMatchObject([{ screen_id: "installed" }]);
    expect(plugins.search("plugins that are installed", 1)[0]?.score).toBeGreaterThan(0.9);
    const cards = names({ cards: "Issued gift cards", products: "Gift card products" });
    expect(cards.search("the gift cards that were issued", 1)).toMatchObject([{ screen_id: "cards" }]);
  });

  test.each([
    "import members from a CSV file",
    "import members by drag and drop",
    "import members into Ghost",
  ])("ignores a means that no screen has: %s", (text) => {
    const screens = names({ import: "Import members", members: "Members", add: "Add a member" });
    expect(screens.search(text, 1)).toMatchObject([{ screen_id: "import" }]);
    expect(screens.search(text, 1)[0]?.score).toBeGreaterThan(0.75);
    expect(screens.search("members with a flag", 1)[0]?.score).toBeLessThan(0.9);
  });

  test("compares the words of a hash route", () => {
    const index = new NameIndex();
    index.put("tags", "Tags", "https://a.example/#/tags");
    index.put("new", "Editor", "https://a.example/#/tags/new");
    expect(index.search("new tag", 1)).toMatchObject([{ screen_id: "new" }]);
  });

  test.each([
    ["the email settings of the application", "email"],
    ["application settings of the email account", "application"],
    ["members in the team", "members"],
  ])("prefers the words before a preposition: %s", (text, wanted) => {
    const screens = names({
      application: "Application settings",
      email: "Settings for email",
      members: "List of members",
      team: "Team",
    });
    expect(screens.search(text, 1)).toMatchObject([{ screen_id: wanted }]);
  });

  test.each([
    ["categories", "Category"],
    ["batches", "Batch"],
    ["mail box", "Mail boxes"],
    ["cached pages", "Cached page"],
    ["caches", "Cache"],
    ["movies", "Movie"],
    ["addresses", "Address"],
    ["databases", "Database"],
  ])("finds by '%s' the screen '%s', which has the word in another number", (text, name) => {
    const found = names({ a: name, b: "Something else" }).search(text, 1)[0];
    expect(found?.screen_id).toBe("a");
    expect(found?.score).toBeGreaterThan(0.9);
  });

  test("prefers a screen with the words in its name to a screen with them in its address", () => {
    const index = new NameIndex();
    index.put("a", "Settings", "https://a.example/config/dashboard");
    index.put("b", "Dashboards – Settings", "https://a.example/config/lovelace");
    expect(index.search("the dashboards", 2).map(({ screen_id }) => screen_id)).toEqual(["b", "a"]);
    expect(index.search("the dashboards", 1)[0]?.screen_id).toBe("b");
  });

  test("ignores 'my' unless a screen has this word in its name", () => {
    const profiles = { a: "User profile", b: "Orders" };
    expect(names(profiles).search("my profile", 1)[0]?.score).toBeGreaterThan(0.9);
    expect(names({ ...profiles, c: "My orders" }).search("my orders", 1)[0]?.screen_id).toBe("c");
  });

  test("finds words in camel case by their parts, and compound words by the parts that screens have", () => {
    const site = names({
      a: "Create new TestPlan",
      b: "Search Test Cases",
      c: "GitHub connections",
      d: "Search runs",
    });
    const found = (text: string) => site.search(text, 1).filter(({ score }) => score >= MIN_NAME_SCORE)[0];
    expect(found("new test plan")?.screen_id).toBe("a");
    expect(found("new testplan")?.screen_id).toBe("a");
    expect(found("search testcases")?.screen_id).toBe("b");
    expect(found("github connection")?.screen_id).toBe("c");
    expect(found("iPhone")).toBeUndefined();
  });

  test("returns only a suggestion when no screen has the words", () => {
    const found = best("settings of the quantum flux capacitor");
    expect(found?.screen_id).toBe("settings");
    expect(found?.score).toBeLessThan(MIN_NAME_SCORE);
    expect(shop.search("no-such-thing-zzz", 3).filter((match) => match.score >= MIN_NAME_SCORE)).toEqual([]);
    expect(shop.search("", 3)).toEqual([]);
  });

  test("finds all screens that have the given name", () => {
    const index = names({ a: "Details", b: "Details", c: "Other" });
    expect(index.named("details")).toEqual(["a", "b"]);
    index.put("b", "Renamed", "https://a.example/b");
    expect(index.named("details")).toEqual(["a"]);
  });
});

test("a screen whose name is a property of every object in JavaScript is found", () => {
  expect(comparedWords("The constructor")).toEqual(new Set(["the", "constructor"]));
});
