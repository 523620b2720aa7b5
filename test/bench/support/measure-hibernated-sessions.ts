/**
 * Measures the memory that a hibernated session needs in this process after its actor was unloaded. Compiled
 * code is not counted, because all sessions share it, and the engine compiles frequently used functions again
 * and again.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "../../../actors/browser/index.ts";
import { createModels, noModels } from "../../../actors/models/index.ts";
import { createReader } from "../../../actors/reading/index.ts";
import {
  ActorSystem,
  address,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  shardOf,
  systemClock,
} from "../../../actors/runtime/index.ts";
import { sessionServices } from "../../../actors/session/services-shared-by-sessions.ts";
import { session } from "../../../actors/session/session-actor-kind.ts";
import { RoomEvents } from "../../../actors/session/session-event-publisher.ts";
import type { CairnServices } from "../../../actors/worker-services.ts";
import { leaseLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { openStore } from "../../../store/index.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";

const LIVE = 4;
const WARM = 40;

/** Returns the heap size in bytes that one hibernated session needs. */
export async function bytesOfHibernated(count: number, url: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-sessions-"));
  const store = await openStore({ url: `rocksdb://${join(folder, "db")}` });
  const bus = new MemoryBus();
  const log = (): void => {};
  const browser = createBrowser({ folder: join(folder, "browser"), userAgent: "Cairn/bench", log });
  const services: CairnServices = {
    models: createModels(noModels),
    actors: new ActorSystem(bus, systemClock, "services"),
    store,
    reader: createReader({ userAgent: "Cairn/bench", destinations }),
    browser,
    events: new RoomEvents(bus),
    sessions: sessionServices({
      store,
      dataDir: folder,
      live: LIVE,
      environmentSecrets: {},
      video: { settings: {}, proxy: () => Promise.reject(new Error("no video here")) },
      proxyThrough: () => Promise.reject(new Error("No other proxy here.")),
      log,
    }),
  };
  const host = new ShardHost({
    owner: "bench",
    bus,
    leases: new MemoryLeases(systemClock, leaseLimits.ttl),
    store: store.actors,
    clock: systemClock,
    definitions: [session],
    services,
    leaseTtl: leaseLimits.ttl,
    log,
  });
  const system = new ActorSystem(bus, systemClock, "bench");
  const rooms = Array.from({ length: WARM + count }, (_, number) => `room-${number}`);
  try {
    await host.start([...new Set(rooms.map((room) => shardOf(address("session", room))))]);
    const options = { initial_url: url, viewport_width: 1_280, viewport_height: 800 };
    const begin = async (room: string): Promise<void> => {
      await system.ask(address("session", room), { type: "START", options });
      for (;;) {
        const answer = await system.query(address("session", room), "phase", { wait: true });
        // The cast is safe: the query `phase` of a session returns an object with the field `phase`.
        if ((answer as { readonly phase: string }).phase !== "starting") return;
      }
    };
    const hibernate = async (names: readonly string[]): Promise<number> => {
      const remaining = names.values();
      await Promise.all(
        Array.from({ length: LIVE }, async () => {
          for (const room of remaining) await begin(room);
        }),
      );
      return await bytesWhenIdle(host, LIVE);
    };
    // The first sessions are not measured, because they load code and fill caches.
    const before = await hibernate(rooms.slice(0, WARM));
    const after = await hibernate(rooms.slice(WARM));
    return Math.max(0, after - before) / count;
  } finally {
    host.close();
    system.close();
    await browser.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Waits until at most `most` actors are in memory. Then measures the heap five times, in bytes and without
 * compiled code, and returns the smallest measurement.
 */
async function bytesWhenIdle(host: ShardHost, most: number): Promise<number> {
  while (host.resident > most) await Bun.sleep(250);
  let least = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < 5; sample++) {
    await Bun.sleep(100);
    least = Math.min(least, heapWithoutCode());
  }
  return least;
}

/** Number of fields of each node in a JavaScriptCore heap snapshot: id, size, class and flags. */
const FIELDS = 4;
const CODE = /CodeBlock$|Executable$/;

/** Returns the number of bytes of live objects, after garbage collection. */
function heapWithoutCode(): number {
  const { nodes, nodeClassNames } = Bun.generateHeapSnapshot();
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += FIELDS) {
    if (!CODE.test(nodeClassNames[nodes[at + 2] ?? 0] ?? "")) bytes += nodes[at + 1] ?? 0;
  }
  return bytes;
}
