/**
 * Tests a job of the queue `knowledge-retrieval` whose Cairn is killed half-way. After a restart, the same
 * job completes exactly once, when its map is searchable.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Queue, QueueEvents } from "bullmq";
import { EdgeProducers } from "../../../gateway/edge/index.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { RedisServer, redisBinary } from "../../support/test-redis-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(180_000);
const PAGES = 40;
/** Number of requests that the site answers before Cairn is killed. Later requests wait until the kill. */
const HALF = PAGES / 2;
const JOB = "half-way";
const QUEUE = "knowledge-retrieval";
const binary = await redisBinary();
if (binary === undefined) console.warn("No redis-server: the test of a killed exploration job is skipped.");

let redis: RedisServer;
let site: ScriptedSite;
let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let producers: EdgeProducers;
let queue: Queue;
let events: QueueEvents;
let requests = 0;
const killed = Promise.withResolvers<void>();

beforeAll(async () => {
  if (binary === undefined) return;
  redis = await RedisServer.start(binary);
  const links = Array.from({ length: PAGES - 1 }, (_, n) => `<a href="/page/${n + 1}">Page ${n + 1}</a>`);
  site = serveSite({
    "*": async ({ url }) => {
      requests += 1;
      if (requests > HALF) await killed.promise;
      const name = `Page ${new URL(url).pathname.split("/")[2] ?? "of all"}`;
      return html(name, `<h1>${name}</h1><p>Granite of the number ${name}.</p>${links.join("")}`);
    },
  });
  data = await dataFolder();
  cairn = await Cairn.start({ data: data.path, env: { REDIS_URL: redis.url } });
  producers = new EdgeProducers(redis.url);
  queue = new Queue(QUEUE, { connection: { url: redis.url } });
  events = new QueueEvents(QUEUE, { connection: { url: redis.url } });
  await events.waitUntilReady();
});

afterAll(async () => {
  await cairn?.stop();
  await producers?.close();
  await events?.close();
  await queue?.close();
  site?.stop();
  await redis?.remove();
  await data?.remove();
});

test.skipIf(binary === undefined)(
  "an exploration job whose Cairn is killed half-way completes once after the restart, when its map is searchable",
  async () => {
    const completed: string[] = [];
    const progress: number[] = [];
    events.on("completed", ({ jobId }) => completed.push(jobId));
    events.on("progress", ({ data }) => {
      // The cast is safe: the progress that the queue consumer reports has the field `completed`.
      progress.push((data as unknown as { readonly completed: number }).completed);
    });
    await producers.add_exploration_job({ start_url: site.url("/"), max_pages: PAGES, job_id: JOB });
    while ((progress.at(-1) ?? 0) < PAGES / 4) await Bun.sleep(20);
    await cairn.kill();
    killed.resolve();
    expect(await queue.getJobCounts("active", "completed")).toEqual({ active: 1, completed: 0 });

    cairn = await Cairn.start({ data: data.path, env: { REDIS_URL: redis.url } });
    while (completed.length === 0) await Bun.sleep(50);
    const job = await queue.getJob(JOB);
    expect(job?.returnvalue).toMatchObject({ job_id: JOB, status: "completed" });
    const found = await cairn.post("/api/knowledge/query", {
      query_type: "search",
      params: { query: "granite" },
    });
    expect(found.body.data.results.length).toBeGreaterThan(0);
    const status = await cairn.status(JOB);
    expect(status.progress).toMatchObject({ completed: PAGES, searchable: PAGES });
    // The queue contains the job only once, as completed. It is not delivered again.
    expect(await queue.getJobCounts("active", "waiting", "delayed", "completed", "failed")).toEqual({
      active: 0,
      waiting: 0,
      delayed: 0,
      completed: 1,
      failed: 0,
    });
    expect(completed).toEqual([JOB]);
  },
);
