/**
 * Tests several Cairn processes with the same NATS_URL. They form one system, which survives the loss of a
 * node.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ProcessCluster } from "../support/cluster-of-cairn-processes.ts";

setDefaultTimeout(240_000);
const PAGES = 60;

let cluster: ProcessCluster;
let site: ReturnType<typeof Bun.serve>;
let served = 0;

/**
 * Returns a page that answers slowly and links to up to three further pages. So a job that reads these pages
 * is still running when its node is killed.
 */
function page(n: number): string {
  const links = [1, 2, 3].map((i) => n * 3 + i).filter((to) => to < PAGES);
  const list = links.map((to) => `<li><a href="/page/${to}">Page ${to}</a></li>`).join("");
  return `<!doctype html><title>Page ${n}</title><main><h1>Page ${n}</h1><p>What page ${n} says of its own matter.</p><ul>${list}</ul></main>`;
}

beforeAll(async () => {
  cluster = await ProcessCluster.start();
  site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/robots.txt") return new Response("", { status: 404 });
      const n = pathname === "/" ? 0 : Number(/^\/page\/(\d+)$/.exec(pathname)?.[1]);
      if (!(n < PAGES)) return new Response("not here", { status: 404 });
      served += 1;
      await Bun.sleep(150);
      return new Response(page(n), { headers: { "content-type": "text/html" } });
    },
  });
});

afterAll(async () => {
  await cluster?.close();
  await site?.stop(true);
});

describe("a cluster of three Cairn processes, one of which has the store,", () => {
  test("continues a job on another node after a node was killed, and stores every page once", async () => {
    const home = await cluster.start({ CAIRN_ROLES: "gateway,compute" });
    const others = [
      await cluster.start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" }),
      await cluster.start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" }),
    ] as const;
    // A node without the role `gateway` must refuse the request and state the reason.
    expect(await others[0].get("/api/nodes")).toMatchObject({
      status: 503,
      body: { error: { code: "gateway.not_here" } },
    });
    const job_id = "moves";
    const hostOf = () => cluster.hostOf("exploration", job_id, home);
    const { body: members } = await home.get("/api/nodes");
    expect(members.nodes.map(({ roles }: { roles: string[] }) => roles.join()).sort()).toEqual([
      "browser",
      "browser",
      "gateway,compute",
    ]);
    const started = await home.post("/api/knowledge/explore/start", {
      start_url: `http://127.0.0.1:${site.port}/`,
      max_pages: PAGES,
      max_depth: 10,
      job_id,
    });
    expect(started.status).toBe(200);
    while (served < PAGES / 4) await Bun.sleep(20);
    const host = await hostOf();
    if (!host) throw new Error("No node has the job.");
    expect(others).toContain(host);
    await cluster.kill(host);
    let status = await home.status(job_id);
    while (!["completed", "failed", "cancelled"].includes(status.status)) {
      await Bun.sleep(100);
      status = await home.status(job_id);
    }
    expect(status).toMatchObject({ status: "completed", progress: { completed: PAGES, failed: 0 } });
    const { body } = await home.get(`/api/knowledge/explore/results/${job_id}`);
    const urls = (body.pages as { url: string }[]).map(({ url }) => new URL(url).pathname);
    expect(urls.toSorted()).toEqual(
      Array.from({ length: PAGES }, (_, n) => (n === 0 ? "/" : `/page/${n}`)).toSorted(),
    );
    expect(await hostOf()).not.toBe(host);
  });
});
