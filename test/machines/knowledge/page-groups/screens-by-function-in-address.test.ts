/** Tests that pages with different functions or operations in their addresses are different screens. */
import { expect, test } from "bun:test";
import type { ScreenInstance } from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, framed, page, paths } from "./screen-group-test-pages.ts";

test("pages that perform an operation on an item are not grouped with the items, even if they are very similar", () => {
  const form = [page("/orders/new", "form"), page("/orders/1/edit", "form"), page("/orders/2/edit", "form")];
  expect(paths(...form)).toEqual(["/orders/1/edit /orders/2/edit", "/orders/new"]);
  const kinds = [
    page("/orders/1/new", "form"),
    page("/orders/1/items/new", "form"),
    page("/orders/2/items/new", "form"),
    page("/boards/1/topics/4/posts/new", "form"),
  ];
  expect(paths(page("/boards/1/topics/new", "form"), ...kinds).length).toBe(4);
});

test("operations that are values of a parameter (/wiki?id=a&do=edit) are different screens, even if there are many values", () => {
  const does = ["edit", "history", "backlinks", "export", "register", "login", "index"];
  // Any two of these pages have 40 features in common: 10 of the site and 30 of the template. Each page also
  // has 16 features that no other page has. So two pages share 40 of 72 features (56 %).
  const pages = does.map((name) => page(`/wiki?id=a&do=${name}`, "wiki", 16));
  expect(paths(...pages)).toHaveLength(does.length);
  const ids = Array.from({ length: 12 }, (_, n) => page(`/wiki?id=page-${"abcdefghijkl"[n]}`, "wiki", 16));
  expect(paths(...ids)).toHaveLength(1);
});

test("an operation on an item (/town/wiki/harbour/edit) is another screen than the item (/town/wiki/harbour)", () => {
  const projects = ["town", "mill"];
  const names = ["home", "bridge", "tower", "museum", "harbour", "garden"];
  const functions = projects.flatMap((project) =>
    ["log", "news", "files", "wiki"].map((name) => page(`/${project}/${name}`, name)),
  );
  const operation = (path: string, own: string): ScreenInstance => ({
    ...page(path, "wiki"),
    structure: sketchOf([...features("site", 10), ...features("wiki", 30), ...features(own, 18)]),
  });
  const wiki = projects.flatMap((project) =>
    names.flatMap((name) => [
      page(`/${project}/wiki/${name}`, "wiki", 2),
      operation(`/${project}/wiki/${name}/edit`, "form"),
      operation(`/${project}/wiki/${name}/history`, "table"),
    ]),
  );
  const screens = paths(...functions, ...wiki).filter((group) => group.includes("/wiki/"));
  expect(screens.filter((group) => group.includes("/edit"))).toEqual([
    expect.not.stringContaining("/history"),
  ]);
  expect(screens).toHaveLength(3);
});

test("pages of files with different templates (text, code) are two screens, while the history pages of these files are one", () => {
  const half = (path: string, template: string): ScreenInstance => ({
    ...page(path, template),
    structure: sketchOf([
      ...Array.from({ length: 20 }, (_, at) => `file ${at}`),
      ...Array.from({ length: 8 }, (_, at) => `${template} ${at}`),
    ]),
  });
  const refs = ["main", "next", "trial"];
  const files = [
    ...refs.map((ref) => half(`/file/${ref}/README`, "text")),
    ...refs.map((ref) => half(`/file/${ref}/Makefile`, "code")),
  ];
  expect(paths(...files)).toHaveLength(2);
  const history = refs.flatMap((ref) =>
    ["README", "Makefile"].map((name) => page(`/history/${ref}/${name}`, "history")),
  );
  expect(paths(...files, ...history)).toHaveLength(2);
});

test("addresses with different functions after a mark (/+history, /_raw) are different screens, even if their pages are equal", () => {
  const views = ["+history", "+meta", "+links", "+tags", "_raw", "_info", "@@edit"];
  const pages = views.flatMap((view) => ["Home", "Mill"].map((name) => page(`/${view}/${name}`, "view")));
  const subpages = ["Home/Old", "Mill/New"].map((name) => page(`/+history/${name}`, "view"));
  const deep = page("/Home/Old/_raw", "view");
  expect(paths(...pages, ...subpages, deep)).toHaveLength(views.length);
});

test("pages are different screens if they differ in a parameter after a semicolon (/?p=town;a=log, /?p=town;a=tree)", () => {
  const views = ["log", "tree", "tags"].flatMap((view) =>
    ["town", "mill", "port"].map((project) => page(`/?p=${project};a=${view}`, view)),
  );
  expect(paths(...views)).toHaveLength(3);
});

test("an operation (/users?action=new) is another screen than the page without it, even under one title, while a view (/users?view=monthly) is not", () => {
  const users = (path: string): ScreenInstance => ({
    ...page(path, "users"),
    name: "Users",
    structure: sketchOf([
      ...Array.from({ length: 30 }, (_, at) => `users ${at}`),
      ...Array.from({ length: 5 }, (_, at) => `${path} ${at}`),
    ]),
  });
  const others = ["/a/b/c/d", "/e/f/g?h=i", "/j?k=l"].map((path) => page(path, path));
  expect(paths(users("/users"), users("/users?action=new"), ...others)).toHaveLength(2 + others.length);
  expect(paths(users("/users"), users("/users?view=monthly"), ...others)).toHaveLength(1 + others.length);
});

