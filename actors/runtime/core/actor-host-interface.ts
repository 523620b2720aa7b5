/** The functions and services that an actor in memory gets from the host of its shard. */
import type { ActorStore } from "../../../store/index.ts";
import type { ActorSystem } from "../calls-to-actors.ts";
import type { Bus } from "../drivers/message-bus.ts";
import type { Meter } from "../inspection/metrics-of-actor-kinds.ts";
import type { Inspector } from "../inspection/runtime-inspector.ts";
import type { Clock } from "../runtime-clock.ts";
import type { Committer } from "./actor-step-committer.ts";

export interface ActivationHost {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly store: ActorStore;
  readonly committer: Committer;
  readonly services: unknown;
  /** Sends commands and queries to other actors on behalf of the actor's effects. */
  readonly system: ActorSystem;
  readonly inspection: Inspector;
  readonly meter: Meter;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
  /** The topic on which other actors report the outcomes of the messages that this actor has sent to them. */
  readonly inbox: string;
  /** Returns for how many more milliseconds the leases of this host's shards are certainly valid. */
  readonly leaseCertainFor: () => number;
  /** Whether the host is handing its shard over to another owner. */
  leaves(shard: number): boolean;
  /**
   * Called when the store refuses a write, because the store has a higher fence (owner number) for the shard.
   * The shard then belongs to another owner.
   */
  lost(shard: number): void;
}
