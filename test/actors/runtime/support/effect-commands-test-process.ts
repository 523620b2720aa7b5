/**
 * A process for `effect-commands-in-killed-process.test.ts`, in which effects of actors send commands to other actors. `bun
 * effect-commands-test-process.ts <url> <rounds>` runs each round that is not finished yet: an actor asks its counter, and
 * the process prints `asking` and `answered`. After the last round it prints the commands and answers of all
 * rounds as JSON and ends.
 */
import { setTimeout as pause } from "node:timers/promises";
import { assign, setup } from "xstate";
import {
  ActorSystem,
  address,
  allShards,
  defineActor,
  type EffectScope,
  MemoryBus,
  MemoryLeases,
  ShardHost,
  systemClock,
} from "../../../../actors/runtime/index.ts";
import { effect } from "../../../../machines/effect-placeholder.ts";
import { leaseLimits } from "../../../../machines/runtime/shared-runtime-limits.ts";
import { openStore } from "../../../../store/index.ts";
import { erased } from "./real-runtime-with-simulated-clock.ts";
import { counter } from "./simulated-actor-kinds.ts";

/**
 * Time in milliseconds for which the effect still runs after its answer has arrived. A test may kill the
 * process during this time.
 */
const AFTER_ANSWER = 10;

interface AskerContext {
  readonly answers: readonly unknown[];
}

const machine = setup({
  types: { context: {} as AskerContext, events: {} as { readonly type: "GO" } },
  actors: { work: effect<null, unknown>() },
}).createMachine({
  id: "asker",
  context: { answers: [] },
  initial: "idle",
  states: {
    idle: { on: { GO: "busy" } },
    busy: {
      invoke: {
        id: "work",
        src: "work",
        input: null,
        onDone: {
          target: "done",
          actions: assign(({ context, event }) => ({ answers: [...context.answers, event.output] })),
        },
      },
    },
    done: {},
  },
});

const asker = erased(
  defineActor({
    kind: "asker",
    version: 1,
    // The cast is needed, because the registry of actor kinds does not keep the types of their state
    // machines.
    machine: machine as never,
    effects: {
      work: async (_input: null, scope: EffectScope<unknown>) => {
        // The cast is needed: the type of `ask` accepts only kinds with a protocol, and the test's kinds have
        // none.
        const ask = scope.ask as (...question: readonly unknown[]) => Promise<unknown>;
        process.stdout.write("asking\n");
        const answer = await ask("counter", scope.address.id, { type: "add" });
        process.stdout.write("answered\n");
        await pause(AFTER_ANSWER);
        return answer;
      },
    },
    queries: {
      state: async (_params: unknown, { context, value }) => ({
        value,
        answers: (context as AskerContext).answers,
      }),
    },
  }),
);

interface AskerState {
  readonly value: unknown;
  readonly answers: readonly unknown[];
}

const [url = "", count = "0"] = process.argv.slice(2);
const rounds = Array.from({ length: Number(count) }, (_, round) => String(round));
const store = await openStore({ url });
const bus = new MemoryBus();
const host = new ShardHost({
  owner: `process-${process.pid}`,
  bus,
  leases: new MemoryLeases(systemClock, leaseLimits.ttl),
  store: store.actors,
  clock: systemClock,
  definitions: [asker, erased(counter)],
  services: null,
  leaseTtl: leaseLimits.ttl,
  log: () => {},
});
await host.start(allShards);
const system = new ActorSystem(bus, systemClock, "client");

const stateOf = async (round: string) => (await system.query(address("asker", round), "state")) as AskerState;

for (const round of rounds) {
  if ((await stateOf(round)).value === "idle") await system.ask(address("asker", round), { type: "GO" });
  while ((await stateOf(round)).value !== "done") await pause(1);
}
const ended = await Promise.all(
  rounds.map(async (round) => ({
    applied: await system.query(address("counter", round), "applied"),
    answers: (await stateOf(round)).answers,
  })),
);
process.stdout.write(`${JSON.stringify(ended)}\n`);
process.exit(0);
