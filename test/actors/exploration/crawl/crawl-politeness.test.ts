/**
 * Tests how two workers crawl hosts that limit requests, on real servers and in real time. The workers share
 * a bus, leases and a store, like those of a cluster. In the end every page must be stored.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { exploration } from "../../../../actors/exploration/exploration-actor-kind.ts";
import { host, hostAsker } from "../../../../actors/host/host-actor-kind.ts";
import { createModels, noModels } from "../../../../actors/models/index.ts";
import { createReader } from "../../../../actors/reading/index.ts";
import {
  ActorSystem,
  address,
  allShards,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  shardOf,
  systemClock,
} from "../../../../actors/runtime/index.ts";
import { RoomEvents } from "../../../../actors/session/session-event-publisher.ts";
import type { CairnSystem } from "../../../../actors/typed-actor-system.ts";
import type { CairnServices } from "../../../../actors/worker-services.ts";
import type { ExplorationStatus } from "../../../../machines/exploration/exploration-protocol.ts";
import type { ExplorationRequest } from "../../../../machines/exploration/exploration-request.ts";
import { readingLimits } from "../../../../machines/reading/page-reading-limits.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { type OwnedStore, openStore } from "../../../../store/index.ts";
import { destinations } from "../../../sites/egress-policy-for-tests.ts";
import { browser, noSessions } from "../../../sites/lazy-test-browser.ts";
import {
  html,
  type Route,
  type ScriptedSite,
  serveSite,
} from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

const WORKERS = 2;
let store: OwnedStore;
let system: ActorSystem;
const workers: ShardHost[] = [];
const systems: ActorSystem[] = [];
const sites: ScriptedSite[] = [];

beforeAll(async () => {
  store = await openStore({ url: "mem://" });
  const bus = new MemoryBus();
  const leases = new MemoryLeases(systemClock, leaseLimits.ttl);
  system = new ActorSystem(bus, systemClock, "caller");
  for (let index = 0; index < WORKERS; index++) {
    const owner = `worker-${index}`;
    const own: CairnSystem = new ActorSystem(bus, systemClock, `${owner}-services`);
    systems.push(own);
    const reader = createReader({
      userAgent: "Cairn/test",
      destinations,
      member: owner,
      askHost: hostAsker(own),
    });
    const services: CairnServices = {
      models: createModels(noModels),
      actors: own,
      store,
      reader,
      browser,
      events: new RoomEvents(bus),
      sessions: noSessions(store),
    };
    const worker = new ShardHost({
      owner,
      bus,
      leases,
      store: store.actors,
      clock: systemClock,
      definitions: [exploration, host],
      services,
      leaseTtl: leaseLimits.ttl,
      log: () => {},
    });
    workers.push(worker);
    await worker.start(allShards.filter((n) => n % WORKERS === index));
  }
});

afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

afterAll(async () => {
  for (const worker of workers) worker.close();
  for (const each of [...systems, system]) each.close();
  await store.close();
  await browser.close();
});

/** Returns a site whose front page links to all other pages. */
function site(pages: number, routes: Readonly<Record<string, Route>>, hostname?: string): ScriptedSite {
  const links = Array.from({ length: pages }, (_, index) => `<a href="/p${index}">page ${index}</a>`).join(
    " ",
  );
  const served = serveSite(
    { "/": html("Front", links), ...routes },
    hostname === undefined ? {} : { hostname },
  );
  sites.push(served);
  return served;
}

let jobs = 0;
/** Starts an exploration that runs in the worker with this number. Returns the id of the exploration. */
async function start(start_url: string, worker: number): Promise<string> {
  let id: string;
  do {
    jobs += 1;
    id = `job-${jobs}`;
  } while (shardOf(address("exploration", id)) % WORKERS !== worker);
  const request: ExplorationRequest = {
    start_url,
    max_pages: 1_000,
    max_depth: 3,
    strategy: "BFS",
    knowledge_id: `map-${id}`,
    website_id: "site",
    respect_robots: true,
    scope: "host",
    include: [],
    exclude: [],
    render: "http",
    sitemaps: false,
  };
  await system.ask(address("exploration", id), { type: "START", request });
  return id;
}

async function statusOf(id: string): Promise<ExplorationStatus> {
  return (await system.query(address("exploration", id), "status")) as ExplorationStatus;
}

/**
 * Waits until an exploration has no queued pages or has failed. In these tests, no map ingests its pages, so
 * its status never becomes `completed`.
 */
async function progressAtEnd(id: string): Promise<ExplorationStatus["progress"]> {
  for (;;) {
    const { status, progress } = await statusOf(id);
    if (status === "failed" || (progress.queued === 0 && progress.completed > 0)) return progress;
    await Bun.sleep(20);
  }
}

