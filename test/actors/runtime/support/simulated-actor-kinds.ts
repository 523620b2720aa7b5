/**
 * The kinds of actors in the simulation: small state machines that record everything that happens to them. Each keeps
 * the ids of all applied commands in their order. So its committed state shows which commands were applied, how
 * often, and in which order.
 */
import { assign, cancel, emit, enqueueActions, setup } from "xstate";
import { defineActor, type EffectScope } from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { Refused } from "../../../../machines/errors.ts";
import type { Emitted } from "../../../../machines/machine-emissions.ts";

/**
 * The services that effects of the simulated kinds use. At each call of a service, the simulation may inject
 * a fault.
 */
export interface SimulatedServices {
  began(actor: string, n: number): void;
  /** Performs an action, as an effect does in the outside world. The simulation decides when the action ends. */
  takeAction(label: string): Promise<void>;
  /** Reads from the store, as an effect may do. Throws while the store is unavailable. */
  readStore(): Promise<void>;
  /** Records that the promise of an effect's `notify` has resolved. The notification is then stored. */
  notified(actor: string, n: number, k: number): void;
}

/** Id of a row that the simulated store refuses to write. */
export const REFUSED_ROW = "refused";

interface Common {
  readonly self: string;
  /**
   * Ids of the commands that the state machine has applied, in order. A message from another actor has the id
   * `note:<sender>:<number>`.
   */
  readonly applied: readonly string[];
}
// biome-ignore lint/suspicious/noExplicitAny: the test kinds take whatever event the simulation sends
type Event = any;

const applied = (context: Common, event: Event): readonly string[] => [...context.applied, event.command_id];
const reply = emit(
  ({ context }: { context: Common }): Emitted => ({ type: "reply", body: { n: context.applied.length } }),
);
const idle = { limits: { idle: 5_000 } } as const;

export interface CounterContext extends Common {}

/**
 * A state machine that lists the applied commands. It can also refuse a command, throw an error, write a row that the
 * store refuses, and receive messages of other actors.
 */
export const counterMachine = setup({
  types: { context: {} as CounterContext, events: {} as Event, input: {} as { id: string } },
}).createMachine({
  id: "counter",
  context: ({ input }) => ({ self: `counter/${input.id}`, applied: [] }),
  on: {
    add: {
      actions: [
        assign({ applied: ({ context, event }) => applied(context, event) }),
        reply,
        emit(({ context }): Emitted => {
          const event = { type: "added", actor: context.self, n: context.applied.length };
          return { type: "publish", topic: "counter.added", event };
        }),
      ],
    },
    refuse: { actions: emit((): Emitted => ({ type: "refuse", code: "counter.no", message: "No." })) },
    poison: {
      actions: assign(() => {
        throw new Error("poison");
      }),
    },
    bad_write: {
      actions: [
        assign({ applied: ({ context, event }) => applied(context, event) }),
        emit((): Emitted => {
          return { type: "write", writes: [{ op: "remove", table: "page", ids: [REFUSED_ROW as never] }] };
        }),
      ],
    },
    note: {
      actions: assign({
        applied: ({ context, event }) => [...context.applied, `note:${event.from}:${event.k}`],
      }),
    },
  },
});

export const counter = defineActor<SimulatedServices, CounterContext>({
  kind: "counter",
  version: 1,
  machine: counterMachine,
  effects: {},
  queries: { applied: async (_, { context }) => context.applied },
  ...idle,
});

export interface RelayContext extends Common {
  /** Number of messages that the state machine has sent to each counter. */
  readonly sent: Readonly<Record<string, number>>;
}

/** A state machine that sends messages to counters. It may send several in one step. */
const relayMachine = setup({
  types: { context: {} as RelayContext, events: {} as Event, input: {} as { id: string } },
}).createMachine({
  id: "relay",
  context: ({ input }) => ({ self: `relay/${input.id}`, applied: [], sent: {} }),
  on: {
    relay: {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const sent = { ...context.sent };
        for (const to of event.to as string[]) {
          const k = (sent[to] ?? 0) + 1;
          sent[to] = k;
          const command = { type: "note", from: context.self, k };
          // The cast is needed, because the state machine declares no emitted events.
          enqueue.emit({ type: "send", to, command } as never);
        }
        enqueue.assign({ sent, applied: applied(context, event) });
      }),
    },
  },
});

