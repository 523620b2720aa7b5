/**
 * The actors of the cluster's chaos: each writes down what happened to it, so that the judge can read it from the
 * store: a counter the commands it applied, a clock its timers, a hand its acts in the world.
 *
 * Neighbours: `node.ts` hosts them, `judge.ts` reads them.
 */
import { assign, enqueueActions, setup } from "xstate";
import { type AnyActorDefinition, defineActor, type EffectScope } from "../../../actors/runtime/index.ts";
import { effect } from "../../../machines/effect.ts";

/** What effects reach. */
export interface ChaosServices {
  /** Where acts are done: `POST <url>` with the act's id as its body; a `GET` is an errand, which nobody counts. */
  readonly world: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the test kinds take whatever event the clients send
type Event = any;

export interface CounterContext {
  /** Ids of the commands, in the order in which they were applied. */
  readonly applied: readonly string[];
}

const counterMachine = setup({
  types: { context: {} as CounterContext, events: {} as Event },
}).createMachine({
  id: "counter",
  context: { applied: [] },
  on: {
    add: {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const applied = [...context.applied, event.command_id as string];
        enqueue.assign({ applied });
        enqueue.emit({ type: "reply", body: { n: applied.length } } as never); // Emitted; the machine declares none.
      }),
    },
  },
});

/** Adds at once, later, or after an errand in the world, and remembers the sum only: for a load that lasts. */
const tallyMachine = setup({
  types: { context: {} as { readonly count: number }, events: {} as Event },
  actors: { errand: effect<Record<string, never>, null>() },
  actions: { add: assign({ count: ({ context }) => context.count + 1 }) },
}).createMachine({
  id: "tally",
  context: { count: 0 },
  on: {
    add: { actions: "add" },
    later: {
      actions: enqueueActions(({ event, enqueue }) => {
        enqueue.raise({ type: "add" }, { id: event.command_id, delay: event.delay });
      }),
    },
  },
  initial: "resting",
  states: {
    resting: { on: { work: "working" } },
    working: {
      invoke: {
        id: "errand",
        src: "errand",
        input: {},
        onDone: { target: "resting", actions: "add" },
        onError: "resting",
      },
      on: { work: { actions: "add" } },
    },
  },
});

async function errand(_: unknown, { services }: EffectScope<ChaosServices>): Promise<null> {
  await (await fetch(services.world)).text();
  return null;
}

export interface ClockContext {
  /** By id of the command that set it: when it was due, and when it rang, in milliseconds since the epoch. */
  readonly due: Readonly<Record<string, number>>;
  readonly rang: readonly { readonly id: string; readonly at: number }[];
}

const clockMachine = setup({
  types: { context: {} as ClockContext, events: {} as Event },
}).createMachine({
  id: "clock",
  context: { due: {}, rang: [] },
  on: {
    set: {
      actions: enqueueActions(({ context, event, enqueue }) => {
        const { command_id: id, delay, at } = event;
        enqueue.assign({ due: { ...context.due, [id]: at + delay } });
        enqueue.raise({ type: "ring", id }, { id, delay });
      }),
    },
    ring: {
      actions: assign({
        rang: ({ context, event }) => [...context.rang, { id: event.id as string, at: event.at as number }],
      }),
    },
  },
});

/** `done` and `failed` are the act's own outcome; `interrupted` is one of which nobody can say. */
type ActOutcome = "done" | "failed" | "interrupted";

export interface HandContext {
  readonly waiting: readonly string[];
  readonly act: string | null;
  /** The intent is durable: from now on the act may have happened. */
  readonly intended: boolean;
  readonly outcomes: Readonly<Record<string, ActOutcome>>;
}

const ended =
  (outcome: ActOutcome) =>
  ({ context }: { context: HandContext }) => ({
    act: null,
    outcomes: { ...context.outcomes, [context.act ?? ""]: outcome },
  });

/**
 * Acts one after another, each at most once: the intent is committed before the act, its outcome after. An intent
 * that is found without an outcome is `interrupted`, and not repeated.
 */
const handMachine = setup({
  types: { context: {} as HandContext, events: {} as Event },
  actors: { act: effect<{ id: string }, null>() },
  actions: {
    remember: assign(({ context, event }: { context: HandContext; event: Event }) => ({
      waiting: [...context.waiting, event.command_id as string],
    })),
    begin: assign(({ context: { waiting } }: { context: HandContext }) => ({
      act: waiting[0] ?? null,
      waiting: waiting.slice(1),
      intended: false,
    })),
    intend: assign({ intended: true }),
    done: assign(ended("done")),
    failed: assign(ended("failed")),
    interrupted: assign(ended("interrupted")),
  },
}).createMachine({
  id: "hand",
  context: { waiting: [], act: null, intended: false, outcomes: {} },
  initial: "resting",
  states: {
    resting: {
      on: { act: { actions: "remember" } },
      always: { guard: ({ context }) => context.waiting.length > 0, target: "acting" },
    },
    acting: {
      entry: "begin",
      invoke: {
        id: "act",
        src: "act",
        input: ({ context }) => ({ id: context.act ?? "" }),
        onDone: { target: "resting", actions: "done" },
        onError: { target: "resting", actions: "failed" },
      },
      on: {
        act: { actions: "remember" },
        intend: [
          { guard: ({ context }) => context.intended, target: "resting", actions: "interrupted" },
          { actions: "intend" },
        ],
      },
    },
  },
});

async function act(
  { id }: { readonly id: string },
  { services, notify, signal }: EffectScope<ChaosServices>,
): Promise<null> {
  await notify({ type: "intend" });
  // Intended before already: the actor has left the state, and whether it was done nobody knows.
  if (signal.aborted) return null;
  const answer = await fetch(services.world, { method: "POST", body: id });
  await answer.text();
  return null;
}

const counter = defineActor<ChaosServices, CounterContext>({
  kind: "counter",
  version: 1,
  machine: counterMachine,
  effects: {},
  queries: { applied: async (_, { context }) => context.applied },
});
const tally = defineActor<ChaosServices, { readonly count: number }>({
  kind: "tally",
  version: 1,
  machine: tallyMachine,
  effects: { errand },
  queries: { count: async (_, { context }) => context.count },
});
const clock = defineActor<ChaosServices, ClockContext>({
  kind: "clock",
  version: 1,
  machine: clockMachine,
  effects: {},
  queries: { rang: async (_, { context }) => context.rang },
});
const hand = defineActor<ChaosServices, HandContext>({
  kind: "hand",
  version: 1,
  machine: handMachine,
  effects: { act },
  queries: { outcomes: async (_, { context }) => context.outcomes },
});

const kinds: readonly ActorDefinition[] = [counter, tally, clock, hand];
type ActorDefinition = typeof counter | typeof tally | typeof clock | typeof hand;
/** The registry erases the services' type: whoever hosts these kinds gives them `ChaosServices`. */
export const definitions = kinds as unknown as readonly AnyActorDefinition[];
