/**
 * The worker module for the tests of the worker pool. It runs the simulated kinds on the store that the
 * pool's own thread serves, and can be made to fail in several ways.
 */
import {
  type AnyActorDefinition,
  defineActor,
  type Json,
  runWorker,
  type WorkerContext,
} from "../../../../actors/runtime/index.ts";
import { Unavailable } from "../../../../machines/errors.ts";
import { openServedStore } from "../../../../store/index.ts";
import {
  type CounterContext,
  counter,
  counterMachine,
  type SimulatedServices,
} from "./simulated-actor-kinds.ts";

export interface PoolWorkerSettings {
  /** Numbers of the starts at which a worker never becomes ready. The first start has the number 1. */
  readonly hangs?: readonly number[];
  /** Numbers of the starts at which a worker throws an error. */
  readonly refuses?: readonly number[];
  /** Version of the counter's state machine; 1 by default. */
  readonly release?: number;
}

/** A version of the counter from a later release, whose state records that it was migrated. */
const later = {
  ...counter,
  version: 2,
  migrate: (snapshot: Json, fromVersion: number): Json => {
    // The cast is safe: version 1 of the counter stored snapshots with an object `context`.
    const { context, ...rest } = snapshot as { readonly context: Readonly<Record<string, Json>> };
    return { ...rest, context: { ...context, migratedFrom: fromVersion } };
  },
};

/**
 * A counter with additional queries: two end its thread, one keeps the thread busy, and one returns the name
 * of the thread's owner.
 */
const mortal = defineActor<SimulatedServices, CounterContext>({
  kind: "mortal",
  version: 1,
  machine: counterMachine,
  effects: {},
  queries: {
    throws: () => {
      setTimeout(() => {
        throw new Error("uncaught in a worker");
      });
      return new Promise(() => {});
    },
    exits: () => {
      process.exit(7);
    },
    /** Keeps the thread busy for some milliseconds, as a large computation does. */
    computes: async (milliseconds: number) => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until);
      return null;
    },
    thread: async () => threadName,
  },
});

let threadName = "";

/** Returns the number of starts of a worker. It is a part of the owner's name `<name>.<start>.<unique>`. */
const attemptOf = ({ start }: WorkerContext) => Number(start.owner.split(".").at(-2));

runWorker(async (context) => {
  // The cast is safe: the test that starts the pool passes these settings.
  const settings = context.start.settings as PoolWorkerSettings;
  threadName = context.start.owner;
  if (settings.hangs?.includes(attemptOf(context))) await new Promise(() => {});
  if (settings.refuses?.includes(attemptOf(context))) throw new Unavailable("test.refused", "Not today.");
  const store = await openServedStore({ call: (bytes) => context.bus.store(bytes) });
  return {
    // The cast is needed, because the registry of actor kinds does not keep the types of their services. It
    // is safe, because the two kinds here use no services.
    definitions: [
      settings.release === 2 ? later : counter,
      mortal,
    ] as unknown as readonly AnyActorDefinition[],
    services: undefined,
    actorStore: store.actors,
    stop: () => store.close(),
  };
});
