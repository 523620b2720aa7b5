/** Tests inspection: which events a subscriber of `inspect.*` receives, and which data is never published. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { assign, emit, setup } from "xstate";
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
} from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { inspectionLimits } from "../../../../machines/inspection/actor-inspection-limits.ts";
import {
  type InspectionEvent,
  inspectTopic,
} from "../../../../machines/inspection/actor-inspection-topics.ts";
import { MASK } from "../../../../machines/inspection/names-of-secret-fields.ts";
import type { Emitted } from "../../../../machines/machine-emissions.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { MemoryActorStore } from "../../../../store/index.ts";
import { SimulatedClock, settled } from "../model/simulated-clock.ts";

const door = defineActor<null, { readonly code: string; readonly password: string; readonly opened: number }>(
  {
    kind: "door",
    version: 1,
    machine: setup({
      actors: { swing: effect<null, null>() },
      guards: { everyTime: () => true },
    }).createMachine({
      id: "door",
      context: { code: "code-of-the-door", password: "hunter2", opened: 0 },
      initial: "shut",
      states: {
        shut: {
          on: {
            OPEN: { guard: "everyTime", target: "swinging" },
            TELL: {
              actions: emit((): Emitted => ({ type: "send", to: "door/other", command: { type: "OPEN" } })),
            },
            BREAK: {
              actions: assign(() => {
                throw new Error("off its hinges");
              }),
            },
          },
        },
        swinging: { invoke: { id: "swing", src: "swing", input: null, onDone: "ajar", onError: "shut" } },
        ajar: {
          entry: assign({ opened: ({ context }) => context.opened + 1 }),
          after: { 5000: "shut" },
          always: { guard: ({ context }) => context.opened > 1, target: "stuck" },
        },
        stuck: {},
      },
    }),
    effects: { swing: async () => null },
    queries: {},
    redact: ({ code: _, ...context }) => {
      if (context.opened > 1) throw new Error("cannot be shown");
      return context;
    },
    redactEvent: ({ knock: _, ...event }) => event,
  },
);

let clock: SimulatedClock;
let bus: MemoryBus;
let system: ActorSystem;
let host: ShardHost;
let received: InspectionEvent[];
let logged: string[];

beforeEach(async () => {
  clock = new SimulatedClock();
  bus = new MemoryBus({ clock });
  system = new ActorSystem(bus, clock, "client");
  received = [];
  logged = [];
  host = new ShardHost({
    owner: "here",
    bus,
    leases: new MemoryLeases(clock, leaseLimits.ttl),
    store: new MemoryActorStore(),
    clock,
    definitions: [door as unknown as AnyActorDefinition],
    services: null,
    leaseTtl: leaseLimits.ttl,
    log: (_level, message, fields) => logged.push(`${message} ${fields.error}`),
  });
});
afterEach(() => host.close());

const subscribe = (pattern: string) =>
  bus.subscribe(pattern, (event) => received.push(event as InspectionEvent));
const front = address("door", "front.left");
const eventsOf = (type: string) => received.filter((event) => event.type === type);
/** Resolves when all effects of the actor have run and their results are committed. */
const settledEffects = async () => {
  for (let i = 0; i < 20; i++) await settled();
};

