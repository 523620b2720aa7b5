/**
 * Opens the store of a node and connects its workers. The main thread opens an embedded store and serves its
 * workers; in a cluster it also serves the other nodes over the bus. With a SurrealDB server, each worker
 * connects directly.
 */
import { Unavailable } from "../../machines/errors.ts";
import {
  type ConnectionOptions,
  joinStore,
  type OwnedStore,
  openServedStore,
  openStore,
  type Store,
  type StoreChannel,
} from "../../store/index.ts";
import { backupFolder, databaseUrl } from "./paths-in-data-folder.ts";
import {
  type Cluster,
  joinStoreOfOthers,
  StoreServingLease,
  serveStoreToOthers,
} from "./store-served-to-other-nodes.ts";

/** Where the store is. `bus`: another node of the cluster serves the store over the bus. */
export type StorePlace =
  | { readonly kind: "folder" }
  | { readonly kind: "server"; readonly server: ConnectionOptions }
  | { readonly kind: "bus" };

/**
 * How a worker reaches the store: through the main thread, or over its own connection to a database server.
 */
export type WorkerStore =
  | { readonly kind: "served" }
  | { readonly kind: "server"; readonly server: ConnectionOptions };

export interface NodeStore {
  readonly store: Store;
  readonly forWorkers: WorkerStore;
  /** Forwards an encoded request of a worker to the store. Rejects with `store.unavailable`. */
  serve(request: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens the store and migrates its schema to this release.
 *
 * @param cluster the connection to other nodes, if there are any
 *
 * @param starting is called with a description of each slow step of the start
 */
export async function openNodeStore(
  place: StorePlace,
  dataDir: string,
  cluster: Cluster | undefined,
  starting: (what: string) => void = () => {},
): Promise<NodeStore> {
  starting("the store is being opened");
  switch (place.kind) {
    case "folder":
      return await openOwn(dataDir, cluster, starting);
    case "server": {
      const store = await openStore({ ...place.server, backups: backupFolder(dataDir), starting });
      // Without a cluster, only one node may use a store. Two such nodes would take all shards from each
      // other again and again.
      const release = cluster ? async () => {} : await alone(store);
      const serve = (request: Uint8Array) => store.serve(request);
      const close = async () => {
        // A failed release is ignored: when the database server is unreachable, the lock of this node expires
        // after a while.
        await release().catch(() => undefined);
        await store.close();
      };
      return { store, forWorkers: place, serve, close };
    }
    case "bus": {
      if (!cluster)
        throw new Unavailable(
          "store.no_bus",
          "CAIRN_STORE=bus needs NATS_URL: without it there is no other node.",
        );
      const { store, channel, close } = await joinStoreOfOthers(cluster);
      const serve = (request: Uint8Array) => channel.call(request);
      return { store, forWorkers: { kind: "served" }, serve, close };
    }
  }
}

/** Connects a worker to the node's store. */
export async function joinNodeStore(from: WorkerStore, channel: StoreChannel): Promise<Store> {
  return from.kind === "server" ? await joinStore(from.server) : await openServedStore(channel);
}

async function openOwn(
  dataDir: string,
  cluster: Cluster | undefined,
  starting: (what: string) => void,
): Promise<NodeStore> {
  const options = { url: databaseUrl(dataDir), backups: backupFolder(dataDir), starting };
  const forWorkers = { kind: "served" } as const;
  if (!cluster) {
    const store = await openStore(options);
    const serve = (request: Uint8Array) => store.serve(request);
    return { store, forWorkers, serve, close: () => store.close() };
  }
  // The lease is taken before the store is opened. A node without the lease must not serve a store, and must
  // therefore not create one.
  const servingLease = await StoreServingLease.take(cluster);
  try {
    const store = await openStore(options);
    const stop = await serveStoreToOthers(store, servingLease, cluster);
    const serve = async (request: Uint8Array) => {
      if (servingLease.held !== "no") return await store.serve(request);
      throw new Unavailable(
        "store.unavailable",
        "Another node serves a store to this cluster now: restart this one with CAIRN_STORE=bus.",
      );
    };
    const close = async () => {
      stop();
      await store.close();
      await servingLease.close();
    };
    return { store, forWorkers, serve, close };
  } catch (error) {
    await servingLease.close();
    throw error;
  }
}

async function alone(store: OwnedStore): Promise<() => Promise<void>> {
  try {
    return await store.useAlone();
  } catch (error) {
    await store.close();
    throw error;
  }
}
