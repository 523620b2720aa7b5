/**
 * Tests crawls of generated sites. For any link graph and any order of responses, the stored pages must be
 * those that a simple breadth-first search reaches.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exploration } from "../../../../actors/exploration/exploration-actor-kind.ts";
import { createModels, noModels } from "../../../../actors/models/index.ts";
import { createReader } from "../../../../actors/reading/index.ts";
import {
  ActorSystem,
  address,
  allShards,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  systemClock,
} from "../../../../actors/runtime/index.ts";
import { RoomEvents } from "../../../../actors/session/session-event-publisher.ts";
import type { CairnServices } from "../../../../actors/worker-services.ts";
import type { ExplorationStatus } from "../../../../machines/exploration/exploration-protocol.ts";
import type { ExplorationRequest } from "../../../../machines/exploration/exploration-request.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { type OwnedStore, openStore } from "../../../../store/index.ts";
import { destinations } from "../../../sites/egress-policy-for-tests.ts";
import { browser, noSessions } from "../../../sites/lazy-test-browser.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

/** A site as a link graph: for each page, the numbers of the pages that it links to. */
type Graph = readonly (readonly number[])[];

let graph: Graph = [];
let delays: readonly number[] = [];
const hits = new Map<string, number>();
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (!/^\/p\d+$/.test(pathname)) return new Response("", { status: 404 });
    hits.set(pathname, (hits.get(pathname) ?? 0) + 1);
    const page = Number(pathname.slice(2));
    await Bun.sleep(delays[page] ?? 0);
    const links = (graph[page] ?? []).map((to) => `<a href="/p${to}">to ${to}</a>`).join(" ");
    return new Response(
      `<html><title>Page ${page}</title><main><h1>Page ${page}</h1>${links}</main></html>`,
      {
        headers: { "content-type": "text/html" },
      },
    );
  },
});

let store: OwnedStore;
let host: ShardHost;
let system: ActorSystem;

beforeAll(async () => {
  store = await openStore({ url: "mem://" });
  const bus = new MemoryBus();
  const reader = createReader({ userAgent: "Cairn/test", destinations });
  const services: CairnServices = {
    models: createModels(noModels),
    actors: new ActorSystem(bus, systemClock, "services"),
    store,
    reader,
    browser,
    events: new RoomEvents(bus),
    sessions: noSessions(store),
  };
  host = new ShardHost({
    owner: "test",
    bus,
    leases: new MemoryLeases(systemClock, leaseLimits.ttl),
    store: store.actors,
    clock: systemClock,
    definitions: [exploration],
    services,
    leaseTtl: leaseLimits.ttl,
    log: () => {},
  });
  system = new ActorSystem(bus, systemClock, "caller");
  await host.start(allShards);
});

afterAll(async () => {
  host.close();
  system.close();
  await site.stop(true);
  await store.close();
  await browser.close();
});

/** Returns the depth of each page, computed by a simple breadth-first search. */
function reachable(pages: Graph, maxDepth: number): Map<number, number> {
  const depths = new Map([[0, 0]]);
  let level = [0];
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth++) {
    const next: number[] = [];
    for (const from of level) {
      for (const to of pages[from] ?? []) {
        if (depths.has(to)) continue;
        depths.set(to, depth);
        next.push(to);
      }
    }
    level = next;
  }
  return depths;
}

let jobs = 0;
async function crawl(
  wanted: Partial<ExplorationRequest>,
): Promise<{ id: string; status: ExplorationStatus }> {
  jobs += 1;
  const id = `job-${jobs}`;
  const request: ExplorationRequest = {
    start_url: `${site.url}p0`,
    max_pages: 1_000,
    max_depth: 3,
    strategy: "BFS",
    knowledge_id: `map-${jobs}`,
    website_id: "site",
    respect_robots: true,
    scope: "host",
    include: [],
    exclude: [],
    render: "http",
    sitemaps: true,
    ...wanted,
  };
  await system.ask(address("exploration", id), { type: "START", request });
  while (true) {
    // The crawl has ended when its queue is empty. The exploration itself never becomes `completed` here,
    // because no map ingests its pages.
    const status = (await system.query(address("exploration", id), "status")) as ExplorationStatus;
    if (status.status === "failed" || (status.progress.queued === 0 && status.progress.completed > 0)) {
      return { id, status };
    }
    await Bun.sleep(5);
  }
}

