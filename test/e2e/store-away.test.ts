/** A Cairn whose store is a SurrealDB server: the server is killed in the midst of an exploration, and comes back. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { once } from "node:events";
import { join } from "node:path";
import { html, type ScriptedSite, serveSite } from "../sites/site.ts";
import { type Script, startScript } from "../store/processes.ts";
import { Cairn, dataFolder, freePort } from "./cairn-process.ts";
import { JobWatch } from "./job-watch.ts";

const PATIENCE = 120_000;
const PAGES = 60;
const JOB = "away";

let folder: Awaited<ReturnType<typeof dataFolder>>;
let site: ScriptedSite;
let port: number;
let server: Script;
let cairn: Cairn | undefined;

async function startServer(): Promise<Script> {
  const script = startScript("surreal-server", `rocksdb://${join(folder.path, "server")}`, String(port));
  await once(script.stdout, "data");
  return script;
}

beforeEach(async () => {
  folder = await dataFolder();
  port = await freePort();
  server = await startServer();
  const links = (n: number) => `<a href="/p${2 * n + 1}">left</a> <a href="/p${2 * n + 2}">right</a>`;
  const page = (n: number) => async () => {
    await Bun.sleep(60);
    return html(`Page ${n}`, `<p>This is page ${n} of the site.</p>${links(n)}`);
  };
  site = serveSite(Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [`/p${n}`, page(n)])));
}, PATIENCE);

afterEach(async () => {
  await cairn?.kill();
  await server.kill();
  await site.stop();
  await folder.remove();
}, PATIENCE);

test(
  "the job goes on when the server is back, callers are told meanwhile, and nothing is lost or doubled",
  async () => {
    const env = { SURREAL_URL: `ws://localhost:${port}`, SURREAL_USER: "root", SURREAL_PASS: "secret" };
    cairn = await Cairn.start({ data: join(folder.path, "data"), env });
    const start = { start_url: site.url("/p0"), job_id: JOB, max_pages: PAGES, max_depth: 50 };
    expect((await cairn.post("/api/knowledge/explore/start", start)).status).toBe(200);
    const watch = new JobWatch(JOB);
    await watch.follow(cairn, ({ progress }) => progress.completed > PAGES / 4);

    await server.kill();
    const ready = await cairn.get("/ready");
    expect(ready).toMatchObject({ status: 503, body: { checks: { store: { ok: false } } } });
    expect(JSON.stringify(ready.body)).not.toContain("secret");
    const refused = await cairn.post("/api/knowledge/explore/start", { ...start, job_id: "other" });
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
    const { body } = await cairn.get(`/api/knowledge/explore/results/${JOB}`);
    const urls = (body.pages as { url: string }[]).map(({ url }) => url).sort();
    expect(urls).toEqual(Array.from({ length: PAGES }, (_, n) => site.url(`/p${n}`)).sort());
    expect((await cairn.get("/ready")).status).toBe(200);
  },
  PATIENCE,
);
