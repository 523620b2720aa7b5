/**
 * Tests navigation runs: the options that `navigation-run-scenarios.ts` does not use, all reasons for which
 * a run ends, the events over the WebSocket, and the command line.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { navigationEventSchema } from "../../../machines/navigation/navigation-protocol.ts";
import { type Scripted, ScriptedModelServer } from "../../actors/models/scripted-model-server.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder, runCairn } from "../support/cairn-test-process.ts";
import { leaveSharedCairn, sharedCairn } from "../support/shared-test-cairn.ts";

setDefaultTimeout(90_000);
const PROMPT = "What do people say about Marel in the forum";
/** Delay in milliseconds with which the slow pages of the site are answered. */
const SLOW = 700;
const OPINIONS = [
  "The oil of Marel tastes of grass and pepper.",
  "Who has seen the new shop of Marel downtown?",
  "Shares of Marel fell again, should one sell?",
  "Marel hired my cousin for the night shift.",
];

const post = (author: string, text: string) =>
  `<article class="post"><a class="author" href="/people/${author}">${author}</a> <time datetime="2026-01-02">2026-01-02</time><p>${text}</p></article>`;
const thread = (number: number) =>
  html(
    `Marel question ${number}`,
    `<main><h1>Marel question ${number}</h1>${post("ada", OPINIONS[number - 1] ?? "")}${post("bert", `I do not agree with number ${number}, as I said before.`)}</main><form><textarea name="text"></textarea></form>`,
  );
const forum = (base: string, numbers: readonly number[] = [1, 2, 3, 4], more = "") =>
  html(
    "Town forum",
    `<main><h1>Town forum</h1>${more}<ul>${numbers.map((number) => `<li><h3><a href="${base}/threads/${number}">Marel question ${number}</a></h3><span>2 replies</span></li>`).join("")}</ul></main>`,
  );
const story = html(
  "Marel opens a plant",
  `<main><h1>Marel opens a plant</h1>${"<p>The makers of Marel said on Tuesday that their new plant begins to work in spring.</p>".repeat(8)}</main>`,
);

/** The data folder of the Cairn that the tests call with commands. */
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;

const site = siteOfTests({
  "/robots.txt": new Response("User-agent: *\nDisallow: /closed/", {
    headers: { "content-type": "text/plain" },
  }),
  "/forum": forum(""),
  "/closed/forum": forum(""),
  "/slow/forum": forum("/slow"),
  // An archive with one list for each month. The older month has a single thread.
  "/archive/2026-11/": forum("", [1, 2, 3], '<p><a href="/archive/2026-10/">10</a></p>'),
  "/archive/2026-10/": forum("", [4]),
  "/company": html("Marel Limited", '<main><p>Marel makes oil.</p><a href="/quotes">Quotes</a></main>'),
  // Only one test opens each of these pages. Cairn caches the model's decisions by the content of a page, so a second
  // test that opens this page would get the decisions of the first.
  "/works": html("Marel Works", '<main><p>Marel makes soap.</p><a href="/quotes">Quotes</a></main>'),
  "/mill": html("Marel Mill", '<main><p>Marel presses oil.</p><a href="/quotes">Quotes</a></main>'),
  "/store": html("Marel Store", '<main><p>Marel sells oil.</p><a href="/quotes">Quotes</a></main>'),
  "/news/plant": story,
  ...Object.fromEntries([1, 2, 3, 4].map((number) => [`/threads/${number}`, thread(number)])),
  ...Object.fromEntries(
    [1, 2, 3, 4].map((number) => [
      `/slow/threads/${number}`,
      async () => {
        await Bun.sleep(SLOW);
        return thread(number);
      },
    ]),
  ),
});

beforeAll(async () => {
  data = await dataFolder();
  cairn = await sharedCairn();
});

afterAll(async () => {
  await leaveSharedCairn();
  await data?.remove();
});

