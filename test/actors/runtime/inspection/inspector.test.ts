/** What the runtime tells those who look at it, and that it tells nobody else. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { assign, emit, setup } from "xstate";
import {
  ActorSystem,
  type AnyActorDefinition,
  address,
  defineActor,
  MemoryBus,
  MemoryLeases,
  ShardHost,
} from "../../../../actors/runtime/index.ts";
import { activationLimits, stepLimits } from "../../../../actors/runtime/limits.ts";
import { effect } from "../../../../machines/effect.ts";
import type { Emitted } from "../../../../machines/emitted.ts";
import { type InspectionEvent, inspectTopic } from "../../../../machines/inspection/inspection-topic.ts";
import { inspectionLimits } from "../../../../machines/inspection/limits.ts";
import { MASK } from "../../../../machines/inspection/masking.ts";
import { addressLimits, leaseLimits } from "../../../../machines/runtime/limits.ts";
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
      context: { code: "1234", password: "hunter2", opened: 0 },
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
let heard: InspectionEvent[];
let logged: string[];

beforeEach(async () => {
  clock = new SimulatedClock();
  bus = new MemoryBus({ clock });
  system = new ActorSystem(bus, clock, "client");
  heard = [];
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

const all = Array.from({ length: addressLimits.shards }, (_, shard) => shard);
const look = (pattern: string) => bus.subscribe(pattern, (event) => heard.push(event as InspectionEvent));
const front = address("door", "front.left");
const told = (type: string) => heard.filter((event) => event.type === type);
/** Until effects have run and their results are committed. */
const calm = async () => {
  for (let i = 0; i < 20; i++) await settled();
};

