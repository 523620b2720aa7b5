/**
 * Tests the object (scope) through which an effect uses the runtime. The scope shows whether the effect was
 * started before, and for how long the owner certainly holds the shard. It also registers work that runs before
 * the shard moves.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { assign, setup } from "xstate";
import { address, defineActor } from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { erased, Stage } from "../support/real-runtime-with-simulated-clock.ts";

const machine = setup({
  types: {
    context: {} as { readonly hurries: boolean },
    events: {} as { readonly type: "GO" | "HURRY" | "REST" },
  },
  actors: { act: effect<null, null>() },
  guards: { hurries: ({ context }) => context.hurries },
}).createMachine({
  id: "worker",
  context: { hurries: false },
  initial: "idle",
  states: {
    idle: { on: { GO: "busy", HURRY: { target: "busy", actions: assign({ hurries: true }) } } },
    busy: {
      invoke: { id: "act", src: "act", input: null, onDone: "idle" },
      on: { GO: { target: "busy", reenter: true }, REST: "resting" },
    },
    resting: { on: { GO: "busy" }, always: { guard: "hurries", target: "busy" } },
  },
});

let stage: Stage;
let begun: { readonly owner: string; readonly resumed: boolean; readonly leaseCertainFor: number }[];
beforeEach(() => {
  stage = new Stage();
  begun = [];
  handovers = [];
});
afterEach(() => stage.close());

/** The work that effects have done before their shard moved to another owner, in order. */
let handovers: string[];

/**
 * Creates a kind of actor whose effects never end. With `withHandover`, the effects register work that is
 * done before their shard moves.
 */
const kind = (owner: string, withHandover = false) =>
  erased(
    defineActor({
      kind: "worker",
      version: 1,
      // The cast is needed, because the registry of actor kinds does not keep the types of their state
      // machines.
      machine: machine as never,
      effects: {
        act: (_input: null, { resumed, leaseCertainFor, beforeLeaving, notify }) => {
          begun.push({ owner, resumed, leaseCertainFor: leaseCertainFor() });
          if (withHandover)
            beforeLeaving(async () => {
              handovers.push(`${owner} asked`);
              await notify({ type: "REST" });
              handovers.push(`${owner} rests`);
            });
          return new Promise(() => {});
        },
      },
      queries: {},
    }),
  );

test("an effect (background work) starts as new at the first owner of its actor, and as resumed at the next owner", async () => {
  const first = await stage.host("first", { definitions: [kind("first")] });
  const target = address("worker", "one");
  await stage.outcome(stage.system.ask(target, { type: "GO" }));
  await stage.outcome(stage.system.ask(target, { type: "GO" }));
  expect(begun.map(({ owner, resumed }) => [owner, resumed])).toEqual([
    ["first", false],
    ["first", false],
  ]);
  for (const { leaseCertainFor } of begun) {
    expect(leaseCertainFor).toBeGreaterThan(0);
    expect(leaseCertainFor).toBeLessThan(10_000);
  }
  await first.drain(0);
  await stage.host("second", { definitions: [kind("second")] });
  await stage.clock.advance(0);
  expect(begun.at(-1)).toMatchObject({ owner: "second", resumed: true });
  await stage.outcome(stage.system.ask(target, { type: "GO" }));
  expect(begun.at(-1)).toMatchObject({ owner: "second", resumed: false });
});

test("an effect finishes what it does for a hand-over before its actor moves, and the actor's next effect starts at the new owner", async () => {
  const first = await stage.host("first", { definitions: [kind("first", true)] });
  await stage.outcome(stage.system.ask(address("worker", "rests"), { type: "GO" }));
  await stage.outcome(first.drain(1_000), 1_000);
  expect(handovers).toEqual(["first asked", "first rests"]);

  const second = await stage.host("second", { definitions: [kind("second", true)] });
  await stage.clock.advance(0);
  expect(begun.map(({ owner }) => owner)).toEqual(["first"]);
  await stage.outcome(stage.system.ask(address("worker", "goes on"), { type: "HURRY" }));
  await stage.outcome(second.drain(1_000), 1_000);
  // The command "HURRY" starts a second effect. The first owner gives up the shard before it has started this
  // effect, so only the second owner starts it.
  expect(begun.map(({ owner }) => owner)).toEqual(["first", "second"]);
  await stage.host("third", { definitions: [kind("third")] });
  await stage.clock.advance(0);
  expect(begun.at(-1)).toMatchObject({ owner: "third", resumed: true });
});
