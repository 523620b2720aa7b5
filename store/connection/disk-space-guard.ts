/**
 * Refuses writes before the disk is full, because the database does not recover from a full disk. If RocksDB
 * fails to append to its log, it refuses all writes until the process restarts, even with free space.
 * Acknowledged data is not lost.
 */
import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Unavailable } from "../../machines/errors.ts";
import { storeLimits } from "../store-limits.ts";

export class DiskSpaceGuard {
  readonly #folder: string;
  readonly #reserve: number;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #free = Number.POSITIVE_INFINITY;

  /**
   * @param reserve number of bytes that must stay free on the disk of `folder`; the folder need not exist yet
   */
  constructor(folder: string, reserve: number = storeLimits.diskReserve) {
    this.#folder = folder;
    this.#reserve = reserve;
  }

  /**
   * Throws `store.disk_full` before the database is opened when the free space of the disk is below the
   * reserve. The process then ends, so the error says to start it again.
   */
  checkAtStart(): void {
    this.#check(
      "The database was not opened, and this process ends; nothing that was acknowledged is lost. " +
        "Free some and start again, or set CAIRN_DATA to a folder on another disk.",
    );
  }

  /**
   * Throws `store.disk_full` when the free space of the disk is below the reserve. The disk is checked at
   * most once per `diskCheckEvery`.
   */
  check(): void {
    this.#check("Free some: work goes on by itself, and nothing that was acknowledged is lost.");
  }

  #check(advice: string): void {
    const now = performance.now();
    if (now - this.#checkedAt >= storeLimits.diskCheckEvery) {
      this.#checkedAt = now;
      const { bavail, bsize } = statfsSync(existing(this.#folder));
      this.#free = bavail * bsize;
    }
    if (this.#free >= this.#reserve) return;
    const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
    throw new Unavailable(
      "store.disk_full",
      `Only ${megabytes(this.#free)} MB of the disk are free for the database in ${this.#folder}; it needs ` +
        `${megabytes(this.#reserve)}. ${advice}`,
    );
  }
}

function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}
