/** Tests crawls with and without rendering in a real Chromium, and the pages that they store. */
import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { explorationLimits } from "../../../../machines/exploration/exploration-limits.ts";
import type { Rendering } from "../../../../machines/exploration/exploration-request.ts";
import type { DonePage } from "../../../../store/index.ts";
import { browser } from "../../../sites/lazy-test-browser.ts";
import {
  html,
  type Route,
  type ScriptedSite,
  serveSite,
} from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { Explorer } from "./test-exploration-runner.ts";

const PATIENCE = 60_000;
setDefaultTimeout(PATIENCE);
const sites: ScriptedSite[] = [];

const explorer = await Explorer.start();

afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

afterAll(async () => {
  await explorer.stop();
  await browser.close();
});

function serve(routes: Readonly<Record<string, Route>>): ScriptedSite {
  const site = serveSite(routes);
  sites.push(site);
  return site;
}

/** Crawls a site and returns the stored pages by path, or by the key that `nameOf` returns. */
async function crawl(
  site: ScriptedSite,
  render: Rendering,
  nameOf: (url: string) => string = (url) => new URL(url).pathname,
): Promise<ReadonlyMap<string, DonePage>> {
  const { id } = await explorer.explore(site, "/", { render, sitemaps: false });
  const { items } = await explorer.store.frontier.pages(id, { limit: 1_000 });
  return new Map(items.map((page) => [nameOf(page.url), page]));
}

const script = (code: string) => `<script>${code}</script>`;
const prose = (topic: string) => `<p>${`A paragraph that says something about ${topic}. `.repeat(60)}</p>`;
/** The HTML that a single-page application returns for every URL. Its script renders the view for the URL. */
const shell = html(
  "App",
  `<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>${script(`
    const views = { "/": ["orders", "invoices"], "/orders": ["orders/1", "orders/2"] };
    fetch("/api" + location.pathname).then((answer) => answer.json()).then(({ title }) => {
      document.title = title;
      root.innerHTML = "<h1>" + title + "</h1>" + (views[location.pathname] ?? [])
        .map((to) => '<a href="/' + to + '">' + to + "</a>").join(" ");
    })`)}`,
);
const application: Readonly<Record<string, Route>> = {
  "/": shell,
  "/orders": shell,
  "/invoices": shell,
  "/orders/1": shell,
  "/orders/2": shell,
  ...Object.fromEntries(
    ["/", "/orders", "/invoices", "/orders/1", "/orders/2"].map((path) => [
      `/api${path}`,
      () => Response.json({ title: `View ${path}` }),
    ]),
  ),
};

describe("the exploration of a single-page application", () => {
  test("stores every page if pages are rendered, and each page records how it was read and why", async () => {
    const pages = await crawl(serve(application), "auto");
    expect([...pages.keys()].sort()).toEqual(["/", "/invoices", "/orders", "/orders/1", "/orders/2"]);
    expect(pages.get("/orders/2")).toMatchObject({ title: "View /orders/2", rendered_by: "browser" });
    expect(pages.get("/")?.render_reason).toContain("an empty element waits for an application");
  });

  test("finds only the application's first HTML document if it reads over HTTP", async () => {
    const pages = await crawl(serve(application), "http");
    expect([...pages.keys()]).toEqual(["/"]);
    expect(pages.get("/")).toMatchObject({ rendered_by: "http", render_reason: "asked for" });
  });
});

test.if(isFull)(
  "pages of an application that gives all its pages one title get their headings as titles",
  async () => {
    const untitled = html(
      "Shop",
      `<div id="root"></div>${script(`
        const links = ["a", "b"].map((to) => '<a href="/' + to + '">' + to + "</a>").join(" ");
        root.innerHTML = (location.pathname === "/" ? "" : "<h1>Article " + location.pathname.slice(1) + "</h1>") + links;`)}`,
    );
    const pages = await crawl(serve({ "/": untitled, "/a": untitled, "/b": untitled }), "auto");
    expect(new Map(Array.from(pages, ([path, { title }]) => [path, title]))).toEqual(
      new Map([
        ["/", "Shop"],
        ["/a", "Article a"],
        ["/b", "Article b"],
      ]),
    );
  },
);

