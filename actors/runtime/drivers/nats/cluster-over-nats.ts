/**
 * Joins a cluster over NATS: one connection with the bus, the leases, the members and service discovery. It
 * is loaded only when `NATS_URL` is set.
 */

import { mailboxLimits } from "../../actor-runtime-limits.ts";
import type { Cluster } from "../../host/cluster-interface.ts";
import type { Member } from "../../host/shard-placement.ts";
import { NatsBytes } from "./byte-bus-over-nats.ts";
import { Members } from "./cluster-members-in-nats.ts";
import { NatsBus } from "./message-bus-over-nats.ts";
import { BrokerConnection, type NatsConnectionOptions } from "./nats-connection-of-node.ts";
import { asBusError } from "./nats-errors.ts";
import { NatsLeases } from "./shard-leases-in-nats.ts";

/** The service name in the NATS service API, which `nats micro ls` shows. */
const SERVICE = "cairn";

export interface JoinOptions extends NatsConnectionOptions {
  /** Milliseconds for which a node's lease of a shard is valid. */
  readonly leaseTtl: number;
  /** Number of NATS servers that store each stream. */
  readonly replicas: number;
}

/** Connects to the cluster. Throws `bus.unreachable`, `bus.not_capable` or `config.lease_ttl_differs`. */
export async function joinCluster(
  options: JoinOptions,
): Promise<Cluster & { readonly connection: BrokerConnection }> {
  const { leaseTtl: ttl, replicas, url, user, pass, creds, tls } = options;
  const broker = await BrokerConnection.open(options);
  try {
    const { capacity } = mailboxLimits;
    const bus = await broker.repeatWhileAway(() => NatsBus.open(broker, { capacity, replicas }));
    const leases = await broker.repeatWhileAway(() => NatsLeases.open(broker, { ttl, replicas }));
    const members = await broker.repeatWhileAway(() => Members.open(broker, { ttl, replicas }));
    return {
      connection: broker,
      bus,
      leases,
      bytes: new NatsBytes(broker),
      direct: { url, user, pass, creds, tls, capacity, replicas },
      members: () => members.all,
      onChange: (tell) => {
        members.onChange(tell);
      },
      join: async (self) => {
        try {
          await members.join(self);
          await announce(broker, self);
        } catch (error) {
          throw asBusError(error, broker.serverNames);
        }
      },
      leave: () => members.leave(),
      broker: () => ({
        ok: broker.connected,
        detail: broker.connected
          ? `connected to ${broker.serverNames}${clockOf(members)}`
          : `${broker.serverNames} is away`,
      }),
      close: async () => {
        members.close();
        leases.close();
        bus.close();
        await broker.close();
      },
    };
  } catch (error) {
    await broker.close();
    throw asBusError(error, broker.serverNames);
  }
}

/**
 * Returns a text that states by how much the clocks of this machine and of the broker differ. It is empty
 * when the difference is small.
 */
function clockOf({ clockAhead }: Members): string {
  if (clockAhead === 0) return "";
  const seconds = Math.round(Math.abs(clockAhead) / 1_000);
  return `, whose clock is ${seconds} s ${clockAhead > 0 ? "behind" : "ahead of"} this machine's`;
}

/** Registers the node and its metadata in the NATS service API. */
async function announce(
  broker: BrokerConnection,
  { name, roles, workers, version, kinds }: Member,
): Promise<void> {
  const service = await broker.connection.services.add({
    name: SERVICE,
    version,
    description: "A node of Cairn",
    metadata: {
      node: name,
      roles: roles.join(","),
      workers: String(workers),
      kinds: Object.keys(kinds).join(","),
    },
  });
  void service.stopped;
}
