/** Tests which addresses belong to different screens although their pages are similar, and which do not. */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, page, paths } from "./screen-group-test-pages.ts";

/**
 * Returns a page of an administration. It has one structural feature of its own kind, and all pages share the others.
 */
const section = (path: string, kind: string, name?: string): ScreenInstance => ({
  ...page(path, "admin"),
  structure: sketchOf([...features("site", 10), ...features("admin", 30), `kind ${kind}`]),
  ...(name === undefined ? {} : { name }),
});
const rest = [page("/", "home"), page("/help/a/b", "help"), page("/x/y/z/w", "text")];
const numbers = [1, 2, 3];
const codes = ["AB3DEF", "GHIJKL", "M4NOPQ", "RSTUVW"];

// The example words are operations in pretalx, Wagtail and Redmine.
test.each([
  ["/talks/{item}/accept", "/talks/{item}/reject"],
  ["/admin/pages/{item}/delete", "/admin/pages/{item}/unpublish"],
])("the operations %s and %s on the same items are two screens, although they are similar", (a, b) => {
  const pages = codes.flatMap((code) => [a, b].map((path) => section(path.replace("{item}", code), path)));
  const screens = paths(...pages, ...rest);
  for (const path of [a, b]) expect(screens).toContain(codes.map((c) => path.replace("{item}", c)).join(" "));
});

test("two operations on one item are two screens, even if the pages of each operation are not similar", () => {
  const letters = [..."ABCDEFGHIJ"];
  const reviews = letters.map((letter) => page(`/talks/${letter}QUAY/reviews`, "review"));
  const states = letters.slice(0, 3).flatMap((letter) =>
    ["accept", "reject"].map((operation) => ({
      ...page(`/talks/${letter}QUAY/${operation}`, ""),
      structure: sketchOf([...features("site", 10), ...features(`talk ${letter}`, 30)]),
    })),
  );
  for (const screen of paths(...reviews, ...states, ...rest))
    expect(/accept/.test(screen) && /reject/.test(screen)).toBe(false);
});

test("manual pages of several versions (/docs/1.0/intro) are one screen, although the same words follow each version", () => {
  const pages = ["1.0", "1.1", "2.0"].flatMap((version) =>
    ["intro", "setup", "usage", "notes", "faq", "tour", "links"].map((name) =>
      page(`/docs/${version}/${name}`, "manual", 1),
    ),
  );
  const screens = paths(...pages, ...rest);
  expect(screens.map((screen) => screen.split(" ").length).sort((a, b) => b - a)[0]).toBe(pages.length);
});

// The example names are names of scripts in WordPress and HotelDruid.
test("scripts of one folder with names of functions (/admin/import.php) are different screens, although their pages are similar", () => {
  const names = ["tools", "import", "export", "export-personal-data", "clienti", "prenota"];
  const own = names.map((name) => section(`/admin/${name}.php`, name));
  const different = ["options", "themes", "users", "profile", "widgets", "plugins"].map((name) =>
    page(`/admin/${name}.php`, name, 30),
  );
  const screens = paths(...own, ...different, ...rest);
  for (const name of names) expect(screens).toContain(`/admin/${name}.php`);
});

test("scripts of one folder with names of articles (/news/old-mill.php) are one screen, if nearly all their pages are similar", () => {
  const names = [
    "old-mill",
    "new-bridge",
    "red-house",
    "big-storm",
    "lost-ship",
    "long-winter",
    "late-ferry",
  ];
  const articles = names.map((name) => page(`/news/${name}.php`, "article", 2));
  const screens = paths(...articles, ...rest);
  expect(screens.map((screen) => screen.split(" ").length).sort((a, b) => b - a)[0]).toBe(names.length);
});

// The first example addresses are from phpMyAdmin, the second from OpenCart.
test.each([
  ["/index.php?route=/server/engines&lang=en", "/index.php?route=/server/collations&lang=en"],
  ["/index.php?route=account/returns&lang=en", "/index.php?route=account/downloads&lang=en"],
])(
  "pages whose addresses have different routes in a parameter are two screens, even if the pages are similar: %s, %s",
  (a, b) => {
    const screens = paths(section(a, "same"), section(b, "same"), ...rest);
    expect(screens).toContain(a);
    expect(screens).toContain(b);
  },
);

// The first example addresses are from WordPress, the last from GLPI.
test.each([
  ["/admin/edit.php", "Posts", "/admin/edit.php?post_type=page", "Pages"],
  ["/admin/tags.php?taxonomy=category", "Categories", "/admin/tags.php?taxonomy=tag", "Tags"],
  ["/front/preview.php?itemtype=Computer", "Computers", "/front/preview.php?itemtype=Monitor", "Monitors"],
])("the pages %s (title %s) and %s (title %s) are two screens", (a, title, b, other) => {
  const screens = paths(section(a, "same", `${title} ‹ Harbour`), section(b, "same", other), ...rest);
  expect(screens).toContain(a);
  expect(screens).toContain(b);
});

test("a list with and without its default kind of items in a parameter (?post_type=post) is one screen, because the titles are equal", () => {
  const pages = ["/admin/edit.php", "/admin/edit.php?post_type=post"].map((path) =>
    section(path, "same", "Posts"),
  );
  expect(paths(...pages, ...rest)).toContain("/admin/edit.php /admin/edit.php?post_type=post");
});

