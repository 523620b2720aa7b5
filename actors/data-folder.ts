/**
 * The data folder of a Cairn: where its store and its backups are, and the work on a store that nobody has open.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { openStore, restoreStore as restore } from "../store/index.ts";

export function databaseUrl(dataDir: string): string {
  return `rocksdb://${join(dataDir, "db")}`;
}

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

/** Temporary profiles of browsers, and what an installation of one said. */
export function browserFolder(dataDir: string): string {
  return join(dataDir, "browser");
}

/** Puts a backup into the folder's store. Refuses one that holds something, unless forced. */
export async function restoreStore(
  dataDir: string,
  file: string,
  { force }: { readonly force: boolean },
): Promise<{ readonly records: number }> {
  return await restore({ url: databaseUrl(dataDir), from: file, force });
}

/** Opens the folder's store and closes it again; starts no actor. Throws as opening does (`store.locked`, …). */
export async function checkStore(
  dataDir: string,
): Promise<{ readonly ok: boolean; readonly detail: string }> {
  const exists = await stat(join(dataDir, "db")).then(
    () => true,
    () => false,
  );
  if (!exists) return { ok: true, detail: "not there yet; the first start makes it" };
  const store = await openStore({ url: databaseUrl(dataDir), backups: backupFolder(dataDir) });
  await store.close();
  return { ok: true, detail: "opens" };
}
