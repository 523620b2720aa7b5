/**
 * Tests the main job from end to end. A real Cairn explores a real documentation site, and the stored pages
 * and links are compared with an independent count.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { load } from "cheerio";
import { type ServedSite, serveFolder } from "../../sites/serve-test-folder.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { type Answer, Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { JobWatch } from "../support/check-counts-of-running-exploration.ts";
import { differences, type StoredSite, storedSite } from "../support/compare-stored-site.ts";
import { clicksBetween, countReachable, keyOf, type SiteCount } from "../support/page-count-without-cairn.ts";
import { searches } from "../support/python-manual-queries-with-first-result.ts";
import { pythonManual } from "../support/python-manual-site.ts";
import { walk } from "./follow-agent-clicks-without-browser.ts";

/** The searches whose results are linked from the tutorial's page "Brief Tour of the Standard Library". */
const inTour = searches.filter(({ page }) => /^library\/(?:argparse|csv|json|sqlite3)\.html$/.test(page));
/**
 * The part of the manual that is explored. In the full tier it is the complete manual, otherwise the tutorial's page
 * "Brief Tour of the Standard Library" with the pages to which it links. The fields after `max_depth` name numbers
 * and pages of this part that the tests use.
 */
const PART = isFull
  ? {
      start: "/index.html",
      max_depth: 3,
      leastPages: 500,
      mostScreens: 52,
      read: "howto/sorting.html",
      described: { words: "Logging Cookbook", page: "howto/logging-cookbook.html" },
      searches,
    }
  : {
      start: "/tutorial/stdlib.html",
      max_depth: 1,
      leastPages: 40,
      mostScreens: 12,
      read: "library/json.html",
      described: { words: "CSV File Reading and Writing", page: "library/csv.html" },
      searches: inTour,
    };
setDefaultTimeout(300_000);
const JOB = "manual";

let site: ServedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let count: SiteCount;
let knowledge: string;
const watch = new JobWatch(JOB);
let stored: StoredSite;

beforeAll(async () => {
  site = serveFolder(await pythonManual());
  count = await countReachable(site.origin + PART.start, PART.max_depth);
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path });
});

afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
  await site?.stop();
});

describe("an exploration of the Python manual", () => {
  test("is accepted, reports counts that add up, and ends completed", async () => {
    const before = site.requests.length;
    const started = await cairn.post("/api/knowledge/explore/start", startRequest());
    expect(started.status).toBe(200);
    expect(started.body.job_id).toBe(JOB);
    expect(started.body.status).toBe("queued");
    knowledge = started.body.knowledge_id;

    const early = await cairn.get(`/api/knowledge/explore/results/${JOB}`);
    expect(early.status).toBe(409);
    expect(early.body.error.code).toBe("job.not_finished");

    const halfway = await watch.follow(cairn, (status) => status.progress.completed >= 20);
    if (halfway.status === "running") await expectPartialResults(halfway.progress.completed);
    const end = await watch.follow(cairn);
    expect(watch.contradictions).toEqual([]);
    expect(end.status).toBe("completed");
    expect(end.progress.completed).toBe(count.pages.size);
    expect(end.progress.searchable).toBe(count.pages.size);
    expect(end.progress.failed).toBe(count.failed.size);
    expect(end.progress.queued).toBe(0);

    const asked = site.requests.slice(before);
    const again = asked.filter((path, index) => asked.indexOf(path) !== index && path !== "/robots.txt");
    expect(again, `read twice; what Cairn said:\n${cairn.output.stderr}\n${cairn.output.stdout}`).toEqual([]);
  });

  test("stores exactly the pages, links and errors that the tests' own count finds, each once", async () => {
    expect(count.pages.size).toBeGreaterThan(PART.leastPages);
    stored = await storedSite(cairn, JOB);
    expect(differences(stored, count)).toEqual({});
    const otherTitles = [...count.titles].filter(([key, title]) => {
      const kept = stored.titles.get(key) ?? "";
      return collapse(kept) !== collapse(title);
    });
    expect(otherTitles).toEqual([]);
  });

  test("is in the list of explorations with its job, map and counts", async () => {
    const jobs = await cairn.get("/api/knowledge/explore/jobs");
    expect(jobs.body.jobs).toContainEqual(
      expect.objectContaining({ job_id: JOB, status: "completed", start_url: site.origin + PART.start }),
    );
    const maps = await cairn.get("/api/knowledge");
    expect(maps.body.knowledge).toContainEqual(
      expect.objectContaining({
        knowledge_id: knowledge,
        pages: count.pages.size,
        screens: expect.any(Number),
      }),
    );
  });

  test.each(PART.searches)(
    'finds $page among the first three results of a search for "$query"',
    async ({ query, page }) => {
      const answer = await ask({ query_type: "search", params: { query, top_k: 3 } });
      const urls = answer.body.data.results.map((result: { url: string }) => keyOf(result.url));
      expect(urls).toContain(keyOf(`${site.origin}/${page}`));
    },
  );

  test("is stored as a few screens, and each page is an instance of one screen", async () => {
    const { body } = await cairn.get(`/api/knowledge/${knowledge}/screens`);
    const instances = body.screens.reduce(
      (sum: number, screen: { instances: number }) => sum + screen.instances,
      0,
    );
    expect(instances).toBe(count.pages.size);
    expect(body.screens.length).toBeLessThanOrEqual(PART.mostScreens);
  });

  test("returns a complete page and its links in both directions", async () => {
    const url = `${site.origin}/library/csv.html`;
    const page = await ask({ query_type: "page", params: { url } });
    expect(JSON.stringify(page.body.data)).toContain("QUOTE_NONNUMERIC");
    const links = await ask({ query_type: "links", params: { url, direction: "both" } });
    const pairs = new Set<string>(
      links.body.data.links.map(
        (link: { from: string; to: string }) => `${keyOf(link.from)} ${keyOf(link.to)}`,
      ),
    );
    const wanted = [...count.internal, ...count.external].filter((pair) =>
      pair.split(" ").includes(keyOf(url)),
    );
    expect([...pairs].sort()).toEqual(wanted.sort());
  });
});

