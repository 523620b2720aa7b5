/**
 * A kind of actor for tests: a cash register (till) that sells, refuses sales, and prints in an effect. While
 * `tillState.broken` is set, printing and a bad sale throw an error.
 */
import { assign, emit, setup } from "xstate";
import { defineActor } from "../../actors/runtime/index.ts";
import { effect } from "../../machines/effect-placeholder.ts";
import type { Emitted } from "../../machines/machine-emissions.ts";

/** While true, printing and an invalid sale throw an error. */
export const tillState = { broken: true };

interface TillContext {
  readonly sold: readonly string[];
  readonly printed: number;
  readonly api_key: string;
}
// biome-ignore lint/suspicious/noExplicitAny: the machine takes whatever the tests send
type Event = any;

const machine = setup({
  types: { context: {} as TillContext, events: {} as Event },
  actors: { print: effect<null, { n: number }>() },
  delays: { nap: 60_000 },
}).createMachine({
  id: "till",
  context: { sold: [], printed: 0, api_key: "hush" },
  initial: "open",
  on: {
    sell: {
      actions: [
        assign({
          sold: ({ context, event }) => {
            if (tillState.broken && event.what === "bad") throw new Error("The till is broken");
            return [...context.sold, event.command_id];
          },
        }),
        emit(({ context }) => ({ type: "reply", body: { n: context.sold.length } })),
      ],
    },
    refuse: { actions: emit((): Emitted => ({ type: "refuse", code: "till.no", message: "No." })) },
  },
  states: {
    open: {
      initial: "idle",
      states: { idle: { after: { nap: "idle" } }, resting: {} },
      on: { print: "printing" },
    },
    printing: {
      invoke: {
        id: "print",
        src: "print",
        input: null,
        onDone: {
          target: "open",
          actions: assign({
            printed: ({ context, event }) => {
              if (tillState.broken) throw new Error("No paper");
              return context.printed + event.output.n;
            },
          }),
        },
      },
    },
  },
});

export const till = defineActor({
  kind: "till",
  version: 1,
  machine,
  effects: { print: async () => ({ n: 1 }) },
  tally: {
    name: "cairn_till_sales_total",
    help: "Sales",
    of: (context: TillContext) => ({ sold: context.sold.length }),
  },
  queries: { sold: async (_, { context }) => (context as TillContext).sold },
});
