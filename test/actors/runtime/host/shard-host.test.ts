/** Tests a shard host: how it answers, which actors it keeps in memory, and when it gives up a shard. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { assign, setup } from "xstate";
import { activationLimits, stepLimits } from "../../../../actors/runtime/actor-runtime-limits.ts";
import {
  ActorSystem,
  type AnyActorDefinition,
  address,
  allShards,
  defineActor,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  type ShardHostOptions,
  shardOf,
} from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { MemoryActorStore } from "../../../../store/index.ts";
import { SimulatedClock, settled } from "../model/simulated-clock.ts";
import { alarm, counter, job, relay, type SimulatedServices } from "../support/simulated-actor-kinds.ts";

const TTL = 10_000;
const a = address("counter", "a");
const add = { type: "add" };

describe("a shard host (which runs actors)", () => {
  let clock: SimulatedClock;
  let store: MemoryActorStore;
  let bus: MemoryBus;
  let leases: MemoryLeases;
  let system: ActorSystem;
  let hosts: ShardHost[];
  let logged: string[];
  let acts: (() => void)[];

  beforeEach(() => {
    clock = new SimulatedClock();
    store = new MemoryActorStore();
    bus = new MemoryBus({ clock });
    leases = new MemoryLeases(clock, TTL);
    system = new ActorSystem(bus, clock, "client");
    hosts = [];
    logged = [];
    acts = [];
  });
  afterEach(() => {
    for (const host of hosts) host.close();
  });

  async function host(owner: string, more: Partial<ShardHostOptions> = {}) {
    const services: SimulatedServices = {
      began: () => {},
      readStore: async () => {},
      notified: () => {},
      takeAction: () => new Promise((resolve) => acts.push(resolve)),
    };
    const started = new ShardHost({
      owner,
      bus,
      leases,
      store,
      clock,
      // The cast is needed, because the registry of actor kinds does not keep the types of their services.
      // The variable `services` provides all that the kinds need.
      definitions: [counter, relay, job, alarm] as unknown as readonly AnyActorDefinition[],
      services,
      leaseTtl: TTL,
      log: (_, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
      ...more,
    });
    hosts.push(started);
    await started.start(allShards);
    return started;
  }

  /**
   * Advances the simulated clock by the given milliseconds. Then returns the value of the promise, or its
   * error if it was rejected.
   */
  async function outcome(promise: Promise<unknown>, milliseconds = 0): Promise<unknown> {
    const settledOutcome = promise.catch((error: unknown) => error);
    await clock.advance(milliseconds);
    return await settledOutcome;
  }

  test("answers commands, and answers queries of an unknown actor from its initial state", async () => {
    await host("one");
    expect(await system.query(a, "applied")).toEqual([]);
    expect(await system.ask(a, add, { id: "first" })).toEqual({ n: 1 });
    expect(await system.query(a, "applied")).toEqual(["first"]);
    expect((await store.list({ limit: 10 })).map(({ id }) => id)).toEqual(["a"]);
  });

  test("answers 404 for an unknown kind or query, and lists the known queries", async () => {
    await host("one");
    expect(await outcome(system.ask(address("ghost", "a"), add))).toMatchObject({
      code: "actor.unknown_kind",
    });
    expect(await outcome(system.query(address("ghost", "a"), "x"))).toMatchObject({
      code: "actor.unknown_kind",
    });
    const unknown = await outcome(system.query(a, "nonsense"));
    expect(unknown).toMatchObject({ code: "actor.unknown_query", status: 404 });
    expect(String(unknown)).toContain("counter answers applied");
  });

  test("keeps commands with the same id to two different actors separate", async () => {
    await host("one");
    await system.ask(a, add);
    const [first, second] = [
      system.ask(a, add, { id: "same" }),
      system.ask(address("counter", "b"), add, { id: "same" }),
    ];
    expect([await first, await second]).toEqual([{ n: 2 }, { n: 1 }]);
  });

  test("unloads an idle actor and loads it again unchanged", async () => {
    const one = await host("one");
    await system.ask(a, add, { id: "first" });
    expect(one.resident).toBe(1);
    await clock.advance(60_000);
    expect(one.resident).toBe(0);
    expect(await system.ask(a, add)).toEqual({ n: 2 });
  });

  test("unloads an actor that only receives queries", async () => {
    const one = await host("one");
    await system.ask(a, add);
    for (let i = 0; i < 60; i++) {
      await system.query(a, "applied");
      await clock.advance(1_000);
      if (one.resident === 0) return;
    }
    throw new Error("looking at it kept the actor in memory");
  });

  test("unloads the actors that were idle longest when too many are loaded", async () => {
    const one = await host("one");
    for (let i = 0; i < activationLimits.resident + 2; i++)
      await system.query(address("counter", `${i}`), "applied");
    expect(one.resident).toBeLessThanOrEqual(activationLimits.resident);
    expect(one.resident).toBeGreaterThan(activationLimits.resident * 0.85);
  });

  test("fires the timer of an unloaded actor on time", async () => {
    const one = await host("one");
    const target = address("alarm", "a");
    await system.ask(target, { type: "arm", delay: 300_000 });
    await clock.advance(120_000);
    expect(one.resident).toBe(0);
    await clock.advance(179_000);
    expect(await fired(target)).toEqual([]);
    await clock.advance(1_000);
    expect(await fired(target)).toEqual([1]);
  });

  const fired = async ({ kind, id }: { kind: string; id: string }) =>
    JSON.parse((await store.load({ kind, id }))?.data ?? "{}").snapshot.context.fired;

  test("fires timers that became due without an owner, in the order of their due times", async () => {
    const one = await host("one");
    const target = address("alarm", "a");
    for (const delay of [9_000, 3_000, 6_000]) await system.ask(target, { type: "remind", delay });
    one.close();
    leases.releaseAll("one");
    await clock.advance(60_000);
    await host("two");
    await clock.advance(10);
    const row = await store.load(target);
    expect(JSON.parse(row?.data ?? "{}").snapshot.context.reminded).toEqual([2, 3, 1]);
  });

  test("runs an effect again if its owner died during it", async () => {
    const one = await host("one");
    const target = address("job", "a");
    await system.ask(target, { type: "do", steps: 0, fails: false, leaves: true });
    await settled();
    expect(acts).toHaveLength(1);
    one.close();
    leases.releaseAll("one");
    await host("two");
    await settled();
    expect(acts).toHaveLength(2);
    for (const act of acts) act();
    await clock.advance(10);
    const row = await store.load(target);
    expect(JSON.parse(row?.data ?? "{}").snapshot.context.results).toEqual([1]);
  });

  describe("with a command whose processing throws an error,", () => {
    test("retries the command, then stores it as a dead letter and reports the failure to its caller, while the actor continues", async () => {
      await host("one");
      await system.ask(a, add);
      const failed = await outcome(system.ask(a, { type: "poison" }, { id: "bad" }));
      expect(failed).toMatchObject({ code: "actor.step_failed", status: 500 });
      const [letter] = await store.deadLetters({ limit: 10 });
      expect(letter).toMatchObject({ kind: "counter", actor_id: "a", attempts: stepLimits.attempts });
      expect(JSON.parse(letter?.message ?? "")).toMatchObject({ id: "bad", body: { type: "poison" } });
      expect(failed).toMatchObject({ details: { dead_letter: letter?.id } });
      expect(await system.ask(a, add)).toEqual({ n: 2 });
    });

    test("does not process the command again when its caller repeats it, but returns the same answer", async () => {
      await host("one");
      const first = await outcome(system.ask(a, { type: "poison" }, { id: "bad" }));
      expect(await outcome(system.ask(a, { type: "poison" }, { id: "bad" }))).toEqual(first);
      expect(await store.deadLetters({ limit: 10 })).toHaveLength(1);
    });

    test("parks the actor (takes it out of service) if this happens too often in a short time, while queries still work", async () => {
      await host("one");
      await system.ask(a, add, { id: "first" });
      for (let i = 0; i <= activationLimits.maxCrashes; i++) await outcome(system.ask(a, { type: "poison" }));
      expect(await outcome(system.ask(a, add))).toMatchObject({ code: "actor.parked", status: 503 });
      expect(await system.query(a, "applied")).toEqual(["first"]);
      expect(await store.load(a)).toMatchObject({ state: "parked", wake_at: null });
    });

    test("keeps the actor in service if this happens rarely", async () => {
      await host("one");
      for (let i = 0; i < 20; i++) {
        await outcome(system.ask(a, { type: "poison" }));
        await clock.advance(activationLimits.crashWindow);
      }
      expect(await system.ask(a, add)).toEqual({ n: 1 });
    });
  });

  test("parks an actor whose effect returns a value that JSON cannot express, with the reason in the dead letter", async () => {
    const machine = setup({ actors: { work: effect<null, unknown>() } }).createMachine({
      context: { result: null as unknown },
      initial: "idle",
      states: {
        idle: { on: { go: "busy" } },
        busy: {
          invoke: {
            id: "work",
            src: "work",
            input: null,
            onDone: { target: "idle", actions: assign({ result: ({ event }) => event.output }) },
          },
        },
      },
    });
    const odd = defineActor({
      kind: "odd",
      version: 1,
      machine,
      effects: { work: async () => ({ count: 1n }) },
      queries: {},
    });
    await host("one", { definitions: [odd as AnyActorDefinition] });
    await system.ask(address("odd", "a"), { type: "go" });
    await clock.advance(1_000);
    expect(await outcome(system.ask(address("odd", "a"), { type: "go" }))).toMatchObject({
      code: "actor.parked",
    });
    const [letter] = await store.deadLetters({ limit: 10 });
    expect(letter?.message).toContain("BigInt");
  });

  test("returns the error to all callers when an actor's initial state throws", async () => {
    const machine = setup({}).createMachine({
      context: () => {
        throw new Error("stillborn");
      },
    });
    const never = defineActor({ kind: "never", version: 1, machine, effects: {}, queries: {} });
    await host("one", { definitions: [never as AnyActorDefinition] });
    const asks = [1, 2, 3].map(() => outcome(system.ask(address("never", "a"), { type: "go" }), 1_000));
    for (const ask of asks) expect(await ask).toMatchObject({ status: 500, message: "stillborn" });
    expect(await store.list({ limit: 10 })).toEqual([]);
  });

  test("refuses commands of an actor that cannot be loaded and leaves its stored state unchanged", async () => {
    const shard = shardOf(a);
    await store.raiseFences([shard]);
    const row = { ...a, shard, version: 99, data: "{}", wake_at: null, state: "x", updated_at: 0 };
    await store.commit([{ shard, fence: 1, step: 1, rows: [row], writes: [], deadLetters: [] }]);
    await host("one");
    expect(await outcome(system.ask(a, add))).toMatchObject({ code: "actor.newer_version", status: 503 });
    expect(await store.load(a)).toEqual(row);
  });

  describe("while a second host exists", () => {
    test("keeps its shards until it ends, and then the other host acquires them", async () => {
      const one = await host("one");
      const two = await host("two");
      expect([one.shards.length, two.shards.length]).toEqual([allShards.length, 0]);
      one.close();
      await clock.advance(TTL * 1.5);
      expect(two.shards).toHaveLength(allShards.length);
    });

    test("finishes running commands when it drains, and then the other host can acquire the shards immediately", async () => {
      const one = await host("one");
      const answer = system.ask(a, add);
      await outcome(one.drain(5_000), 100);
      expect(await answer).toEqual({ n: 1 });
      const late = system.ask(a, add);
      const two = await host("two");
      expect(two.shards).toHaveLength(allShards.length);
      expect(await late).toEqual({ n: 2 });
    });
  });

  describe("when its leases are in doubt", () => {
    test("gives its shards up before the leases expire when the lease table does not answer", async () => {
      let hangs = false;
      class Silent extends MemoryLeases {
        override renew(shards: readonly number[], owner: string) {
          return hangs ? new Promise<number[]>(() => {}) : super.renew(shards, owner);
        }
      }
      const one = await host("one", { leases: new Silent(clock, TTL) });
      hangs = true;
      await clock.advance(TTL * leaseLimits.giveUpAt - 1);
      expect(one.shards).toHaveLength(allShards.length);
      await clock.advance(1);
      expect(one.shards).toHaveLength(0);
    });

    test("writes nothing while its lease table is busy, and commits after the table has renewed the leases", async () => {
      let answerRenewal = (): void => {};
      let isBusy = false;
      class Busy extends MemoryLeases {
        override async renew(shards: readonly number[], owner: string) {
          if (isBusy) await new Promise<void>((resolve) => (answerRenewal = resolve));
          return await super.renew(shards, owner);
        }
      }
      const one = await host("one", { leases: new Busy(clock, TTL), localTable: true });
      await system.ask(a, add, { id: "first" });
      isBusy = true;
      await clock.advance(2 * TTL);
      const second = system.ask(a, add, { id: "second", timeout: 10 * TTL });
      await clock.advance(TTL);
      expect(await system.query(a, "applied")).toEqual(["first"]);
      isBusy = false;
      answerRenewal();
      expect(await outcome(second, TTL / 3)).toEqual({ n: 2 });
      expect(one.shards).toHaveLength(allShards.length);
      expect(logged).toEqual([]);
    });

    test("acquires a shard again after a consumer without a lease has taken the shard's queue", async () => {
      const one = await host("one");
      const shard = shardOf(a);
      const fences = await store.raiseFences([shard]);
      const stop = await bus.consume(shard, fences.get(shard) ?? 0, { take: () => {}, replaced: () => {} });
      stop();
      expect(one.shards).not.toContain(shard);
      await clock.advance(TTL);
      expect(one.shards).toContain(shard);
      expect(await system.ask(a, add)).toEqual({ n: 1 });
    });

    test("commits nothing after another owner has raised a shard's fence (owner number), and acquires the shard again", async () => {
      await host("one");
      await system.ask(a, add);
      await store.raiseFences([shardOf(a)]);
      const answer = outcome(system.ask(a, add), TTL);
      expect(await answer).toEqual({ n: 2 });
      expect(logged.filter((line) => line.includes("fenced"))).toHaveLength(1);
    });
  });
});