describe("an agent that navigates with a map", () => {
  test("gets the screen of a URL and patterns by which it is recognised", async () => {
    const url = `${site.origin}/library/sqlite3.html`;
    const found = await instruct("find_screen", url, {});
    expect(found.status).toBe(200);
    expect(found.body.success).toBe(true);
    expect(placeOf(found.body.expected_result)).toBe(await placeAt(url));
    expect(found.body.metadata.confidence).toBeGreaterThan(0);
    const patterns: string[] = found.body.expected_result.url_patterns;
    expect(patterns.some((pattern) => new RegExp(pattern).test(url))).toBe(true);
    expect(patterns.some((pattern) => new RegExp(pattern).test(`${site.origin}/no/such/place`))).toBe(false);
  });

  test.if(isFull)(
    "gets the screen of its current page, and no screen if the text is that of another page",
    async () => {
      const url = `${site.origin}/${PART.read}`;
      const summary = await domSummary(url);
      const found = await instruct("find_screen", "", { current_url: url, dom_summary: summary });
      expect(found.body.success).toBe(true);
      expect(placeOf(found.body.expected_result)).toBe(await placeAt(url));
      const fooled = await instruct("find_screen", "", {
        current_url: url,
        dom_summary: "Sign in to continue",
      });
      expect(fooled.body).toMatchObject({ success: false, error: "No matching screen found" });
    },
  );

  test("finds a screen by words that describe it", async () => {
    const { words, page } = PART.described;
    const found = await instruct("find_screen", words, {});
    expect(found.body.success).toBe(true);
    expect(placeOf(found.body.expected_result)).toBe(await placeAt(`${site.origin}/${page}`));
  });

  test.if(isFull)("gets each link of a page once, as an action that matches the HTML", async () => {
    const url = `${site.origin}/library/csv.html`;
    const answer = await instruct("get_actions", await placeAt(url), { current_url: url });
    expect(answer.body.success).toBe(true);
    const clicks = answer.body.actions.filter(
      (action: { tool_name: string }) => action.tool_name === "click",
    );
    expect(clicks.length).toBeGreaterThan(10);
    const targets = new Set<string>();
    for (const click of clicks) {
      const target = await walk(url, [click]).catch((error: Error) => {
        // The actions of a screen include buttons and fields. Without scripts, these lead to no page, so they
        // are skipped here.
        if (/ no link$/.test(error.message)) return undefined;
        throw error;
      });
      if (target) targets.add(keyOf(target));
    }
    for (const target of targets) expect(count.graph.get(keyOf(url))).toContain(target);
  });

  test("gets the shortest route between the pages that are furthest apart, and its clicks lead to the goal", async () => {
    for (const { from, to, clicks } of farPairs()) {
      const answer = await instruct("navigate_to_screen", await placeAt(to), { current_url: from });
      expect(answer.body).toMatchObject({ success: true, error: null });
      expect(answer.body.actions.map((action: { tool_name: string }) => action.tool_name)).not.toContain(
        "navigate",
      );
      expect(keyOf(await walk(from, answer.body.actions))).toBe(to);
      const taken = answer.body.actions.filter(
        (action: { tool_name: string }) => action.tool_name === "click",
      );
      expect(taken).toHaveLength(clicks);
      expect(placeOf(answer.body.expected_result)).toBe(await placeAt(to));
    }
  });

  test("gets an error for a target that no screen matches", async () => {
    const answer = await instruct("navigate_to_screen", "no-such-screen-at-all-qzxv", {
      current_url: site.origin + PART.start,
    });
    expect(answer.body.success).toBe(false);
    expect(answer.body.error).toBeString();
    expect(answer.body.actions).toEqual([]);
  });
});

