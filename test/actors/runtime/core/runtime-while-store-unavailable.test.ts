/**
 * Tests the runtime while the store is unavailable: commands and effects wait, queries fail with a typed
 * error, and nothing is lost.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type AnyStateMachine, assign, emit, setup } from "xstate";
import {
  ActorSystem,
  type AnyActorDefinition,
  address,
  allShards,
  defineActor,
  MemoryBus,
  MemoryLeases,
  ShardHost,
} from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { type CairnError, Unavailable } from "../../../../machines/errors.ts";
import type { Emitted } from "../../../../machines/machine-emissions.ts";
import { commitLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { type ActorStore, MemoryActorStore } from "../../../../store/index.ts";
import { SimulatedClock, settled } from "../model/simulated-clock.ts";
import { counter, job, type SimulatedServices } from "../support/simulated-actor-kinds.ts";

const TTL = 10_000;
/** Number of a shard that no host of this test owns. */
const OTHERS = allShards.length;
const BOOK = { id: "book", name: "book", created_at: 1, updated_at: 1 };
const a = address("counter", "a");
const add = { type: "add" };

let clock: SimulatedClock;
let inner: MemoryActorStore;
let leases: MemoryLeases;
let bus: MemoryBus;
let system: ActorSystem;
let hosts: ShardHost[];
let logged: string[];
let away: boolean;
/** While true, the store stores commits, but its answers do not reach the host. */
let answersLost: boolean;
/** While true, effects cannot reach the store. The runtime itself still can. */
let effectsAway: boolean;
let reads: number;

beforeEach(() => {
  clock = new SimulatedClock();
  inner = new MemoryActorStore();
  leases = new MemoryLeases(clock, TTL);
  bus = new MemoryBus({ clock });
  system = new ActorSystem(bus, clock, "client");
  hosts = [];
  logged = [];
  away = false;
  answersLost = false;
  effectsAway = false;
  reads = 0;
});
afterEach(() => {
  for (const host of hosts) host.close();
});

/**
 * An actor kind whose state machine creates the same row in each step. Between two steps, the test removes the row.
 */
const bookKind = defineActor({
  kind: "shelf",
  version: 1,
  machine: setup({
    types: {
      context: {} as { readonly n: number },
      events: {} as { readonly type: "put" },
      input: {} as { readonly id: string },
    },
  }).createMachine({
    context: { n: 0 },
    on: {
      put: {
        actions: [
          assign({ n: ({ context }) => context.n + 1 }),
          emit((): Emitted => ({ type: "write", writes: [{ op: "put", table: "knowledge", rows: [BOOK] }] })),
          emit(({ context }): Emitted => ({ type: "reply", body: { n: context.n } })),
        ],
      },
    },
  }),
  effects: {},
  queries: {},
});

function check(gone: boolean): void {
  if (gone) throw new Unavailable("store.unavailable", "away");
}

/** Returns the store with those faults that the test has currently set. */
function store(): ActorStore {
  return new Proxy(inner, {
    get: (target, name) => {
      // The methods run on the store itself, because they use its private fields.
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return async (...args: unknown[]) => {
        check(away);
        const answer = await method.apply(target, args);
        check(answersLost && name === "commit");
        return answer;
      };
    },
  });
}

