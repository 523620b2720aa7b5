/**
 * Tests that an endless part of a site is sampled, reported and left out of the crawl. A part that only looks
 * endless must be crawled completely.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { explorationLimits } from "../../../../machines/exploration/exploration-limits.ts";
import type { ExplorationStatus } from "../../../../machines/exploration/exploration-protocol.ts";
import { pad, traps } from "../../../sites/crawler-trap-cases.ts";
import { links, prose, siteWithTrap } from "../../../sites/crawler-trap-sites.ts";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { Explorer } from "./test-exploration-runner.ts";

const PATIENCE = 60_000;
setDefaultTimeout(PATIENCE);
const MOST = explorationLimits.pagesWithoutNovelty;

const explorer = await Explorer.start();
afterAll(() => explorer.stop());

const real = ["/", "/about", "/trap/start"];
function expectWhole({ progress }: ExplorationStatus): void {
  expect(progress.queued).toBe(0);
  expect(progress.failed).toBe(0);
}

describe("a crawler trap", () => {
  // The fast tier tests every third trap.
  test.each(traps.filter((_, at) => isFull || at % 5 === 0))(
    "in the form of $name is sampled, reported and left out of the crawl",
    async ({ start, page, kind, pattern, read = MOST, more = 0 }) => {
      const site = siteWithTrap(start, page);
      const { pages, status } = await explorer.explore(site);
      expect(pages.filter((path) => real.includes(path))).toEqual(real);
      expect(pages.length - real.length).toBeGreaterThanOrEqual(read);
      expect(pages.length - real.length).toBeLessThanOrEqual(read + more);
      expectWhole(status);
      const trap = status.traps.find((each) => pattern.test(each.pattern));
      expect(trap).toMatchObject({ kind });
      expect(trap?.left_out).toBeGreaterThan(0);
      expect(trap?.examples.length).toBeGreaterThan(0);
      await site.stop();
    },
  );
});

const count = (pages: readonly string[], pattern: RegExp) =>
  pages.filter((path) => pattern.test(path)).length;

describe("the crawl reads every page of a site that only looks like a trap:", () => {
  const whole = async (pages: Readonly<Record<string, string>>) => {
    const site = serveSite({ ...pages, "*": new Response("none", { status: 404 }) });
    const explored = await explorer.explore(site);
    await site.stop();
    expect(explored.pages).toEqual(Object.keys(pages).sort());
    expect(explored.status.traps).toEqual([]);
    expectWhole(explored.status);
  };
  const range = (length: number, path: (n: number) => string) => Array.from({ length }, (_, n) => path(n));
  const home = (...to: string[]) => html("Home", `<h1>Home</h1>${prose(1)}${links(...to)}`);

  test.if(isFull)("a manual of many pages, each with a link to the next page", async () => {
    const document = (n: number) => `/docs/topic-${n}`;
    const all = range(600, document);
    await whole({
      "/": home("/docs/", document(0)),
      "/docs/": html("Docs", `<h1>Docs</h1>${links(...all.filter((_, n) => n % 40 === 0))}`),
      ...Object.fromEntries(
        all.map((path, n) => [
          path,
          html(`Topic ${n}`, `<h1>Topic ${n}</h1>${prose(n + 10)}${links(...all.slice(n + 1, n + 2))}`),
        ]),
      ),
    });
  });

  test.if(isFull)("a shop whose products differ in little more than their number", async () => {
    const all = range(300, (n) => `/product/${1_000 + n}`);
    const listings = range(30, (n) => (n === 0 ? "/products" : `/products?page=${n + 1}`));
    await whole({
      "/": home("/products"),
      ...Object.fromEntries(
        listings.map((path, n) => [
          path,
          html(
            "Products",
            `<h1>Products</h1>${links(...all.slice(n * 10, n * 10 + 10), ...listings.slice(n + 1, n + 2))}`,
          ),
        ]),
      ),
      ...Object.fromEntries(
        all.map((path) => [path, html("Product", `<h1>Product ${path.slice(9)}</h1><p>Buy it now</p>`)]),
      ),
    });
  });

  test.if(isFull)("years of posts, with archives by month", async () => {
    const months = range(48, (n) => `/${2016 + Math.floor(n / 12)}/${pad(1 + (n % 12))}`);
    const posts = (at: string) => range(5, (n) => `${at}/a-post-${n}`);
    await whole({
      "/": home(...months),
      ...Object.fromEntries(
        months.map((at, n) => [at, html(at, `<h1>Archive</h1>${prose(n + 40, 9)}${links(...posts(at))}`)]),
      ),
      ...Object.fromEntries(
        months.flatMap((at, n) =>
          posts(at).map((path, m) => [path, html("Post", `<h1>Post</h1>${prose(n * 50 + m)}`)]),
        ),
      ),
    });
  });

  test.if(isFull)("documents with random ids, and articles by parameters", async () => {
    const ids = range(
      60,
      (n) => `/file/${(((n + 3) * 7_919_117_533) % 0xffffffffff).toString(16).padStart(10, "0")}7`,
    );
    const articles = range(80, (n) => `/index.php?id=${n}&section=${n % 4}`);
    await whole({
      "/": home(...ids, articles[0] ?? ""),
      ...Object.fromEntries(
        ids.map((path) => [path, html("File", "<h1>File</h1><p>Download this file.</p>")]),
      ),
      ...Object.fromEntries(
        articles.map((path, n) => [
          path,
          html("Article", `<h1>Article</h1>${prose(n + 99)}${links(...articles.slice(n + 1, n + 4))}`),
        ]),
      ),
    });
  });

  test.if(isFull)("a tree of pages with little text that differ only in a number", async () => {
    const page = (n: number) => `/p${n}`;
    await whole({
      "/": home(page(0)),
      ...Object.fromEntries(
        range(400, page).map((path, n) => [
          path,
          html(
            `Page ${n}`,
            `<h1>Page ${n}</h1>${links(...[2 * n + 1, 2 * n + 2].filter((m) => m < 400).map(page))}`,
          ),
        ]),
      ),
    });
  });

  test("a site whose links have their parameters in any order", async () => {
    const site = serveSite({
      "/": home("/a?x=1&y=2", "/a?y=2&x=1", "/b;jsessionid=AB12?PHPSESSID=77"),
      "/a": html("A", prose(3)),
      "/b": html("B", `${prose(4)}${links("/a?PHPSESSID=78&y=2&x=1", "/?sid=0a9b8c7d6e")}`),
    });
    const { pages } = await explorer.explore(site);
    expect(pages).toEqual(["/", "/a?x=1&y=2", "/b"]);
    await site.stop();
  });
});

test("a list of many pages is read up to its last entry, and the endless pages after it are left out because they have no new content", async () => {
  const items = (page: number) =>
    Array.from({ length: 6 }, (_, n) => `/item-of-${prose(page * 6 + n, 2).replace(/\W+/g, "-")}`);
  const site = siteWithTrap("/trap/list?page=1", (url) => {
    const page = Number(url.searchParams.get("page"));
    if (url.pathname.startsWith("/item"))
      return html("Item", `<h1>${url.pathname}</h1>${prose(url.pathname.length)}`);
    if (url.pathname !== "/trap/list") return undefined;
    const shown = page <= 20 ? links(...items(page)) : "<p>Nothing more</p>";
    return html("List", `<h1>List</h1>${shown}${links(`/trap/list?page=${page + 1}`)}`);
  });
  const { pages, status } = await explorer.explore(site);
  const listed = count(pages, /^\/trap\/list/);
  expect(listed).toBeGreaterThanOrEqual(20 + MOST - 1);
  expect(listed).toBeLessThanOrEqual(20 + MOST + 1);
  expect(count(pages, /^\/item/)).toBe(
    new Set(Array.from({ length: 20 }, (_, n) => items(n + 1)).flat()).size,
  );
  expect(status.traps).toMatchObject([{ kind: "sequence", left_out: 1 }]);
  await site.stop();
});

test('pages that report "not found" are skipped, whatever their status', async () => {
  const missing = html("Oops", "<h1>Page not found</h1><p>The page you asked for is not there.</p>");
  const site = serveSite({
    "/": html("Home", `<h1>Home</h1>${prose(1)}${links("/gone", "/also/gone", "/error-404", "/a")}`),
    "/error-404": html("What 404 not found means", `<h1>404 Not found</h1>${prose(7)}`),
    "/a": html("A", prose(2)),
    "*": missing,
  });
  const { pages, status } = await explorer.explore(site);
  expect(pages).toEqual(["/", "/a", "/error-404"]);
  expect(status.progress).toMatchObject({ completed: 3, queued: 0, failed: 0, skipped: 2 });
  expect(status.traps).toMatchObject([{ kind: "soft_404", left_out: 2 }]);
  // The order of the two example URLs may differ, because both were requested at the same time.
  expect(status.traps[0]?.examples.toSorted()).toEqual([site.url("/also/gone"), site.url("/gone")]);
  await site.stop();
});

// The example pages are from doccano (Nuxt) and from applications with Next.js.
test.each([
  html("404 Not Found", "<h1>Whoops, 404</h1><p>The page you were looking for does not exist</p>"),
  html("404: This page could not be found.", "<h1>404</h1><h2>This page could not be found.</h2>"),
])(
  "a short page with an error as its title (404 Not Found) is skipped, even if unknown addresses show another page",
  async (missing) => {
    const site = serveSite({
      "/": html("Home", `<h1>Home</h1>${prose(1)}${links("/gone", "/errors/404", "/a")}`),
      "/errors/404": html("404 Not Found", `<h1>404 Not Found</h1>${prose(7)}`),
      "/a": html("A", prose(2)),
      "/gone": missing,
      "*": html("Application", "<h1>Application</h1><p>It is being loaded.</p>"),
    });
    const { pages, status } = await explorer.explore(site);
    expect(pages).toEqual(["/", "/a", "/errors/404"]);
    expect(status.traps).toMatchObject([{ kind: "soft_404", left_out: 1 }]);
    await site.stop();
  },
);

test("a short page about the item with the number 404 is no not-found page", async () => {
  const site = serveSite({
    "/": html("Home", `<h1>Home</h1>${prose(1)}${links("/orders/403", "/orders/404")}`),
    "/orders/403": html("Order 403 - Shop", "<h1>Order 403</h1><p>Two blue cups, paid in March</p>"),
    "/orders/404": html("Order 404 - Shop", "<h1>Order 404</h1><p>Four red plates, paid in May</p>"),
    "*": html("Application", "<h1>Application</h1><p>It is being loaded.</p>"),
  });
  const { pages } = await explorer.explore(site);
  expect(pages).toEqual(["/", "/orders/403", "/orders/404"]);
  await site.stop();
});

test("a not-found page at the start address with a query (/?p=1) is recognised by comparison with an unknown URL of the site", async () => {
  const missing = html("Oops", "<h1>Page not found</h1><p>The page you asked for is not there.</p>");
  const site = serveSite({
    "/": html("Home", `<h1>Home</h1>${prose(1)}${links("/?p=1", "/?p=2")}`),
    "/?p=1": missing,
    "/?p=2": html("Two", prose(2)),
    "*": missing,
  });
  const { pages, status } = await explorer.explore(site);
  expect(status).toMatchObject({ status: "completed" });
  expect(pages).toEqual(["/", "/?p=2"]);
  expect(status.traps).toMatchObject([{ kind: "soft_404", left_out: 1 }]);
  await site.stop();
});

test("redirect loops are reported as errors", async () => {
  const to = (location: string) => new Response(null, { status: 302, headers: { location } });
  const site = serveSite({
    "/": html("Home", `<h1>Home</h1>${links("/round", "/a")}`),
    "/a": html("A", prose(2)),
    "/round": to("/and-round"),
    "/and-round": to("/round"),
  });
  const { pages, status } = await explorer.explore(site);
  expect(pages).toEqual(["/", "/a"]);
  expect(status.progress).toMatchObject({ completed: 2, failed: 1 });
  expect(status.traps).toMatchObject([{ kind: "redirect_loop", examples: [site.url("/round")] }]);
  await site.stop();
});

test.if(isFull)(
  "an exploration that is killed repeatedly stores the same pages as one that is not killed",
  async () => {
    const [calendar] = traps;
    if (!calendar) throw new Error("There is a calendar.");
    const site = siteWithTrap(calendar.start, (url) => calendar.page(url));
    const id = await explorer.begin(site, "/");
    for (let round = 0; round < 5; round++) {
      await Bun.sleep(60 + 30 * round);
      await explorer.restart();
    }
    const { pages, status } = await explorer.ended(id);
    expect(pages.length).toBe(real.length + MOST);
    expect(status.traps).toMatchObject([{ kind: "calendar", pages: MOST, left_out: 2 }]);
    await site.stop();
  },
);
