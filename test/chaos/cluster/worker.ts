/** The worker of a node under chaos: the test's kinds, on a store whose writes are witnessed. */
import { runWorker } from "../../../actors/runtime/index.ts";
import { openServedStore } from "../../../store/index.ts";
import { type ChaosServices, definitions } from "./kinds.ts";
import { witnessed } from "./witness.ts";

export interface ChaosWorkerSettings extends ChaosServices {
  /** Where it writes what it does to the store. */
  readonly folder: string;
}

runWorker(async ({ start, bus }) => {
  const { folder, world } = start.settings as ChaosWorkerSettings; // Given by `node.ts`.
  const store = await openServedStore({ call: (bytes) => bus.store(bytes) });
  const services: ChaosServices = { world };
  return {
    definitions,
    services,
    actorStore: witnessed(store.actors, folder, start.owner),
    stop: () => store.close(),
  };
});
