/** Publishes the events that committed steps of an actor have emitted. */

import type { Address } from "../actor-address.ts";
import type { AnyActorDefinition } from "../define-actor.ts";
import type { ActivationHost } from "./actor-host-interface.ts";
import type { StepResult } from "./actor-step.ts";

export function publishEvents(
  events: StepResult["publishes"],
  { publishing }: AnyActorDefinition,
  address: Address,
  { bus, services }: ActivationHost,
): void {
  for (const { topic, event } of events) {
    // The list of actor kinds has no types of services. The node gives the same services to all kinds, so the
    // cast is safe.
    bus.publish(topic, publishing ? publishing(event, { address, services: services as never }) : event);
  }
}
