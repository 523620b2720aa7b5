/**
 * Joins the nodes that share a NATS: one connection, and on it the bus, the leases, the members and the discovery.
 *
 * Loaded only where `NATS_URL` is set. Neighbours: `cluster.ts` says what a cluster is, `broker.nats.ts` connects.
 */

import type { Cluster } from "../../host/cluster.ts";
import type { Member } from "../../host/placement.ts";
import { mailboxLimits } from "../../limits.ts";
import { NatsBus } from "./bus.nats.ts";
import { NatsBytes } from "./byte-bus.nats.ts";
import { Broker, type BrokerOptions } from "./connection.nats.ts";
import { NatsLeases } from "./lease.nats.ts";
import { Members } from "./members.nats.ts";
import { asBusError } from "./nats-errors.ts";

/** How `nats micro ls` and every other client of the NATS service API finds the nodes. */
const SERVICE = "cairn";

export interface JoinOptions extends BrokerOptions {
  /** Milliseconds. */
  readonly leaseTtl: number;
  /** Servers of a NATS cluster that keep what must last. */
  readonly replicas: number;
}

/** Connects: `bus.unreachable`, `bus.not_capable`, `config.lease_ttl_differs`. */
export async function joinCluster(options: JoinOptions): Promise<Cluster & { readonly connection: Broker }> {
  const { leaseTtl: ttl, replicas, url, user, pass, creds, tls } = options;
  const broker = await Broker.open(options);
  try {
    const { capacity } = mailboxLimits;
    const bus = await NatsBus.open(broker, { capacity, replicas });
    const leases = await NatsLeases.open(broker, { ttl, replicas });
    const members = await Members.open(broker, { ttl, replicas });
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
          throw asBusError(error, broker.place);
        }
      },
      leave: () => members.leave(),
      broker: () => ({
        ok: broker.connected,
        detail: broker.connected
          ? `connected to ${broker.place}${clockOf(members)}`
          : `${broker.place} is away`,
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
    throw asBusError(error, broker.place);
  }
}

/** Only where it is worth a word. */
function clockOf({ ahead }: Members): string {
  if (ahead === 0) return "";
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  return `, whose clock is ${seconds} s ${ahead > 0 ? "behind" : "ahead of"} this machine's`;
}

/** Makes the node known to the NATS service API: who it is, in its metadata. */
async function announce(broker: Broker, { name, roles, workers, version, kinds }: Member): Promise<void> {
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
