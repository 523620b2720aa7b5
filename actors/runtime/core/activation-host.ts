/**
 * What an actor in memory needs of the host that owns its shard. Neighbours: `activation.ts` uses it,
 * `shard-host.ts` gives it.
 */
import type { ActorStore } from "../../../store/index.ts";
import type { Clock } from "../clock.ts";
import type { Bus } from "../drivers/bus.ts";
import type { Inspection } from "../inspection/inspector.ts";
import type { Meter } from "../inspection/meter.ts";
import type { Committer } from "./committer.ts";

export interface ActivationHost {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly store: ActorStore;
  readonly committer: Committer;
  readonly services: unknown;
  readonly inspection: Inspection;
  readonly meter: Meter;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
  /** The topic on which this host hears the outcome of sends. */
  readonly inbox: string;
  /** Milliseconds for which the leases are sure. */
  readonly sureFor: () => number;
  /** Is the shard being given up, because another owner is to have it? */
  leaves(shard: number): boolean;
  /** The fence in the store is higher: the shard has another owner. */
  lost(shard: number): void;
}
