import { describe, expect, test } from "bun:test";
import {
  groupScreens,
  type ScreenInstance,
} from "../../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { features, framed, page, paths } from "./screen-group-test-pages.ts";

describe("pages are grouped into one screen", () => {
  test("if their addresses differ in a number, a date or an id", () => {
    expect(paths(page("/orders/17", "order"), page("/orders/18", "order", 8))).toEqual([
      "/orders/17 /orders/18",
    ]);
    expect(paths(page("/2031-05-17", "day"), page("/2031-05-18", "day"))).toEqual([
      "/2031-05-17 /2031-05-18",
    ]);
  });

  test("if they are pages of a list in any sort order", () => {
    const list = ["/users", "/users?page=2", "/users?sort=name&order=desc", "/users/page/3"];
    expect(paths(...list.map((path) => page(path, "users", 2)))).toHaveLength(1);
  });

  test("if many pages have the same template and their addresses only differ in a name under one folder", () => {
    const names = ["apple", "pear", "plum", "fig", "lemon", "cherry"];
    expect(paths(...names.map((name) => page(`/fruit/${name}`, "fruit", 6)))).toHaveLength(1);
  });

  test("if they are in one folder, and one page differs from the others only in its longer content", () => {
    const names = ["apple", "pear", "plum", "fig", "lemon", "cherry", "grape", "melon"];
    const fruits = names.map((name) => page(`/fruit/${name}`, "fruit", 2));
    expect(paths(...fruits, page("/fruit/banana", "fruit", 50))).toHaveLength(1);
    expect(paths(...fruits, page("/fruit/order", "form", 2))).toHaveLength(2);
  });

  test("if one page of a folder is far longer than the others, and adds many layout features to their common template", () => {
    const names = ["apple", "pear", "plum", "fig", "lemon", "cherry", "grape", "melon"];
    const fruits = names.map((name) => page(`/fruit/${name}`, "fruit", 2));
    // Pages outside of the folder `/fruit`, of other kinds. From these, the grouping learns which features
    // belong to the frame of the site, such as its header.
    const others = ["/help", "/a/b/c", "/d/e?f=g"].map((path) => page(path, path));
    const screens = paths(...fruits, page("/fruit/banana", "fruit", 150), ...others);
    expect(screens).toHaveLength(4);
    // Each page of `/fruit` is added with `?version=1` and with `?version=2`. The versions of a page belong to its
    // screen, so the number of screens stays the same.
    const versions = names.flatMap((name) =>
      [1, 2].map((version) => page(`/fruit/${name}?version=${version}`, "fruit", 2)),
    );
    expect(paths(...versions, ...fruits, page("/fruit/banana", "fruit", 150), ...others)).toHaveLength(4);
  });

  test("if one address names the newest item by a word, and the others by numbers", () => {
    const months = ["/lists/1/2031/4", "/lists/2/2031/5", "/lists/1/latest"];
    expect(paths(...months.map((path) => page(path, "month", 2)))).toHaveLength(1);
    const others = ["/lists/1/2031/4", "/lists/2/2031/5", "/lists/1/edit"];
    expect(paths(...others.map((path) => page(path, "month", 2)))).toHaveLength(2);
  });

  test("if they have one path and one title, although their parameters name different items", () => {
    const titled = (path: string, title: string) => ({ ...page(path, path, 0), name: title });
    const share = (path: string, title: string) => ({ ...page(path, "list", 20), name: title });
    const timelines = ["/log?by=day&from=ida", "/log?by=week&from=jo", "/log?by=year&from=kim"];
    const others = ["/a", "/b/c", "/d", "/e/f/g"].map((path) => titled(path, path));
    expect(paths(...timelines.map((path) => share(path, "Timeline")), ...others)).toHaveLength(5);
    expect(
      paths(...timelines.map((path, at) => share(path, `Log ${"xyz"[at]}`)), ...others).length,
    ).toBeGreaterThan(5);
  });

  test("if their addresses end in names with a number, and half of their structure is equal", () => {
    const boards = ["/boards/news-1", "/boards/help-2", "/boards/music-3"];
    expect(paths(...boards.map((path) => page(path, "board", 12)))).toHaveLength(1);
    const sections = ["/boards/news", "/boards/help", "/boards/music"];
    expect(paths(...sections.map((path) => page(path, "board", 12)))).toHaveLength(3);
  });

  test("if their addresses differ only in an empty operation parameter (&do=)", () => {
    expect(paths(page("/doc?id=start", "doc", 9), page("/doc?id=start&do=", "doc", 9))).toHaveLength(1);
  });

  test("if they are texts of different lengths in several folders of a manual", () => {
    const texts = (folder: string, names: readonly string[], own: number) =>
      names.map((name) => page(`/${folder}/${name}`, "text", own));
    const folders = ["reference", "library", "howto", "faq", "tutorial", "using"];
    const short = folders.flatMap((folder) =>
      texts(folder, ["apple", "pear", "plum", "fig", "lemon", "cherry"], 2),
    );
    const long = texts("reference", ["grape", "melon", "kiwi", "peach", "mango"], 25);
    expect(paths(...short, ...long)).toHaveLength(1);
  });

  test("if they have the same template and addresses of different depths", () => {
    const docs = [
      "/docs/get-started-now",
      "/docs/how-to-install",
      "/docs/guides/write-a-page",
      "/docs/guides/build-a-site",
    ];
    expect(paths(...docs.map((path) => page(path, "doc", 5)))).toHaveLength(1);
  });

  test("if their client-side routes differ in a number", () => {
    expect(paths(page("/#/items/1", "item"), page("/#/items/2", "item"))).toEqual(["/#/items/1 /#/items/2"]);
  });

  test("if their addresses have different names after a number (/topic/1/red-stone, /topic/2/blue)", () => {
    expect(paths(page("/topic/1/red-stone", "topic"), page("/topic/2/blue", "topic"))).toHaveLength(1);
  });
});

