/**
 * Tests navigation runs with a scripted model that has the HTTP APIs of OpenAI and Gemini: what a run costs,
 * and how it ends when three of ten answers are nonsense. The site's own log shows which pages were opened.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { costOf } from "../../../actors/models/model-price-table.ts";
import type { NavigationResult } from "../../../machines/navigation/navigation-run-schemas.ts";
import { SECOND } from "../../../machines/time-and-size-units.ts";
import {
  type Dialect,
  dialects,
  type Scripted,
  ScriptedModelServer,
} from "../../actors/models/scripted-model-server.ts";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull, seed } from "../../test-run-tier-and-seed.ts";
import { Cairn, dataFolder, runCairn } from "../support/cairn-test-process.ts";

setDefaultTimeout(isFull ? 600_000 : 90_000);
/** Number of runs, for each API, with a model that sometimes answers nonsense. */
const RUNS = isFull ? 20 : 2;
const NONSENSE = 0.3;
/** Maximum duration in seconds of a run with a model that sometimes answers nonsense. */
const MAX_SECONDS = 4;
/** Maximum number of calls of the model in such a run. */
const MAX_CALLS = 8;
/**
 * Maximum number of calls of the model in one step of a run: for the decision, for links or content, for the
 * relevance, and for one retry.
 */
const CALLS_OF_A_STEP = 4;
/**
 * For each API, the most expensive of the models that the test uses. All counted tokens are multiplied by the
 * price of this model.
 */
const PRICED_AS: Readonly<Record<Dialect, string>> = { openai: "gpt-4.1", gemini: "gemini-2.5-pro" };
const DAY = 24 * 60 * 60 * 1_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
const PROMPT = "What do people say about Marel in the forum in the last month";

const page = (title: string, body: string) =>
  html(
    title,
    `<div><a href="/">Home</a> <a href="/forum">Forum</a> <a href="/news">News</a></div><main><h1>${title}</h1>${body}</main>`,
  );
/** What each thread is about. Without different words, a thread may count as a near-duplicate of another. */
const SUBJECTS = [
  "the price of the blue oil and its delivery to the islands",
  "a leaking barrel, a torn label and the answer of the support",
  "how long candles burn in a cold kitchen with open windows",
  "jobs at the harbour plant, night shifts and the works council",
];
const thread = (number: number) =>
  page(
    `Marel question ${number}`,
    [1, 2, 3]
      .map(
        (post) =>
          `<div class="post"><b class="author">user${post}</b> <span class="date">${day(post + 1)}</span><p>Marel is what I asked about ${number} times: ${SUBJECTS[number - 1]}. Answer ${post} was the best of all.</p></div>`,
      )
      .join(""),
  );
const rows = [1, 2, 3, 4].map(
  (number) => `<li><a href="/threads/${number}">Marel question ${number}</a> ${day(2)}</li>`,
);

/**
 * A number that every page of the site contains. It changes before each run in which the model answers
 * nonsense. With unchanged pages, Cairn would use the answers that it has cached.
 */
let edition = 0;
const model = new ScriptedModelServer();

const pages: Readonly<Record<string, string>> = {
  "/": page("Stones and oils", "<p>Welcome to the town of stones.</p>"),
  "/company": page("Marel Limited", "<p>Marel makes oil.</p>"),
  "/forum": page("Forum", `<ul>${rows.join("")}</ul>`),
  "/news": page(
    "News",
    `<ul>${[1, 2, 3].map((number) => `<li><a href="/news/${number}">Marel story ${number}</a> ${day(1)}</li>`).join("")}</ul>`,
  ),
  ...Object.fromEntries([1, 2, 3, 4].map((number) => [`/threads/${number}`, thread(number)])),
  ...Object.fromEntries(
    [1, 2, 3].map((number) => [
      `/news/${number}`,
      page(
        `Marel story ${number}`,
        `<p>${day(1)}</p>${`<p>The makers of Marel said that plant ${number} opens in spring.</p>`.repeat(12)}`,
      ),
    ]),
  ),
};
const editions = Object.entries(pages).map(
  ([path, text]) => [path, () => text.replace("</main>", `<p>Edition ${edition}</p></main>`)] as const,
);
const site = siteOfTests(Object.fromEntries(editions));