test.if(isFull)(
  "pages of a single-page application without distinct titles and headings get titles from their URL fragments (orders/1)",
  async () => {
    const silent = html(
      "Shop",
      `<nav></nav><div id="app"></div>${script(`
        const show = () => {
          app.innerHTML = ["1", "2"].map((n) => '<a href="#/orders/' + n + '">' + n + "</a>").join(" ") + location.hash;
        };
        addEventListener("hashchange", show);
        show()`)}`,
    );
    const pages = await crawl(serve({ "/": silent }), "auto", (url) => url);
    expect(Array.from(pages.values(), ({ title }) => title).sort()).toEqual([
      "Shop",
      "Shop – orders/1",
      "Shop – orders/2",
    ]);
  },
);

test.if(isFull)(
  "pages of an application with one title and one heading get titles from its navigation and their selected tabs",
  async () => {
    const settings = html(
      "Console",
      `<nav><a id="entry" href="#/shipyard/realm-settings/general">Realm settings</a></nav><div id="app"></div>${script(`
        const show = () => {
          const tab = location.hash.split("/")[3];
          if (tab) entry.setAttribute("aria-current", "page");
          app.innerHTML = !tab ? "Welcome" : "<h1>shipyard</h1>" + ["General", "Email", "Login"].map((name) =>
            '<a role="tab" aria-selected="' + (name.toLowerCase() === tab) + '" href="#/shipyard/realm-settings/' +
            name.toLowerCase() + '">' + name + "</a>").join(" ");
        };
        addEventListener("hashchange", show);
        show()`)}`,
    );
    const pages = await crawl(serve({ "/": settings }), "auto", (url) => url);
    expect(Array.from(pages.values(), ({ title }) => title).sort()).toEqual([
      "Console",
      "Realm settings – Email",
      "Realm settings – General",
      "Realm settings – Login",
    ]);
  },
);

test.if(isFull)(
  "pages of an application with one title whose headings are all those of cards are named by their addresses",
  async () => {
    const areas = html(
      "Console",
      `<nav><a href="/areas">Areas</a> <a href="/tags">Tags</a></nav><div id="app"></div>${script(`
        app.innerHTML = location.pathname === "/" ? "Welcome"
          : '<a href="/areas/attic"><h2>Attic</h2></a> <a href="/areas/hall"><h2>Hall</h2></a>';`)}`,
    );
    const attic = html("Console", "<h1>Attic</h1>");
    const hall = html("Console", "<h1>Hall</h1>");
    const site = serve({
      "/": areas,
      "/areas": areas,
      "/tags": areas,
      "/areas/attic": attic,
      "/areas/hall": hall,
    });
    const pages = await crawl(site, "auto");
    expect([pages.get("/areas")?.title, pages.get("/tags")?.title]).toEqual([
      "Areas – Console",
      "Tags – Console",
    ]);
  },
);

describe("the exploration of an application with hash routes", () => {
  const routed = html(
    "Handbook",
    `<div id="app"></div>${script(`
      const show = () => {
        const [page] = location.hash.slice(2).split("?id=");
        document.title = "Page " + page;
        app.innerHTML = "<nav>" + ["one", "two"].map((to) => '<a href="#/' + to + '">' + to + "</a>").join(" ") +
          '</nav><h1>' + page + '</h1><p>What page ' + page + ' tells. <a href="#/' + page + '?id=more">More</a>' +
          (page === "one" ? ' <a href="#/two?id=more">More of two</a> <a href="#/deep/three">three</a>' : "") +
          '</p><h2 id="more">More</h2>';
      };
      addEventListener("hashchange", show);
      if (location.hash === "") location.hash = "#/"; else show();`)}`,
  );

  test.if(isFull)("reads each route as a page, and an anchor on a page as no separate page", async () => {
    const site = serve({ "/": routed });
    const pages = await crawl(site, "auto", (url) => url.slice(site.url("").length));
    expect([...pages.keys()].sort()).toEqual(["/", "/#/deep/three", "/#/one", "/#/two"]);
    expect(pages.get("/#/deep/three")).toMatchObject({
      title: "Page deep/three",
      rendered_by: "browser",
      render_reason: "its address is a route of an application",
    });
  });

  test("stores a route only if its text or its controls differ from those of its document", async () => {
    // The script of the embedded window (`#/portal/signin` of Ghost, `#/cart` of Snipcart) is not loaded.
    const menu = `<a href="#/portal/signin">Sign in</a> <a href="#/portal/signup">Sign up</a> <a href="/about">About</a>`;
    const settings = script(`const show = () => {
        const isForm = location.hash === "#/portal/name";
        document.querySelector("main").innerHTML = "<h1>About</h1>" + (isForm ? '<input placeholder="Your name">' : "");
      };
      addEventListener("hashchange", show); show();`);
    const site = serve({
      "/": html("Home", `<h1>Home</h1>${prose("home")}${menu}`),
      "/about": html("About", `<main></main>${menu} <a href="#/portal/name">Name</a>${settings}`),
    });
    const pages = await crawl(site, "browser", (url) => url.slice(site.url("").length));
    expect([...pages.keys()].sort()).toEqual(["/", "/about", "/about#/portal/name"]);
  });

  test("reads only the first document over HTTP, whatever hash routes its links lead to", async () => {
    const site = serve({
      "/": html("Tabs", `<h1>Tabs</h1><a href="#/one">one</a><a href="#/two">two</a>`),
    });
    const pages = await crawl(site, "auto", (url) => url.slice(site.url("").length));
    expect([...pages.keys()]).toEqual(["/"]);
  });
});

