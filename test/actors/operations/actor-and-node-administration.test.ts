/**
 * Tests the administration of actors: listing them, replaying their dead letters, and returning parked
 * (out-of-service) actors to service.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Membership } from "../../../actors/node/node-as-cluster-member.ts";
import { OperationsService } from "../../../actors/operations/actor-and-node-administration.ts";
import { activationLimits, mailboxLimits, stepLimits } from "../../../actors/runtime/actor-runtime-limits.ts";
import {
  ActorSystem,
  type AnyActorDefinition,
  address,
  allShards,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  singleNodeCluster,
} from "../../../actors/runtime/index.ts";
import { roles } from "../../../machines/runtime/cluster-node-roles.ts";
import {
  actorDetailSchema,
  deadLettersSchema,
  replayedSchema,
} from "../../../machines/runtime/runtime-administration-schemas.ts";
import { MemoryActorStore } from "../../../store/index.ts";
import { till, tillState } from "../cash-register-test-kind.ts";
import { SimulatedClock } from "../runtime/model/simulated-clock.ts";

const a = address("till", "a");

let clock: SimulatedClock;
let store: MemoryActorStore;
let system: ActorSystem;
let host: ShardHost;
let operations: OperationsService;
const membership = new Membership(
  singleNodeCluster(10_000),
  { name: "node", roles, workers: 1, version: "1.2.3", kinds: { till: 1 }, since: 0 },
  () => {},
);

/** Starts a process that hosts the actors. It has none of the state that an earlier process had only in memory. */
async function startHost(owner: string): Promise<void> {
  const bus = new MemoryBus({ clock });
  system = new ActorSystem(bus, clock, `client of ${owner}`);
  host = new ShardHost({
    owner,
    bus,
    leases: new MemoryLeases(clock, 10_000),
    store,
    clock,
    definitions: [till as AnyActorDefinition],
    services: null,
    leaseTtl: 10_000,
    log: () => {},
  });
  await host.start(allShards);
  const reports = async () => [{ name: "w1", ready: true, starts: 1, host: host.report() }];
  operations = new OperationsService(system, store, {
    nodes: async () => [...(await membership.nodes(reports))],
    ping: async () => {},
    // Returns each metric twice, as if two threads had counted the same events.
    metrics: async () => [...host.report().metrics, ...host.report().metrics],
  });
}

beforeEach(async () => {
  tillState.broken = true;
  clock = new SimulatedClock();
  store = new MemoryActorStore();
  await startHost("one");
});
afterEach(() => host.close());

const sell = (what: string, id: string) => system.ask(a, { type: "sell", what }, { id });
const failed = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

/** Sends a command that fails. Returns the id of the dead letter that it becomes. */
async function failCommand(id: string): Promise<string> {
  await failed(sell("bad", id));
  const { dead_letters } = await operations.deadLetters({ limit: 100 });
  const letter = dead_letters.find(({ command_id }) => command_id === id);
  if (!letter) throw new Error(`${id} has no dead letter`);
  return letter.id;
}

async function park(): Promise<void> {
  for (let i = 0; i <= activationLimits.maxCrashes; i++) await failCommand(`bad-${i}`);
}