describe("a finished exploration", () => {
  test("is returned if it is started again with the same parameters, while different parameters are refused", async () => {
    const again = await cairn.post("/api/knowledge/explore/start", startRequest());
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ job_id: JOB, status: "completed" });
    const other = await cairn.post("/api/knowledge/explore/start", { ...startRequest(), max_depth: 5 });
    expect(other.status).toBe(409);
    expect(other.body.error.code).toBe("job.exists");
  });

  test.if(isFull)("is still complete after a restart", async () => {
    const ended = await cairn.stop();
    expect(ended.code).toBe(0);
    cairn = await Cairn.start({ data: data.path });
    expect((await watch.read(cairn)).status).toBe("completed");
    expect(await storedSite(cairn, JOB)).toEqual(stored);
    const answer = await ask({ query_type: "search", params: { query: "sqlite database", top_k: 3 } });
    expect(answer.body.data.results).toHaveLength(3);
  });

  test("no longer exists after its deletion, and neither does its map", async () => {
    expect((await cairn.delete(`/api/knowledge/explore/jobs/${JOB}`)).status).toBe(200);
    expect((await cairn.get(`/api/knowledge/explore/status/${JOB}`)).status).toBe(404);
    expect((await cairn.delete(`/api/knowledge/${knowledge}`)).status).toBe(200);
    expect((await cairn.get(`/api/knowledge/${knowledge}`)).status).toBe(404);
    const maps = await cairn.get("/api/knowledge");
    expect(maps.body.knowledge).toEqual([]);
  }, 30_000);
});

function startRequest() {
  return {
    start_url: site.origin + PART.start,
    max_depth: PART.max_depth,
    max_pages: 10_000,
    job_id: JOB,
  };
}

async function expectPartialResults(atLeast: number): Promise<void> {
  const partial = await cairn.get(`/api/knowledge/explore/results/${JOB}?partial=true`);
  expect(partial.status).toBe(200);
  expect(partial.body.pages.length).toBeGreaterThanOrEqual(atLeast);
  // The answer is built while the job stores more pages. So it may contain more pages than its counter
  // `pages_stored` states.
  expect(partial.body.results.pages_stored).toBeLessThanOrEqual(partial.body.pages.length);
}

function ask(query: { query_type: string; params: Record<string, unknown> }): Promise<Answer> {
  return cairn.post("/api/knowledge/query", { ...query, knowledge_id: knowledge });
}

function instruct(
  instruction_type: string,
  target: string,
  context: Record<string, unknown>,
): Promise<Answer> {
  return cairn.post(`/api/knowledge/${knowledge}/query`, { instruction_type, target, context });
}

/**
 * Returns the id of the page (instance) that an answer names. If the answer names no page, returns the id of
 * its screen.
 */
function placeOf({ instance_id, screen_id }: { instance_id?: string | null; screen_id?: string }): string {
  return instance_id ?? screen_id ?? "";
}

async function placeAt(url: string): Promise<string> {
  const found = await instruct("find_screen", url, { current_url: url });
  const place = placeOf(found.body.expected_result);
  if (place === "") throw new Error(`no screen at ${url}: ${JSON.stringify(found.body)}`);
  return place;
}

/** Returns three pairs of pages whose distance in clicks is the largest on the site. */
function farPairs(): { from: string; to: string; clicks: number }[] {
  const start = keyOf(site.origin + PART.start);
  const pairs = [...count.pages.keys()].flatMap((to) => {
    const clicks = clicksBetween(count, start, to);
    return clicks === undefined ? [] : [{ from: start, to, clicks }];
  });
  const far = pairs.sort((a, b) => b.clicks - a.clicks || a.to.localeCompare(b.to)).slice(0, 2);
  const back = far
    .map(({ to }) => ({ from: to, to: start, clicks: clicksBetween(count, to, start) ?? 0 }))
    .slice(0, 1);
  return [...far, ...back];
}

/**
 * Returns the summary of a page's DOM, as a browser session would send it: the title and the visible text,
 * cut after 8,000 characters.
 */
async function domSummary(url: string): Promise<string> {
  const $ = load(await (await fetch(url)).text());
  $("script, style").remove();
  return collapse(`${$("title").text()} ${$("body").text()}`).slice(0, 8_000);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