async function host(
  owner: string,
  // The cast is needed, because the registry of actor kinds does not keep the types of their services. The
  // variable `services` provides all that the kinds need.
  definitions = [counter, job] as unknown as readonly AnyActorDefinition[],
): Promise<ShardHost> {
  const services: SimulatedServices = {
    began: () => {},
    notified: () => {},
    takeAction: async () => {},
    readStore: async () => {
      reads += 1;
      check(effectsAway);
    },
  };
  const started = new ShardHost({
    owner,
    bus,
    leases,
    store: store(),
    clock,
    definitions,
    services,
    leaseTtl: TTL,
    log: (_, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
  });
  hosts.push(started);
  await started.start(allShards);
  return started;
}

/** Sends a command and returns immediately. The returned object later contains the answer. */
function asked(to = a, command = add): { answer: unknown } {
  const asked = { answer: undefined as unknown };
  void system.ask(to, command).then((body) => {
    asked.answer = body;
  });
  return asked;
}

test("a shard host that starts without a store acquires its shards as soon as the store is available", async () => {
  away = true;
  const one = await host("one");
  expect(one.shards).toEqual([]);
  away = false;
  await clock.advance(TTL);
  expect(one.shards).toHaveLength(allShards.length);
  expect(await system.ask(a, add)).toEqual({ n: 1 });
});

test("a command whose actor cannot be loaded waits for the store, while a query fails immediately", async () => {
  const first = await host("first");
  await system.ask(a, add);
  first.close();
  leases.releaseAll("first");
  await host("one");
  away = true;
  const command = asked();
  const query = system.query(a, "applied").catch((error: unknown) => error);
  await clock.advance(6_000);
  expect(await query).toMatchObject({ code: "store.unavailable", status: 503 });
  expect(command.answer).toBeUndefined();
  away = false;
  await clock.advance(commitLimits.maxBackoff);
  expect(command.answer).toEqual({ n: 2 });
});

test("a command that cannot be committed waits for the store", async () => {
  await host("one");
  await system.ask(a, add);
  away = true;
  const command = asked();
  await clock.advance(6_000);
  expect(command.answer).toBeUndefined();
  away = false;
  await clock.advance(commitLimits.maxBackoff);
  expect(command.answer).toEqual({ n: 2 });
});

test("a commit whose answer was lost is not repeated, even if another commit has removed its row in the meantime", async () => {
  await host("one", [bookKind] as unknown as readonly AnyActorDefinition[]);
  answersLost = true;
  const put = asked(address("shelf", "s"), { type: "put" });
  await clock.advance(commitLimits.backoff / 2);
  expect(inner.rows("knowledge")).toEqual([BOOK]);
  const taken = { op: "remove", table: "knowledge", ids: [BOOK.id] } as const;
  await inner.raiseFences([OTHERS]);
  await inner.commit([{ shard: OTHERS, fence: 1, step: 1, rows: [], writes: [taken], deadLetters: [] }]);
  answersLost = false;
  await clock.advance(commitLimits.maxBackoff);
  expect(put.answer).toEqual({ n: 1 });
  expect(inner.rows("knowledge")).toEqual([]);
  const again = asked(address("shelf", "s"), { type: "put" });
  await clock.advance(1);
  expect(again.answer).toEqual({ n: 2 });
  expect(inner.rows("knowledge")).toEqual([BOOK]);
});

test("an effect that found no store runs again, without an error event to its machine", async () => {
  await host("one");
  const target = address("job", "a");
  effectsAway = true;
  await system.ask(target, { type: "do", steps: 0, fails: false, leaves: true });
  await clock.advance(6_000);
  expect(reads).toBeGreaterThan(3);
  effectsAway = false;
  await clock.advance(2 * commitLimits.maxBackoff);
  const { results, failures } = JSON.parse((await inner.load(target))?.data ?? "{}").snapshot.context;
  expect({ results, failures }).toEqual({ results: [1], failures: [] });
  expect(logged.filter((line) => line.includes("effect work"))).toHaveLength(1);
});

test("an effect runs again only after its notifications are stored, and its earlier run is ignored", async () => {
  const seen: string[] = [];
  const heard = effect<null, null>();
  const machine = setup({ actors: { work: heard } }).createMachine({
    context: { parts: [] as string[] },
    initial: "busy",
    states: {
      busy: {
        invoke: { id: "work", src: "work", input: null, onDone: "over" },
        on: { part: { actions: assign({ parts: ({ context, event }) => [...context.parts, event.name] }) } },
      },
      over: {},
    },
  });
  let attempts = 0;
  const parts = async () =>
    JSON.parse((await inner.load(address("eager", "a")))?.data ?? "{}").snapshot?.context.parts;
  const eager = defineActor({
    kind: "eager",
    version: 1,
    machine: machine as unknown as AnyStateMachine,
    effects: {
      work: async (_input: null, { notify, signal }) => {
        attempts += 1;
        if (attempts > 1) {
          seen.push(JSON.stringify(await parts()));
          return null;
        }
        // From here on, the store is unavailable for effects. So the commit of the notification "first"
        // fails, and the effect is aborted. On abort, the effect sends the notification "late".
        away = true;
        void notify({ type: "part", name: "first" });
        signal.addEventListener("abort", () => {
          notify({ type: "part", name: "late" }).catch((error: CairnError) => seen.push(error.code));
        });
        check(away);
        return null;
      },
    },
    queries: {},
  });
  await host("one", [eager as AnyActorDefinition]);
  const born = system.ask(address("eager", "a"), { type: "hello" }).catch(() => undefined);
  await clock.advance(6_000);
  expect(attempts).toBe(1);
  away = false;
  await clock.advance(2 * commitLimits.maxBackoff);
  await born;
  expect(seen).toEqual(["effect.superseded", '["first"]']);
  expect(await parts()).toEqual(["first"]);
});

test("a shard host that is stopped while it waits for the store keeps its leases", async () => {
  const one = await host("one");
  away = true;
  const command = asked();
  await settled();
  const drained = one.drain(3 * TTL);
  await clock.advance(2 * TTL);
  away = false;
  await clock.advance(TTL);
  await drained;
  expect(command.answer).toEqual({ n: 1 });
});
