/**
 * Tests several Cairn processes with the same NATS_URL. They form one system, which survives the loss of a
 * node.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { address, shardOf } from "../../actors/runtime/index.ts";
import { NatsServer } from "../support/nats-server.ts";
import { Cairn, dataFolder, freePort } from "./cairn-process.ts";

const TIMEOUT = 240_000;
const PAGES = 60;
const LEASE_TTL = 4_000;

let nats: NatsServer;
let site: ReturnType<typeof Bun.serve>;
let served = 0;
const folders: { readonly path: string; remove(): Promise<void> }[] = [];
const running = new Set<Cairn>();

/**
 * Returns a slow page with links to the next three pages. So the job is still running when the node is
 * killed.
 */
function page(n: number): string {
  const links = [1, 2, 3].map((i) => n * 3 + i).filter((to) => to < PAGES);
  const list = links.map((to) => `<li><a href="/page/${to}">Page ${to}</a></li>`).join("");
  return `<!doctype html><title>Page ${n}</title><main><h1>Page ${n}</h1><p>What page ${n} says of its own matter.</p><ul>${list}</ul></main>`;
}

async function start(env: Readonly<Record<string, string>>): Promise<Cairn> {
  const folder = await dataFolder();
  folders.push(folder);
  const cairn = await Cairn.start({
    data: folder.path,
    port: await freePort(),
    env: {
      NATS_URL: nats.url,
      CAIRN_WORKERS: "1",
      CAIRN_LEASE_TTL_MS: String(LEASE_TTL),
      CAIRN_LOG_FORMAT: "json",
      ...env,
    },
  });
  running.add(cairn);
  return cairn;
}

beforeAll(async () => {
  nats = await NatsServer.start();
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
}, TIMEOUT);

afterAll(async () => {
  for (const cairn of running) await cairn.kill();
  await site?.stop(true);
  await nats?.close();
  for (const folder of folders) await folder.remove();
}, TIMEOUT);

describe("a cluster of three Cairn processes, one of which has the store,", () => {
  test(
    "continues a job on another node after a node was killed, and stores every page once",
    async () => {
      const home = await start({ CAIRN_ROLES: "gateway,compute" });
      const others = [
        await start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" }),
        await start({ CAIRN_ROLES: "browser", CAIRN_STORE: "bus" }),
      ] as const;
      // A node without the role `gateway` must refuse the request and state the reason.
      expect(await others[0].get("/api/nodes")).toMatchObject({
        status: 503,
        body: { error: { code: "gateway.not_here" } },
      });
      const job_id = "moves";
      const shard = shardOf(address("exploration", job_id));
      const hostOf = async () => {
        const { body } = await home.get("/api/nodes");
        const nodes = body.nodes as { name: string; roles: string[]; workers: { shards: number[] }[] }[];
        return nodes.find(({ workers }) => workers.some(({ shards }) => shards.includes(shard)));
      };
      const started = await home.post("/api/knowledge/explore/start", {
        start_url: `http://127.0.0.1:${site.port}/`,
        max_pages: PAGES,
        max_depth: 10,
        job_id,
      });
      expect(started.status).toBe(200);
      while (served < PAGES / 4) await Bun.sleep(20);
      const host = await hostOf();
      expect(host?.roles).toEqual(["browser"]);
      const names = others.map((cairn) => nodeNameOf(cairn));
      const struck = others[names.indexOf(host?.name)];
      if (!struck) throw new Error(`${host?.name} is none of ${names.join(", ")}`);
      await struck.kill();
      running.delete(struck);
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
      expect((await hostOf())?.name).not.toBe(host?.name);
    },
    TIMEOUT,
  );
});

/** Returns the name that a node has in the cluster. The node writes it to its log. */
function nodeNameOf(cairn: Cairn): string | undefined {
  const { stdout, stderr } = cairn.output;
  return /node-[0-9a-f]{8}/.exec(stdout + stderr)?.[0];
}
