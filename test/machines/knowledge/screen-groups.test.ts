import { describe, expect, test } from "bun:test";
import { groupScreens, type ScreenInstance } from "../../../machines/knowledge/screen-groups.ts";
import { sketchOf } from "../../../machines/knowledge/structure-sketch.ts";

/** A page of a template: 30 features of the template, 10 of the site, and its own. */
function page(path: string, template: string, own = 0, siteWide = false): ScreenInstance {
  const features = [
    ...Array.from({ length: 10 }, (_, at) => `site ${at}`),
    ...Array.from({ length: 30 }, (_, at) => `${template} ${at}`),
    ...Array.from({ length: own }, (_, at) => `${path} ${at}`),
  ];
  return {
    screen_id: path,
    url: `https://a.example${path}`,
    structure: sketchOf(features),
    site_wide: siteWide,
  };
}

const paths = (...instances: readonly ScreenInstance[]) =>
  groupScreens(instances)
    .map((group) => group.instances.map(({ screen_id }) => screen_id).join(" "))
    .sort();

describe("pages of one screen", () => {
  test("have addresses that differ in a number, a date or an id", () => {
    expect(paths(page("/orders/17", "order"), page("/orders/18", "order", 8))).toEqual([
      "/orders/17 /orders/18",
    ]);
    expect(paths(page("/2031-05-17", "day"), page("/2031-05-18", "day"))).toEqual([
      "/2031-05-17 /2031-05-18",
    ]);
  });

  test("are the pages of a list in every sort order", () => {
    const list = ["/users", "/users?page=2", "/users?sort=name&order=desc", "/users/page/3"];
    expect(paths(...list.map((path) => page(path, "users", 2)))).toHaveLength(1);
  });

  test("are many pages of one template under one folder, whatever their names", () => {
    const names = ["apple", "pear", "plum", "fig", "lemon", "cherry"];
    expect(paths(...names.map((name) => page(`/fruit/${name}`, "fruit", 6)))).toHaveLength(1);
  });

  test("are pages of one template at several depths", () => {
    const docs = [
      "/docs/get-started-now",
      "/docs/how-to-install",
      "/docs/guides/write-a-page",
      "/docs/guides/build-a-site",
    ];
    expect(paths(...docs.map((path) => page(path, "doc", 5)))).toHaveLength(1);
  });

  test("have a client route with a number", () => {
    expect(paths(page("/#/items/1", "item"), page("/#/items/2", "item"))).toEqual(["/#/items/1 /#/items/2"]);
  });

  test("have a different name after the number", () => {
    expect(paths(page("/topic/1/red-stone", "topic"), page("/topic/2/blue", "topic"))).toHaveLength(1);
  });
});

describe("pages of different screens", () => {
  test("have other templates, even at similar addresses", () => {
    expect(paths(page("/orders/17", "order"), page("/orders/18", "invoice"))).toHaveLength(2);
  });

  test("are sections of an administration with one layout", () => {
    expect(paths(page("/admin/users", "list", 6), page("/admin/groups", "list", 6))).toHaveLength(2);
  });

  test("are the verbs of one item", () => {
    const verbs = ["/orders/1/edit", "/orders/2/edit", "/orders/1/history", "/orders/2/history"];
    expect(paths(...verbs.map((path) => page(path, path.endsWith("edit") ? "edit" : "history")))).toEqual([
      "/orders/1/edit /orders/2/edit",
      "/orders/1/history /orders/2/history",
    ]);
  });

  test("are two collections of similar items", () => {
    const names = ["one", "two", "three"];
    const collections = names.flatMap((name) => [
      page(`/tags/${name}`, "list"),
      page(`/authors/${name}`, "list"),
    ]);
    expect(paths(...collections)).toHaveLength(2);
  });

  test("are entries of the menu although one template makes them", () => {
    expect(
      paths(page("/about-our-company", "page", 0, true), page("/contact-us-right-now", "page", 0, true)),
    ).toHaveLength(2);
  });

  test("are a list and its items", () => {
    expect(
      paths(
        page("/blog", "list"),
        page("/blog/first-post-of-all", "post"),
        page("/blog/second-post-of-all", "post"),
      ),
    ).toEqual(["/blog", "/blog/first-post-of-all /blog/second-post-of-all"]);
  });

  test("are plain pages without structure, unless only numbers differ", () => {
    const plain = (path: string): ScreenInstance => ({ ...page(path, "x"), structure: sketchOf(["main>p"]) });
    expect(paths(plain("/help"), plain("/deep"))).toHaveLength(2);
    expect(paths(plain("/p/1"), plain("/p/2"))).toHaveLength(1);
  });

  test("are pages of one address on two hosts", () => {
    const there = { ...page("/orders/18", "order"), url: "https://b.example/orders/18" };
    expect(paths(page("/orders/17", "order"), there)).toHaveLength(2);
  });
});

test("grouping does not depend on the order of pages, and loses none", () => {
  const instances = [
    ...Array.from({ length: 40 }, (_, at) => page(`/orders/${at}`, "order", at % 7)),
    ...["about", "help", "terms"].map((name) => page(`/${name}`, name)),
    { ...page("x", "y"), url: "no address" },
  ];
  const shuffled = [...instances].sort((a, b) => (a.structure < b.structure ? -1 : 1));
  expect(paths(...shuffled)).toEqual(paths(...instances));
  expect(groupScreens(instances).flatMap((group) => group.instances)).toHaveLength(instances.length);
});

test("pages that do something to an item are no pages of the list, however alike", () => {
  const form = [page("/orders/new", "form"), page("/orders/1/edit", "form"), page("/orders/2/edit", "form")];
  expect(paths(...form)).toEqual(["/orders/1/edit /orders/2/edit", "/orders/new"]);
});

test("a parameter that names what is done makes other screens, with many values, too", () => {
  const does = ["edit", "history", "backlinks", "export", "register", "login", "index"];
  // Of the features 40 are the site's and the template's, and 16 are its own: two pages share 56 %.
  const pages = does.map((name) => page(`/wiki?id=a&do=${name}`, "wiki", 16));
  expect(paths(...pages)).toHaveLength(does.length);
  const ids = Array.from({ length: 12 }, (_, n) => page(`/wiki?id=page-${"abcdefghijkl"[n]}`, "wiki", 16));
  expect(paths(...ids)).toHaveLength(1);
});

test("one page at two addresses is one screen by its name, and pages with one name are not", () => {
  const named = (path: string, name: string, template: string) => ({ ...page(path, template), name });
  expect(paths(named("/", "Topics", "list"), named("/topics/active", "Topics", "list"))).toHaveLength(1);
  expect(paths(named("/", "Topics", "list"), named("/topics/active", "Active", "list"))).toHaveLength(2);
  expect(paths(named("/", "Topics", "list"), named("/about/topics", "Topics", "text"))).toHaveLength(2);
});