// The first example addresses are from Wagtail, the next from Flask-Admin and from Rails.
test.each([
  ["/snippets/{kind}/", "/snippets/{kind}/add/", "/snippets/{kind}/edit/{n}/"],
  ["/admin/{kind}/", "/admin/{kind}/new/", "/admin/{kind}/edit/?id={n}"],
  ["/shop/{kind}", "/shop/{kind}/new", "/shop/{kind}/{n}"],
])(
  "the list %s, the form %s and the items %s of each kind are screens of their own, even if all pages are similar",
  (list, form, item) => {
    const forms = [list, form, item];
    const kinds = ["boat", "captain", "cargo", "crane", "harbour", "route", "ticket"];
    const at = (form: string, kind: string) =>
      numbers
        .slice(0, form.includes("{n}") ? numbers.length : 1)
        .map((number) => form.replace("{kind}", kind).replace("{n}", `${number}`));
    const pages = kinds.flatMap((kind) => forms.flatMap((form) => at(form, kind)));
    const screens = paths(...pages.map((path) => section(path, "same")), ...rest);
    for (const kind of kinds) for (const form of forms) expect(screens).toContain(at(form, kind).join(" "));
  },
);

// The first example addresses are from GitLab, the second from Redmine.
test.each([
  ["/{item}/issues/new", "/{item}/issues/1", ["town", "mill", "harbor", "quay", "bridge", "tower"]],
  ["/boards/{item}/topics/new", "/boards/{item}/topics/5", ["1", "2", "3", "4", "5", "6"]],
])("the pages %s of several projects are one screen, and so are the pages %s", (form, item, projects) => {
  const at = (path: string) => projects.map((project) => path.replace("{item}", project));
  const screens = paths(
    ...at(form).map((path) => section(path, "form")),
    ...at(item).map((path) => page(path, "item", 1)),
    ...rest,
  );
  for (const path of [form, item]) expect(screens).toContain(at(path).sort().join(" "));
});

// The id of a process in Camunda and Flowable has its key, its version and a UUID. In Notion, a title and a UUID name a page.
test.each([
  ["/processes/{key}:1:{uuid}/runtime", ""],
  ["/team/{key}-{uuid}", "without hyphens"],
])("pages whose address has a UUID after other words are items of one screen: %s %s", (address, hyphens) => {
  const keys = ["berth-permit", "dredging", "invoice-check"];
  const pages = keys.map((key, at) => {
    const uuid = `d79eb00a-eab4-11f1-88c7-02fc0000000${at}`;
    const path = address
      .replace("{key}", key)
      .replace("{uuid}", hyphens === "" ? uuid : uuid.replaceAll("-", ""));
    // Each item has a diagram or a text that no other item has. So two items have only half of their
    // structural features in common.
    return {
      ...page(path, "item"),
      structure: sketchOf([...features("site", 10), ...features("item", 30), ...features(key, 20)]),
    };
  });
  const screens = paths(...pages, ...rest);
  expect(screens.filter((screen) => keys.some((key) => screen.includes(key)))).toHaveLength(1);
});

test("lists, forms and items of types with a namespace (api::author.author of Strapi) are different screens", () => {
  const types = ["api::author.author", "api::category.category", "res.partner"];
  const ids = ["fnyw1bd9gqno4oeugqiaapw9", "ed01ooqmw0j3k4webrk859ub"];
  const list = (type: string) => section(`/types/${type}`, "list");
  const form = (type: string) => section(`/types/${type}/create`, "form");
  const items = (type: string) => ids.map((id) => section(`/types/${type}/${id}`, "item"));
  const screens = paths(...types.flatMap((type) => [list(type), form(type), ...items(type)]), ...rest);
  for (const type of types) {
    expect(screens).toContain(`/types/${type}`);
    expect(screens).toContain(`/types/${type}/create`);
    expect(screens).toContain(
      items(type)
        .map(({ screen_id }) => screen_id)
        .sort()
        .join(" "),
    );
  }
});

// The example words are from Home Assistant and Magento.
test.each([
  ["/config/{kind}/dashboard", { automation: "Automations – Settings", scene: "Scenes – Settings" }],
  ["/sales/{kind}", { order: "Orders / Sales", invoice: "Invoices / Sales" }],
])(
  "pages at %s with the plurals of two words as titles are two screens, although they are similar",
  (path, titles) => {
    const kinds = Object.entries(titles);
    const pages = kinds.map(([kind, title]) => section(path.replace("{kind}", kind), "list", title));
    const screens = paths(...pages, ...rest);
    for (const [kind] of kinds) expect(screens).toContain(path.replace("{kind}", kind));
  },
);

test("pages of items whose titles are the words of their addresses stay one screen", () => {
  const pages = ["news", "notes", "old-mills"].map((name) => section(`/tags/${name}`, "tag", name));
  expect(paths(...pages, ...rest)).toContain("/tags/news /tags/notes /tags/old-mills");
});

// The titles are from Flask-AppBuilder and from Sonata.
test.each([
  ["/{kind}/list/", (kind: string) => `List ${kind}`],
  ["/admin/app/{kind}/list", (kind: string) => `${kind} List`],
])("lists of different kinds at %s are different screens if their titles name the kinds", (path, title) => {
  const kinds = ["Dag Run", "Users", "Variable", "Connection", "Pool", "Sla Miss", "Job", "Log"];
  const lists = kinds.map((kind) => {
    const at = path.replace("{kind}", kind.toLowerCase().replace(" ", ""));
    return section(at, kind, title(kind));
  });
  const screens = paths(...lists, ...rest);
  for (const { screen_id } of lists) expect(screens).toContain(screen_id);
});

test("lists of items (/{item}/list) stay one screen if their titles do not name the items", () => {
  const names = ["harbour", "meadow", "orchard", "lighthouse", "bakery", "quarry", "ferry"];
  const lists = names.map((name) => section(`/${name}/list`, "same", "Entries"));
  expect(paths(...lists, ...rest).some((screen) => screen.split(" ").length === names.length)).toBe(true);
});