async function storedPages(id: string): Promise<number[]> {
  const { items } = await store.frontier.pages(id, { limit: 10_000 });
  return items.map(({ url }) => Number(new URL(url).pathname.slice(2))).sort((a, b) => a - b);
}

const graphs = fc.integer({ min: 1, max: 14 }).chain((size) =>
  fc.tuple(
    fc.array(fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 4 }), {
      minLength: size,
      maxLength: size,
    }),
    fc.array(fc.integer({ min: 0, max: 12 }), { minLength: size, maxLength: size }),
  ),
);

describe("the crawl of a generated site", () => {
  for (const strategy of ["BFS", "DFS"] as const) {
    test.if(isFull || strategy === "BFS")(
      `stores exactly the pages within max_depth for every graph and order of answers (strategy ${strategy})`,
      async () => {
        await fc.assert(
          fc.asyncProperty(graphs, fc.integer({ min: 0, max: 4 }), async ([pages, waits], max_depth) => {
            graph = pages;
            delays = waits;
            hits.clear();
            const { id } = await crawl({ strategy, max_depth });
            const expected = [...reachable(pages, max_depth).keys()].sort((a, b) => a - b);
            expect(await storedPages(id)).toEqual(expected);
            // The crawl must have read each page exactly once.
            expect([...hits.values()].every((count) => count === 1)).toBe(true);
          }),
          { numRuns: isFull ? 25 : 8 },
        );
      },
      60_000,
    );
  }

  test("stores each link between two pages once, including a link from a page to itself", async () => {
    graph = [[0, 1, 1, 2], [0], [2]];
    delays = [];
    const { id } = await crawl({});
    const links = (await store.pages.linksOfJob(id, { limit: 100 })).items;
    const pairs = links.map(
      ({ from_url, to_url }) => `${new URL(from_url).pathname} ${new URL(to_url).pathname}`,
    );
    expect(pairs.sort()).toEqual(["/p0 /p0", "/p0 /p1", "/p0 /p2", "/p1 /p0", "/p2 /p2"]);
  });

  test("stops at max_pages, and stores the remaining URLs as held back", async () => {
    graph = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [], [], [], [], [], [], [], [], []];
    const { id, status } = await crawl({ max_pages: 4 });
    expect(status.progress).toMatchObject({ completed: 4, queued: 0, failed: 0 });
    expect((await storedPages(id)).length).toBe(4);
    expect((await store.frontier.counts(id)).held).toBe(4);
  });

  test("reads deep pages first if depth-first is requested", async () => {
    graph = [[1, 2], [3], [4], [5], [6], [], []];
    delays = [];
    const { id } = await crawl({ strategy: "DFS", max_depth: 9 });
    expect(await storedPages(id)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("fails with the reason if its start page cannot be fetched", async () => {
    const { status } = await crawl({ start_url: "http://127.0.0.1:2/" });
    expect(status.status).toBe("failed");
    expect(status.error?.code).toMatch(/^reading\./);
  }, 30_000);

  test("fails without a retry if its start page redirects to a forbidden address", async () => {
    const lure = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) =>
        url.endsWith("/robots.txt")
          ? new Response("", { status: 404 })
          : Response.redirect("http://169.254.169.254/latest/meta-data/", 302),
    });
    const { id, status } = await crawl({ start_url: `http://127.0.0.1:${lure.port}/` });
    await lure.stop(true);
    expect(status).toMatchObject({ status: "failed", error: { code: "egress.refused" } });
    expect(status.error?.message).toContain("169.254.169.254");
    const [error] = await store.frontier.failures(id);
    expect(error?.error).toStartWith("egress.refused: ");
  });
});
