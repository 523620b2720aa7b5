/**
 * The entry of a worker thread: every kind, on services made for this thread.
 */
import type { EgressPolicy } from "../machines/egress/policy.ts";
import { openServedStore } from "../store/index.ts";
import { createDestinations } from "./egress/index.ts";
import { exploration } from "./exploration.ts";
import { host, hostAsker } from "./host.ts";
import { janitor } from "./janitor.ts";
import { knowledge } from "./knowledge.ts";
import { createReader } from "./reading/index.ts";
import { ActorSystem, type AnyActorDefinition, runWorker } from "./runtime/index.ts";
import type { CairnServices } from "./services.ts";

/** What the node tells its workers about the kinds' own matters. */
export interface WorkerSettings {
  readonly userAgent: string;
  readonly egress: EgressPolicy;
}

/** Every kind of actor. */
const definitions: readonly AnyActorDefinition[] = [exploration, knowledge, host, janitor];

runWorker(async ({ start, bus, clock }) => {
  const { userAgent, egress } = start.settings as WorkerSettings; // Made by `startCairn`, two functions away.
  const store = await openServedStore({ call: (bytes) => bus.store(bytes) });
  const system = new ActorSystem(bus, clock, `${start.owner}-services`);
  const destinations = createDestinations({ policy: egress });
  const services: CairnServices = {
    store,
    reader: createReader({ userAgent, destinations, member: start.owner, askHost: hostAsker(system) }),
  };
  return { definitions, services, actorStore: store.actors, stop: () => store.close() };
});
