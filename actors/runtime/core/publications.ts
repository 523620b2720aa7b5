/**
 * What the steps of an actor publish, once it is durable. Neighbour: `activation.ts` says when that is.
 */

import type { Address } from "../address.ts";
import type { AnyActorDefinition } from "../definition.ts";
import type { ActivationHost } from "./activation-host.ts";
import type { StepResult } from "./step.ts";

export function publishAll(
  events: StepResult["publishes"],
  { publishing }: AnyActorDefinition,
  address: Address,
  { bus, services }: ActivationHost,
): void {
  for (const { topic, event } of events) {
    // The registry erases the services' type, as it does for effects.
    bus.publish(topic, publishing ? publishing(event, { address, services: services as never }) : event);
  }
}
