/** Tests whether pages in one folder, whose addresses differ in one name, are one screen or several. */
import { describe, expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, framed, page, paths } from "./screen-group-test-pages.ts";

test("pages in one folder are one screen if all have the same layout, and a screen each if they have many different layouts", () => {
  const values = ["users", "themes", "import", "backup", "mail", "log", "jobs", "cache"];
  const others = [framed("/", features("home", 9)), framed("/a/b/c?x=y", features("help", 9))];
  // `kinds` is the number of different kinds among the eight pages. Two pages of the same kind have 79 % of their
  // features in common.
  const screensOf = (kinds: number) => {
    const pages = values.map((value, at) =>
      framed(`/tools/${value}`, features(`kind ${at % kinds}`, 14), features(value, 7)),
    );
    return paths(...pages, ...others).filter((group) => group.includes("/tools/")).length;
  };
  expect(screensOf(1)).toBe(1);
  expect(screensOf(4)).toBe(values.length);
});

describe("pages with tables that differ only in their columns", () => {
  const tables = ["customers", "invoices", "parts"];
  const paged = (path: string, kind: string, menu = false): ScreenInstance => {
    const table = path.split("/")[2] ?? "";
    const columns = features(`column ${table}`, 10);
    const { structure: _, ...rest } = page(path, kind, 0, menu);
    const structure = sketchOf([...features(kind, 12), ...columns], undefined, (feature) =>
      feature.startsWith("column"),
    );
    return { ...rest, structure };
  };
  const others = [page("/", "home"), page("/help/a/b", "help"), page("/d/e/f/g", "text")];
  const screens = (menu: boolean) => {
    const lists = tables.map((table) => paged(`/store/${table}`, "list", menu));
    const rows = tables.flatMap((table) => [1, 2].map((row) => paged(`/store/${table}/${row}`, "row")));
    return paths(...lists, ...rows, ...others).filter((group) => group.includes("/store/"));
  };

  test("are one screen, and the pages of the tables' rows are another screen", () => {
    expect(screens(false)).toHaveLength(2);
  });

  test("are different screens if the menu of the site leads to each of them", () => {
    expect(screens(true)).toHaveLength(6);
  });
});

test("lists in one folder (/orga/event/rooms) are different screens if their columns differ and the menu leads to each of them", () => {
  const names = ["rooms", "tracks", "tags", "types", "codes", "teams", "notes"];
  const list = (name: string, menu: boolean): ScreenInstance => ({
    ...page(`/orga/event/${name}`, "list", 0, menu),
    structure: sketchOf([...features("list", 30), ...features(`column ${name}`, 3)]),
  });
  const others = [page("/", "home"), page("/help/a/b", "help"), page("/d/e/f/g", "text")];
  const screens = (menu: boolean) =>
    paths(...names.map((name) => list(name, menu)), ...others).filter((group) => group.includes("/orga/"));
  expect(screens(true)).toHaveLength(names.length);
  expect(screens(false)).toHaveLength(1);
});

test("lists by tag, by author and by month in one folder are different screens, and so is the folder's own list", () => {
  const names = ["mill", "bridge", "river"];
  const lists = ["tag", "author"].flatMap((kind) =>
    names.map((name) => page(`/blog/${kind}/${name}`, "list")),
  );
  const months = [1, 2, 3].map((month) => page(`/blog/archive/2026/${month}`, "list"));
  expect(paths(...lists, ...months, page("/blog", "list"), page("/blog?page=2", "list"))).toHaveLength(4);
});

test("lists by year (/blog/2031.html) are another screen than lists by tag in a folder (/blog/tag/mill.html)", () => {
  const tags = ["mill", "bridge", "river"].map((name) => page(`/blog/tag/${name}.html`, "list"));
  const years = [2029, 2030, 2031].map((year) => page(`/blog/${year}.html`, "list"));
  expect(paths(...tags, ...years)).toEqual([
    "/blog/2029.html /blog/2030.html /blog/2031.html",
    "/blog/tag/bridge.html /blog/tag/mill.html /blog/tag/river.html",
  ]);
});