describe("pages are grouped into different screens", () => {
  test("if their templates differ, even if their addresses are similar", () => {
    expect(paths(page("/orders/17", "order"), page("/orders/18", "invoice"))).toHaveLength(2);
  });

  test("if they are sections of an administration with one layout", () => {
    expect(paths(page("/admin/users", "list", 6), page("/admin/groups", "list", 6))).toHaveLength(2);
  });

  test("if they are different operations on one item (/orders/1/edit, /orders/1/history)", () => {
    const verbs = ["/orders/1/edit", "/orders/2/edit", "/orders/1/history", "/orders/2/history"];
    expect(paths(...verbs.map((path) => page(path, path.endsWith("edit") ? "edit" : "history")))).toEqual([
      "/orders/1/edit /orders/2/edit",
      "/orders/1/history /orders/2/history",
    ]);
  });

  test("if they belong to two collections of similar items", () => {
    const names = ["one", "two", "three"];
    const collections = names.flatMap((name) => [
      page(`/tags/${name}`, "list"),
      page(`/authors/${name}`, "list"),
    ]);
    expect(paths(...collections)).toHaveLength(2);
  });

  test("if the site's menu links to them, even with the same template", () => {
    expect(
      paths(page("/about-our-company", "page", 0, true), page("/contact-us-right-now", "page", 0, true)),
    ).toHaveLength(2);
  });

  test("if one page is a list and the other pages are the items of the list", () => {
    expect(
      paths(
        page("/blog", "list"),
        page("/blog/first-post-of-all", "post"),
        page("/blog/second-post-of-all", "post"),
      ),
    ).toEqual(["/blog", "/blog/first-post-of-all /blog/second-post-of-all"]);
  });

  test("if they are plain text without structure, unless only numbers in their addresses differ", () => {
    const plain = (path: string): ScreenInstance => ({ ...page(path, "x"), structure: sketchOf(["main>p"]) });
    expect(paths(plain("/help"), plain("/deep"))).toHaveLength(2);
    expect(paths(plain("/p/1"), plain("/p/2"))).toHaveLength(1);
  });

  test("if they have the same address on two hosts", () => {
    const there = { ...page("/orders/18", "order"), url: "https://b.example/orders/18" };
    expect(paths(page("/orders/17", "order"), there)).toHaveLength(2);
  });
});

test("grouping pages into screens does not depend on their order, and loses no page", () => {
  const instances = [
    ...Array.from({ length: 40 }, (_, at) => page(`/orders/${at}`, "order", at % 7)),
    ...["about", "help", "terms"].map((name) => page(`/${name}`, name)),
    { ...page("x", "y"), url: "no address" },
  ];
  const shuffled = [...instances].sort((a, b) => (a.structure < b.structure ? -1 : 1));
  expect(paths(...shuffled)).toEqual(paths(...instances));
  expect(groupScreens(instances).flatMap((group) => group.instances)).toHaveLength(instances.length);
});

