/**
 * Runs the actor kinds of `chaos-actor-kinds.ts` in a worker of a test cluster's node. Each write to the
 * store is also recorded in a journal.
 */
import { runWorker } from "../../../actors/runtime/index.ts";
import { openServedStore } from "../../../store/index.ts";
import { type ChaosServices, definitions } from "./chaos-actor-kinds.ts";
import { withJournal } from "./chaos-write-journal.ts";

export interface ChaosWorkerSettings extends ChaosServices {
  /** Folder for the journals, in which the nodes record their writes. */
  readonly folder: string;
}

runWorker(async ({ start, bus }) => {
  // The cast is safe: `chaos-cluster-node-process.ts` passes these settings.
  const { folder, actionUrl } = start.settings as ChaosWorkerSettings;
  const store = await openServedStore({ call: (bytes) => bus.store(bytes) });
  const services: ChaosServices = { actionUrl };
  return {
    definitions,
    services,
    actorStore: withJournal(store.actors, folder, start.owner),
    stop: () => store.close(),
  };
});
