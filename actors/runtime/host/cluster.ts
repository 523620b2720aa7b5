/** A node's view of the cluster: bus, leases, members. A single node has all of it in memory. */

import { type Clock, systemClock } from "../clock.ts";
import { MemoryBus } from "../drivers/bus.memory.ts";
import type { Bus } from "../drivers/bus.ts";
import type { ByteBus } from "../drivers/byte-bus.ts";
import { MemoryLeases, type NodeLeases } from "../drivers/lease.ts";
import type { DirectOptions } from "../drivers/nats/worker-connection.nats.ts";
import type { Member } from "./placement.ts";

export interface Cluster {
  readonly bus: Bus;
  readonly leases: NodeLeases;
  /** The byte bus to other nodes; `undefined` for a single node. */
  readonly bytes: ByteBus | undefined;
  /** How workers reach the broker; `undefined` without one. */
  readonly direct: DirectOptions | undefined;
  /** All live nodes by name, including this one after it joined. */
  members(): readonly Member[];
  /** Calls `listen` whenever a node joined or left. */
  onChange(tell: () => void): void;
  /** From now on this node hosts its share. */
  join(self: Member): Promise<void>;
  /** From now on the other nodes host its share. */
  leave(): Promise<void>;
  /** State of the broker; `undefined` without one. */
  broker(): { readonly ok: boolean; readonly detail: string } | undefined;
  close(): Promise<void>;
}

/** The cluster of a single node. */
export function singleNodeCluster(leaseTtl: number, clock: Clock = systemClock): Cluster {
  let self: Member | undefined;
  return {
    bus: new MemoryBus(),
    leases: new MemoryLeases(clock, leaseTtl),
    bytes: undefined,
    direct: undefined,
    members: () => (self ? [self] : []),
    onChange: () => {},
    join: async (member) => {
      self = member;
    },
    leave: async () => {},
    broker: () => undefined,
    close: async () => {},
  };
}