test("two addresses are one screen if their pages have the same template and the same name", () => {
  const named = (path: string, name: string, template: string) => ({ ...page(path, template), name });
  expect(paths(named("/", "Topics", "list"), named("/topics/active", "Topics", "list"))).toHaveLength(1);
  expect(paths(named("/", "Topics", "list"), named("/topics/active", "Active", "list"))).toHaveLength(2);
  expect(paths(named("/", "Topics", "list"), named("/about/topics", "Topics", "text"))).toHaveLength(2);
});

describe("the weights of page features in the comparison of pages", () => {
  const others = [framed("/", features("home", 9)), framed("/a/b/c?x=y", features("help", 9))];

  test("do not make pages similar that only share the site's header and menu", () => {
    const [news, shop] = [features("news", 8), features("shop", 8)];
    const names = ["apple", "pear", "plum", "fig", "lemon", "cherry"];
    const pages = names.map((name, at) => framed(`/page/${name}`, at < 3 ? news : shop));
    expect(paths(...pages, ...others).filter((group) => group.includes("/page/"))).toEqual([
      "/page/apple /page/pear /page/plum",
      "/page/cherry /page/fig /page/lemon",
    ]);
  });

  test("are low for features that only some pages of a template have, so that these pages stay one screen", () => {
    const article = features("article", 12);
    const parts = features("part", 12);
    const articles = Array.from({ length: 24 }, (_, n) =>
      framed(`/wiki/article-${"abcdefghijklmnopqrstuvwx"[n]}`, article, parts.slice(n % 6, (n % 6) + 4)),
    );
    const rare = framed("/wiki/article-z", article, parts);
    expect(paths(...articles, rare, ...others).filter((group) => group.includes("/wiki/"))).toHaveLength(1);
  });
});

test("namespaces of a wiki are different screens only if the structure of their pages differs", () => {
  const names = ["Ada", "Bert", "Cora", "Dora"];
  const articles = names.map((name) => framed(`/wiki/${name}`, features("article", 12)));
  const spaces = ["town", "river"].flatMap((space) =>
    names.map((name) => framed(`/wiki/${space}:${name}`, features("article", 12))),
  );
  const categories = names.map((name) => framed(`/wiki/Category:${name}`, features("category", 12)));
  const others = [framed("/", features("home", 9)), framed("/a/b/c?x=y", features("help", 9))];
  const found = paths(...articles, ...spaces, ...categories, ...others).filter((group) =>
    group.includes("/wiki/"),
  );
  expect(found).toHaveLength(2);
  expect(found[0]?.split(" ")).toEqual(names.map((name) => `/wiki/Category:${name}`));
});

test("page 2 of a list and later pages belong to the screen of the list, in every usual notation of their addresses", () => {
  const list = [
    "/blog",
    "/blog/index.html",
    "/blog/index2.html",
    "/blog/page2",
    "/blog?page=3",
    "/blog/page/4",
  ];
  expect(paths(...list.map((path) => page(path, "blog", 2)))).toHaveLength(1);
});

test("a URL parameter named page separates screens if its value is a word, and not if it is a number", () => {
  const pages = ["users", "settings", "2", "3"].map((value) =>
    page(`/admin?page=${value}`, /\d/.test(value) ? "list" : value),
  );
  expect(paths(...pages)).toEqual([
    "/admin?page=2 /admin?page=3",
    "/admin?page=settings",
    "/admin?page=users",
  ]);
});

test("a list without entries is the same screen as lists with entries, if their addresses have the same pattern", () => {
  const names = ["news", "sport", "town", "weather"];
  const boards = names.map((name, at) =>
    framed(`/board/${at}/${name}`, features("board", 6), features("row", at * 4)),
  );
  const others = [framed("/", features("home", 9)), framed("/a/b/c?x=y", features("help", 9))];
  expect(paths(...boards, ...others).filter((group) => group.includes("/board/"))).toHaveLength(1);
});

