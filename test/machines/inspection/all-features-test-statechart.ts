/**
 * A state machine for tests that has every feature of state machines: parallel regions, nesting, history,
 * final states, timers, effects and guards.
 */
import { type AnyStateMachine, setup } from "xstate";
import { effect } from "../../../machines/effect-placeholder.ts";

export const player = setup({
  types: { events: {} as { type: "ON" | "OFF" | "PLAY" | "PAUSE" | "LOUD" | "QUIET" } },
  actors: { spin: effect<null, { scratched: boolean }>() },
  actions: { hum: () => {}, log: () => {} },
  guards: { scratched: () => false },
}).createMachine({
  id: "player",
  initial: "off",
  on: { "*": { actions: "log" } },
  states: {
    off: { on: { ON: "on" } },
    on: {
      type: "parallel",
      on: { OFF: "off" },
      onDone: "off",
      states: {
        sound: {
          initial: "quiet",
          states: { quiet: { on: { LOUD: "loud" } }, loud: { on: { QUIET: "quiet" } } },
        },
        disc: {
          initial: "still",
          states: {
            still: { on: { PLAY: "turning" } },
            turning: {
              entry: "hum",
              invoke: {
                id: "spin",
                src: "spin",
                input: null,
                onDone: [{ guard: "scratched", target: "#player.broken" }, { target: "over" }],
                onError: "#player.broken",
              },
              on: { PAUSE: "still" },
              after: { 1000: { actions: "hum" } },
              always: { guard: () => false, target: "still" },
            },
            over: { type: "final" },
            again: { type: "history" },
          },
        },
      },
    },
    broken: { type: "final" },
  },
}) as unknown as AnyStateMachine; // A cast is needed: actor kinds keep no types of their state machines.