async function navigate(
  at: Cairn,
  seeds: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<{
  readonly body: Awaited<ReturnType<Cairn["call"]>>["body"];
  readonly opened: readonly string[];
}> {
  const before = site.requests.length;
  const { status, body } = await at.call("navigate_with_intent", {
    prompt: PROMPT,
    seed_links: seeds.map(site.url),
    render: "http",
    ...more,
  });
  expect([status, body.error?.message ?? null]).toEqual([200, null]);
  return { body, opened: site.requests.slice(before).filter((path) => path !== "/robots.txt") };
}

describe("a navigation run (which answers a question from web pages)", () => {
  test("with use_smart_navigation=false returns the content of the start pages, and follows no link", async () => {
    const { body, opened } = await navigate(cairn, ["/news/plant", "/forum", "/threads/1"], {
      use_smart_navigation: false,
    });
    expect(opened).toEqual(["/news/plant", "/forum", "/threads/1"]);
    expect(body.articles.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual(
      expect.arrayContaining(["/news/plant", "/threads/1"]),
    );
    expect(new Set(body.decisions.map(({ action }: { action: string }) => action))).toEqual(
      new Set(["EXTRACT_CONTENT"]),
    );
  });

  test("returns the posts of a thread, and no posts for an article", async () => {
    const { body } = await navigate(cairn, ["/news/plant", "/threads/1"]);
    const found = body.articles.map(
      ({
        page_type,
        posts,
        metadata,
      }: {
        page_type: string;
        posts: [];
        metadata: { post_count: number };
      }) => [page_type, posts.length, metadata.post_count],
    );
    expect(found.sort()).toEqual([
      ["article", 0, 0],
      ["forum_thread", 2, 2],
    ]);
  });

  test.if(isFull)("reads an archive month by month, even a month with a single thread", async () => {
    const { body, opened } = await navigate(cairn, ["/archive/2026-11/"]);
    expect(body.articles).toHaveLength(4);
    expect(opened).toContain("/archive/2026-10/");
    const [, month] = body.decisions.filter(({ action }: { action: string }) => action === "EXTRACT_LINKS");
    expect(month).toMatchObject({ url: site.url("/archive/2026-10/"), page_type: "forum_listing", depth: 0 });
  });

  test("obeys robots.txt unless the request says otherwise", async () => {
    const { status, body } = await cairn.call("navigate_with_intent", {
      prompt: PROMPT,
      seed_links: [site.url("/closed/forum")],
      render: "http",
    });
    expect([status, body.status, body.error.code]).toEqual([200, "failed", "robots"]);
    const free = await navigate(cairn, ["/closed/forum"], { respect_robots: false });
    expect(free.opened[0]).toBe("/closed/forum");
    expect(free.body.articles).toHaveLength(4);
  });

  test.if(isFull)("ends when its time is over, and keeps what it has found", async () => {
    const { body, opened } = await navigate(cairn, ["/slow/forum"], { max_seconds: 1 });
    expect(body).toMatchObject({ status: "completed", stopped_reason: "budget_seconds" });
    expect(body.articles.length).toBeGreaterThan(0);
    expect(body.articles.length).toBeLessThan(4);
    // The run has opened the list of threads and the threads in its result, and nothing else.
    expect(opened).toHaveLength(1 + body.articles.length);
  });

  test("keeps what it has found when it is cancelled, and opens no further page", async () => {
    await cairn.post("/api/navigate", {
      run_id: "cancelled",
      prompt: PROMPT,
      seed_links: [site.url("/slow/forum")],
      render: "http",
    });
    let result = await cairn.get("/api/navigate/cancelled");
    while (result.body.status === "running" && result.body.articles.length === 0) {
      await Bun.sleep(20);
      result = await cairn.get("/api/navigate/cancelled");
    }
    expect((await cairn.post("/api/navigate/cancelled/cancel", {})).body.status).toBe("cancelled");
    const { body } = await cairn.get("/api/navigate/cancelled");
    expect(body).toMatchObject({ status: "cancelled", stopped_reason: "cancelled" });
    expect(body.articles.length).toBeGreaterThan(0);
    expect(body.articles.length).toBeLessThan(4);
  });
});

describe("cairn navigate", () => {
  const run = (...more: readonly string[]) =>
    runCairn(["navigate", PROMPT, site.url("/forum"), "--url", cairn.url, "--render", "http", ...more], {
      CAIRN_DATA: data.path,
    }).ended;

  test.if(isFull)("prints decisions while it runs, and a summary with its sources", async () => {
    const { code, stdout, stderr } = await run();
    expect(code).toBe(0);
    expect(stderr).toContain(`EXTRACT_LINKS (forum_listing) ${site.url("/forum")}`);
    expect(stdout).toContain("completed (no_more_pages): 4 found");
    for (const number of [1, 2, 3, 4]) expect(stdout).toContain(site.url(`/threads/${number}`));
    expect(stdout).toMatch(/\[1\] Marel question \d: http/);
  });

  test.if(isFull)("prints decisions and the result as JSON lines with --json", async () => {
    const { code, stdout } = await run("--json", "--max-articles", "2");
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: "decision", action: "EXTRACT_LINKS", depth: 0 });
    expect(lines.at(-1)).toMatchObject({ type: "result", stopped_reason: "max_articles" });
    expect(lines.at(-1).articles).toHaveLength(2);
  });
});

