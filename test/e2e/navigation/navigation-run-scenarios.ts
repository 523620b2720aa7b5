/**
 * The thirteen scenarios of navigation runs, each on its own site, with the pages that a run may open and the
 * content that it must find.
 */
import type { Scripted } from "../../actors/models/scripted-model-server.ts";
import { html, type Route, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";

const DAY = 24 * 60 * 60 * 1_000;
export const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

export interface Scenario {
  readonly name: string;
  readonly prompt: string;
  readonly seeds: readonly string[];
  readonly more?: Readonly<Record<string, unknown>>;
  /** The intent (topic, section, number of days) that the scripted model returns for the run's prompt. */
  readonly intent: { readonly topic: string; readonly section?: "forum" | "news"; readonly days?: number };
  /** The articles that the run must find, by title, each with its number of posts. */
  readonly articles: Readonly<Record<string, number>>;
  /** All paths that the run may open. It may open each path only once. */
  readonly opened: readonly string[];
}

const menu = `<header><nav><a href="/">Home</a> <a href="/news">News</a> <a href="/forum">Discussion forum</a></nav></header>`;
const page = (title: string, body: string, head = "") =>
  html(title, `${menu}<main><h1>${title}</h1>${body}</main>`, head);
const post = (author: string, ago: number, text: string) =>
  `<article class="post"><a class="author" href="/people/${author}">${author}</a> <time datetime="${day(ago)}">${day(ago)}</time><div class="text"><p>${text}</p></div></article>`;
const thread = (title: string, posts: string, next = "") =>
  page(title, `${posts}${next}<form><textarea name="text"></textarea></form>`);
const row = (href: string, title: string, more: string) =>
  `<li class="row"><h3><a href="${href}">${title}</a></h3><span class="meta">${more}</span></li>`;
const list = (...rows: readonly string[]) => `<ul class="rows">${rows.join("")}</ul>`;
const FACTS = [
  "opens a plant in the valley and hires ninety people there",
  "was given the prize of the chamber for its press",
  "sold its mill to a family of bakers last autumn",
  "sends its oil by train since the road is closed",
  "plants olive trees on the northern slope",
];
const story = (topic: string, number: number) =>
  [0, 1, 2]
    .map(
      (part) =>
        `<p>${`${topic} ${FACTS[(number + part) % FACTS.length]}, said speaker ${number} of the town on day ${part}. `.repeat(2)}</p>`,
    )
    .join("");
const article = (title: string, ago: number | null, number: number, topic = "Marel") =>
  page(
    title,
    story(topic, number),
    `<meta property="og:type" content="article">${ago === null ? "" : `<meta property="article:published_time" content="${day(ago)}">`}`,
  );
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const routes: Readonly<Record<string, Route>> = {
  "/company": page(
    "Marel Limited",
    '<p>Marel makes oil.</p><a href="/forum/marel">Marel forum</a> <a href="/quotes">Quotes</a>',
  ),
  "/forum/marel": page(
    "Marel forum",
    `${list(row("/threads/1", "Marel results", "3 replies"), row("/threads/2", "Marel and the price", "2 replies"), row("/threads/3", "Marel in old times", "2 replies"), row("/threads/4", "Is Marel Kaya the same?", "2 replies"))}<a rel="next" href="/forum/marel?page=2">Next</a>`,
  ),
  "/forum/marel?page=2": page(
    "Marel forum",
    list(
      row("/threads/5", "Marel dividends", "2 replies"),
      row("/threads/1", "Marel results", "3 replies"),
      row("/threads/2", "Marel and the price", "2 replies"),
    ),
  ),
  "/threads/1": thread(
    "Marel results",
    post("ada", 3, "The results of Marel were good this time.") +
      post("bert", 2, "I do not think that Marel can keep this up."),
    '<a rel="next" href="/threads/1?page=2">Next</a>',
  ),
  "/threads/1?page=2": thread("Marel results", post("cora", 1, "Marel surprised everybody in my town.")),
  "/threads/2": thread(
    "Marel and the price",
    post("dora", 9, "The price of Marel oil is too high for us.") +
      post("emil", 8, "Marel oil is worth its price, I buy it."),
  ),
  "/threads/3": thread(
    "Marel in old times",
    post("fred", 900, "Marel was small in those days, you know.") +
      post("gerd", 890, "Yes, Marel had one shop in all."),
  ),
  "/threads/4": thread(
    "Is Marel Kaya the same?",
    post("hans", 2, "Marel Kaya is another firm with shops.") +
      post("ida", 2, "Right, Marel Kaya sells clothes only."),
  ),
  "/threads/5": thread(
    "Marel dividends",
    post("jon", 5, "Marel pays dividends again, says the paper.") +
      post("kim", 4, "Good for everybody who holds Marel."),
  ),
  "/news": page(
    "News",
    `${list(row("/news/plant", "Marel opens a plant", day(3)), row("/news/old", "Marel in the past century", day(700)), row("/news/cats", "Cats of the town", day(2)))}<a rel="next" href="/news?page=2">Next</a>`,
  ),
  "/news?page=2": page(
    "News",
    list(
      row("/news/prize", "Marel wins a prize", day(5)),
      row("/news/dogs", "Dogs of the town", day(5)),
      row("/news/birds", "Birds of the town", day(6)),
    ),
  ),
  "/news/plant": article("Marel opens a plant", 3, 0),
  "/news/prize": article("Marel wins a prize", 5, 1),
  "/news/cats": article("Cats of the town", 2, 2, "The oldest cat"),
  "/locked": page(
    "Locked news",
    list(
      row("/locked/1", "Marel behind a wall", day(1)),
      row("/locked/2", "Marel for members", day(1)),
      row("/news/plant", "Marel opens a plant", day(3)),
    ),
  ),
  "/locked/1": page("Marel behind a wall", "<p>Marel is great. Subscribe to continue reading.</p>"),
  "/locked/2": page("Marel for members", "<p>Marel is here. Members only, log in to read.</p>"),
  "/broken": page(
    "Broken news",
    list(
      row("/gone", "Marel gone", day(1)),
      row("/loop", "Marel in a loop", day(1)),
      row("/news/prize", "Marel wins a prize", day(5)),
    ),
  ),
  "/gone": () => new Response("gone", { status: 404, headers: { "content-type": "text/html" } }),
  "/loop": () => new Response(null, { status: 302, headers: { location: "/loop" } }),
  "/circle": page("Circle", '<p>Round.</p><a href="/circle/2">Marel circle</a>'),
  "/circle/2": page("Circle two", '<p>Round again.</p><a href="/circle">Marel circle</a>'),
  "/empty": html("", ""),
  "/notes": page(
    "Notes",
    list(
      row("/notes/1", "Marel, a note", "by ada"),
      row("/notes/2", "Marel, a note", "by bert"),
      row("/notes/3", "Marel, another note", "by cora"),
    ),
  ),
  "/notes/1": article("Marel, a note", null, 3),
  "/notes/2": article("Marel, a note", null, 3),
  "/notes/3": article("Marel, another note", null, 5),
  "/wide": page(
    "Wide news",
    list(...numbers(30).map((number) => row(`/wide/${number}`, `Marel number ${number} of all`, day(2)))),
  ),
  ...Object.fromEntries(
    numbers(30).map((number) => [
      `/wide/${number}`,
      page(`Marel number ${number} of all`, "<p>Marel. Subscribe to continue reading.</p>"),
    ]),
  ),
  "/deep": page("Deep", '<p>Start.</p><a href="/deep/1">Marel archive</a>'),
  ...Object.fromEntries(
    numbers(4).map((number) => [
      `/deep/${number}`,
      page(`Deep ${number}`, `<p>Level ${number}.</p><a href="/deep/${number + 1}">Marel archive</a>`),
    ]),
  ),
};

export const serveScenarios = (): ScriptedSite => serveSite(routes);

const FORUM = ["/forum/marel", "/forum/marel?page=2"];
const THREADS = ["/threads/1", "/threads/1?page=2", "/threads/2", "/threads/3", "/threads/4", "/threads/5"];
const LAST_MONTH = { "Marel results": 3, "Marel and the price": 2, "Marel dividends": 2 };
const forum = { topic: "Marel", section: "forum", days: 30 } as const;
const news = { topic: "Marel", section: "news" } as const;

export const scenarios: readonly Scenario[] = [
  {
    name: "forum: from a company's page into the threads of the last month",
    prompt:
      "Go to the forum page from the forum section and find out what people are saying about Marel in the last month",
    seeds: ["/company"],
    intent: forum,
    articles: LAST_MONTH,
    opened: ["/company", ...FORUM, ...THREADS],
  },
  {
    name: "news: the articles of a listing that fit and are new enough, from all its pages",
    prompt: "Summarize Marel news from last week",
    seeds: ["/news"],
    intent: { ...news, days: 7 },
    articles: { "Marel opens a plant": 0, "Marel wins a prize": 0 },
    opened: ["/news", "/news?page=2", "/news/plant", "/news/prize"],
  },
  {
    name: "article: a seed that is the content",
    prompt: "Summarize this article",
    seeds: ["/news/cats"],
    intent: { topic: "" },
    articles: { "Cats of the town": 0 },
    opened: ["/news/cats"],
  },
  {
    name: "direct links: several seeds, one of them twice",
    prompt: "Summarize these articles",
    seeds: ["/news/plant", "/news/prize", "/news/plant#end"],
    intent: { topic: "" },
    articles: { "Marel opens a plant": 0, "Marel wins a prize": 0 },
    opened: ["/news/plant", "/news/prize"],
  },
  {
    name: "thread: all posts over two pages as one article",
    prompt: "Summarize this thread",
    seeds: ["/threads/1"],
    intent: { topic: "" },
    articles: { "Marel results": 3 },
    opened: ["/threads/1", "/threads/1?page=2"],
  },
  {
    name: "other name: a thread about a name that only begins like the wanted one is left out",
    prompt: "What do people say about Marel in the forum",
    seeds: ["/threads/4", "/threads/2"],
    intent: { topic: "Marel", section: "forum" },
    articles: { "Marel and the price": 2 },
    opened: ["/threads/4", "/threads/2"],
  },
  {
    name: "walls: pages that ask for a payment or a sign-in give nothing",
    prompt: "Collect the news about Marel",
    seeds: ["/locked"],
    intent: news,
    articles: { "Marel opens a plant": 0 },
    opened: ["/locked", "/locked/1", "/locked/2", "/news/plant"],
  },
  {
    name: "failures: a missing page and an endless redirect leave the rest as it is",
    prompt: "Collect the news about Marel",
    seeds: ["/broken"],
    intent: news,
    articles: { "Marel wins a prize": 0 },
    opened: ["/broken", "/gone", "/loop", "/news/prize"],
  },
  {
    name: "circle: pages that lead to each other are opened once",
    prompt: "Find the Marel circle",
    seeds: ["/circle"],
    intent: { topic: "Marel circle" },
    articles: {},
    opened: ["/circle", "/circle/2"],
  },
  {
    name: "empty page: nothing is found and nothing is guessed",
    prompt: "Find out about Marel",
    seeds: ["/empty"],
    intent: { topic: "Marel" },
    articles: {},
    opened: ["/empty"],
  },
  {
    name: "undated copies: content without a date is kept, and of two copies one",
    prompt: "Collect the notes about Marel of the last month",
    seeds: ["/notes"],
    intent: { topic: "Marel", days: 30 },
    articles: { "Marel, a note": 0, "Marel, another note": 0 },
    opened: ["/notes", "/notes/1", "/notes/2", "/notes/3"],
  },
  {
    name: "wide listing: at most twenty links are followed",
    prompt: "Collect the news about Marel",
    seeds: ["/wide"],
    // This limit is high enough that the run can ask the model about each of the twenty links.
    more: { max_llm_calls: 60 },
    intent: news,
    articles: {},
    opened: ["/wide", ...numbers(20).map((number) => `/wide/${number}`)],
  },
  {
    name: "depth: no page below the third level is opened",
    prompt: "Find the Marel archive",
    seeds: ["/deep"],
    intent: { topic: "Marel archive" },
    articles: {},
    opened: ["/deep", "/deep/1", "/deep/2", "/deep/3"],
  },
];

/**
 * Prefix of addresses that no page contains. The scripted model returns one such address for each listing, as
 * a model that invents links does.
 */
export const MADE_UP = "/made-up";

/**
 * Returns the answers of a scripted model for a scenario: those of a capable model, and one invented address
 * for each listing.
 */
export function answerIn({ intent, articles, opened }: Scenario, site: ScriptedSite) {
  return (body: string): Scripted => {
    const address = /URL: (http[^\s"\\]+)/.exec(body)?.[1] ?? "";
    const path = URL.canParse(address) ? new URL(address).pathname : "";
    const shown = [...body.matchAll(/: (http[^\s"\\]+)/g)].map(([, url = ""]) => url);
    const next = shown.filter((url) => {
      const { pathname, search } = new URL(url);
      return url !== address && opened.includes(pathname + search) && search === "";
    });
    if (body.includes("web navigation assistant")) {
      const isListing = /^\/(?:forum|news|locked|broken|notes|wide)(?:\/marel)?$/.test(path);
      const decided = (action: string, page_type: string, target_url: string | null = null) => ({
        json: { action, page_type, target_url, confidence: 0.9, reasoning: "As it shows." },
      });
      if (isListing)
        return decided("EXTRACT_LINKS", path.startsWith("/forum") ? "forum_listing" : "news_listing");
      if (path.startsWith("/threads/")) return decided("EXTRACT_CONTENT", "forum_thread");
      if (/^\/(?:company|circle|deep)/.test(path) && next[0] !== undefined)
        return decided("NAVIGATE_TO", "other", next[0]);
      if (/^\/(?:news|notes)\//.test(path)) return decided("EXTRACT_CONTENT", "article");
      return decided("STOP", "other");
    }
    if (body.includes("relevance_score")) {
      const urls = [site.url(`${MADE_UP}/${path.length}`), ...next];
      const links = urls.map((url) => ({ url, anchor_text: "", relevance_score: 0.9, detected_date: null }));
      return { json: { links } };
    }
    if (body.includes("is_relevant")) {
      const is_relevant = Object.keys(articles).some((title) => body.includes(title)) || /note/.test(body);
      return { json: { is_relevant, reason: "By its title." } };
    }
    if (body.includes("publish_date"))
      return { json: { title: "", content: "", publish_date: null, author: null, posts: [] } };
    const { topic, section = "", days = null } = intent;
    const entities = topic === "" ? [] : ["Marel"];
    return {
      json: {
        topic,
        target_section: section,
        time_range_days: days,
        entities,
        max_articles: null,
        output: "summary",
      },
    };
  };
}
