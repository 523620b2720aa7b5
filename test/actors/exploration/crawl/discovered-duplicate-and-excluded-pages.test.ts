/**
 * Tests how pages are discovered by other means than links, how duplicates are recognised, and which pages
 * are excluded. Each rule has its own site with an exact list of expected pages.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { links, prose } from "../../../sites/crawler-trap-sites.ts";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { Explorer, page } from "./test-exploration-runner.ts";

const explorer = await Explorer.start();
afterAll(() => explorer.stop());

const explore: Explorer["exploreRoutes"] = (...request) => explorer.exploreRoutes(...request);

const xml = (body: string) => new Response(body, { headers: { "content-type": "application/xml" } });
const urlset = (...paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${path}</loc></url>`).join("")}</urlset>`;

describe("sitemaps and feeds of an explored site", () => {
  const site = {
    "/robots.txt": new Response("Sitemap: /maps/index.xml\nUser-agent: *\nDisallow: /private"),
    "/maps/index.xml": xml(
      "<sitemapindex><sitemap><loc>/maps/one.xml.gz</loc></sitemap><sitemap><loc>/maps/two.txt</loc></sitemap></sitemapindex>",
    ),
    "/maps/one.xml.gz": new Response(
      gzipSync(urlset("/linked", "/lonely", "/private/a", "http://other.test/x")),
    ),
    "/maps/two.txt": (request: Request) => new Response(`${new URL(request.url).origin}/by-text\n`),
    "/sitemap.xml": xml(urlset("/by-default", "/lonely")),
    "/feed.xml": xml("<rss><channel><item><link>/post</link></item></channel></rss>"),
    "/": page("Home", ["/linked"]),
    "/linked": page("Linked", [], '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'),
    "/lonely": page("Lonely", ["/behind"]),
    "/behind": page("Behind"),
    "/by-text": page("By text"),
    "/by-default": page("By default"),
    "/post": page("Post"),
    "/private/a": page("Private"),
  };

  test("add pages without links to them, and the links of these pages are followed", async () => {
    const { pages, status } = await explore(site);
    expect(pages).toEqual(["/", "/behind", "/by-default", "/by-text", "/linked", "/lonely", "/post"]);
    // The skipped page is in the sitemap, but robots.txt disallows it.
    expect(status.progress).toMatchObject({ completed: 7, failed: 0, skipped: 1 });
  });

  test.if(isFull)("give the depth 1 to the pages that they list", async () => {
    expect((await explore(site, { max_depth: 1 })).pages).toEqual([
      "/",
      "/by-default",
      "/by-text",
      "/linked",
      "/lonely",
      "/post",
    ]);
    expect((await explore(site, { max_depth: 0 })).pages).toEqual(["/"]);
  });

  test("are not fetched if the exploration excludes them, or if its links alone lead to max_pages pages", async () => {
    const without = await explore(site, { sitemaps: false });
    expect(without.pages).toEqual(["/", "/linked"]);
    expect(without.site.requests).not.toContain("/sitemap.xml");
    const full = await explore(site, { max_pages: 2 });
    expect(full.pages).toEqual(["/", "/linked"]);
    expect(full.site.requests).not.toContain("/sitemap.xml");
  });

  test("add at most the pages that max_pages still permits", async () => {
    const { pages, status } = await explore(site, { max_pages: 4 });
    expect(pages).toHaveLength(4);
    expect(pages).toContain("/linked");
    expect(status.progress).toMatchObject({ completed: 4, queued: 0 });
  });

  test.if(isFull)("create no links between pages", async () => {
    const { id } = await explore(site);
    const pairs = (await explorer.store.pages.linksOfJob(id, { limit: 100 })).items;
    expect(
      pairs.map(({ from_url, to_url }) => `${new URL(from_url).pathname} ${new URL(to_url).pathname}`).sort(),
    ).toEqual(["/ /linked", "/lonely /behind"]);
  });

  test("have no effect if they are unavailable", async () => {
    const { pages, status } = await explore({
      ...site,
      "/sitemap.xml": new Response("", { status: 500 }),
      "/maps/index.xml": html("x", "no map"),
      "/feed.xml": new Response("<"),
    });
    expect(pages).toEqual(["/", "/linked"]);
    expect(status.status).toBe("completed");
  });
});

describe("the relations (next, alternate, frames) that an explored page declares", () => {
  test("are followed to next pages of a series, other languages, targets of delayed refreshes and frames", async () => {
    const { pages, id, site } = await explore({
      "/": page("One", [], '<link rel="next" href="/2"><link rel="alternate" hreflang="de" href="/de">'),
      "/2": new Response(page("Two", [], '<meta http-equiv="refresh" content="10; url=/slow">'), {
        headers: { "content-type": "text/html", link: "</3>; rel=next" },
      }),
      "/3": `${page("Three")}<iframe src="/inside"></iframe><map><area href="/area"></map>`,
      "/de": page("Eins", [], '<meta http-equiv="refresh" content="0; url=/moved">'),
      "/moved": page("Moved"),
      "/slow": `<base href="/deep/er/">${page("Slow", ["../based"])}`,
      "/deep/based": page("Based"),
      "/inside": page("Inside"),
      "/area": page("Area"),
    });
    expect(pages).toEqual(["/", "/2", "/3", "/area", "/deep/based", "/inside", "/moved", "/slow"]);
    const { links: stored } = await explorer.store.pages.leadsOf(
      id.replace("job", "map"),
      `${site.origin}/3`,
    );
    expect(stored.map(({ url, framed }) => [url, framed])).toEqual([
      [`${site.origin}/area`, undefined],
      [`${site.origin}/inside`, true],
    ]);
  });

  test("are followed after all if a shorter path to the page brings them within the depth limit", async () => {
    // The crawl first finds `/a` at depth 3, so the link from `/a` to `/b` is too deep to follow. Later, the
    // crawl finds a link to `/a` on a page at depth 1. From then on, `/b` is within the depth limit.
    const slow = async () => {
      await Bun.sleep(300);
      return page("Slow", ["/a"]);
    };
    const { pages } = await explore(
      {
        "/": page("Home", ["/quick", "/slow"]),
        "/quick": page("Quick", ["/q2"]),
        "/q2": page("Q2", ["/a"]),
        "/slow": slow,
        "/a": page("A", [], '<link rel="next" href="/b">'),
        "/b": page("B"),
      },
      { max_depth: 3 },
    );
    expect(pages).toEqual(["/", "/a", "/b", "/q2", "/quick", "/slow"]);
  });

  test("exclude links marked nofollow, unless the exploration ignores nofollow", async () => {
    const routes = {
      "/": html("Home", `${prose(1)}<a rel="nofollow" href="/ad">ad</a>${links("/quiet", "/header")}`),
      "/quiet": page("Quiet", ["/hidden"], '<meta name="robots" content="noindex,nofollow">'),
      "/header": new Response(page("Header", ["/hidden-too"]), {
        headers: { "content-type": "text/html", "x-robots-tag": "nofollow" },
      }),
      "/ad": page("Ad"),
      "/hidden": page("Hidden"),
      "/hidden-too": page("Hidden too"),
    };
    const polite = await explore(routes);
    // A page that asks search engines not to index it is still part of the map.
    expect(polite.pages).toEqual(["/", "/header", "/quiet"]);
    expect(polite.status.progress.nofollow_links).toBe(3);
    const links_ = (await explorer.store.pages.linksOfJob(polite.id, { limit: 100 })).items;
    expect(links_.map(({ to_url }) => new URL(to_url).pathname).sort()).toEqual([
      "/ad",
      "/header",
      "/hidden",
      "/hidden-too",
      "/quiet",
    ]);
    const all = await explore(routes, { respect_robots: false });
    expect(all.pages).toEqual(["/", "/ad", "/header", "/hidden", "/hidden-too", "/quiet"]);
    expect(all.status.progress.nofollow_links).toBe(0);
  });
});

test("the status of an exploration reports the reasons for skipped URLs", async () => {
  const served = serveSite({
    "/robots.txt": new Response("User-agent: *\nCrawl-delay: 0.05\nDisallow: /private"),
    "/": html(
      "Home",
      `<p>x</p>${["/private/1", "/private/2", "/data.zip", "/old", "/a"].map((path) => `<a href="${path}">${path}</a>`).join("")}<a rel="nofollow" href="/ad">ad</a>`,
    ),
    "/a": html("A", "<p>a</p>"),
    "/data.zip": new Response("PK", { headers: { "content-type": "application/zip" } }),
    "/old": new Response(null, { status: 302, headers: { location: "/a" } }),
  });
  const { status, pages } = await explorer.explore(served);
  expect(pages).toEqual(["/", "/a"]);
  expect(status.held_back.map(({ reason, count, examples }) => ({ reason, count, examples }))).toEqual([
    { reason: "robots", count: 2, examples: [served.url("/private/1"), served.url("/private/2")] },
    { reason: "nofollow", count: 1, examples: [] },
    { reason: "crawl_delay", count: 0.05, examples: [] },
    { reason: "redirected", count: 1, examples: [served.url("/old")] },
    { reason: "not_html", count: 1, examples: [served.url("/data.zip")] },
  ]);
  expect(status.held_back[0]?.message).toBe(
    "robots.txt does not allow 2 addresses that were found. With respect_robots: false they are followed.",
  );
  await served.stop();
});

test.if(isFull)(
  "an exploration stays on the site to which its start page redirects, even after a kill",
  async () => {
    const away = serveSite(
      {
        "/": async () => {
          await Bun.sleep(50);
          return page("Here", ["/a", "/b"]);
        },
        "*": async (request) => {
          await Bun.sleep(200);
          return page(
            `Deeper ${request.url}`,
            new URL(request.url).pathname.length < 5 ? [`${request.url}x`] : [],
          );
        },
      },
      { hostname: "127.0.0.2" },
    );
    const start = serveSite({
      "/": new Response(null, { status: 302, headers: { location: `${away.origin}/` } }),
    });
    const id = await explorer.begin(start, "/", { sitemaps: false });
    while (away.requests.filter((path) => path !== "/robots.txt").length < 3) await Bun.sleep(5);
    await explorer.restart();
    const { pages } = await explorer.ended(id);
    expect(pages).toEqual(["/", "/a", "/ax", "/axx", "/axxx", "/b", "/bx", "/bxx", "/bxxx"]);
    await Promise.all([away.stop(), start.stop()]);
  },
  30_000,
);

describe("the scope of an exploration", () => {
  const routes = {
    "/docs/": page("Docs", ["/docs/a", "/docs/old/a", "/blog/", "/docs/a?print=1"]),
    "/docs/a": page("A", ["/docs/b", "/"]),
    "/docs/b": page("B"),
    "/docs/old/a": page("Old", ["/docs/old/b"]),
    "/docs/old/b": page("Older"),
    "/docs/a?print=1": page("A in print"),
    "/blog/": page("Blog", ["/docs/c"]),
    "/docs/c": page("C"),
    "/": page("Home", ["/docs/c"]),
    "/sitemap.xml": xml(urlset("/docs/d", "/blog/e")),
    "/docs/d": page("D"),
    "/blog/e": page("E"),
  };

  test("by path includes only the folder of the start page, even for sitemaps", async () => {
    expect((await explore(routes, { scope: "path" }, "/docs/")).pages).toEqual([
      "/docs/",
      "/docs/a",
      "/docs/a?print=1",
      "/docs/b",
      "/docs/d",
      "/docs/old/a",
      "/docs/old/b",
    ]);
  });

  test("by include and exclude patterns selects the pages to follow, except for the start page", async () => {
    const { pages, id } = await explore(
      routes,
      { include: ["/docs/*"], exclude: ["/docs/old/*", "*print=*"] },
      "/blog/",
    );
    expect(pages).toEqual(["/blog/", "/docs/c", "/docs/d"]);
    const from = await explore(
      routes,
      { include: ["/docs/*"], exclude: ["/docs/old/*", "*print=*"] },
      "/docs/",
    );
    expect(from.pages).toEqual(["/docs/", "/docs/a", "/docs/b", "/docs/d"]);
    // Links to pages that `include` or `exclude` leaves out are not followed, and are not external links
    // either.
    expect(from.status.progress.external_links).toBe(0);
    expect(id).not.toBe(from.id);
  });

  test("does not permit redirects to pages outside of it", async () => {
    const { pages, status } = await explore(
      {
        "/": page("Home", ["/go"]),
        "/go": new Response(null, { status: 302, headers: { location: "/no/b" } }),
        "/no/b": page("B"),
      },
      { exclude: ["/no/*"] },
    );
    expect(pages).toEqual(["/"]);
    expect(status.progress).toMatchObject({ skipped: 1 });
  });
});

test("links that switch the language of the session are not followed, and translations with their own addresses are", async () => {
  const switches = ["/lang/fr", "/lang/de", "/?lang=fr"];
  const site = {
    "/": page("Home", ["/bills", "/de/", ...switches]),
    "/bills": page("Bills", ["/", "/bills?lang=fr", "/bills/3?lang=fr", ...switches]),
    "/bills/3": page("Bill 3"),
    "/de/": page(
      "Start",
      ["/de/rechnungen", "/?lang=it"],
      '<link rel="alternate" hreflang="it" href="/?lang=it">',
    ),
    "/de/rechnungen": page("Rechnungen"),
    "/?lang=it": page("Inizio"),
  };
  const { pages } = await explore({ ...site, "*": page("Another language") });
  expect(pages).toEqual(["/", "/?lang=it", "/bills", "/bills/3?lang=fr", "/de/", "/de/rechnungen"]);
});
