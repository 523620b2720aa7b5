/**
 * Tests navigation runs over REST, WebSocket and MCP tools. The protocol specification defines the scenarios,
 * and this test serves their site.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { NavigationResult } from "../../../machines/navigation/navigation-run-schemas.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);
const DAY = 24 * 60 * 60 * 1_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

const menu = `<header class="top"><nav><a href="/">Home</a> <a href="/company">Company</a> <a href="/news">News</a> <a href="/forum">Discussion forum</a></nav></header>`;
const page = (title: string, body: string, head = "") =>
  html(
    title,
    `${menu}<main><h1>${title}</h1>${body}</main><footer><a href="/imprint">Imprint</a></footer>`,
    head,
  );
const post = (author: string, date: string, text: string) =>
  `<article class="post"><div class="head"><a class="author" href="/members/${author}">${author}</a> <time class="date" datetime="${date}">${date}</time></div><div class="text"><p>${text}</p></div></article>`;
const row = (href: string, title: string, more: string) =>
  `<li class="thread"><h3><a href="${href}">${title}</a></h3><span class="meta">${more}</span></li>`;
const story = (topic: string) =>
  `<p>${`The makers of ${topic} said on Tuesday that their new plant begins to work in spring. `.repeat(4)}</p><p>${`Nobody expected ${topic} to grow so fast, and the market was surprised by the numbers. `.repeat(4)}</p>`;

const site = siteOfTests({
  "/": page("Stones and oils", '<p>Welcome.</p><a href="/company">Marel Limited</a>'),
  "/company": page(
    "Marel Limited",
    '<p>Marel makes oil.</p><table><tr><td>Price</td><td>7</td></tr></table><a href="/forum/marel">Marel forum</a> <a href="/quotes">Quotes</a>',
  ),
  "/forum": page(
    "Discussion forum",
    `<ul class="boards">${["marel", "other", "third"].map((name) => row(`/forum/${name}`, `Board ${name}`, "12 threads")).join("")}</ul>`,
  ),
  "/forum/marel": page(
    "Marel forum",
    `<ul class="threads">${row("/threads/1", "Marel results", "3 replies")}${row("/threads/2", "Marel and the price", "2 replies")}${row("/threads/3", "Marel in old times", "2 replies")}${row("/threads/4", "Is Marel Kaya the same?", "2 replies")}</ul><a rel="next" href="/forum/marel?page=2">Next</a>`,
  ),
  "/forum/marel?page=2": page(
    "Marel forum",
    `<ul class="threads">${row("/threads/5", "Marel dividends", "2 replies")}${row("/threads/1", "Marel results", "3 replies")}${row("/threads/2", "Marel and the price", "2 replies")}</ul>`,
  ),
  "/threads/1": page(
    "Marel results",
    `${post("ada", day(3), "The results of Marel were good this time.")}${post("bert", day(2), "I do not think that Marel can go on so.")}<a rel="next" href="/threads/1?page=2">Next</a><form><textarea name="text"></textarea></form>`,
  ),
  "/threads/1?page=2": page(
    "Marel results",
    `${post("cora", day(1), "Marel surprised everybody in my town.")}<form><textarea name="text"></textarea></form>`,
  ),
  "/threads/2": page(
    "Marel and the price",
    `${post("dora", day(9), "The price of Marel oil is too high for us.")}${post("emil", day(8), "Marel oil is worth its price, I buy it.")}<form><textarea name="text"></textarea></form>`,
  ),
  "/threads/3": page(
    "Marel in old times",
    `${post("fred", day(900), "Marel was small in those days, you know.")}${post("gerd", day(890), "Yes, Marel had one shop in all.")}<form><textarea name="text"></textarea></form>`,
  ),
  "/threads/4": page(
    "Is Marel Kaya the same?",
    `${post("hans", day(2), "Marel Kaya is another firm with shops.")}${post("ida", day(2), "Right, Marel Kaya sells clothes only.")}<form><textarea name="text"></textarea></form>`,
  ),
  "/threads/5": page(
    "Marel dividends",
    `${post("jon", day(5), "Marel pays dividends again, says the paper.")}${post("kim", day(4), "Good for everybody who holds Marel.")}<form><textarea name="text"></textarea></form>`,
  ),
  "/news": page(
    "News",
    `<ul class="stories">${row("/news/marel-plant", "Marel opens a plant", day(3))}${row("/news/marel-old", "Marel in the past century", day(700))}${row("/news/cats", "Cats of the town", day(2))}</ul>`,
  ),
  "/news/marel-plant": page(
    "Marel opens a plant",
    story("Marel"),
    `<meta property="og:type" content="article"><meta property="article:published_time" content="${day(3)}">`,
  ),
  "/news/cats": page(
    "Cats of the town",
    story("cats"),
    `<meta property="og:type" content="article"><meta property="article:published_time" content="${day(2)}">`,
  ),
  "/paywall": page("Marel behind a wall", "<p>Marel is great. Subscribe to continue reading.</p>"),
  "/circle": page("Circle", '<p>Round.</p><a href="/circle/2">Marel circle</a>'),
  "/circle/2": page("Circle two", '<p>Round again.</p><a href="/circle">Marel circle</a>'),
  "/empty": html("", ""),
  "/imprint": page("Imprint", "<p>Nobody.</p>"),
  "/quotes": page("Quotes", "<p>7</p>"),
});

const cairn = await cairnOfTests();

async function navigate(
  prompt: string,
  seed: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<NavigationResult & { readonly requests: readonly string[] }> {
  const before = site.requests.length;
  const { status, body } = await cairn.call("navigate_with_intent", {
    prompt,
    seed_links: [site.url(seed)],
    render: "http",
    ...more,
  });
  expect([status, body.error?.message ?? null]).toEqual([200, null]);
  return { ...body, requests: site.requests.slice(before).filter((path) => path !== "/robots.txt") };
}

describe("a navigation run without a model", () => {
  test("respects its limits for depth, links and articles", async () => {
    const flat = await navigate("What do people say about Marel in the forum", "/company", { max_depth: 1 });
    expect(flat.requests.filter((path) => path.startsWith("/threads"))).toEqual([]);
    const one = await navigate("What do people say about Marel in the forum", "/company", {
      max_articles: 1,
    });
    expect(one).toMatchObject({ stopped_reason: "max_articles", articles: [{ metadata: {} }] });
    const two = await navigate("What do people say about Marel in the forum", "/forum/marel?page=2", {
      max_links_per_page: 2,
    });
    expect(
      new Set(two.requests.filter((path) => path.startsWith("/threads")).map((path) => path.slice(0, 10)))
        .size,
    ).toBe(2);
  });

  test("returns only its decisions about the start pages, and follows no link, if a preview is requested", async () => {
    const result = await navigate("What do people say about Marel in the forum", "/company", {
      preview: true,
    });
    expect(result).toMatchObject({ decisions: [{ action: "NAVIGATE_TO" }], articles: [] });
    expect(result.requests).toEqual(["/company"]);
  });

  test("fails with the reason if no start page can be read", async () => {
    const { body } = await cairn.call("navigate_with_intent", {
      prompt: "Anything",
      seed_links: [site.url("/nowhere")],
      render: "http",
    });
    expect(body).toMatchObject({
      status: "failed",
      stopped_reason: "failed",
      error: { code: "reading.http_404" },
    });
  });

  test("can be started, watched, repeated and cancelled over REST", async () => {
    const request = { prompt: "Marel news", seed_links: [site.url("/news")], run_id: "rest", render: "http" };
    const socket = new WebSocket(`${cairn.url.replace("http", "ws")}/ws/navigations/rest`);
    const events: { type: string; run_id?: string; data?: unknown }[] = [];
    socket.onmessage = ({ data: text }) => events.push(JSON.parse(String(text)));
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    const started = await cairn.post("/api/navigate", request);
    expect([started.status, started.body.run_id]).toEqual([200, "rest"]);
    let result = await cairn.get("/api/navigate/rest");
    while (result.body.status === "running") {
      await Bun.sleep(50);
      result = await cairn.get("/api/navigate/rest");
    }
    expect(result.body.status).toBe("completed");
    expect((await cairn.post("/api/navigate", request)).body.status).toBe("completed");
    expect((await cairn.post("/api/navigate", { ...request, prompt: "Other" })).status).toBe(409);
    expect((await cairn.get("/api/navigate/nobody")).status).toBe(404);
    expect((await cairn.post("/api/navigate/rest/cancel", {})).body.status).toBe("completed");
    socket.close();
    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual(
      expect.arrayContaining(["nav:decision", "nav:extracting_content", "nav:content_added", "nav:stopped"]),
    );
    const [decision] = events.filter(({ type }) => type === "nav:decision");
    expect(decision).toMatchObject({ run_id: "rest", data: { run_id: "rest", action: "EXTRACT_LINKS" } });
  });
});
