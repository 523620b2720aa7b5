/**
 * Tests Cairns whose store is a SurrealDB server. The server is killed during an exploration and started
 * again.
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { join } from "node:path";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { type Script, startScript } from "../../store/run-store-test-scripts.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { Cairn, dataFolder, freePort } from "../support/cairn-test-process.ts";
import { JobWatch } from "../support/check-counts-of-running-exploration.ts";

setDefaultTimeout(120_000);
const PAGES = 60;
const JOB = "away";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let site: ScriptedSite;
let port: number;
let server: Script;
let cairns: Cairn[];

async function startServer(): Promise<Script> {
  const script = startScript("test-surreal-server", `rocksdb://${join(folder.path, "server")}`, String(port));
  await once(script.stdout, "data");
  return script;
}

beforeEach(async () => {
  folder = await dataFolder();
  port = await freePort();
  cairns = [];
  server = await startServer();
  const links = (n: number) => `<a href="/p${2 * n + 1}">left</a> <a href="/p${2 * n + 2}">right</a>`;
  const page = (n: number) => async () => {
    await Bun.sleep(60);
    return html(`Page ${n}`, `<p>This is page ${n} of the site.</p>${links(n)}`);
  };
  site = serveSite(Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [`/p${n}`, page(n)])));
});

async function start(name: string, env: Readonly<Record<string, string>> = {}): Promise<Cairn> {
  const surreal = { SURREAL_URL: `ws://localhost:${port}`, SURREAL_USER: "root", SURREAL_PASS: "secret" };
  const cairn = await Cairn.start({ data: join(folder.path, name), env: { ...surreal, ...env } });
  cairns.push(cairn);
  return cairn;
}

afterEach(async () => {
  for (const cairn of cairns) await cairn.kill();
  await server.kill();
  await site.stop();
  await folder.remove();
});

test("an exploration continues after an outage of the store, and stores every page exactly once", async () => {
  const cairn = await start("alone");
  const job = { start_url: site.url("/p0"), job_id: JOB, max_pages: PAGES, max_depth: 50 };
  expect((await cairn.post("/api/knowledge/explore/start", job)).status).toBe(200);
  const watch = new JobWatch(JOB);
  await watch.follow(cairn, ({ progress }) => progress.completed > PAGES / 4);

  await server.kill();
  const ready = await cairn.get("/ready");
  expect(ready).toMatchObject({ status: 503, body: { checks: { store: { ok: false } } } });
  expect(JSON.stringify(ready.body)).not.toContain("secret");
  const refused = await cairn.post("/api/knowledge/explore/start", { ...job, job_id: "other" });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "store.unavailable" } } });
  await Bun.sleep(3_000);
  expect((await cairn.status(JOB)).status).toBe("running");

  server = await startServer();
  const ended = await watch.follow(cairn);
  expect(ended).toMatchObject({
    status: "completed",
    error: null,
    progress: { completed: PAGES, failed: 0 },
  });
  expect(watch.contradictions).toEqual([]);
  // After the outage, each thread reconnects to the store by itself. `/ready` succeeds when all have
  // reconnected, including the thread that reads results.
  while ((await cairn.get("/ready")).status !== 200) await Bun.sleep(50);
  const { status, body } = await cairn.get(`/api/knowledge/explore/results/${JOB}`);
  expect(status).toBe(200);
  const urls = (body.pages as { url: string }[]).map(({ url }) => url).sort();
  expect(urls).toEqual(Array.from({ length: PAGES }, (_, n) => site.url(`/p${n}`)).sort());
});

test("two nodes with one database server share the work, and both continue after an outage of the server", async () => {
  const nats = await NatsServer.start();
  try {
    const env = { NATS_URL: nats.url, CAIRN_LEASE_TTL_MS: "4000", CAIRN_WORKERS: "1" };
    const [one, two] = await Promise.all([start("one", env), start("two", env)]);
    const jobs = Array.from({ length: 4 }, (_, n) => `job-${n}`);
    const explore = { start_url: site.url("/p0"), max_pages: PAGES, max_depth: 50 };
    for (const [n, job_id] of jobs.entries()) {
      const knowledge = { knowledge_id: `map-${n}`, website_id: `map-${n}` };
      const { status } = await one.post("/api/knowledge/explore/start", {
        ...explore,
        ...knowledge,
        job_id,
      });
      expect(status).toBe(200);
    }
    const watches = jobs.map((job) => new JobWatch(job));
    await watches[0]?.follow(two, ({ progress }) => progress.completed > PAGES / 4);
    await server.kill();
    await Bun.sleep(2_000);
    server = await startServer();
    for (const watch of watches) {
      const ended = await watch.follow(two);
      expect(ended).toMatchObject({ status: "completed", progress: { completed: PAGES, failed: 0 } });
      expect(watch.contradictions).toEqual([]);
    }
  } finally {
    for (const cairn of cairns) await cairn.kill();
    await nats.close();
  }
});