describe("replaying a dead letter", () => {
  test("keeps the letter and the actor's state when the command fails again", async () => {
    await sell("fine", "first");
    const letter = await failCommand("bad");
    expect(await failed(operations.replay(letter))).toMatchObject({
      code: "actor.step_failed",
      details: { dead_letter: letter },
    });
    expect((await operations.deadLetters({ limit: 10 })).dead_letters.map(({ id }) => id)).toEqual([letter]);
    expect(await system.query(a, "sold")).toEqual(["first"]);
  });

  test("applies the command under its original id, returns its reply and deletes the letter", async () => {
    const letter = await failCommand("bad");
    tillState.broken = false;
    const replayed = replayedSchema.parse(await operations.replay(letter));
    expect(replayed).toMatchObject({ outcome: { ok: true, result: { n: 1 } }, unparked: false });
    expect(await system.query(a, "sold")).toEqual(["bad"]);
    expect(await failed(operations.replay(letter))).toMatchObject({
      code: "dead_letter.not_found",
      status: 404,
    });
    expect(await sell("bad", "bad")).toEqual({ n: 1 });
    expect(await system.query(a, "sold")).toEqual(["bad"]);
  });

  test("applies the command once if several callers replay it at the same time", async () => {
    const letter = await failCommand("bad");
    tillState.broken = false;
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => failed(operations.replay(letter))));
    expect(outcomes.filter((outcome) => replayedSchema.safeParse(outcome).success)).toHaveLength(1);
    expect(await system.query(a, "sold")).toEqual(["bad"]);
  });

  test("returns the earlier outcome if the command has succeeded since", async () => {
    const letter = await failCommand("bad");
    tillState.broken = false;
    const more = Array.from({ length: stepLimits.rememberedCommands }, (_, i) => `more-${i}`);
    for (const id of more) await sell("fine", id);
    expect(await sell("bad", "bad")).toEqual({ n: more.length + 1 });
    expect((await operations.replay(letter)).outcome).toEqual({ ok: true, result: { n: more.length + 1 } });
    expect(await system.query(a, "sold")).toEqual([...more, "bad"]);
    expect((await operations.deadLetters({ limit: 10 })).dead_letters).toEqual([]);
  });

  test("applies a message from another actor, even if later messages of that actor were already applied", async () => {
    await sell("fine", "first");
    const letter = await failCommand("bad");
    const row = await store.deadLetter(letter);
    const state = await store.load(a);
    if (!row || !state) throw new Error("nothing was kept");
    const message = { ...JSON.parse(row.message), from: { actor: "relay/r", seq: 3 } };
    const fence = (await store.raiseFences([state.shard])).get(state.shard) ?? 0;
    const data = JSON.stringify({ ...JSON.parse(state.data), heard: { "relay/r": 9 } });
    const [outcome] = await store.commit([
      {
        shard: state.shard,
        fence,
        step: 1,
        rows: [{ ...state, data }],
        writes: [],
        deadLetters: [{ ...row, message: JSON.stringify(message) }],
      },
    ]);
    expect(outcome).toEqual({ ok: true });
    host.close();
    await restart();
    tillState.broken = false;
    expect((await operations.replay(letter)).outcome).toEqual({ ok: true, result: { n: 2 } });
    expect(JSON.parse((await store.load(a))?.data ?? "{}").heard).toEqual({ "relay/r": 9 });
  });

  test("returns the refusal of the actor and deletes the letter", async () => {
    const letter = await failCommand("bad");
    const row = await store.deadLetter(letter);
    if (!row) throw new Error("nothing was kept");
    const message = { ...JSON.parse(row.message), body: { type: "refuse" } };
    await putLetter({ ...row, message: JSON.stringify(message) });
    expect((await operations.replay(letter)).outcome).toEqual({
      ok: false,
      error: { code: "till.no", message: "No." },
    });
    expect((await operations.deadLetters({ limit: 10 })).dead_letters).toEqual([]);
  });
});

/** Replaces the process that hosts the actors. */
const restart = (): Promise<void> => startHost("two");

async function putLetter(
  row: NonNullable<Awaited<ReturnType<MemoryActorStore["deadLetter"]>>>,
): Promise<void> {
  host.close();
  const shard = (await store.load(a))?.shard ?? 0;
  const fence = (await store.raiseFences([shard])).get(shard) ?? 0;
  await store.commit([{ shard, fence, step: 1, rows: [], writes: [], deadLetters: [row] }]);
  await restart();
}

describe("a parked actor, which is out of service,", () => {
  test("is listed as parked, with the reason", async () => {
    await sell("fine", "first");
    await park();
    expect((await operations.actors({ state: "parked", limit: 10 })).actors).toMatchObject([
      { kind: "till", id: "a" },
    ]);
    expect(await operations.actor("till", "a")).toMatchObject({
      state: "parked",
      value: { open: "idle" },
      parked: { message: "The till is broken" },
    });
    expect(await failed(sell("fine", "second"))).toMatchObject({ code: "actor.parked" });
  });

  test("returns to service by a replay, with its timers and a new crash count", async () => {
    await park();
    tillState.broken = false;
    const [letter] = (await operations.deadLetters({ limit: 1 })).dead_letters;
    expect(await operations.replay(letter?.id ?? "")).toMatchObject({ unparked: true, state: "open.idle" });
    expect(await sell("fine", "second")).toEqual({ n: 2 });
    expect((await operations.actor("till", "a")).timers).toHaveLength(1);
    tillState.broken = true;
    await failCommand("once more");
    expect(await sell("fine", "third")).toEqual({ n: 3 });
  });

  test("returns to service by the operation unpark, which has no effect on an actor in service", async () => {
    await park();
    expect(await operations.unpark("till", "a")).toMatchObject({ unparked: true, state: "open.idle" });
    expect(await operations.unpark("till", "a")).toMatchObject({ unparked: false });
    expect(await sell("fine", "second")).toEqual({ n: 1 });
    expect(await failed(operations.unpark("till", "unknown"))).toMatchObject({ code: "actor.not_found" });
  });

  test("runs its failed effect again when the dead letter of the effect is replayed", async () => {
    await system.ask(a, { type: "print" });
    await clock.advance(1_000);
    const [letter] = (await operations.deadLetters({ limit: 1 })).dead_letters;
    expect(letter).toMatchObject({ item: "effect", command_id: null });
    expect(await operations.actor("till", "a")).toMatchObject({
      state: "parked",
      effects: [{ src: "print" }],
    });
    tillState.broken = false;
    expect(await operations.replay(letter?.id ?? "")).toMatchObject({ outcome: null, unparked: true });
    await clock.advance(1_000);
    expect(await operations.actor("till", "a")).toMatchObject({
      state: "open.idle",
      context: { printed: 1 },
    });
  });
});

