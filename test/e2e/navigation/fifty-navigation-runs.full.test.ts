/** Tests fifty navigation runs that read the same host at the same time. The site counts the open requests. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import { serveStoneForum } from "../../sites/stone-forum-test-site.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { usageOf } from "../support/process-tree.ts";

setDefaultTimeout(500_000);
const RUNS = 50;
const ROUNDS = 3;
const THREADS = 18;
const ARTICLES = 5;
/**
 * Delay in milliseconds of each answer of the site. With this delay, many requests would be open at the same
 * time if Cairn did not limit their number.
 */
const ANSWER_TIME = 120;
/** Factor by which memory may grow from the second round of runs to the third. */
const MEMORY_GROWTH = 1.25;

const site = serveStoneForum({ threads: THREADS, answerTime: ANSWER_TIME });
const folder = await dataFolder();
const cairn = await Cairn.start({ data: folder.path, env: { CAIRN_LOG_FORMAT: "json" } });

afterAll(async () => {
  await cairn.kill();
  await site.stop();
  await folder.remove();
});

/** Starts all runs at the same time and waits until each has its articles. Returns Cairn's memory in bytes. */
async function runAll(round: number): Promise<number> {
  const ids = Array.from({ length: RUNS }, (_, at) => `round-${round}-${at}`);
  const started = await Promise.all(
    ids.map((run_id) =>
      cairn.post("/api/navigate", {
        run_id,
        prompt: "What do people say about stones in the forum",
        seed_links: [site.url("/forum")],
        render: "http",
        max_articles: ARTICLES,
        max_seconds: 400,
      }),
    ),
  );
  expect(started.map(({ status }) => status)).toEqual(ids.map(() => 200));
  for (const id of ids) {
    let { body } = await cairn.get(`/api/navigate/${id}`);
    while (body.status === "running" || body.status === "queued") {
      await Bun.sleep(100);
      ({ body } = await cairn.get(`/api/navigate/${id}`));
    }
    expect([body.status, body.articles.length]).toEqual(["completed", ARTICLES]);
  }
  return usageOf(cairn.pid).rss;
}

test("fifty simultaneous navigation runs respect a host's request limit, and their memory does not grow", async () => {
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) memory.push(await runAll(round));
  const megabytes = memory.map((bytes) => Math.round(bytes / 2 ** 20));
  console.log(
    `most open requests: ${site.load.most}; memory after each ${RUNS} runs: ${megabytes.join(", ")} MB`,
  );
  expect(site.load.most).toBeGreaterThan(0);
  expect(site.load.most).toBeLessThanOrEqual(readingLimits.perHost);
  expect(memory.at(-1)).toBeLessThan(MEMORY_GROWTH * (memory.at(-2) ?? 0));
});