afterAll(async () => {
  model.stop();
});

/** Returns the answer that a capable model would give to a prompt. */
function sensible(body: string): Scripted {
  const address = /URL: (http[^\s"\\]+)/.exec(body)?.[1] ?? "";
  const path = URL.canParse(address) ? new URL(address).pathname : "";
  if (body.includes("web navigation assistant")) {
    const decision = (action: string, page_type: string, target_url: string | null = null) => ({
      json: { action, page_type, target_url, confidence: 0.9, reasoning: "As it shows." },
    });
    if (/^\/(?:forum|news)$/.test(path))
      return decision("EXTRACT_LINKS", path === "/forum" ? "forum_listing" : "news_listing");
    if (path.startsWith("/threads/")) return decision("EXTRACT_CONTENT", "forum_thread");
    if (path.startsWith("/news/")) return decision("EXTRACT_CONTENT", "article");
    return decision("NAVIGATE_TO", "company_profile", site.url("/forum"));
  }
  const listed = [...body.matchAll(/: (http[^\s"\\]+\/(?:threads|news)\/\d)/g)].map(([, url = ""]) => url);
  if (body.includes("relevance_score")) {
    return {
      json: {
        links: listed.map((url) => ({ url, anchor_text: "", relevance_score: 0.9, detected_date: null })),
      },
    };
  }
  if (body.includes("is_relevant")) return { json: { is_relevant: true, reason: "It is about Marel." } };
  if (body.includes("publish_date")) {
    return {
      json: { title: "Marel", content: "Marel is here.", publish_date: null, author: null, posts: [] },
    };
  }
  const intent = {
    topic: "Marel",
    target_section: "forum",
    time_range_days: 30,
    entities: ["Marel"],
    max_articles: null,
  };
  return { json: { ...intent, output: "summary" } };
}

/**
 * Returns random nonsense that depends only on the seed: invented addresses, wrong enum values, prose,
 * refusals, errors and no answer.
 */
function nonsense(random: () => number) {
  const made = [1, 2, 3].map((number) => site.url(`/made-up/${number}`));
  const all: readonly Scripted[] = [
    {
      json: {
        action: "NAVIGATE_TO",
        page_type: "other",
        target_url: made[0],
        confidence: 1,
        reasoning: "Sure.",
      },
    },
    {
      json: { links: made.map((url) => ({ url, anchor_text: "", relevance_score: 1, detected_date: null })) },
    },
    { json: { action: "GO", page_type: "pub", target_url: null, confidence: 7, reasoning: 3 } },
    { text: "I would open the forum, I think." },
    { status: 429, retryAfter: 1 },
    { status: 500 },
    "hang",
  ];
  return (body: string): Scripted =>
    random() < NONSENSE ? (all[Math.floor(random() * all.length)] ?? "hang") : sensible(body);
}

function randomOf(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.if(isFull)("cairn navigate uses the model of the settings, even without a running gateway", async () => {
  const data = await dataFolder();
  model.reset();
  model.answerTo = sensible;
  const env = { ...model.environment("openai"), CAIRN_DATA: data.path, CAIRN_WORKERS: "1" };
  const { code, stdout } = await runCairn(["navigate", PROMPT, site.url("/company"), "--json"], env).ended;
  expect(code).toBe(0);
  expect(model.calls.length).toBeGreaterThan(0);
  const result: NavigationResult = JSON.parse(stdout.trim().split("\n").at(-1) ?? "null");
  expect(result.usage.llm_calls).toBe(model.calls.length);
  await data.remove();
});

describe.each(dialects.slice(0, isFull ? undefined : 1))(
  "a navigation run with a model that has the HTTP API of %s",
  (dialect) => {
    let data: Awaited<ReturnType<typeof dataFolder>>;
    let cairn: Cairn;

    beforeAll(async () => {
      data = await dataFolder();
      const env = { ...model.environment(dialect), CAIRN_WORKERS: "1" };
      cairn = await Cairn.start({ data: data.path, env });
    });
    afterAll(async () => {
      await cairn?.stop();
      await data?.remove();
    });

    async function navigate(prompt: string, path: string, more: Readonly<Record<string, unknown>> = {}) {
      const before = site.log.length;
      model.reset();
      const { status, body } = await cairn.call("navigate_with_intent", {
        prompt,
        seed_links: [site.url(path)],
        render: "http",
        ...more,
      });
      const endedAt = Date.now();
      expect([status, body.error?.message ?? null]).toEqual([200, null]);
      const result: NavigationResult = body;
      const log = site.log.slice(before).filter(({ path }) => path !== "/robots.txt");
      const cost = costOf(PRICED_AS[dialect], model.tokens.input, model.tokens.output) ?? Number.NaN;
      return { result, log, opened: log.map(({ path }) => path), endedAt, calls: model.calls.length, cost };
    }

    test("finds the existing articles with fewer than 15 model calls and less than $0.15 on average", async () => {
      model.answerTo = sensible;
      const runs = [
        { ...(await navigate(PROMPT, "/company")), articles: 4 },
        { ...(await navigate("Collect the discussions about Marel", "/forum")), articles: 4 },
        { ...(await navigate("Summarize Marel news from last week", "/news")), articles: 3 },
      ];
      for (const { result, calls, articles, opened } of runs) {
        expect(result.usage.llm_calls).toBe(calls);
        expect(result.articles).toHaveLength(articles);
        expect(new Set(opened).size).toBe(opened.length);
      }
      const average = (of: (run: (typeof runs)[number]) => number) =>
        runs.reduce((all, run) => all + of(run), 0) / runs.length;
      const calls = average((run) => run.calls);
      const cost = average((run) => run.cost);
      console.log(
        `${dialect}: on average ${calls.toFixed(1)} calls, $${cost.toFixed(4)} and ` +
          `${average(({ result }) => result.usage.seconds).toFixed(1)} s (targets: under 15, $0.15 and 60 s)`,
      );
      expect(calls).toBeGreaterThan(0);
      expect(calls).toBeLessThan(15);
      expect(cost).toBeGreaterThan(0);
      expect(cost).toBeLessThan(0.15);
    });

    test.if(isFull)(
      `ends with its findings although 30 % of the answers are nonsense (seed ${seed})`,
      async () => {
        const random = randomOf(seed);
        const reasons: Record<string, number> = {};
        let asked = 0;
        for (let run = 0; run < RUNS; run++) {
          model.answerTo = nonsense(random);
          edition += 1;
          // Each run asks a different question, because an answer may be cached.
          const { result, log, opened, endedAt, calls } = await navigate(
            `${PROMPT}, question ${run}`,
            "/company",
            {
              max_seconds: MAX_SECONDS,
              max_llm_calls: MAX_CALLS,
            },
          );
          expect(result.status).toBe("completed");
          expect(result.usage.llm_calls).toBeLessThanOrEqual(MAX_CALLS + CALLS_OF_A_STEP);
          // The run stops at the deadline, but may finish the step that it is in. On this site, a step requests at most
          // one page.
          const deadline = endedAt - (result.usage.seconds - MAX_SECONDS) * SECOND;
          expect(log.filter(({ at }) => at > deadline).length).toBeLessThanOrEqual(1);
          expect(opened.filter((path) => !site.routes.has(path))).toEqual([]);
          expect(new Set(opened).size).toBe(opened.length);
          asked += calls;
          const reason = result.stopped_reason ?? "none";
          reasons[reason] = (reasons[reason] ?? 0) + 1;
        }
        console.log(
          `${dialect}: ${RUNS} runs with nonsense, ${asked} calls, ended as ${JSON.stringify(reasons)}`,
        );
      },
    );
  },
);