describe("the administration service", () => {
  test("returns an actor in the specified shape, without secrets, with its last events", async () => {
    await sell("fine", "first");
    await failed(system.ask(a, { type: "refuse" }, { id: "second" }));
    const detail = actorDetailSchema.parse(await operations.actor("till", "a"));
    expect(detail).toMatchObject({
      state: "open.idle",
      owner: "one",
      context: { api_key: "********", sold: ["first"] },
      mailbox: { waiting: 0, capacity: mailboxLimits.capacity },
      last_events: [
        { type: "sell", source: "caller", command_id: "first", outcome: "ok" },
        { type: "refuse", command_id: "second", outcome: "till.no" },
      ],
    });
  });

  test("returns a limited number of last events", async () => {
    for (let i = 0; i < activationLimits.recentEvents * 2; i++) await sell("fine", `id-${i}`);
    const { last_events } = await operations.actor("till", "a");
    expect(last_events).toHaveLength(activationLimits.recentEvents);
    expect(last_events.at(-1)?.command_id).toBe(`id-${activationLimits.recentEvents * 2 - 1}`);
  });

  test("reports an actor that never existed as not found, and does not create it", async () => {
    expect(await failed(operations.actor("till", "unknown"))).toMatchObject({
      code: "actor.not_found",
      status: 404,
    });
    expect((await operations.actors({ limit: 10 })).actors).toEqual([]);
    expect(host.resident).toBe(0);
  });

  test("lists every dead letter once over all pages of the list, oldest first", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(await failCommand(`bad-${i}`));
      await clock.advance(10);
    }
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = deadLettersSchema.parse(await operations.deadLetters({ limit: 2, cursor }));
      seen.push(...page.dead_letters.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
    expect((await operations.deadLetters({ limit: 1 })).dead_letters[0]).toMatchObject({
      item: "command",
      command_id: "bad-0",
      message: { body: { type: "sell", what: "bad" } },
      attempts: stepLimits.attempts,
    });
  });

  test("returns the node's workers with their shards", async () => {
    await sell("fine", "first");
    const { nodes } = await operations.nodes();
    expect(nodes).toMatchObject([{ name: "node", version: "1.2.3", shards: allShards.length }]);
    expect(nodes[0]?.workers).toMatchObject([{ name: "w1", shards: allShards, actors: 1 }]);
  });

  test("adds up the metrics of all threads, labelled only by kind and result", async () => {
    await sell("fine", "first");
    await sell("fine", "first");
    await failed(system.ask(a, { type: "refuse" }));
    await failed(sell("bad", "bad"));
    await failed(system.query(a, "nonsense"));
    await system.query(a, "sold");
    await system.operate(a, { type: "cancel", command: "never" });
    await failed(sell("fine", "never"));
    const families = new Map((await operations.metrics()).map((family) => [family.name, family]));
    const values = (name: string) =>
      Object.fromEntries(
        (families.get(name)?.samples ?? []).map((sample) => [
          sample.labels.result ?? sample.labels.kind ?? "all",
          "value" in sample ? sample.value : sample.counts.reduce((sum, count) => sum + count, 0),
        ]),
      );
    expect(values("cairn_commands_total")).toEqual({
      ok: 2,
      repeated: 2,
      refused: 2,
      failed: 2,
      cancelled: 2,
    });
    expect(values("cairn_queries_total")).toEqual({ ok: 2, refused: 2 });
    expect(values("cairn_dead_letters_total")).toEqual({ till: 2 });
    expect(values("cairn_activations")).toEqual({ till: 2 });
    expect(values("cairn_mailbox_depth")).toEqual({ till: 0 });
    expect(values("cairn_shards_owned")).toEqual({ all: 2 * allShards.length });
    expect(values("cairn_till_sales_total")).toEqual({ sold: 2 });
    // There were four commits: the first sale, the refused command, the dead letter and the cancelled command. The
    // repeated command needed none. `metrics` of this test returns every number twice, so the total is eight.
    expect(values("cairn_commit_seconds")).toEqual({ all: 2 * 4 });
    for (const { samples } of families.values()) {
      for (const { labels } of samples)
        expect(["", "kind", "kind,result", "result"]).toContain(Object.keys(labels).join());
    }
  });

  test("continues a list of actors from the cursor of the previous page", async () => {
    for (const id of ["a", "b", "c"]) await system.ask(address("till", id), { type: "sell" });
    const first = await operations.actors({ kind: "till", limit: 2 });
    expect(first.next_cursor).toBe("till/b");
    const rest = await operations.actors({ kind: "till", limit: 2, cursor: first.next_cursor ?? "" });
    expect(rest.actors.map(({ id }) => id)).toEqual(["c"]);
    expect(rest.next_cursor).toBeNull();
    expect(await failed(operations.actors({ limit: 2, cursor: "nonsense" }))).toMatchObject({ status: 422 });
  });
});
