/** What an actor in memory needs of its shard host. */
import type { ActorStore } from "../../../store/index.ts";
import type { Clock } from "../clock.ts";
import type { Bus } from "../drivers/bus.ts";
import type { Inspector } from "../inspection/inspector.ts";
import type { Meter } from "../inspection/meter.ts";
import type { ActorSystem } from "../system.ts";
import type { Committer } from "./committer.ts";

export interface ActivationHost {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly store: ActorStore;
  readonly committer: Committer;
  readonly services: unknown;
  /** Asks other actors for effects. */
  readonly system: ActorSystem;
  readonly inspection: Inspector;
  readonly meter: Meter;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
  /** The topic for outcomes of sends. */
  readonly inbox: string;
  /** Milliseconds for which the leases are certain. */
  readonly leaseCertainFor: () => number;
  /** Whether the shard is being handed over. */
  leaves(shard: number): boolean;
  /** Reports a higher fence in the store: the shard has another owner. */
  lost(shard: number): void;
}