export const relay = defineActor<SimulatedServices, RelayContext>({
  kind: "relay",
  version: 1,
  machine: relayMachine,
  effects: {},
  queries: { applied: async (_, { context }) => context.applied },
  ...idle,
});

export interface JobContext extends Common {
  /**
   * Number of times that the effect was started. It is also the number of the current run, and the run's
   * input.
   */
  readonly n: number;
  readonly plan: { readonly steps: number; readonly fails: boolean; readonly leaves: boolean };
  readonly results: readonly number[];
  readonly failures: readonly number[];
  readonly cancelled: readonly number[];
  readonly progress: Readonly<Record<string, number>>;
  /**
   * Results and notifications of an earlier run of the effect that have reached the state machine. The list must stay
   * empty, because the runtime must drop them.
   */
  readonly stale: readonly string[];
}

const isOver = ({ n, results, failures }: JobContext) => results.includes(n) || failures.includes(n);
const notStale = (context: JobContext, n: number, what: string) =>
  n === context.n ? context.stale : [...context.stale, `${what} of ${n} in ${context.n}`];

/**
 * A state machine for tests, with a state in which an effect runs. When the effect ends, the state machine leaves
 * this state or stays in it. Other events restart or stop the effect.
 */
const jobMachine = setup({
  types: { context: {} as JobContext, events: {} as Event, input: {} as { id: string } },
  actors: { work: effect<{ n: number; steps: number; fails: boolean }, { n: number }>() },
  actions: {
    plan: assign(({ context, event }: { context: JobContext; event: Event }) => ({
      applied: applied(context, event),
      plan: { steps: event.steps, fails: event.fails, leaves: event.leaves },
    })),
    cancel: assign(({ context }: { context: JobContext }) => ({
      cancelled: isOver(context) ? context.cancelled : [...context.cancelled, context.n],
    })),
    succeed: assign(({ context, event }: { context: JobContext; event: Event }) => ({
      results: [...context.results, event.output.n],
      stale: notStale(context, event.output.n, "result"),
    })),
    fail: assign(({ context, event }: { context: JobContext; event: Event }) => ({
      failures: [...context.failures, event.error.details.n],
      stale: notStale(context, event.error.details.n, "failure"),
    })),
    progress: assign(({ context, event }: { context: JobContext; event: Event }) => ({
      progress: { ...context.progress, [event.n]: Math.max(context.progress[event.n] ?? 0, event.k) },
      stale: notStale(context, event.n, "progress"),
    })),
    tell: emit(({ context, event }: { context: JobContext; event: Event }) => {
      const command = { type: "note", from: context.self, k: event.output.n };
      return { type: "send", to: "counter/a", command };
    }),
  },
}).createMachine({
  id: "job",
  context: ({ input }) => ({
    self: `job/${input.id}`,
    applied: [],
    n: 0,
    plan: { steps: 0, fails: false, leaves: false },
    results: [],
    failures: [],
    cancelled: [],
    progress: {},
    stale: [],
  }),
  initial: "idle",
  states: {
    idle: { on: { do: { target: "busy", actions: "plan" } } },
    busy: {
      entry: assign({ n: ({ context }) => context.n + 1 }),
      invoke: {
        id: "work",
        src: "work",
        input: ({ context: { n, plan } }) => ({ n, steps: plan.steps, fails: plan.fails }),
        onDone: [
          { guard: ({ context }) => context.plan.leaves, target: "idle", actions: ["succeed", "tell"] },
          { actions: ["succeed", "tell"] },
        ],
        onError: [
          { guard: ({ context }) => context.plan.leaves, target: "idle", actions: "fail" },
          { actions: "fail" },
        ],
      },
      on: {
        again: { target: "busy", reenter: true, actions: ["cancel", "plan"] },
        stop: {
          target: "idle",
          actions: ["cancel", assign({ applied: ({ context, event }) => applied(context, event) })],
        },
        progress: { actions: "progress" },
      },
    },
  },
});

