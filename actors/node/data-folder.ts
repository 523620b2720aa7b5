/** The folders inside the data folder, and work on a store that is not open. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../machines/errors.ts";
import { inspectServer, openStore, restoreStore as restore } from "../../store/index.ts";
import type { StorePlace } from "./node-store.ts";

export function databaseUrl(dataDir: string): string {
  return `rocksdb://${join(dataDir, "db")}`;
}

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

/** Temporary browser profiles and installation logs. */
export function browserFolder(dataDir: string): string {
  return join(dataDir, "browser");
}

/** Files that the operator allows sessions to upload. */
export function uploadsFolder(dataDir: string): string {
  return join(dataDir, "uploads");
}

/** Files that sessions downloaded, in a folder per room. */
export function downloadsFolder(dataDir: string): string {
  return join(dataDir, "downloads");
}

/** Restores a backup. Refuses a store with content unless forced; on a server always. */
export async function restoreStore(
  place: StorePlace,
  dataDir: string,
  file: string,
  { force }: { readonly force: boolean },
): Promise<{ readonly records: number }> {
  if (place.kind === "bus") {
    throw new Refused(
      "store.elsewhere",
      "The store is another node's (CAIRN_STORE=bus): restore the backup there, while no Cairn runs.",
    );
  }
  const options = place.kind === "server" ? place.server : { url: databaseUrl(dataDir) };
  return await restore({ ...options, from: file, force });
}

/**
 * Opens and closes the store without starting actors or changing a server. Throws the errors of opening
 * (`store.locked`, `store.unavailable`, …).
 */
export async function checkStore(
  place: StorePlace,
  dataDir: string,
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  if (place.kind === "server") {
    return { ok: true, detail: await inspectServer(place.server) };
  }
  if (place.kind === "bus") return { ok: true, detail: "another node's, over NATS" };
  const exists = await stat(join(dataDir, "db")).then(
    () => true,
    () => false,
  );
  if (!exists) return { ok: true, detail: "not there yet; the first start makes it" };
  const store = await openStore({ url: databaseUrl(dataDir), backups: backupFolder(dataDir) });
  await store.close();
  return { ok: true, detail: "opens" };
}
