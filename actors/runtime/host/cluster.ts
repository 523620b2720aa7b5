/**
 * What a node has of the system that it is a part of: the bus, the leases, and who else is there.
 *
 * A node alone has it in memory; `cluster.nats.ts` joins one over NATS.
 */

import { type Clock, systemClock } from "../clock.ts";
import { MemoryBus } from "../drivers/bus.memory.ts";
import type { Bus } from "../drivers/bus.ts";
import type { Bytes } from "../drivers/byte-bus.ts";
import { MemoryLeases, type NodeLeases } from "../drivers/lease.ts";
import type { DirectOptions } from "../drivers/nats/worker-connection.nats.ts";
import type { Member } from "./placement.ts";

export interface Cluster {
  readonly bus: Bus;
  readonly leases: NodeLeases;
  /** The way of bytes to other nodes; `undefined` where there can be none. */
  readonly bytes: Bytes | undefined;
  /** How its workers reach the broker themselves; `undefined` where there is none. */
  readonly direct: DirectOptions | undefined;
  /** All nodes that live, by name, this one among them once it has joined. */
  members(): readonly Member[];
  /** Calls `tell` whenever somebody came or went. */
  onChange(tell: () => void): void;
  /** From now on this node hosts its share. */
  join(self: Member): Promise<void>;
  /** From now on the others host what it did. */
  leave(): Promise<void>;
  /** How things stand with the broker; `undefined` where there is none. */
  broker(): { readonly ok: boolean; readonly detail: string } | undefined;
  close(): Promise<void>;
}

/** A node alone. */
export function aloneCluster(leaseTtl: number, clock: Clock = systemClock): Cluster {
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