test("an empty list (/category/1/feeds) that shows only a sentence belongs to the same screen as filled lists (/category/2/feeds)", () => {
  const list = (id: number) =>
    framed(`/category/${id}/feeds`, features("list", 3), id === 1 ? [] : features("row", 40));
  const others = [framed("/", features("home", 9)), framed("/a/b/c?x=y", features("help", 9))];
  const lists = [list(1), list(2), list(3), list(4)];
  expect(paths(...lists, ...others).filter((group) => group.includes("/category/"))).toHaveLength(1);
  // A page with other features than the lists is another screen.
  const form = framed("/category/5/feeds", features("form", 90));
  expect(paths(...lists, form, ...others).filter((group) => group.includes("/category/"))).toHaveLength(2);
});

test("two lists are one screen if their titles differ only in the last part (List of issues, List of issues - Open)", () => {
  const named = (path: string, name: string): ScreenInstance => ({ ...page(path, "issues", 1), name });
  const lists = [
    named("/demo/", "List of issues"),
    named("/demo/issue?status=open&dispname=Open", "List of issues - Open"),
    named("/demo/issue?status=done&dispname=Done", "List of issues - Done"),
  ];
  const others = ["/demo/a", "/demo/b", "/demo/c", "/demo/d"].map((path) => ({
    ...page(path, path),
    name: path,
  }));
  expect(paths(...lists, ...others)).toHaveLength(1 + others.length);
});

test("pages of a tree (/town/mill/past below /town/mill) are one screen if their parent pages have equal structure", () => {
  const names = ["bridge", "mill", "tower", "museum", "harbour", "garden"];
  const below = (folder: string) =>
    names.flatMap((name, at) => [
      page(`${folder}/${name}`, "page"),
      page(`${folder}/${name}/${names.at(at - 1)}`, "page"),
    ]);
  const pages = below("/town");
  expect(paths(...pages, page("/town/mill/past/owners/ida", "page"), page("/start", "page"))).toHaveLength(1);
  expect(paths(...pages, page("/search", "search"), page("/lists/ida", "page"))).toHaveLength(3);
  // Pages directly below the root of the site, such as `/mill`, which is the parent page of `/mill/past`.
  const menu = names.map((name) => page(`/${name}`, "page", 0, true));
  const inner = names.map((name) => page(`/${name}/past`, "page"));
  expect(paths(...menu, ...inner, page("/contact/legal", "page"), page("/contact", "form"))).toHaveLength(2);
});

test("a page that lacks some parts of a template is on the screen of that template if its address contains the number of an item (news-1)", () => {
  const board = (path: string, parts: readonly string[]): ScreenInstance => ({
    ...page(path, "x"),
    structure: sketchOf(parts.flatMap((part) => Array.from({ length: 20 }, (_, at) => `${part} ${at}`))),
  });
  const others = ["/members", "/search", "/login"].map((path) => page(path, path));
  const boards = ["news-1", "help-2", "music-3", "market-4"].map((name) =>
    board(`/boards/${name}`, ["boards", "topics", "actions"]),
  );
  const empty = board("/boards/town-5", ["boards"]);
  expect(paths(...others, ...boards, empty)).toHaveLength(others.length + 1);
  const other = board("/boards/report-6", ["boards", "chart"]);
  expect(paths(...others, ...boards, other)).toHaveLength(others.length + 2);
});

test("pages with few structural features are one screen if they have equal features and are in one folder", () => {
  const small = (path: string, ...features: readonly string[]): ScreenInstance => ({
    ...page(path, "x"),
    structure: sketchOf(features),
  });
  expect(paths(small("/blame/a", "header", "code"), small("/blame/b", "header", "code"))).toHaveLength(1);
  expect(paths(small("/blame/a", "header", "code"), small("/blame/b", "header", "text"))).toHaveLength(2);
  expect(paths(small("/a", "header", "code"), small("/b", "header", "code"))).toHaveLength(2);
  expect(paths(small("/orders/1", "header"), small("/orders/invoice", "header"))).toHaveLength(2);
});

test("pages of database queries are one screen, even if the results have different columns", () => {
  const query = (name: string, columns: readonly string[]): ScreenInstance => ({
    ...page(`/shop?sql=select+from+${name}`, "query"),
    structure: sketchOf(
      [...Array.from({ length: 20 }, (_, at) => `query ${at}`), ...columns.map((one) => `column ${one}`)],
      undefined,
      (feature) => feature.startsWith("column"),
    ),
  });
  const columns = (name: string) => Array.from({ length: 15 }, (_, at) => `${name} ${at}`);
  expect(paths(...["orders", "notes"].map((name) => query(name, columns(name))))).toHaveLength(1);
});

