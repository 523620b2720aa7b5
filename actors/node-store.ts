/**
 * Where a node keeps everything, and how it and its workers get there.
 *
 * A store of its own in the data folder is opened by the node's main thread, which serves the workers; a SurrealDB
 * server is spoken to by each of them directly. Neighbours: `node.ts` opens it, `worker.ts` joins it.
 */
import {
  type ConnectionOptions,
  joinStore,
  openServedStore,
  openStore,
  type Store,
  type StoreChannel,
} from "../store/index.ts";
import { backupFolder, databaseUrl } from "./data-folder.ts";

export type StorePlace =
  | { readonly kind: "folder" }
  | { readonly kind: "server"; readonly server: ConnectionOptions };

/** How the workers of a node reach its store: over the node's main thread, or by themselves. */
export type WorkerStore =
  | { readonly kind: "served" }
  | { readonly kind: "server"; readonly server: ConnectionOptions };

export interface NodeStore {
  readonly store: Store;
  readonly forWorkers: WorkerStore;
  /** An encoded request of a worker to its encoded answer. */
  serve(request: Uint8Array): Promise<Uint8Array>;
}

/** Opens the store and brings it to this release's schema. */
export async function openNodeStore(place: StorePlace, dataDir: string): Promise<NodeStore> {
  const backups = backupFolder(dataDir);
  if (place.kind === "server") {
    const store = await openStore({ ...place.server, backups });
    return { store, forWorkers: place, serve: (request) => store.serve(request) };
  }
  const store = await openStore({ url: databaseUrl(dataDir), backups });
  return { store, forWorkers: { kind: "served" }, serve: (request) => store.serve(request) };
}

/** The same store for a worker of the node. */
export async function joinNodeStore(from: WorkerStore, channel: StoreChannel): Promise<Store> {
  return from.kind === "server" ? joinStore(from.server) : await openServedStore(channel);
}
