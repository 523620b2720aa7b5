/** Compares the runtime's pure transition function with XState's transition function. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  assign,
  emit,
  fromPromise,
  initialTransition,
  raise,
  setup,
  transition as transitionOfXState,
} from "xstate";
import { transition } from "../../../../actors/runtime/core/fast-machine-transition.ts";

const machine: AnyStateMachine = setup({
  types: { context: {} as { readonly count: number } },
  actors: { work: fromPromise(async () => 1) },
}).createMachine({
  context: { count: 0 },
  initial: "idle",
  states: {
    idle: {
      on: {
        add: { actions: [assign({ count: ({ context }) => context.count + 1 }), emit({ type: "added" })] },
        start: "working",
      },
    },
    working: {
      // XState refuses a `systemId` that already exists in the system, so it may be used only once.
      invoke: { src: "work", id: "work", systemId: "worker" },
      entry: raise({ type: "late" }, { delay: 10, id: "late" }),
      on: { late: "idle", again: { target: "working", reenter: true }, stop: "idle" },
    },
  },
  on: {
    break: {
      actions: assign(() => {
        throw new Error("broken");
      }),
    },
  },
});

type Took = readonly [AnyMachineSnapshot, readonly { readonly type: string; readonly params?: unknown }[]];

/**
 * Returns the result of a transition as data without functions, and the snapshot from which the next
 * transition starts.
 */
function outcome(take: () => Took) {
  try {
    const [snapshot, actions] = take();
    const { value, context, status, children } = snapshot;
    const did = actions.map(({ type, params }) => {
      const { id, src, event, delay } = (params ?? {}) as Readonly<Record<string, unknown>>;
      return { type, id, src, event, delay };
    });
    return { snapshot, data: { value, context, status, children: Object.keys(children), did } };
  } catch (error) {
    return { snapshot: undefined, data: String(error) };
  }
}

test("the runtime's transition function returns the same result as XState's for any events", () => {
  const events = fc.array(fc.constantFrom("add", "start", "late", "again", "stop", "unknown", "break"));
  fc.assert(
    fc.property(events, (types) => {
      let [snapshot] = initialTransition(machine);
      for (const type of types) {
        const wanted = outcome(() => transitionOfXState(machine, snapshot, { type }) as Took);
        const got = outcome(() => transition(machine, snapshot, { type }));
        expect(got.data).toEqual(wanted.data);
        snapshot = got.snapshot ?? snapshot;
      }
    }),
  );
});