test("list pages with one function and title (/town/+tags, /mill/+tags) are one screen, and the pages of their items (/town/+tags/news) another", () => {
  const titled = (path: string, template: string, name: string) => ({ ...page(path, template), name });
  const lists = ["/town/+tags", "/mill/+tags", "/all/+tags"].map((path, at) =>
    titled(path, at === 0 ? "filled" : "tag", "Tags of all pages"),
  );
  const shared = lists.map((list, at) =>
    at === 0
      ? {
          ...list,
          structure: sketchOf([
            ...Array.from({ length: 30 }, (_, number) => `tag ${number}`),
            ...Array.from({ length: 15 }, (_, number) => `filled ${number}`),
          ]),
        }
      : list,
  );
  const tagged = ["news", "plans", "people"].map((name) =>
    titled(`/town/+tags/${name}`, "tag", `About ${name}`),
  );
  const others = ["/a", "/b/c", "/d/e/f"].map((path) => titled(path, path, path));
  expect(paths(...shared, ...tagged, ...others)).toHaveLength(2 + others.length);
});

test("the form for a new item (/tracks/new) is another screen than the item (/tracks/1), even with the same fields", () => {
  const items = [1, 2, 3].map((number) => page(`/event/tracks/${number}`, "track"));
  expect(paths(...items, page("/event/tracks/new", "track", 1))).toHaveLength(2);
});

test("the form for a new item (/tracks/new) is another screen than six items (/tracks/1 to /tracks/6), even if all have the same fields and title", () => {
  const titled = (path: string) => ({ ...page(path, "track", 1), name: "Track" });
  const items = Array.from({ length: 6 }, (_, number) => titled(`/event/tracks/${number + 1}`));
  expect(paths(...items, titled("/event/tracks/new"))).toHaveLength(2);
});

test("two pages of one event (/harbor27/speakers and /harbor27/featured) are two screens, but pages whose addresses differ in both parts (/harbor28/featured) or only in the name of a post are one", () => {
  expect(paths(page("/harbor27/speakers", "list", 8), page("/harbor27/featured", "list", 8))).toHaveLength(2);
  expect(paths(page("/harbor27/speakers", "list", 8), page("/harbor28/featured", "list", 8))).toHaveLength(1);
  const posts = ["an-old-stone-mill", "the-road-to-town"].map((slug) => page(`/2031/${slug}`, "post", 8));
  expect(paths(...posts)).toHaveLength(1);
});

test("numbered items (/talks/tags/1) and pages of other operations (/talks/A1/reviews) are not on the screen of an operation (/talks/A1/accept)", () => {
  const codes = ["AB1CD", "EF2GH", "IJ3KL", "MN4OP"];
  const similar = (path: string, kind: string): ScreenInstance => ({
    ...page(path, "talk"),
    structure: sketchOf([...features("site", 10), ...features("talk", 24), ...features(kind, 10)]),
  });
  const states = codes.map((code, at) =>
    page(`/orga/talks/${code}/${at < 2 ? "accept" : "reject"}`, "talk", 1),
  );
  const tags = [1, 2].map((number) => similar(`/orga/talks/tags/${number}`, "tag"));
  const reviews = codes.slice(0, 2).map((code) => similar(`/orga/talks/${code}/reviews`, "review"));
  expect(paths(...states, ...tags, ...reviews)).toHaveLength(3);
});

// Zope marks functions by a namespace: `++add++Document` in Plone.
test("forms whose addresses have different words after ++add++ (/news/++add++Event) are different screens, in any folder", () => {
  const kinds = ["Document", "Event", "News%20Item"];
  const folders = ["", "/news", "/news/2030"];
  const forms = kinds.flatMap((kind) =>
    folders.map((folder) => framed(`${folder}/++add++${kind}`, features("form", 12))),
  );
  const pages = ["/news/a", "/boats/b", "/boats/c/d"].map((path) => framed(path, features("page", 20)));
  const screens = paths(...forms, ...pages);
  for (const kind of kinds) {
    const own = folders.map((folder) => `${folder}/++add++${kind}`).sort();
    expect(screens).toContain(own.join(" "));
  }
});

// Settings of Moodle, WooCommerce and Camunda. Each section has a part of its own beside the menu that all share.
test("sections of settings that a parameter names (?section=diagnostics) are different screens", () => {
  const own = ["general", "telemetry", "diagnostics"];
  const sections = own.map((name) => page(`/system?section=${name}`, "settings", 6));
  expect(paths(...sections, page("/", "home"), page("/users", "users"), page("/help/a/b", "help"))).toEqual(
    expect.arrayContaining(own.map((name) => `/system?section=${name}`)),
  );
});

test("pages of one kind that a parameter numbers (?section=4) are one screen", () => {
  const boards = [1, 2, 3, 4].map((id) => page(`/forum?section=${id}`, "board", 6));
  expect(paths(...boards, page("/", "home"), page("/users", "users"))).toContain(
    [1, 2, 3, 4].map((id) => `/forum?section=${id}`).join(" "),
  );
});
