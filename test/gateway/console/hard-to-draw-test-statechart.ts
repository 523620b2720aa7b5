/**
 * A state machine that is hard to draw: nested parallel regions, long names, many transitions between two
 * states, loops, jumps across levels, and markup characters.
 */
import { type AnyStateMachine, setup } from "xstate";

const region = (name: string) => ({
  initial: "one",
  states: {
    one: { on: { [`${name}_NEXT`]: "two", SKIP: "three" } },
    two: {
      initial: "a",
      on: { BACK: "one" },
      states: {
        a: { on: { GO: "b" }, after: { 500: "b" } },
        b: {
          initial: "x",
          states: { x: { on: { DEEPER: "y" } }, y: { type: "final" as const } },
          onDone: "c",
        },
        c: { on: { AGAIN: { target: "c", reenter: true }, UP: "#deep.rest" } },
      },
    },
    three: { type: "final" as const },
  },
});

export const deep = setup({
  guards: { 'a < b & c > "d"': () => true, isAllowedToGoOnEvenThoughItIsLateAndNobodyIsThere: () => true },
}).createMachine({
  id: "deep",
  initial: "rest",
  states: {
    rest: {
      on: {
        START: [
          { guard: "isAllowedToGoOnEvenThoughItIsLateAndNobodyIsThere", target: "work" },
          { guard: 'a < b & c > "d"', target: "work.left.two" },
          { target: "<odd> & 'quoted'" },
        ],
        ONE: "work",
        TWO: "work",
        THREE: { target: "rest", reenter: true },
        AN_EVENT_WITH_A_NAME_THAT_IS_MUCH_LONGER_THAN_ANY_BOX_SHOULD_BE: "<odd> & 'quoted'",
      },
    },
    work: {
      type: "parallel",
      on: { STOP: "rest" },
      onDone: "done",
      states: {
        left: region("LEFT"),
        middle: { type: "parallel", states: { inner: region("INNER"), other: region("OTHER") } },
        right: {
          ...region("RIGHT"),
          states: { ...region("RIGHT").states, before: { type: "history", history: "deep" } },
        },
      },
    },
    "<odd> & 'quoted'": {
      description: 'It says "no" & <nothing>',
      on: { BACK: "rest", "*": "#deep.work.right.before" },
    },
    done: { type: "final" },
  },
  // The cast is safe: the drawing does not depend on the types of the machine.
}) as unknown as AnyStateMachine;
