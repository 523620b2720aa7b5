/** What an effect that acts in the world is told: whether it was begun before, and for how long its shard is held. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { setup } from "xstate";
import { address, defineActor } from "../../../actors/runtime/index.ts";
import { effect } from "../../../machines/effect.ts";
import { erased, Stage } from "./stage.ts";

const machine = setup({
  types: { events: {} as { readonly type: "GO" } },
  actors: { act: effect<null, null>() },
}).createMachine({
  id: "worker",
  initial: "idle",
  states: {
    idle: { on: { GO: "busy" } },
    busy: {
      invoke: { id: "act", src: "act", input: null, onDone: "idle" },
      on: { GO: { target: "busy", reenter: true } },
    },
  },
});

let stage: Stage;
let begun: { readonly owner: string; readonly resumed: boolean; readonly sureFor: number }[];
beforeEach(() => {
  stage = new Stage();
  begun = [];
});
afterEach(() => stage.close());

/** The kind of an owner whose acts never end. */
const kind = (owner: string) =>
  erased(
    defineActor({
      kind: "worker",
      version: 1,
      machine: machine as never, // The registry erases the types of machines.
      effects: {
        act: (_input: null, { resumed, sureFor }) => {
          begun.push({ owner, resumed, sureFor: sureFor() });
          return new Promise(() => {});
        },
      },
      queries: {},
    }),
  );

test("an effect is begun once as new, and by whoever takes the actor over as one that was begun", async () => {
  const first = await stage.host("first", { definitions: [kind("first")] });
  const target = address("worker", "one");
  await stage.outcome(stage.system.ask(target, { type: "GO" }));
  await stage.outcome(stage.system.ask(target, { type: "GO" }));
  expect(begun.map(({ owner, resumed }) => [owner, resumed])).toEqual([
    ["first", false],
    ["first", false],
  ]);
  for (const { sureFor } of begun) {
    expect(sureFor).toBeGreaterThan(0);
    expect(sureFor).toBeLessThan(10_000);
  }
  await first.drain(0);
  await stage.host("second", { definitions: [kind("second")] });
  await stage.clock.advance(0);
  expect(begun.at(-1)).toMatchObject({ owner: "second", resumed: true });
  await stage.outcome(stage.system.ask(target, { type: "GO" }));
  expect(begun.at(-1)).toMatchObject({ owner: "second", resumed: false });
});
