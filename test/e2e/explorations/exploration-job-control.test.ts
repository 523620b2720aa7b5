/**
 * Tests how a user controls a slow job: pausing, resuming and cancelling it, and reading results while it
 * runs.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { JobWatch } from "../support/check-counts-of-running-exploration.ts";
import { cairnThatFullTierStops } from "../support/own-test-cairn.ts";

setDefaultTimeout(120_000);
const PAGES = 80;
/**
 * Time in milliseconds within which a pause or a cancellation must take effect, as the protocol specification
 * requires.
 */
const WITHIN = 1_000;

// The site is a binary tree of slow pages. The job takes long enough to be interrupted.
const site = siteOfTests({
  "*": async (request) => {
    await Bun.sleep(100);
    return treePage(new URL(request.url).pathname);
  },
});

const own = await cairnThatFullTierStops();
let { cairn } = own;

test(`a paused exploration sends no requests, ${isFull ? "stays paused over a restart, " : ""}and continues when resumed`, async () => {
  const watch = new JobWatch("paused");
  await start("paused");
  await watch.follow(cairn, (status) => status.progress.completed >= 20);
  const asked = Date.now();
  expect((await cairn.post("/api/knowledge/explore/pause", { job_id: "paused" })).body).toEqual({
    job_id: "paused",
    status: "paused",
  });
  expect(Date.now() - asked).toBeLessThan(WITHIN);
  const paused = await watch.read(cairn);
  expect(paused.status).toBe("paused");
  expect(paused.progress.queued).toBeGreaterThan(0);
  await Bun.sleep(2 * WITHIN);
  expect(site.log.filter((request) => request.at > asked + WITHIN)).toEqual([]);

  if (isFull) {
    await cairn.stop();
    cairn = await own.start();
  }
  const restarted = await watch.read(cairn);
  expect(restarted.status).toBe("paused");
  expect(restarted.progress.completed).toBe(paused.progress.completed);

  expect((await cairn.post("/api/knowledge/explore/resume", { job_id: "paused" })).body).toEqual({
    job_id: "paused",
    status: "running",
  });
  const end = await watch.follow(cairn);
  expect(end.status).toBe("completed");
  expect(end.progress.completed).toBe(PAGES);
  expect(watch.contradictions).toEqual([]);
  const results = await cairn.get("/api/knowledge/explore/results/paused");
  expect(new Set(results.body.pages.map((page: { url: string }) => page.url)).size).toBe(PAGES);
  expect(results.body.pages).toHaveLength(PAGES);
});

test("a cancelled exploration sends no more requests, keeps its stored pages, and cannot be resumed", async () => {
  const watch = new JobWatch("cancelled");
  await start("cancelled");
  await watch.follow(cairn, (status) => status.progress.completed >= 10);
  const asked = Date.now();
  expect((await cairn.post("/api/knowledge/explore/cancel", { job_id: "cancelled" })).body).toEqual({
    job_id: "cancelled",
    status: "cancelled",
  });
  expect(Date.now() - asked).toBeLessThan(WITHIN);
  await Bun.sleep(2 * WITHIN);
  expect(site.log.filter((request) => request.at > asked + WITHIN)).toEqual([]);
  const end = await watch.read(cairn);
  expect(end.status).toBe("cancelled");
  expect(watch.contradictions).toEqual([]);
  const results = await cairn.get("/api/knowledge/explore/results/cancelled");
  expect(results.status).toBe(200);
  expect(results.body.pages).toHaveLength(end.progress.completed);
  const resumed = await cairn.post("/api/knowledge/explore/resume", { job_id: "cancelled" });
  expect(resumed.status).toBe(409);
  expect(resumed.body.error.message).toContain("cancelled");
});

test.if(isFull)(
  "results of a running exploration are returned only with partial=true, and contain only complete pages",
  async () => {
    const watch = new JobWatch("looking");
    await start("looking");
    const seen = await watch.follow(cairn, (status) => status.progress.completed >= 15);
    expect(seen.status).toBe("running");
    expect((await cairn.get("/api/knowledge/explore/results/looking")).status).toBe(409);
    const partial = await cairn.get("/api/knowledge/explore/results/looking?partial=true");
    expect(partial.status).toBe(200);
    expect(partial.body.status).toBe("running");
    expect(partial.body.pages.length).toBeGreaterThanOrEqual(seen.progress.completed);
    for (const page of partial.body.pages) expect(page.content).toContain("Words of page");
    await cairn.post("/api/knowledge/explore/cancel", { job_id: "looking" });
  },
);

test("results of an exploration that are read in parts add up to the whole without repetition", async () => {
  const urls: string[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await cairn.get(`/api/knowledge/explore/results/paused?limit=30${from}`);
    expect(status).toBe(200);
    expect(body.pages.length).toBeLessThanOrEqual(30);
    urls.push(...body.pages.map((page: { url: string }) => page.url));
    cursor = body.next_cursor;
  } while (cursor !== null);
  expect(urls).toHaveLength(PAGES);
  expect(new Set(urls).size).toBe(PAGES);
});

async function start(job_id: string): Promise<void> {
  const { status } = await cairn.post("/api/knowledge/explore/start", {
    start_url: site.url("/page/1"),
    max_pages: 1_000,
    max_depth: 20,
    job_id,
    knowledge_id: job_id,
  });
  expect(status).toBe(200);
}

function treePage(path: string): string | Response {
  const number = Number(/^\/page\/(\d+)$/.exec(path)?.[1]);
  if (!(number >= 1 && number <= PAGES)) return new Response("no such page", { status: 404 });
  const links = [2 * number, 2 * number + 1]
    .filter((child) => child <= PAGES)
    .map((child) => `<li><a href="/page/${child}">To page ${child}</a></li>`);
  return html(
    `Page ${number}`,
    `<main><h1>Page ${number}</h1><p>Words of page ${number}.</p><ul>${links.join("")}</ul></main>`,
  );
}
