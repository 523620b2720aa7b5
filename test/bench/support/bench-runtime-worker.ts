/**
 * The worker of the runtime bench. It runs two actor kinds on the node's store: the commands of the first
 * kind commit, and the commands of the second kind never commit.
 */
import { assign, emit, setup } from "xstate";
import { type AnyActorDefinition, defineActor, runWorker } from "../../../actors/runtime/index.ts";
import type { Emitted } from "../../../machines/machine-emissions.ts";
import { MemoryActorStore, openServedStore } from "../../../store/index.ts";
import { heapBytes } from "./measure-heap-size.ts";

/**
 * Time in milliseconds after which an idle actor is unloaded. It is short, so that the bench does not wait
 * long.
 */
const ACCOUNT_IDLE = 5_000;

interface AccountContext {
  readonly balance: number;
  readonly messages: readonly { readonly from: string; readonly text: string; readonly at: number }[];
}

/**
 * The state machine of an account with a balance and its last ten messages. With only ten messages, the stored
 * context has a constant size.
 */
const accountMachine = setup({
  types: {
    context: {} as AccountContext,
    events: {} as { readonly type: "put"; readonly amount: number; readonly at: number },
  },
}).createMachine({
  context: { balance: 0, messages: [] },
  on: {
    put: {
      actions: [
        assign({
          balance: ({ context, event }) => context.balance + event.amount,
          messages: ({ context, event }) =>
            [
              ...context.messages,
              { from: "user", text: `put ${event.amount} on top of ${context.balance}`, at: event.at },
            ].slice(-10),
        }),
        emit(({ context }): Emitted => ({ type: "reply", body: { balance: context.balance } })),
      ],
    },
  },
});

const account = defineActor<unknown, AccountContext>({
  kind: "account",
  version: 1,
  machine: accountMachine,
  effects: {},
  queries: { balance: async (_, { context }) => context.balance },
  limits: { idle: ACCOUNT_IDLE },
});

const echo = defineActor<unknown, Record<string, never>>({
  kind: "echo",
  version: 1,
  machine: setup({}).createMachine({}),
  effects: {},
  queries: {
    echo: async (params) => params,
    /** Number of heap bytes of this thread after garbage collection. */
    heap: async () => heapBytes(),
  },
});

// The cast is needed, because the registry of actor kinds does not keep the types of their context and
// services. It is safe, because the kinds of this bench use no services.
const definitions = [account, echo] as unknown as readonly AnyActorDefinition[];

runWorker(async ({ bus, start }) => {
  // If `memory` is true, the store is in memory, so that the cost of a disk is not measured. The cast is
  // safe: both benches that start this worker pass such settings.
  const { memory } = start.settings as { readonly memory?: boolean };
  if (memory) {
    const actorStore = new MemoryActorStore();
    return { definitions, services: undefined, actorStore, stop: async () => {} };
  }
  const store = await openServedStore({ call: (bytes) => bus.store(bytes) });
  return { definitions, services: undefined, actorStore: store.actors, stop: () => store.close() };
});
