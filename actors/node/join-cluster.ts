/** Joins the cluster, or forms one of a single node, and opens its store. */

import { type Cluster, type Log, type NatsConnectionOptions, singleNodeCluster } from "../runtime/index.ts";
import { type NodeStore, openNodeStore, type StorePlace } from "./node-store.ts";

/** How to reach NATS, and how many of its servers keep durable streams. */
export type NatsPlace = Omit<NatsConnectionOptions, "name" | "log"> & { readonly replicas: number };

interface SurroundingsOptions {
  readonly dataDir: string;
  /** By default the database in the data folder. */
  readonly store?: StorePlace | undefined;
  /** The NATS of the cluster; absent for a single node. */
  readonly nats?: NatsPlace | undefined;
  /** Lifetime of a lease in milliseconds. */
  readonly leaseTtl: number;
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: Log;
}

/** Joins the nodes and opens their common store. `name` is unique to this node. */
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
  // The NATS client is loaded only when it is needed.
  const { joinCluster } = await import("../runtime/drivers/nats/cluster.nats.ts");
  return await joinCluster({ ...nats, ...node });
}
