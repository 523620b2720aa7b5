/** Tests a pool of real workers: how they start, crash, restart and stop. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { workerLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import {
  ActorSystem,
  address,
  allShards,
  type Clock,
  MemoryBus,
  MemoryLeases,
  systemClock,
  WorkerPool,
} from "../../../../actors/runtime/index.ts";
import type { InspectionEvent } from "../../../../machines/inspection/actor-inspection-topics.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { type OwnedStore, openStore } from "../../../../store/index.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { errorOf, until } from "../drivers/message-bus.contract.ts";
import { SimulatedClock } from "../model/simulated-clock.ts";
import type { PoolWorkerSettings } from "../support/worker-pool-test-module.ts";

/**
 * Lifetime of a lease in milliseconds. Some runtimes emit no event when a thread ends by itself. Then the
 * pool notices the end of the thread only when the thread's leases expire.
 */
const LEASE_TTL = 5_000;
/**
 * Lifetime of leases in milliseconds for tests that advance the clock far. Shorter leases would expire, and
 * the workers would count as silent.
 */
const LONG_TTL = 3_600_000;
const add = { type: "add" };
const actors = Array.from({ length: 40 }, (_, i) => address("counter", `${i}`));

describe("a pool of two worker threads", () => {
  let store: OwnedStore;
  let bus: MemoryBus;
  let leases: MemoryLeases;
  let system: ActorSystem;
  let pool: WorkerPool | undefined;
  let exhausted: string[];
  let logged: string[];

  beforeEach(async () => {
    store = await openStore({ url: "mem://" });
    bus = new MemoryBus();
    leases = new MemoryLeases(systemClock, LEASE_TTL);
    system = new ActorSystem(bus, systemClock, "client");
    exhausted = [];
    logged = [];
  });
  afterEach(async () => {
    await pool?.stop();
    await store.close();
  });

  function newPool(
    settings: PoolWorkerSettings = {},
    clock: Clock = systemClock,
    leaseTtl = LEASE_TTL,
  ): WorkerPool {
    pool = new WorkerPool({
      module: new URL("../support/worker-pool-test-module.ts", import.meta.url),
      size: 2,
      node: "test",
      bus,
      leases,
      store: (bytes) => store.serve(bytes),
      clock,
      leaseTtl,
      settings,
      log: (_, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
      exhausted: (worker) => exhausted.push(worker),
    });
    return pool;
  }

  /** Sends a command with the same id repeatedly until it is answered, as a caller of Cairn does. */
  async function insist(target: ReturnType<typeof address>, id: string): Promise<unknown> {
    while (true) {
      const answer = await errorOf(
        system.ask(target, add, { id, timeout: 2_000 }).then((body) => ({ body })),
      );
      if (!(answer instanceof Error)) return answer;
    }
  }

  test("distributes the shards to its workers, and actors of both workers answer commands", async () => {
    const up = newPool();
    await up.start();
    expect(up.status()).toEqual([
      { name: "test-w1", ready: true },
      { name: "test-w2", ready: true },
    ]);
    const answers = await Promise.all(actors.map((target) => system.ask(target, add)));
    expect(answers).toEqual(actors.map(() => ({ n: 1 })));
    const threads = actors.map(({ id }) => system.query(address("mortal", id), "thread"));
    expect(new Set(await Promise.all(threads)).size).toBe(2);
  });

  for (const way of isFull ? ["throws", "exits"] : ["exits"]) {
    test(`restarts a worker that ${way}, and the worker's commands wait and are applied once`, async () => {
      const up = newPool();
      await up.start();
      await Promise.all(actors.map((target) => system.ask(target, add, { id: "first" })));
      const victim = address("mortal", "v");
      const before = await system.query(victim, "thread");
      void errorOf(system.query(victim, way, null, 100));
      await until(() => up.status().some(({ ready }) => !ready));
      const second = await Promise.all(actors.map((target) => insist(target, "second")));
      expect(second).toHaveLength(actors.length);
      await until(() => up.status().every(({ ready }) => ready));
      expect(await system.query(victim, "thread")).not.toBe(before);
      for (const target of actors) expect(await system.query(target, "applied")).toEqual(["first", "second"]);
      expect(exhausted).toEqual([]);
    });
  }

  test.if(isFull)(
    "keeps the shards of a worker whose thread is busy for longer than its leases last",
    async () => {
      const leaseTtl = 2_000;
      leases = new MemoryLeases(systemClock, leaseTtl);
      const up = newPool({}, systemClock, leaseTtl);
      await up.start();
      const busy = address("mortal", "v");
      await system.ask(busy, add, { id: "first" });
      const before = await system.query(busy, "thread");
      await system.query(busy, "computes", 1.5 * leaseTtl, 60_000);
      expect(await system.ask(busy, add, { id: "second" })).toEqual({ n: 2 });
      expect(await system.query(busy, "thread")).toBe(before);
      expect(logged.filter((line) => line.startsWith("shard dropped"))).toEqual([]);
    },
  );

  test.if(isFull)("replaces a worker that is silent for many renewal intervals", async () => {
    const clock = new SimulatedClock();
    leases = new MemoryLeases(clock, LEASE_TTL);
    const up = newPool({}, clock);
    await up.start();
    // The test advances only the clock of the worker pool. The workers use the real clock, so for the pool they are
    // silent: they renew no leases.
    const interval = LEASE_TTL * leaseLimits.renewEvery;
    await clock.advance(interval * (leaseLimits.silentIntervals - 1));
    expect(logged).toEqual([]);
    await clock.advance(2 * interval);
    await until(() => logged.some((line) => line.startsWith("worker is stuck and is replaced")));
  });

  test.if(isFull)("publishes inspection events of its workers and their actors", async () => {
    const heard: InspectionEvent[] = [];
    bus.subscribe("inspect.>", (event) => heard.push(event as InspectionEvent));
    const up = newPool();
    await up.start();
    await system.ask(address("mortal", "v"), add, { id: "one" });
    await until(() => heard.some(({ type }) => type === "@xstate.snapshot"));
    expect(heard.find(({ type }) => type === "@xstate.event")).toMatchObject({
      kind: "mortal",
      id: "v",
      event: { type: "add" },
      command_id: "one",
    });
    void errorOf(system.query(address("mortal", "v"), "throws", null, 100));
    const phases = () => heard.filter(({ type }) => type === "@cairn.worker").map(({ phase }) => phase);
    await until(() => phases().length === 4);
    expect(phases()).toEqual(["ready", "ready", "ended", "ready"]);
    const taken = heard.filter(({ type, phase }) => type === "@cairn.lease" && phase === "taken");
    expect(new Set(taken.map(({ id }) => Number(id)))).toEqual(new Set(allShards));
  });

  test("finishes running commands when it is drained, leaves waiting commands in the queue, and releases every lease", async () => {
    await newPool().start();
    const answers = actors.map((target) => system.ask(target, add));
    await pool?.stop();
    expect(await leases.take(allShards, "somebody")).toHaveLength(allShards.length);
    leases.releaseAll("somebody");
    await newPool().start();
    expect(await Promise.all(answers)).toEqual(actors.map(() => ({ n: 1 })));
  });

  test.if(isFull)("replaces a worker that does not become ready", async () => {
    const clock = new SimulatedClock();
    const up = newPool({ hangs: [2] }, clock, LONG_TTL);
    await up.start();
    void errorOf(system.query(address("mortal", "v"), "throws", null, 100));
    await until(() => up.status().some(({ ready }) => !ready));
    await until(() => logged.some((line) => line.startsWith("worker ended")));
    await clock.advance(workerLimits.backoff);
    await clock.advance(workerLimits.readyWithin);
    await until(() => logged.filter((line) => line.startsWith("worker ended")).length === 2);
    expect(logged.some((line) => line.startsWith("worker did not become ready"))).toBe(true);
    await clock.advance(workerLimits.maxBackoff);
    await until(() => up.status().every(({ ready }) => ready));
  });

  test.if(isFull)("gives up a worker that crashes too often and reports it", async () => {
    const clock = new SimulatedClock();
    const up = newPool({ refuses: [2, 3, 4, 5, 6, 7] }, clock, LONG_TTL);
    await up.start();
    void errorOf(system.query(address("mortal", "v"), "throws", null, 100));
    let ended = 0;
    while (exhausted.length === 0) {
      await until(
        () => exhausted.length > 0 || logged.filter((line) => line.startsWith("worker ended")).length > ended,
      );
      ended += 1;
      await clock.advance(workerLimits.maxBackoff);
    }
    expect(ended).toBe(workerLimits.maxCrashes + 1);
  });

  test("rejects its start with the error of the first worker that fails", async () => {
    const refusal = await errorOf(newPool({ refuses: [1] }).start());
    expect(refusal).toMatchObject({ code: "test.refused", message: "Not today." });
  });
});
