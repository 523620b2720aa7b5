/**
 * Joins the node to its cluster, or creates a cluster of one node, and opens the store. Also checks the
 * cluster's NATS server without joining.
 */

import { type Cluster, type Log, type NatsConnectionOptions, singleNodeCluster } from "../runtime/index.ts";
import { type NodeStore, openNodeStore, type StorePlace } from "./open-node-store.ts";

/** How to connect to NATS, and how many NATS servers store each stream. */
export type NatsPlace = Omit<NatsConnectionOptions, "name" | "log"> & { readonly replicas: number };

interface SurroundingsOptions {
  readonly dataDir: string;
  /** Where the store is; by default a database in the data folder. */
  readonly store?: StorePlace | undefined;
  /** The cluster's NATS server; absent when Cairn runs as a single node. */
  readonly nats?: NatsPlace | undefined;
  /** Milliseconds for which a worker's lease of a shard (a group of actors) is valid. */
  readonly leaseTtl: number;
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: Log;
}

/** Joins the cluster and opens the store that its nodes share. `name` must be unique to this node. */
export async function joinNodeCluster(
  name: string,
  { dataDir, store = { kind: "folder" }, nats, leaseTtl, starting, log }: SurroundingsOptions,
): Promise<{ readonly cluster: Cluster; readonly store: NodeStore }> {
  if (nats) starting?.("the other nodes are being joined over NATS");
  const cluster = nats ? await join(nats, { name, leaseTtl, log }) : singleNodeCluster(leaseTtl);
  const { bytes, leases } = cluster;
  try {
    const others = bytes && { node: name, bytes, leases, leaseTtl, log };
    return { cluster, store: await openNodeStore(store, dataDir, others, starting) };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

async function join(
  nats: NatsPlace,
  node: { readonly name: string; readonly leaseTtl: number; readonly log: Log },
): Promise<Cluster> {
  // The NATS client is loaded only here, because a single node does not need it.
  const { joinCluster } = await import("../runtime/drivers/nats/cluster-over-nats.ts");
  return await joinCluster({ ...nats, ...node });
}

/**
 * Connects to NATS once and checks that it has the features that Cairn needs. Nothing is created or changed
 * there. Throws `bus.unreachable`, `bus.not_capable` or `config.invalid`, each with what to do.
 */
export async function checkNats(nats: NatsPlace): Promise<{ readonly detail: string }> {
  const { BrokerConnection } = await import("../runtime/drivers/nats/nats-connection-of-node.ts");
  const options = { ...nats, name: "cairn-doctor", startPatience: 0, log: () => {} };
  const broker = await BrokerConnection.open(options);
  const { serverNames } = broker;
  await broker.close();
  return { detail: `${serverNames} answers` };
}
