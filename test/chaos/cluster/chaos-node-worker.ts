/**
 * The worker of a node in the test cluster: the kinds of `chaos-actor-kinds.ts` on a store with a journal of
 * writes.
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
  // The cast is safe: `chaos-node-process.ts` passes these settings.
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
