/**
 * The state machine of the janitor, which sweeps (removes outdated records), waits, and sweeps again. There
 * is only one such actor, `janitor/store`. The wait is a durable timer that survives restarts.
 */
import { assign, emit, setup } from "xstate";
import type { CommandOf } from "../actor-kind-protocol.ts";
import { effect } from "../effect-placeholder.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted, Occasion } from "../machine-emissions.ts";
import type { JanitorContext, JanitorProtocol } from "./janitor-protocol.ts";
import { retentionLimits } from "./retention-limits.ts";

export interface Swept {
  /**
   * The number of rows that the last sweep (removal of outdated records) has removed, for each kind of record.
   */
  readonly removed: Readonly<Record<string, number>>;
}

type Event = Occasion & CommandOf<JanitorProtocol>;

export const janitorMachine = setup({
  types: { context: {} as JanitorContext, events: {} as Event, emitted: {} as Emitted },
  actors: { sweep: effect<{ readonly at: number }, Swept>() },
  actions: { answer: emit({ type: "reply", body: null }) },
  delays: { rest: retentionLimits.sweepEvery },
}).createMachine({
  id: "janitor",
  context: { last_sweep: null, last_error: null },
  initial: "asleep",
  states: {
    asleep: { on: { POKE: { target: "sweeping", actions: "answer" } } },
    sweeping: {
      invoke: {
        id: "sweep",
        src: "sweep",
        input: ({ event }) => ({ at: event.at }),
        onDone: {
          target: "resting",
          actions: assign(({ event }) => ({
            // The cast is needed: XState's types lack the field `at`, which the runtime adds to every event.
            last_sweep: { at: (event as unknown as Occasion).at, removed: event.output.removed },
            last_error: null,
          })),
        },
        onError: {
          target: "resting",
          actions: assign({ last_error: ({ event }) => (event.error as ErrorBody).message }),
        },
      },
      on: { POKE: { actions: "answer" } },
    },
    resting: { after: { rest: "sweeping" }, on: { POKE: { actions: "answer" } } },
  },
});
