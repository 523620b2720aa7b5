/** Stores for tests: in memory, or in a folder that is deleted at the end. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type OwnedStore, openStore, type Store } from "../../store/index.ts";

export interface TemporaryStore {
  readonly store: OwnedStore;
  readonly folder: string;
  readonly url: string;
  close(): Promise<void>;
}

export async function temporaryFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "cairn-store-"));
}

/** Opens a store on disk, in a new folder. */
export async function diskStore(): Promise<TemporaryStore> {
  const folder = await temporaryFolder();
  const url = `rocksdb://${join(folder, "db")}`;
  const store = await openStore({ url });
  return {
    store,
    folder,
    url,
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function memoryStore(): Promise<TemporaryStore> {
  const store = await openStore({ url: "mem://" });
  return { store, folder: "", url: "mem://", close: () => store.close() };
}

/** Waits until the store answers a ping. */
export async function reachable(store: Store): Promise<void> {
  for (;;) {
    try {
      return await store.ping();
    } catch {
      await sleep(10);
    }
  }
}