describe("the exploration of a site with complete HTML", () => {
  const routes: Record<string, Route> = {
    "/": html(
      "Home",
      `${prose("home")}${Array.from({ length: 12 }, (_, n) => `<a href="/p/${n}">page ${n}</a>`).join(" ")}${script("document.body.append('!')")}`,
    ),
  };
  for (let n = 0; n < 12; n++) {
    routes[`/p/${n}`] = html(
      `Page ${n}`,
      `${prose(`page ${n}`)}<a href="/">home</a> <a href="/p/${(n + 1) % 12}">next</a> <a href="/p/0">first</a>${script("1")}`,
    );
  }

  test("never renders a page", async () => {
    const site = serve(routes);
    const pages = await crawl(site, "auto");
    expect(pages.size).toBe(13);
    expect([...pages.values()].map((page) => page.rendered_by)).not.toContain("browser");
    expect(site.log.filter(({ headers }) => headers.get("sec-ch-ua") !== null)).toEqual([]);
    expect(site.requests.length).toBe(14);
  });

  test.if(isFull)("renders each page on request", async () => {
    const pages = await crawl(serve(routes), "browser");
    expect(pages.size).toBe(13);
    expect(pages.get("/")).toMatchObject({ rendered_by: "browser", render_reason: "asked for" });
    expect(pages.get("/")?.content).toEndWith("!");
  });
});

test.if(isFull)(
  "similar pages are read over HTTP if rendering samples of them adds nothing, although their HTML looks incomplete",
  async () => {
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    const routes: Record<string, Route> = {
      "/": html("Cards", prose("cards") + numbers.map((n) => `<a href="/card/${n}">card ${n}</a>`).join(" ")),
    };
    for (const n of numbers) {
      routes[`/card/${n}`] = html(`Card ${n}`, `<p>Card ${n}</p><div id="toasts"></div>${script("1")}`);
    }
    const site = serve(routes);
    const pages = await crawl(site, "auto");
    expect(pages.size).toBe(31);
    const asked = site.log.filter(({ path }) => path.startsWith("/card/")).length;
    const { samples, recheckEvery } = explorationLimits.rendering;
    // Every page is fetched once. Only pages that are also rendered (the samples and the periodic checks) are
    // fetched a second time.
    expect(asked - numbers.length).toBeLessThanOrEqual(samples + Math.ceil(numbers.length / recheckEvery));
    expect(asked - numbers.length).toBeGreaterThanOrEqual(samples);
    expect([...pages.values()].every((page) => page.rendered_by === "http")).toBe(true);
  },
);

test.if(isFull)(
  "pages that redirect by script count as their target, and are skipped if the target is out of scope",
  async () => {
    const away = serve({ "/": html("Away", "elsewhere") });
    const site = serve({
      "/": html(
        "Home",
        `<div id="root"></div>${script(`root.innerHTML = '<a href="/old">old</a> <a href="/gone">gone</a>'`)}`,
      ),
      "/old": html("Old", `<div id="root"></div>${script(`location.replace("/new")`)}`),
      "/new": html("New", `${prose("new")}<a href="/">home</a>`),
      "/gone": html("Gone", `<div id="root"></div>${script(`location.replace("${away.url("/")}")`)}`),
    });
    const pages = await crawl(site, "browser");
    expect([...pages.keys()].sort()).toEqual(["/", "/new"]);
  },
);