test("a page without any structure is never on the same screen as a page with some, even if the addresses differ only in the extension", () => {
  const id = "11c112ffc280526f2eb2b7532e7452aea0312ad4";
  const patch = (path: string): ScreenInstance => ({ ...page(path, "x"), structure: "" });
  expect(paths(page(`/commit/${id}`, "commit"), patch(`/commit/${id}.patch`))).toHaveLength(2);
});

test("pages without any structure are one screen if their addresses have a folder or an operation in common", () => {
  const bare = (path: string): ScreenInstance => ({ ...page(path, "x"), structure: "" });
  expect(paths(bare("/plain/doc"), bare("/plain/src"))).toHaveLength(1);
  expect(paths(bare("/?p=a;a=list"), bare("/?p=b;a=list"), bare("/?p=b;a=plain"))).toHaveLength(2);
  expect(paths(bare("/doc"), bare("/src"))).toHaveLength(2);
  const titled = (path: string) => ({ ...bare(path), name: "/doc/" });
  expect(paths(titled("/plain/doc"), titled("/plain/doc?h=next"), page("/", "list"))).toHaveLength(2);
});

test("pages that were not read are one screen only if their addresses differ in nothing but numbers", () => {
  const unread = (path: string): ScreenInstance => ({ ...page(path, "x"), structure: "", unread: true });
  expect(paths(unread("/plain/doc"), unread("/plain/src"))).toHaveLength(2);
  expect(paths(unread("/plain/doc"), { ...unread("/plain/src"), unread: false })).toHaveLength(2);
  expect(paths(unread("/group/app/-/boards"), unread("/group/app/-/issues"))).toHaveLength(2);
  expect(paths(unread("/admin/auth/group/"), unread("/admin/auth/user/"))).toHaveLength(2);
  expect(paths(unread("/orders/17"), unread("/orders/18"))).toHaveLength(1);
});

test("a page and its default view below its address are one screen if their titles and structures are equal", () => {
  const panels = ["info", "boards", "members", "versions", "issues", "categories", "queries"];
  const settings = ["town", "mill", "port"].flatMap((project) =>
    [["", "info"], ...panels.map((panel) => [`/${panel}`, panel])].map(([end = "", kind = ""]) => ({
      ...page(`/projects/${project}/settings${end}`, kind),
      name: `Settings - ${project}`,
    })),
  );
  const first = paths(...settings).find((one) => one.split(" ").includes("/projects/mill/settings"));
  expect(first?.split(" ")).toHaveLength(6);
  const [home, list] = [page("/start", "start"), page("/start/list", "start")];
  expect(paths({ ...home, name: "Home" }, { ...list, name: "List" })).toHaveLength(2);
});

test("a page in the site's menu is on the same screen as its filtered versions (/log?user=ida), but not as its items (/log?entry=17)", () => {
  const menu = page("/log", "log", 2, true);
  const item = page("/log?entry=17", "entry", 2);
  expect(paths(menu, page("/log?user=ida", "log", 2), item)).toEqual(["/log /log?user=ida", "/log?entry=17"]);
});

test("a thousand order pages are one screen", () => {
  const orders = Array.from({ length: 1_000 }, (_, n) => page(`/orders/${n + 1}`, "order", n % 9));
  const found = groupScreens([...orders, page("/orders", "list"), page("/", "home")]);
  expect(found.map(({ instances }) => instances.length).sort((a, b) => a - b)).toEqual([1, 1, 1_000]);
});

test("two tabs, a dialog and a step of a wizard at one address are four screens", () => {
  const states = ["details", "history", "delete-order", "step-2"].map((state) => ({
    ...page("/orders/7", "order"),
    screen_id: state,
    state,
  }));
  expect(paths(...states)).toEqual([...states.map(({ screen_id }) => screen_id)].sort());
});

test("routes of an application below one address (/admin/#/users) are different screens if their first words and structure differ", () => {
  const part = (path: string, kind: string): ScreenInstance => ({
    ...page(path, "admin"),
    structure: sketchOf([...features("site", 10), ...features("admin", 30), ...features(kind, 4)]),
  });
  const routes = (base: string) =>
    ["security/devices", "security/users", "apps", "store", "server/log"].map((route) =>
      part(`${base}${route}`, route.split("/")[0] ?? ""),
    );
  const screens = (base: string) => paths(...routes(base), page("/help/a/b", "help"), page("/", "home"));
  expect(screens("/admin/#/")).toContain("/admin/#/security/devices /admin/#/security/users");
  expect(screens("/admin/#/")).toHaveLength(6);
  expect(screens("/#/")).toHaveLength(6);
});

