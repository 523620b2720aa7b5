/**
 * What a node is a part of: a system of many nodes over NATS or one of its own, and the store that goes with it.
 *
 * Neighbours: `node.ts` opens it, `node-store.ts` the store, `runtime/cluster.nats.ts` joins, `membership.ts` is what the node is in it.
 */
import { type NodeStore, openNodeStore, type StorePlace } from "./node-store.ts";
import { aloneCluster, type NatsConnectionOptions, type Cluster, type Log } from "../runtime/index.ts";

/** How the NATS of the nodes is reached, and how many of its servers keep what must last. */
export type NatsPlace = Omit<NatsConnectionOptions, "name" | "log"> & { readonly replicas: number };

interface SurroundingsOptions {
  readonly dataDir: string;
  /** In the data folder when it is not given. */
  readonly store?: StorePlace | undefined;
  /** The NATS that the nodes of one system share; alone without it. */
  readonly nats?: NatsPlace | undefined;
  /** Milliseconds. */
  readonly leaseTtl: number;
  readonly starting?: ((what: string) => void) | undefined;
  readonly log: Log;
}

/** Joins the nodes that are there, and opens the store that all share; `name` is this node's, which no other has. */
export async function openSurroundings(
  name: string,
  { dataDir, store = { kind: "folder" }, nats, leaseTtl, starting, log }: SurroundingsOptions,
): Promise<{ readonly cluster: Cluster; readonly store: NodeStore }> {
  if (nats) starting?.("the other nodes are being joined over NATS");
  const cluster = nats ? await join(nats, { name, leaseTtl, log }) : aloneCluster(leaseTtl);
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
  // The client is read only where there is a broker.
  const { joinCluster } = await import("../runtime/drivers/nats/cluster.nats.ts");
  return await joinCluster({ ...nats, ...node });
}
