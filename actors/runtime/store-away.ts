/**
 * The store is away: what that is, and how long to wait before the store is tried again.
 *
 * It is nobody's fault and it passes: whoever finds no store keeps what it has and tries again. Neighbours:
 * `activation.ts` loads and commits, `effects.ts` runs what reads the store, `shard-host.ts` raises fences.
 */
import { Unavailable } from "../../machines/errors.ts";
import { limits } from "../../machines/limits.ts";

/** Is it the store that could not do its work just now (`store.unavailable`, `store.disk_full`, …)? */
export function isStoreAway(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.code.startsWith("store.");
}

/** Milliseconds before the next try, after so many that found no store. */
export function storePause(tries: number): number {
  const { backoff, maxBackoff } = limits.commit;
  return Math.min(backoff * 2 ** tries, maxBackoff);
}