test.if(isFull)(
  "two explorations in two workers share a host's crawl-delay",
  async () => {
    const delay = 100;
    const served = site(6, {
      "/robots.txt": new Response(`User-agent: *\nCrawl-delay: ${delay / 1_000}`),
      "*": html("Page", "<p>x"),
    });
    const ids = await Promise.all([start(served.url("/"), 0), start(served.url("/"), 1)]);
    for (const id of ids) expect(await progressAtEnd(id)).toMatchObject({ completed: 7, failed: 0 });
    expect(served.load.most).toBe(1);
    const pages = served.log.filter(({ path }) => path !== "/robots.txt");
    expect(pages).toHaveLength(14);
    // The crawl waits between two requests. So even a fast machine cannot make the requests in less time than
    // all the waits together.
    const [first, last] = [pages[0]?.at ?? 0, pages.at(-1)?.at ?? 0];
    expect(last - first).toBeGreaterThan((pages.length - 2) * delay);
  },
  60_000,
);

test.if(isFull)(
  "a site that answers 429 with Retry-After is stored completely, and gets no requests during that pause",
  async () => {
    const window = { from: 0, count: 0 };
    const refusals: number[] = [];
    const served = site(40, {
      "*": () => {
        const now = Date.now();
        if (now - window.from > 1_000) Object.assign(window, { from: now, count: 0 });
        window.count += 1;
        if (window.count <= 15) return html("Page", "<p>x");
        refusals.push(now);
        return new Response("slow down", { status: 429, headers: { "retry-after": "1" } });
      },
    });
    const ids = await Promise.all([start(served.url("/"), 0), start(served.url("/"), 1)]);
    for (const id of ids) expect(await progressAtEnd(id)).toMatchObject({ completed: 41, failed: 0 });
    expect(refusals.length).toBeGreaterThan(0);
    // The server may also refuse requests that were in progress when it sent its first 429. After that answer,
    // no request may be sent until the pause given by `Retry-After` is over.
    expect(refusals.length).toBeLessThan(82);
  },
  60_000,
);

test.if(isFull)(
  "an exploration waits until a host that answers 503, even for robots.txt, has recovered",
  async () => {
    const until = Date.now() + 1_500;
    const stormy =
      (body: string): Route =>
      () =>
        Date.now() < until ? new Response("busy", { status: 503 }) : body;
    const served = site(10, {
      "/": stormy(html("Front", Array.from({ length: 10 }, (_, n) => `<a href="/p${n}">${n}</a>`).join(" "))),
      "/robots.txt": () =>
        Date.now() < until ? new Response("busy", { status: 503 }) : new Response("User-agent: *\nAllow: /"),
      "*": stormy(html("Page", "<p>x")),
    });
    const id = await start(served.url("/"), 0);
    expect(await progressAtEnd(id)).toMatchObject({ completed: 11, failed: 0 });
  },
  60_000,
);

test.if(isFull)(
  "pages of an overloaded host are read after several attempts, and only a page that fails permanently is reported",
  async () => {
    const calls = new Map<string, number>();
    const served = site(12, {
      "/p3": new Response("broken", { status: 404 }),
      "*": (request) => {
        const { pathname } = new URL(request.url);
        calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
        // Each page answers 503 four times and then succeeds. The exploration must still read the page, because
        // it retries more often when a server is overloaded than when a page fails.
        return (calls.get(pathname) ?? 0) > 4
          ? html("Page", "<p>x")
          : new Response("busy", { status: 503, headers: { "retry-after": "0" } });
      },
    });
    expect(await progressAtEnd(await start(served.url("/"), 1))).toMatchObject({ completed: 12, failed: 1 });
  },
  60_000,
);

test.if(isFull)(
  "a paused host does not delay the exploration of another host, and its own exploration can be paused and cancelled",
  async () => {
    const paused = site(5, {
      "*": () => new Response("later", { status: 503, headers: { "retry-after": "500" } }),
    });
    const other = site(20, { "*": html("Page", "<p>x") }, "127.0.0.2");
    const waiting = await start(paused.url("/"), 0);
    while (paused.requests.filter((path) => path !== "/robots.txt").length < 2) await Bun.sleep(10);
    const going = await start(other.url("/"), 0);
    expect(await progressAtEnd(going)).toMatchObject({ completed: 21, failed: 0 });
    expect((await statusOf(waiting)).status).toBe("running");
    expect(await system.ask(address("exploration", waiting), { type: "PAUSE" })).toMatchObject({
      status: "paused",
    });
    await system.ask(address("exploration", waiting), { type: "RESUME" });
    await system.ask(address("exploration", waiting), { type: "CANCEL" });
    expect((await statusOf(waiting)).status).toBe("cancelled");
  },
  60_000,
);

test("two explorations of one host together stay within its concurrency limit, and the host answers all requests", async () => {
  const served = site(60, {
    "*": async () => {
      await Bun.sleep(30);
      return html("Page", "<p>x");
    },
  });
  const ids = await Promise.all([start(served.url("/"), 0), start(served.url("/"), 1)]);
  for (const id of ids) expect(await progressAtEnd(id)).toMatchObject({ completed: 61, failed: 0 });
  expect(served.load.most).toBeLessThanOrEqual(readingLimits.perHost);
}, 60_000);