test("the start of an application (/admin/#/) is on the same screen as its address without a route", () => {
  expect(paths(page("/admin/", "admin"), page("/admin/#/", "admin"))).toHaveLength(1);
});

test("addresses with percent-encoded characters (/%40harbour/jobs) are grouped like plain addresses (/@harbour/jobs)", () => {
  const screens = (project: string) =>
    ["jobs", "assets", "schedules"].map((name) => page(`/${project}/${name}`, "list", 1));
  expect(paths(...screens("%40harbour"))).toHaveLength(paths(...screens("@harbour")).length);
  expect(paths(page("/%40harbour", "start"), page("/@harbour", "start", 20))).toHaveLength(1);
});

const restOfSite = [page("/", "home"), page("/help/a/b", "help"), page("/x/y/z/w", "text")];

// The example folders are from WordPress and Mezzanine.
test.each(["/author/", "/blog/category/"])(
  "an archive in %s that lists no posts is on the screen of the archives with posts",
  (folder) => {
    const archive = (name: string, own: readonly string[]): ScreenInstance => ({
      ...page(folder + name, ""),
      structure: sketchOf([...features("archive", 30), ...own]),
    });
    const full = ["ada", "bob", "mia"].map((name) => archive(name, features("post", 12)));
    const empty = ["kai", "lena"].map((name) => archive(name, features("search field", 10)));
    expect(paths(...full, ...empty, ...restOfSite)).toHaveLength(1 + restOfSite.length);
  },
);

// In the account settings of pretix, the two pages in the folder `oauth` have nearly the same structure. The
// section `codes` of another folder must still not be added to their screen.
test("a section with its own structure stays a screen of its own, although two sections of another folder at the same depth are similar", () => {
  const section = (path: string, own: readonly string[]): ScreenInstance => ({
    ...page(path, ""),
    structure: sketchOf([...features("site", 10), ...features("settings", 30), ...own]),
  });
  const applications = ["apps", "authorized"].map((name) => section(`/control/settings/oauth/${name}`, []));
  const codes = section("/control/settings/2fa/codes", features("codes", 8));
  expect(paths(...applications, codes, ...restOfSite)).toContain("/control/settings/2fa/codes");
});

// Example parameters from Vuetify's tables (doccano), from Datasette, from Django's administration and from
// WordPress.
test.each(["sortBy=name&sortDesc=true", "_sort_desc=name", "q=&o=1", "s="])(
  "a list that is sorted, or searched for nothing, by ?%s is on the same screen as the list",
  (query) => {
    expect(paths(page("/list", "list"), page(`/list?${query}`, "list", 140), ...restOfSite)).toHaveLength(
      1 + restOfSite.length,
    );
  },
);

test("the pages of one list in several orders are one screen, even if one was read before it had loaded", () => {
  // Lists in doccano and Unleash have such addresses.
  const loaded = page("/projects?limit=10&offset=0&sortBy=name", "projects", 5);
  const loading = {
    ...page("/projects?limit=10&offset=0&sortBy=author", ""),
    structure: sketchOf(features("shell", 40)),
  };
  const screens = paths(loaded, loading, page("/orders", "orders", 5));
  expect(screens).toContain(
    "/projects?limit=10&offset=0&sortBy=author /projects?limit=10&offset=0&sortBy=name",
  );
});

test("the start page and an item with a number in a parameter (/?p=26) are two screens", () => {
  // WordPress uses the address `/?p=26` for a post that has no readable address.
  expect(paths(page("/", "home", 5), page("/?p=26", "post", 5))).toEqual(["/", "/?p=26"]);
});

// The first example addresses are from FreePBX. The next two lines are views of events in calendars of Drupal and
// WordPress.
test.each([
  ["/config.php?display=trunks", "/config.php?display=queues"],
  ["/events?view_mode=calendar", "/events?view_mode=map"],
  ["/events", "/events?display=calendar"],
  ["/account?o=profile", "/account?o=orders"],
  ["/track?order=17", "/track"],
])("pages with different structures stay two screens at %s and %s", (one, other) => {
  expect(paths(page(one, "one", 5), page(other, "other", 5))).toEqual([one, other].sort());
});
