/** Restores and checks the store of a data folder while no Cairn has it open. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../machines/errors.ts";
import { inspectServer, openStore, restoreStore as restore } from "../../store/index.ts";
import type { StorePlace } from "./open-node-store.ts";
import { backupFolder, databaseUrl } from "./paths-in-data-folder.ts";

/**
 * Restores a backup into the store. `force` replaces the content of an embedded store; a database server must
 * be empty in any case.
 */
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
 * Opens and closes the store, without starting actors or changing a database server. Throws the errors of
 * opening a store, such as `store.locked` or `store.unavailable`.
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
