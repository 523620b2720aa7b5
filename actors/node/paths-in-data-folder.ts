/** Paths of the folders inside the data folder. */

import { join } from "node:path";

export function databaseUrl(dataDir: string): string {
  return `rocksdb://${join(dataDir, "db")}`;
}

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

/** Returns the folder of temporary browser profiles and installation logs. */
export function browserFolder(dataDir: string): string {
  return join(dataDir, "browser");
}

/** Returns the folder of files that sessions may upload. The operator fills it. */
export function uploadsFolder(dataDir: string): string {
  return join(dataDir, "uploads");
}

/** Returns the folder of files that sessions downloaded, with one subfolder for each session. */
export function downloadsFolder(dataDir: string): string {
  return join(dataDir, "downloads");
}
