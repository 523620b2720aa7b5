/** Tests that a watcher receives each event of an exploration once, and only after the page is stored. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CairnNode, startCairn } from "../../../actors/index.ts";
import { explorationTopic } from "../../../machines/exploration/build-exploration-events.ts";
import {
  type ExplorationEvent,
  explorationEventSchema,
  startExplorationSchema,
} from "../../../machines/exploration/exploration-protocol.ts";
import { leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";

const PAGES = isFull ? 40 : 15;
setDefaultTimeout(60_000);

let node: CairnNode;
let folder: string;
let site: ScriptedSite;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-watch-"));
  node = await startCairn({
    version: "0.0.0",
    dataDir: folder,
    workers: 1,
    userAgent: "Cairn/test",
    egress: { loopback: true, allowPrivate: [] },
    leaseTtl: leaseLimits.ttl,
    log: () => {},
  });
  const pages = Object.fromEntries(
    Array.from({ length: PAGES }, (_, n) => [
      `/p${n}`,
      html(
        `Page ${n}`,
        `<a href="/p${2 * n + 1}">left</a> <a href="/p${2 * n + 2}">right</a> <a href="https://else.example/${n}">away</a>`,
      ),
    ]),
  );
  site = serveSite({ ...pages, "*": new Response("gone", { status: 410 }) });
});
afterAll(async () => {
  await node.stop();
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

async function explore(jobId: string): Promise<void> {
  await node.explorations.start(
    startExplorationSchema.parse({
      start_url: site.url("/p0"),
      job_id: jobId,
      max_pages: 500,
      max_depth: 20,
      respect_robots: false,
      sitemaps: false,
    }),
  );
  while (!["completed", "failed"].includes((await node.explorations.status(jobId)).status))
    await Bun.sleep(20);
}

test("a watcher receives each event of its job once, and the event of a page only after the page is stored", async () => {
  const events: ExplorationEvent[] = [];
  /** Pages whose event arrived before they were stored. The list must stay empty. */
  const early: string[] = [];
  const checks: Promise<void>[] = [];
  const unsubscribe = node.watch(explorationTopic("watched"), (given) => {
    const event = explorationEventSchema.parse(given);
    events.push(event);
    if (event.type !== "page_completed" || !event.success) return;
    checks.push(
      node.explorations
        .results("watched", { partial: true, limit: 1_000 })
        .then(async ({ pages }) => (await Array.fromAsync(pages)).some(({ url }) => url === event.url))
        .then((found) => {
          if (!found) early.push(event.url);
        }),
    );
  });
  await explore("watched");
  await explore("unwatched");
  unsubscribe();
  await Promise.all(checks);
  const urls = (wanted: (event: ExplorationEvent) => string | undefined) =>
    events.flatMap((event) => wanted(event) ?? []).sort();
  const all = Array.from({ length: PAGES }, (_, n) => site.url(`/p${n}`)).sort();
  expect(urls((event) => (event.type === "page_completed" && event.success ? event.url : undefined))).toEqual(
    all,
  );
  expect(early).toEqual([]);
  const missing = Array.from({ length: PAGES + 1 }, (_, n) => site.url(`/p${PAGES + n}`)).sort();
  expect(
    urls((event) => (event.type === "page_completed" && !event.success ? event.url : undefined)),
  ).toEqual(missing);
  expect(urls((event) => (event.type === "exploration_error" ? event.url : undefined))).toEqual(missing);
  expect(events.find((event) => event.type === "exploration_error")).toMatchObject({
    code: "reading.http_410",
    attempts: 1,
    will_retry: false,
  });
  expect(urls((event) => (event.type === "external_link_detected" ? event.external_url : undefined))).toEqual(
    Array.from({ length: PAGES }, (_, n) => `https://else.example/${n}`).sort(),
  );
  const progress = events.filter((event) => event.type === "exploration_progress");
  expect(progress[0]).toMatchObject({ status: "running", completed: 0 });
  expect(progress.at(-1)).toMatchObject({
    status: "completed",
    completed: PAGES,
    queued: 0,
    searchable: PAGES,
  });
  expect(new Set(events.map(({ job_id }) => job_id))).toEqual(new Set(["watched"]));
});

test("each error in a job's results has a message, a code and a number of attempts", async () => {
  const { summary } = await node.explorations.results("watched", { partial: false });
  expect(summary.results.errors).toHaveLength(PAGES + 1);
  // Pages are read concurrently, so the errors have no fixed order. The error of one page is searched by its URL.
  expect(summary.results.errors.find(({ url }) => url === site.url(`/p${PAGES}`))).toEqual({
    url: site.url(`/p${PAGES}`),
    error: `reading.http_410: ${site.url(`/p${PAGES}`)} answered 410 Gone.`,
    code: "reading.http_410",
    attempts: 1,
  });
});