describe("who listens to an actor", () => {
  beforeEach(() => host.start(all));

  test("hears nothing of an event that its kind keeps to itself", async () => {
    look(inspectTopic("event", "door", front.id));
    await system.ask(front, { type: "OPEN", knock: "three times", hurry: true });
    expect(told("@xstate.event")[0]).toMatchObject({ event: { type: "OPEN", hurry: true } });
    expect(JSON.stringify(heard)).not.toContain("three times");
  });

  test("hears the event, the transitions and the state of each step, in that order", async () => {
    look(inspectTopic(undefined, "door", front.id));
    await system.ask(front, { type: "OPEN" }, { id: "first" });
    await calm();
    const types = heard.map(({ type }) => type).filter((type) => type.startsWith("@xstate."));
    const step = ["@xstate.event", "@xstate.microstep", "@xstate.snapshot"];
    expect(types).toEqual(["@xstate.actor", ...step, ...step]);
    expect(told("@xstate.event")[0]).toMatchObject({
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
    expect(told("@xstate.microstep").map(({ transitions }) => transitions)).toEqual([
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
    expect(told("@xstate.snapshot").at(-1)).toMatchObject({
      snapshot: {
        value: "ajar",
        active: ["door", "door.ajar"],
        status: "active",
        timers: [{ event: expect.any(String) }],
      },
    });
  });

  test("hears of each transition of a step that takes several", async () => {
    look(inspectTopic("microstep", "door"));
    await system.ask(front, { type: "OPEN" });
    await calm();
    await clock.advance(5_000);
    await system.ask(front, { type: "OPEN" });
    await calm();
    const last = heard.slice(-2).map(({ transitions, snapshot }) => ({ transitions, snapshot }));
    expect(last).toMatchObject([
      { transitions: [{ targets: ["door.ajar"] }], snapshot: { value: "ajar" } },
      { transitions: [{ id: "door.ajar||0", targets: ["door.stuck"] }], snapshot: { value: "stuck" } },
    ]);
  });

  test("sees no secret: neither what is named like one nor what the kind keeps to itself", async () => {
    look("inspect.>");
    await system.ask(front, { type: "OPEN", api_key: "abc", at_url: "http://u:p@host/" });
    await calm();
    expect(told("@xstate.snapshot").at(-1)).toMatchObject({
      snapshot: { context: { password: MASK, opened: 1 } },
    });
    const everything = JSON.stringify(heard);
    for (const secret of ["hunter2", "1234", "abc", "u:p@"]) expect(everything).not.toContain(secret);
  });

  test("hears of effects, timers and sends, what began and how it ended", async () => {
    look("inspect.*.door.*");
    await system.ask(front, { type: "TELL" });
    await system.ask(front, { type: "OPEN" });
    await calm();
    await clock.advance(5_000);
    const phases = (type: string) =>
      told(type)
        .filter(({ id }) => id === front.id)
        .map(({ phase }) => phase);
    expect(phases("@cairn.effect")).toEqual(["started", "finished"]);
    expect(phases("@cairn.timer")).toEqual(["set", "rang"]);
    expect(phases("@cairn.send")).toEqual(["sent", "delivered"]);
    const other = heard.find(({ type, id }) => type === "@xstate.event" && id === "other");
    expect(other).toMatchObject({ source: "door/front.left" });
  });

  test("is told that a repeated command did nothing, and why one was refused", async () => {
    look(inspectTopic("event"));
    await system.ask(front, { type: "OPEN" }, { id: "same" });
    await system.ask(front, { type: "OPEN" }, { id: "same" });
    await system.ask(front, { type: "NONSENSE" }).catch(() => {});
    const commands = heard.filter(({ source }) => source === "caller");
    expect(commands.map(({ applied, refused }) => [applied, refused])).toEqual([
      [true, undefined],
      [false, undefined],
      [true, "actor.not_accepted"],
    ]);
  });

  test("hears of dead letters and of an actor that is taken out of service", async () => {
    look("inspect.*.door.*");
    for (let i = 0; i <= activationLimits.maxCrashes; i++) {
      await system.ask(front, { type: "BREAK" }).catch(() => {});
    }
    const letters = told("@cairn.dead_letter");
    expect(letters.at(-1)).toMatchObject({ attempts: stepLimits.attempts, parked: true });
    expect(letters[0]).toMatchObject({ parked: false, message: "off its hinges" });
    expect(told("@cairn.state").at(-1)).toMatchObject({ state: "parked" });
  });

  test("hears how many wait, and that none does any more", async () => {
    look(inspectTopic("mailbox"));
    await Promise.all([1, 2, 3].map(() => system.ask(front, { type: "NONSENSE" }).catch(() => {})));
    expect(Math.max(...heard.map(({ waiting }) => Number(waiting)))).toBeGreaterThan(1);
    expect(heard.at(-1)).toMatchObject({ type: "@cairn.mailbox", waiting: 0 });
  });

  test("does no harm when what it is shown cannot be made: the actor goes on, and the log says so", async () => {
    look("inspect.>");
    await system.ask(front, { type: "OPEN" });
    await calm();
    await clock.advance(5_000);
    await system.ask(front, { type: "OPEN" });
    await calm();
    expect(told("@xstate.microstep").at(-1)).toMatchObject({ snapshot: { value: "stuck" } });
    expect(logged).toContain("inspection failed Error: cannot be shown");
    expect(await system.ask(front, { type: "OPEN" }).catch(({ code }) => code)).toBe("actor.not_accepted");
  });

  test("who asks for states only hears each once, however much goes on in it", async () => {
    look(inspectTopic("state"));
    for (let i = 0; i < 10; i++) await system.ask(front, { type: "NONSENSE" }).catch(() => {});
    expect(heard.map(({ type, state }) => [type, state])).toEqual([["@cairn.state", "shut"]]);
    await clock.advance(inspectionLimits.stateEvery);
    await system.ask(front, { type: "NONSENSE" }).catch(() => {});
    expect(heard).toHaveLength(2);
  });

  test("hears nothing of others, and nothing any more once it has gone", async () => {
    const stop = look(inspectTopic(undefined, "door", "back"));
    await system.ask(front, { type: "OPEN" });
    expect(heard).toEqual([]);
    stop();
    await system.ask(address("door", "back"), { type: "OPEN" });
    expect(heard).toEqual([]);
  });
});

test("nothing is published while nobody listens", async () => {
  const published: string[] = [];
  const publish = bus.publish.bind(bus);
  bus.publish = (topic, event) => {
    published.push(topic);
    publish(topic, event);
  };
  bus.subscribe("exploration.>", () => {});
  await host.start(all);
  await system.ask(front, { type: "OPEN" });
  await calm();
  expect(published.filter((topic) => topic.startsWith("inspect."))).toEqual([]);
  look("inspect.>");
  await system.ask(front, { type: "NONSENSE" }).catch(() => {});
  expect(published.some((topic) => topic.startsWith("inspect."))).toBe(true);
});

test("shards that are taken and dropped are told", async () => {
  look(inspectTopic("lease"));
  await host.start([7]);
  host.close();
  expect(heard.map(({ kind, id, phase, owner }) => [kind, id, phase, owner])).toEqual([
    ["shard", "7", "taken", "here"],
    ["shard", "7", "dropped", "here"],
  ]);
});
