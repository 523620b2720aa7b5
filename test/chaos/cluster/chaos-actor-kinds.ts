/**
 * The actor kinds of the cluster tests. Each actor records its own history in its state, so that
 * `cluster-invariants-check.ts` can read it from the store. A counter records its commands, a clock its
 * timers, and an action its calls to the action server.
 */
import { assign, enqueueActions, setup } from "xstate";
import { type AnyActorDefinition, defineActor, type EffectScope } from "../../../actors/runtime/index.ts";
import { effect } from "../../../machines/effect-placeholder.ts";

/** The services that the effects of the actors in the chaos tests call. */
export interface ChaosServices {
  /**
   * URL of the action server. For a `POST`, it counts the action whose id is the body. For a `GET`, it counts
   * nothing.
   */
  readonly actionUrl: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the test kinds take whatever event the clients send
type Event = any;

export interface CounterContext {
  /** Ids of the commands that the counter has applied, in order. */
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
        // The cast is needed, because emitted events are not part of this machine's types.
        enqueue.emit({ type: "reply", body: { n: applied.length } } as never);
      }),
    },
  },
});

/**
 * A state machine that counts: it adds 1 immediately, after a delay, or after a request. Its state contains only the
 * sum, so the state does not grow with the load.
 */
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
  initial: "idle",
  states: {
    idle: { on: { work: "working" } },
    working: {
      invoke: {
        id: "errand",
        src: "errand",
        input: {},
        onDone: { target: "idle", actions: "add" },
        onError: "idle",
      },
      on: { work: { actions: "add" } },
    },
  },
});

async function errand(_: unknown, { services }: EffectScope<ChaosServices>): Promise<null> {
  await (await fetch(services.actionUrl)).text();
  return null;
}

export interface ClockContext {
  /**
   * Due time of each timer, by the id of the command that has set the timer. `rang` contains the times at
   * which timers have fired. Times are in milliseconds since the epoch.
   */
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

/** The outcome of an action. `interrupted` means that it cannot be determined whether the action ran. */
type ActionResult = "done" | "failed" | "interrupted";

export interface ActionContext {
  readonly waiting: readonly string[];
  readonly current: string | null;
  /**
   * Whether the actor has committed its intention to run the action. From then on, the action may have run.
   */
  readonly intended: boolean;
  readonly outcomes: Readonly<Record<string, ActionResult>>;
}

const ended =
  (outcome: ActionResult) =>
  ({ context }: { context: ActionContext }) => ({
    current: null,
    outcomes: { ...context.outcomes, [context.current ?? ""]: outcome },
  });

/**
 * A state machine that runs actions one after another, each at most once. It commits each action before it runs, and
 * its outcome afterwards. If a new owner finds an action without an outcome, the action counts as `interrupted` and
 * is not repeated.
 */
const actionMachine = setup({
  types: { context: {} as ActionContext, events: {} as Event },
  actors: { run: effect<{ id: string }, null>() },
  actions: {
    remember: assign(({ context, event }: { context: ActionContext; event: Event }) => ({
      waiting: [...context.waiting, event.command_id as string],
    })),
    begin: assign(({ context: { waiting } }: { context: ActionContext }) => ({
      current: waiting[0] ?? null,
      waiting: waiting.slice(1),
      intended: false,
    })),
    intend: assign({ intended: true }),
    done: assign(ended("done")),
    failed: assign(ended("failed")),
    interrupted: assign(ended("interrupted")),
  },
}).createMachine({
  id: "action",
  context: { waiting: [], current: null, intended: false, outcomes: {} },
  initial: "idle",
  states: {
    idle: {
      on: { run: { actions: "remember" } },
      always: { guard: ({ context }) => context.waiting.length > 0, target: "running" },
    },
    running: {
      entry: "begin",
      invoke: {
        id: "run",
        src: "run",
        input: ({ context }) => ({ id: context.current ?? "" }),
        onDone: { target: "idle", actions: "done" },
        onError: { target: "idle", actions: "failed" },
      },
      on: {
        run: { actions: "remember" },
        intend: [
          { guard: ({ context }) => context.intended, target: "idle", actions: "interrupted" },
          { actions: "intend" },
        ],
      },
    },
  },
});

async function run(
  { id }: { readonly id: string },
  { services, notify, signal }: EffectScope<ChaosServices>,
): Promise<null> {
  await notify({ type: "intend" });
  // `notify` resolves when the state machine has stored the event `intend`. If an earlier run has already sent this
  // event, the state machine leaves its state and aborts this signal. The action may then have run, so it must not
  // run again.
  if (signal.aborted) return null;
  const answer = await fetch(services.actionUrl, { method: "POST", body: id });
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
const action = defineActor<ChaosServices, ActionContext>({
  kind: "action",
  version: 1,
  machine: actionMachine,
  effects: { run },
  queries: { outcomes: async (_, { context }) => context.outcomes },
});

const kinds: readonly ActorDefinition[] = [counter, tally, clock, action];
type ActorDefinition = typeof counter | typeof tally | typeof clock | typeof action;
/**
 * The cast is needed, because the registry of actor kinds does not keep the types of their services. The
 * host of these kinds must provide `ChaosServices`.
 */
export const definitions = kinds as unknown as readonly AnyActorDefinition[];