async function work(
  { n, steps, fails }: { n: number; steps: number; fails: boolean },
  { address, services, notify, signal }: EffectScope<SimulatedServices>,
): Promise<{ n: number }> {
  const self = `${address.kind}/${address.id}`;
  services.began(self, n);
  for (let k = 1; k <= steps; k++) {
    await services.takeAction(`${self} works on ${n}.${k}`);
    if (signal.aborted) return { n };
    await notify({ type: "progress", n, k });
    services.notified(self, n, k);
  }
  await services.readStore();
  await services.takeAction(`${self} ends ${n}`);
  if (fails) throw new Refused("work.failed", "It was to fail.", { details: { n } });
  return { n };
}

export const job = defineActor<SimulatedServices, JobContext>({
  kind: "job",
  version: 1,
  machine: jobMachine,
  effects: { work },
  queries: { applied: async (_, { context }) => context.applied },
  ...idle,
});

export interface AlarmContext extends Common {
  readonly n: number;
  readonly delay: number;
  readonly due: number;
  readonly fired: readonly number[];
  readonly disarmed: readonly number[];
  readonly early: readonly number[];
  /** Number of reminders that were scheduled so far. It is also the number of the newest one. */
  readonly reminders: number;
  /** The numbers of the delivered reminders. */
  readonly reminded: readonly number[];
  /** The numbers of the cancelled reminders. */
  readonly forgotten: readonly number[];
}

/**
 * A state machine with timers: an `after` whose delay can be set, replaced and removed, and delayed events that can
 * be cancelled.
 */
const alarmMachine = setup({
  types: { context: {} as AlarmContext, events: {} as Event, input: {} as { id: string } },
  delays: { delay: ({ context }) => context.delay },
  actions: {
    arm: assign(({ context, event }: { context: AlarmContext; event: Event }) => ({
      applied: applied(context, event),
      n: context.n + 1,
      delay: event.delay,
      due: event.at + event.delay,
    })),
    disarm: assign(({ context }: { context: AlarmContext }) => ({
      disarmed: [...context.disarmed, context.n],
    })),
  },
}).createMachine({
  id: "alarm",
  context: ({ input }) => ({
    self: `alarm/${input.id}`,
    applied: [],
    n: 0,
    delay: 0,
    due: 0,
    fired: [],
    disarmed: [],
    early: [],
    reminders: 0,
    reminded: [],
    forgotten: [],
  }),
  on: {
    remind: {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const k = context.reminders + 1;
        enqueue.assign({ applied: applied(context, event), reminders: k });
        enqueue.raise({ type: "reminded", k }, { id: `reminder-${k}`, delay: event.delay });
      }),
    },
    forget: {
      actions: [
        cancel(({ context }) => `reminder-${context.reminders}`),
        assign({
          applied: ({ context, event }) => applied(context, event),
          forgotten: ({ context: { reminders, reminded, forgotten } }) =>
            reminders === 0 || reminded.includes(reminders) || forgotten.includes(reminders)
              ? forgotten
              : [...forgotten, reminders],
        }),
      ],
    },
    reminded: { actions: assign({ reminded: ({ context, event }) => [...context.reminded, event.k] }) },
  },
  initial: "off",
  states: {
    off: { on: { arm: { target: "on", actions: "arm" } } },
    on: {
      after: {
        delay: {
          target: "off",
          actions: assign({
            fired: ({ context }) => [...context.fired, context.n],
            early: ({ context, event }) =>
              event.at < context.due ? [...context.early, context.n] : context.early,
          }),
        },
      },
      on: {
        arm: { target: "on", reenter: true, actions: ["disarm", "arm"] },
        disarm: {
          target: "off",
          actions: ["disarm", assign({ applied: ({ context, event }) => applied(context, event) })],
        },
      },
    },
  },
});

export const alarm = defineActor<SimulatedServices, AlarmContext>({
  kind: "alarm",
  version: 1,
  machine: alarmMachine,
  effects: {},
  queries: { applied: async (_, { context }) => context.applied },
  ...idle,
});
