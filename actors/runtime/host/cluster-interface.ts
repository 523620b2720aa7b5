/** The cluster as one node uses it: bus, leases and members. For a single node, all three are in memory. */

import type { ByteBus } from "../drivers/byte-bus.ts";
import type { Bus } from "../drivers/message-bus.ts";
import { MemoryBus } from "../drivers/message-bus-in-memory.ts";
import type { DirectOptions } from "../drivers/nats/nats-connection-of-worker.ts";
import { MemoryLeases, type NodeLeases } from "../drivers/shard-leases.ts";
import { type Clock, systemClock } from "../runtime-clock.ts";
import type { Member } from "./shard-placement.ts";

export interface Cluster {
  readonly bus: Bus;
  readonly leases: NodeLeases;
  /** The byte bus to the other nodes; `undefined` for a single node. */
  readonly bytes: ByteBus | undefined;
  /** The options with which workers connect directly to the broker; `undefined` without a broker. */
  readonly direct: DirectOptions | undefined;
  /** All live nodes by name. This node is included after it has joined. */
  members(): readonly Member[];
  /** Registers a function that is called whenever a node has joined or left. */
  onChange(tell: () => void): void;
  /** Joins the cluster: this node now hosts its share of the shards. */
  join(self: Member): Promise<void>;
  /** Leaves the cluster. The other nodes then host the shards of this node. */
  leave(): Promise<void>;
  /** Returns whether the NATS server can be used, and details; `undefined` without a NATS server. */
  broker(): { readonly ok: boolean; readonly detail: string } | undefined;
  close(): Promise<void>;
}

/** Returns a cluster that consists of this node only. */
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