describe("a navigation run with a model", () => {
  const model = new ScriptedModelServer();
  let own: Awaited<ReturnType<typeof dataFolder>>;
  let clever: Cairn;

  beforeAll(async () => {
    own = await dataFolder();
    clever = await Cairn.start({
      data: own.path,
      env: { ...model.environment("openai"), CAIRN_WORKERS: "1" },
    });
  });
  afterAll(async () => {
    await clever?.stop();
    await own?.remove();
    model.stop();
  });

  const decision = (confidence: number, target_url: string | null) => ({
    json: {
      action: target_url === null ? "EXTRACT_LINKS" : "NAVIGATE_TO",
      reasoning: "As it shows.",
      confidence,
      page_type: "company_profile",
      target_url,
    },
  });
  const answers =
    (decided: Scripted) =>
    (body: string): Scripted =>
      body.includes("web navigation assistant") ? decided : { text: "I do not know." };

  test("never opens an address that the model invented", async () => {
    model.reset({ json: { ...decision(0.9, site.url("/made-up")).json, action: "NAVIGATE_TO" } });
    const { body, opened } = await navigate(clever, ["/mill"]);
    expect(opened).toEqual(["/mill"]);
    expect(body.decisions).toMatchObject([{ action: "STOP", decided_by: "model", target_url: null }]);
    expect(body.usage.llm_calls).toBe(model.calls.length);
  });

  test.if(isFull)(
    "ends within its budget of calls, and decides by structure if the model answers in prose",
    async () => {
      model.reset({ text: "I would go to the forum, I think." });
      const { body } = await navigate(clever, ["/store"], { max_llm_calls: 3 });
      expect(body.status).toBe("completed");
      expect(body.usage.llm_calls).toBeLessThanOrEqual(4);
      expect(body.usage.llm_calls).toBe(model.calls.length);
    },
  );

  test.if(isFull)(
    "ends with the reason low_confidence when the model is not sure about the only page",
    async () => {
      model.reset();
      model.answerTo = answers(decision(0.2, null));
      const { body, opened } = await navigate(clever, ["/company"]);
      expect(body).toMatchObject({ status: "completed", stopped_reason: "low_confidence", articles: [] });
      expect(opened).toEqual(["/company"]);
    },
  );

  test.each([
    ["budget_calls", { max_llm_calls: 1 }],
    ["budget_cost", { max_cost_usd: 0.000_000_1 }],
  ] as const)(
    "ends with the reason %s after the step in which the budget was spent",
    async (reason, budget) => {
      model.reset();
      model.answerTo = answers(decision(0.9, null));
      const { body, opened } = await navigate(clever, ["/company", "/forum"], {
        ...budget,
        prompt: `${PROMPT}, with ${reason}`,
      });
      expect(body).toMatchObject({ status: "completed", stopped_reason: reason });
      expect(model.calls.length).toBeGreaterThan(0);
      expect(body.usage.llm_calls).toBe(model.calls.length);
      expect(opened.length).toBeLessThanOrEqual(1);
    },
  );

  test("reports its decisions, refused addresses and spent budget as events with a fixed shape", async () => {
    model.reset();
    model.answerTo = answers(decision(0.9, site.url("/made-up")));
    const events: unknown[] = [];
    const watch = async (run_id: string) => {
      const socket = new WebSocket(`${clever.url.replace("http", "ws")}/ws/navigations/${run_id}`);
      socket.onmessage = ({ data: text }) => {
        // The socket adds the field `cursor` to each event, so the field is removed.
        const { cursor: _, ...event } = JSON.parse(String(text));
        events.push(event);
      };
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      return socket;
    };
    const sockets = [await watch("rejected"), await watch("spent")];
    const rejected = await navigate(clever, ["/works", "/threads/1"], { run_id: "rejected" });
    const spent = { run_id: "spent", max_llm_calls: 1, prompt: `${PROMPT} now` };
    await navigate(clever, ["/company", "/forum"], spent);
    const types = () =>
      events.flatMap((event) => {
        const parsed = navigationEventSchema.safeParse(event);
        return parsed.success ? [parsed.data.type] : [];
      });
    while (types().filter((type) => type === "nav:budget").length === 0) await Bun.sleep(20);
    for (const socket of sockets) socket.close();
    const navigations = events.filter((event) => String((event as { type: string }).type).startsWith("nav:"));
    for (const event of navigations) {
      const { type: _, data: copy, timestamp: __, ...flat } = navigationEventSchema.parse(event);
      expect(copy).toEqual(flat as typeof copy);
    }
    expect([...new Set(types())].sort()).toEqual([
      "nav:budget",
      "nav:content_added",
      "nav:decision",
      "nav:extracting_content",
      "nav:link_rejected",
      "nav:stopped",
    ]);
    expect(rejected.opened).toEqual(["/works", "/threads/1"]);
  });
});
