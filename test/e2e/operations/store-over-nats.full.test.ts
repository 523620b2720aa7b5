/**
 * Tests a cluster that needs only NATS. One node has the store in its data folder and hosts no actors; the
 * other uses the store over the message bus. The node with the store is killed during an exploration.
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { NatsServer } from "../../support/test-nats-server.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { JobWatch } from "../support/check-counts-of-running-exploration.ts";

setDefaultTimeout(180_000);
const PAGES = 60;
const JOB = "shared";
const LEASE = "4000";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let site: ScriptedSite;
let nats: NatsServer;
let started: Cairn[];

beforeEach(async () => {
  folder = await dataFolder();
  nats = await NatsServer.start();
  started = [];
  const links = (n: number) => `<a href="/p${2 * n + 1}">left</a> <a href="/p${2 * n + 2}">right</a>`;
  const page = (n: number) => async () => {
    await Bun.sleep(60);
    return html(`Page ${n}`, `<p>This is page ${n} of the site.</p>${links(n)}`);
  };
  site = serveSite(Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [`/p${n}`, page(n)])));
});

afterEach(async () => {
  for (const cairn of started) await cairn.kill();
  await nats.close();
  await site.stop();
  await folder.remove();
});

async function launch(name: string, env: Readonly<Record<string, string>>): Promise<Cairn> {
  const cairn = await Cairn.launch({
    data: join(folder.path, name),
    env: { NATS_URL: nats.url, CAIRN_LEASE_TTL_MS: LEASE, CAIRN_WORKERS: "1", ...env },
  });
  started.push(cairn);
  return cairn;
}

const withStore = { CAIRN_ROLES: "gateway" };
const overBus = { CAIRN_STORE: "bus" };

/**
 * Waits until `/ready` reports that the store is available (`ok` is true) or unavailable. Returns the
 * reported detail.
 */
async function storeIs(cairn: Cairn, ok: boolean): Promise<string> {
  for (;;) {
    // The error is ignored and the request repeated, because the process may not listen yet.
    const ready = await cairn.get("/ready").catch(() => undefined);
    const store = ready?.body?.checks?.store;
    if (store?.ok === ok) return String(store.detail);
    await Bun.sleep(50);
  }
}

test("a node without a store waits for the node with the store, survives its loss, and refuses a second store", async () => {
  const worker = await launch("worker", overBus);
  expect(await storeIs(worker, false)).toContain("another node serves");
  const first = await launch("store", withStore);
  await storeIs(worker, true);
  await storeIs(first, true);

  const second = await launch("second", {});
  const refused = await second.ended;
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain("CAIRN_STORE=bus");

  const start = { start_url: site.url("/p0"), job_id: JOB, max_pages: PAGES, max_depth: 50 };
  expect((await first.post("/api/knowledge/explore/start", start)).status).toBe(200);
  const watch = new JobWatch(JOB);
  await watch.follow(worker, ({ progress }) => progress.completed > PAGES / 4);

  await first.kill();
  expect(await storeIs(worker, false)).toContain("another node serves");
  const other = await worker.post("/api/knowledge/explore/start", { ...start, job_id: "other" });
  expect(other).toMatchObject({ status: 503, body: { error: { code: "store.unavailable" } } });
  expect((await worker.status(JOB)).status).toBe("running");

  const again = await launch("store", withStore);
  const ended = await watch.follow(worker);
  expect(ended).toMatchObject({
    status: "completed",
    error: null,
    progress: { completed: PAGES, failed: 0 },
  });
  expect(watch.contradictions).toEqual([]);
  await storeIs(again, true);
  for (const cairn of [worker, again]) {
    const { body } = await cairn.get(`/api/knowledge/explore/results/${JOB}`);
    const urls = (body.pages as { url: string }[]).map(({ url }) => url).sort();
    expect(urls).toEqual(Array.from({ length: PAGES }, (_, n) => site.url(`/p${n}`)).sort());
  }
});

/** Starts a node with the store and one without, and an exploration that has read a quarter of its pages. */
async function exploredToAQuarter() {
  const first = await launch("store", withStore);
  await storeIs(first, true);
  const worker = await launch("worker", overBus);
  await storeIs(worker, true);
  const start = { start_url: site.url("/p0"), job_id: JOB, max_pages: PAGES, max_depth: 50 };
  expect((await worker.post("/api/knowledge/explore/start", start)).status).toBe(200);
  const watch = new JobWatch(JOB);
  await watch.follow(worker, ({ progress }) => progress.completed > PAGES / 4);
  return { first, worker, watch };
}

test("a node that has the store serves it again after a pause longer than its lease", async () => {
  const { first, worker, watch } = await exploredToAQuarter();
  process.kill(first.pid, "SIGSTOP");
  await Bun.sleep(2 * Number(LEASE));
  process.kill(first.pid, "SIGCONT");
  const ended = await watch.follow(worker);
  expect(ended).toMatchObject({
    status: "completed",
    error: null,
    progress: { completed: PAGES, failed: 0 },
  });
  expect(watch.contradictions).toEqual([]);
  await storeIs(first, true);
});

test("commits wait while the NATS broker restarts, and none is lost", async () => {
  const { worker } = await exploredToAQuarter();
  await nats.stop("SIGKILL");
  await Bun.sleep(1_000);
  await nats.start();
  let ended = await statusOf(worker);
  while (ended?.status !== "completed") {
    await Bun.sleep(100);
    ended = await statusOf(worker);
  }
  expect(ended).toMatchObject({ error: null, progress: { completed: PAGES, failed: 0 } });
});

/** Returns the status of the job; `undefined` while no node can answer. */
async function statusOf(cairn: Cairn) {
  return await cairn.status(JOB).catch(() => undefined);
}