test("database tables in the menu are one screen if their pages have the same operations, although the menu also links to another page", () => {
  const tables = ["customers", "notes", "orders"];
  const pages = tables.flatMap((table) => [
    { ...page(`/${table}`, "table", 0, true), name: table },
    ...["content", "insert", "export"].map((word) => page(`/${table}/${word}`, word)),
  ]);
  const query = { ...page("/query", "query", 0, true), name: "Query" };
  expect(paths(...pages, query)).toEqual(expect.arrayContaining(["/customers /notes /orders", "/query"]));
});

describe("pages below one folder, at different depths, are different screens", () => {
  const admin = (path: string, kind: string, isInMenu = false): ScreenInstance => ({
    ...page(path, "admin", 0, isInMenu),
    structure: sketchOf([...features("site", 10), ...features("admin", 30), ...features(kind, 3)]),
  });
  const usage = [1, 2, 3, 4].map((number) => admin(`/admin/images/usage/${number}`, "usage"));
  const rest = [page("/", "home"), page("/help/a/b", "help"), page("/x/y/z/w", "text")];

  test("if different words follow the folder and the menu links to only one of the pages", () => {
    expect(paths(...usage, admin("/admin/collections", "list", true), ...rest)).toHaveLength(5);
  });

  test("if one address has a word where the other has a number", () => {
    const numbered = [1, 2, 3].map((number) => admin(`/admin/pages/${number}`, "page"));
    const named = ["news", "post", "start"].map((name) => admin(`/admin/pages/usage/main/${name}`, "usage"));
    expect(paths(...numbered, ...named, ...rest).filter((group) => group.includes("/pages/"))).toHaveLength(
      2,
    );
  });
});

test("a section in the menu stays a screen of its own beside other sections whose structure is equal", () => {
  const report = (name: string, kind: string): ScreenInstance => ({
    ...page(`/admin/reports/${name}`, "report", 0, true),
    structure: sketchOf([...features("site", 10), ...features("report", 30), ...features(kind, 5)]),
  });
  const screens = paths(
    report("locked", "empty"),
    report("workflow", "empty"),
    report("history", "table"),
    ...["/", "/help/a/b", "/d/e/f/g"].map((path) => page(path, path)),
  );
  expect(screens).toContain("/admin/reports/history");
});

// Examples of pages that a menu links to: the sections of Request Tracker, and the book lists of Calibre-Web, one
// for each order.
test("a page that the menu links to is not grouped with pages in several folders, although all have the same template", () => {
  const list = (path: string, own = 0, isInMenu = false): ScreenInstance => ({
    ...page(path, "list", own, isInMenu),
    structure: sketchOf([...features("site", 10), ...features("list", 30), ...features(path, own)]),
  });
  const names = ["Groups", "Users", "Queues"];
  const fields = ["Global", "Assets", "Articles"].flatMap((folder) =>
    names.map((name) => list(`/Admin/${folder}/fields/${name}.html`)),
  );
  const section = (isInMenu: boolean) =>
    paths(
      ...fields,
      list("/Admin/Global/fields/Theme.html", 60, isInMenu),
      ...["/", "/help/a/b", "/d/e/f/g"].map((path) => page(path, path)),
    );
  expect(section(true)).toContain("/Admin/Global/fields/Theme.html");
  expect(section(false)).not.toContain("/Admin/Global/fields/Theme.html");
});

test("two similar pages (hardware, network) are two screens if nearly all other pages of their folder differ", () => {
  const names = ["logs", "backup", "person", "tags", "zone", "users", "info", "updates", "repairs"];
  const sections = names.map((name) => page(`/config/${name}`, name, 20));
  const similar = ["hardware", "network"].map((name) =>
    framed(`/config/${name}`, features("card", 12), features(name, 7)),
  );
  const screens = paths(...sections, ...similar, page("/", "home"), page("/d/e/f/g", "text"));
  for (const name of ["hardware", "network"]) expect(screens).toContain(`/config/${name}`);
});
