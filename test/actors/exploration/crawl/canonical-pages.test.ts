/**
 * Tests that duplicate pages are stored once. The stored pages of each crawl are compared with an exact list.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { links, prose } from "../../../sites/crawler-trap-sites.ts";
import { html } from "../../../sites/test-site-with-given-routes.ts";
import { Explorer, page } from "./test-exploration-runner.ts";

const explorer = await Explorer.start();
afterAll(() => explorer.stop());

const explore: Explorer["exploreRoutes"] = (...request) => explorer.exploreRoutes(...request);

describe("canonical addresses of pages", () => {
  const canonical = (path: string) => `<link rel="canonical" href="${path}">`;

  test("merge several addresses of a page into the canonical one", async () => {
    const article = (request: Request) => {
      const from = new URL(request.url).searchParams.get("from") ?? "nowhere";
      return html(
        "Article",
        `<h1>Article</h1>${prose(77)}<!-- ${from} -->${links("/behind")}`,
        canonical("/article"),
      );
    };
    const { pages, status, site } = await explore({
      "/": page("Home", ["/article?from=home", "/article?from=menu", "/other"], canonical("/index.html")),
      "/index.html": html("Home", "nobody links here", canonical("/")),
      "/other": page("Other", ["/article"]),
      "/article": article,
      "/behind": page("Behind"),
    });
    expect(pages).toEqual(["/", "/article", "/behind", "/index.html", "/other"]);
    expect(status.progress).toMatchObject({ completed: 5, skipped: 2, failed: 0 });
    expect(site.requests.filter((path) => path === "/article")).toHaveLength(1);
  });

  test("are ignored if every page names the home page, or if every page of a list names the first page", async () => {
    const list = (n: number) =>
      page(`List ${n}`, [`/item-${"abc"[n]}`, ...(n < 2 ? [`/list?page=${n + 2}`] : [])], canonical("/list"));
    const { pages } = await explore({
      "/": page("Home", ["/list", "/list?page=2", "/about"], canonical("/")),
      "/about": page("About", ["/team"], canonical("/")),
      "/team": page("Team", [], canonical("/")),
      "/list": list(0),
      "/list?page=2": list(1),
      "/list?page=3": list(2),
      "/item-a": page("A", [], canonical("/nowhere")),
      "/item-b": page("B", [], canonical("https://elsewhere.test/item-b")),
      "/item-c": page("C", [], `${canonical("/item-a")}${canonical("/item-b")}`),
    });
    expect(pages).toEqual([
      "/",
      "/about",
      "/item-a",
      "/item-b",
      "/item-c",
      "/list",
      "/list?page=2",
      "/list?page=3",
      "/team",
    ]);
  });

  test("keep exactly one of two pages that name each other", async () => {
    const twin = (other: string) => html("Twin", `<h1>Twin</h1>${prose(88)}`, canonical(other));
    const { pages, status } = await explore({
      "/": page("Home", ["/a", "/b"]),
      "/a": twin("/b"),
      "/b": twin("/a"),
    });
    expect(pages).toHaveLength(2);
    expect(status.progress).toMatchObject({ completed: 2, skipped: 1 });
  });

  test("are ignored if they cannot be fetched, so the page that names them is stored", async () => {
    const { pages, status } = await explore({
      "/": page("Home", ["/a?x=y"]),
      "/a?x=y": page("A", [], canonical("/a")),
    });
    expect(pages).toEqual(["/", "/a?x=y"]);
    expect(status.progress).toMatchObject({ completed: 2, failed: 1 });
  });
});

describe("a folder and its index file", () => {
  test("are one page if their texts are equal, whichever of the two is read first", async () => {
    const home = page("Home", [
      "/",
      "/index.html",
      "/first/",
      "/later/index.html",
      "/both/",
      "/both/index.html",
    ]);
    const [first, later, both] = [
      page("First", ["/first/index.html"]),
      page("Later", ["/later/"]),
      page("Both", ["/other/"]),
    ];
    const { pages, status, id } = await explore(
      {
        "/": home,
        "/index.html": home,
        "/first/": first,
        "/first/index.html": first,
        "/later/": later,
        "/later/index.html": later,
        "/both/": both,
        "/both/index.html": both,
        "/other/": page("Other", ["/other/index.html"]),
        "/other/index.html": page("Another"),
      },
      {},
      "/index.html",
    );
    expect(pages).toContainEqual(expect.stringMatching(/^\/both\/(index\.html)?$/));
    expect(pages.filter((path) => !path.startsWith("/both/"))).toEqual([
      "/first/",
      "/index.html",
      "/later/index.html",
      "/other/",
      "/other/index.html",
    ]);
    expect(status.progress).toMatchObject({ completed: 6, skipped: 4 });
    const { items } = await explorer.store.frontier.pages(id, { limit: 100 });
    expect(items).toHaveLength(6);
  });

  test("are two pages if their texts differ", async () => {
    const { pages } = await explore({
      "/": page("Home", ["/index.html"]),
      "/index.html": page("News of today"),
    });
    expect(pages).toEqual(["/", "/index.html"]);
  });
});

test("an address with an empty parameter (/tree?path=) and the address without it are one page if their texts are equal", async () => {
  const [tree, late] = [page("Tree"), page("Late", ["/late"])];
  const { pages, status } = await explore({
    "/": page("Home", [
      "/tree",
      "/tree?path=",
      "/late?path=",
      "/list?q=&page=2",
      "/list?page=2",
      "/form?new=",
    ]),
    "/late?path=": late,
    "/late": late,
    "/tree": tree,
    "/tree?path=": tree,
    "/list?page=2": page("List"),
    "/list?q=&page=2": page("Everything"),
    "/form?new=": page("Form"),
  });
  expect(pages).toEqual(["/", "/form?new=", "/late?path=", "/list?page=2", "/list?q=&page=2", "/tree"]);
  expect(status.held_back).toMatchObject([{ reason: "same_page", count: 2 }]);
});