describe("a subscriber to the inspection of an actor", () => {
  beforeEach(() => host.start(allShards));

  test("does not receive the fields that the kind of the actor removes from events", async () => {
    subscribe(inspectTopic("event", "door", front.id));
    await system.ask(front, { type: "OPEN", knock: "three times", hurry: true });
    expect(eventsOf("@xstate.event")[0]).toMatchObject({ event: { type: "OPEN", hurry: true } });
    expect(JSON.stringify(received)).not.toContain("three times");
  });

  test("receives the event, the transitions and the snapshot for each command, in that order", async () => {
    subscribe(inspectTopic(undefined, "door", front.id));
    await system.ask(front, { type: "OPEN" }, { id: "first" });
    await settledEffects();
    const types = received.map(({ type }) => type).filter((type) => type.startsWith("@xstate."));
    const step = ["@xstate.event", "@xstate.microstep", "@xstate.snapshot"];
    expect(types).toEqual(["@xstate.actor", ...step, ...step]);
    expect(eventsOf("@xstate.event")[0]).toMatchObject({
      kind: "door",
      id: "front.left",
      sessionId: "door/front.left",
      owner: "here",
      event: { type: "OPEN" },
      source: "caller",
      command_id: "first",
      applied: true,
      at: clock.now(),
    });
    expect(eventsOf("@xstate.microstep").map(({ transitions }) => transitions)).toEqual([
      [
        {
          id: "door.shut|OPEN|0",
          source: "door.shut",
          targets: ["door.swinging"],
          event: "OPEN",
          guard: "everyTime",
        },
      ],
      [
        {
          id: "door.swinging|xstate.done.actor.swing|0",
          source: "door.swinging",
          targets: ["door.ajar"],
          event: "xstate.done.actor.swing",
          guard: null,
        },
      ],
    ]);
    expect(eventsOf("@xstate.snapshot").at(-1)).toMatchObject({
      snapshot: {
        value: "ajar",
        active: ["door", "door.ajar"],
        status: "active",
        timers: [{ event: expect.any(String) }],
      },
    });
  });

  test("receives every transition of a command that causes several transitions", async () => {
    subscribe(inspectTopic("microstep", "door"));
    await system.ask(front, { type: "OPEN" });
    await settledEffects();
    await clock.advance(5_000);
    await system.ask(front, { type: "OPEN" });
    await settledEffects();
    const last = received.slice(-2).map(({ transitions, snapshot }) => ({ transitions, snapshot }));
    expect(last).toMatchObject([
      { transitions: [{ targets: ["door.ajar"] }], snapshot: { value: "ajar" } },
      { transitions: [{ id: "door.ajar||0", targets: ["door.stuck"] }], snapshot: { value: "stuck" } },
    ]);
  });

  test("receives no secrets: neither fields that are named like secrets nor fields that the kind removes", async () => {
    subscribe("inspect.>");
    await system.ask(front, { type: "OPEN", api_key: "key-of-the-door", at_url: "http://u:p@host/" });
    await settledEffects();
    expect(eventsOf("@xstate.snapshot").at(-1)).toMatchObject({
      snapshot: { context: { password: MASK, opened: 1 } },
    });
    const everything = JSON.stringify(received);
    for (const secret of ["hunter2", "code-of-the-door", "key-of-the-door", "u:p@"])
      expect(everything).not.toContain(secret);
  });

  test("receives the start and the end of effects, timers and sends", async () => {
    subscribe("inspect.*.door.*");
    await system.ask(front, { type: "TELL" });
    await system.ask(front, { type: "OPEN" });
    await settledEffects();
    await clock.advance(5_000);
    const phases = (type: string) =>
      eventsOf(type)
        .filter(({ id }) => id === front.id)
        .map(({ phase }) => phase);
    expect(phases("@cairn.effect")).toEqual(["started", "finished"]);
    expect(phases("@cairn.timer")).toEqual(["set", "rang"]);
    expect(phases("@cairn.send")).toEqual(["sent", "delivered"]);
    const other = received.find(({ type, id }) => type === "@xstate.event" && id === "other");
    expect(other).toMatchObject({ source: "door/front.left" });
  });

  test("receives the reason if a command was refused, and if it was not applied because it was repeated", async () => {
    subscribe(inspectTopic("event"));
    await system.ask(front, { type: "OPEN" }, { id: "same" });
    await system.ask(front, { type: "OPEN" }, { id: "same" });
    await system.ask(front, { type: "NONSENSE" }).catch(() => {});
    const commands = received.filter(({ source }) => source === "caller");
    expect(commands.map(({ applied, refused }) => [applied, refused])).toEqual([
      [true, undefined],
      [false, undefined],
      [true, "actor.not_accepted"],
    ]);
  });

  test("receives dead letters and the parking of an actor", async () => {
    subscribe("inspect.*.door.*");
    for (let i = 0; i <= activationLimits.maxCrashes; i++) {
      await system.ask(front, { type: "BREAK" }).catch(() => {});
    }
    const letters = eventsOf("@cairn.dead_letter");
    expect(letters.at(-1)).toMatchObject({ attempts: stepLimits.attempts, parked: true });
    expect(letters[0]).toMatchObject({ parked: false, message: "off its hinges" });
    expect(eventsOf("@cairn.state").at(-1)).toMatchObject({ state: "parked" });
  });

  test("receives the number of the actor's waiting commands, also when none is left", async () => {
    subscribe(inspectTopic("mailbox"));
    await Promise.all([1, 2, 3].map(() => system.ask(front, { type: "NONSENSE" }).catch(() => {})));
    expect(Math.max(...received.map(({ waiting }) => Number(waiting)))).toBeGreaterThan(1);
    expect(received.at(-1)).toMatchObject({ type: "@cairn.mailbox", waiting: 0 });
  });

  test("does not affect the actor if its context cannot be shown, and the error is logged", async () => {
    subscribe("inspect.>");
    await system.ask(front, { type: "OPEN" });
    await settledEffects();
    await clock.advance(5_000);
    await system.ask(front, { type: "OPEN" });
    await settledEffects();
    expect(eventsOf("@xstate.microstep").at(-1)).toMatchObject({ snapshot: { value: "stuck" } });
    expect(logged).toContain("inspection failed Error: cannot be shown");
    expect(await system.ask(front, { type: "OPEN" }).catch(({ code }) => code)).toBe("actor.not_accepted");
  });

  test("receives at most one activity event of an actor per interval, however many commands the actor processes", async () => {
    subscribe(inspectTopic("state"));
    for (let i = 0; i < 10; i++) await system.ask(front, { type: "NONSENSE" }).catch(() => {});
    expect(received.map(({ type, state }) => [type, state])).toEqual([["@cairn.state", "shut"]]);
    await clock.advance(inspectionLimits.stateEvery);
    await system.ask(front, { type: "NONSENSE" }).catch(() => {});
    expect(received).toHaveLength(2);
  });

  test("receives nothing of other actors, and nothing after it has unsubscribed", async () => {
    const stop = subscribe(inspectTopic(undefined, "door", "back"));
    await system.ask(front, { type: "OPEN" });
    expect(received).toEqual([]);
    stop();
    await system.ask(address("door", "back"), { type: "OPEN" });
    expect(received).toEqual([]);
  });
});

test("the runtime publishes no inspection event without a subscriber", async () => {
  const published: string[] = [];
  const publish = bus.publish.bind(bus);
  bus.publish = (topic, event) => {
    published.push(topic);
    publish(topic, event);
  };
  bus.subscribe("exploration.>", () => {});
  await host.start(allShards);
  await system.ask(front, { type: "OPEN" });
  await settledEffects();
  expect(published.filter((topic) => topic.startsWith("inspect."))).toEqual([]);
  subscribe("inspect.>");
  await system.ask(front, { type: "NONSENSE" }).catch(() => {});
  expect(published.some((topic) => topic.startsWith("inspect."))).toBe(true);
});

test("a shard host publishes inspection events for the shards that it acquires and releases", async () => {
  subscribe(inspectTopic("lease"));
  await host.start([7]);
  host.close();
  expect(received.map(({ kind, id, phase, owner }) => [kind, id, phase, owner])).toEqual([
    ["shard", "7", "taken", "here"],
    ["shard", "7", "dropped", "here"],
  ]);
});
