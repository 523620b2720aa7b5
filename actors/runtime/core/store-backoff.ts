/**
 * The store is away: what that is, and how long to wait before the store is tried again.
 *
 * It is nobody's fault and it passes: whoever finds no store keeps what it has and tries again. Neighbours:
 * `activation.ts` loads and commits, `effects.ts` runs what reads the store, `shard-host.ts` raises fences.
 */
import { type CairnError, Unavailable } from "../../../machines/errors.ts";
import { commitLimits } from "../../../machines/runtime/limits.ts";
import { type Clock, pause } from "../clock.ts";

/** Is it the store that could not do its work just now (`store.unavailable`, `store.disk_full`, …)? */
export function isStoreAway(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.code.startsWith("store.");
}

/** Milliseconds before the next try, after so many that found no store. */
export function storePause(tries: number): number {
  const { backoff, maxBackoff } = commitLimits;
  return Math.min(backoff * 2 ** tries, maxBackoff);
}

/**
 * Does the work as soon as there is a store: nothing is lost by waiting. `away` is told once; `gone` says that there
 * is nobody left to wait for it.
 */
export async function onceThereIsAStore(
  work: () => Promise<void>,
  options: {
    readonly clock: Clock;
    readonly gone: () => Error | undefined;
    readonly away: (error: Unavailable) => void;
  },
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isStoreAway(error) || options.gone()) throw error;
      if (tries === 0) options.away(error);
      await pause(options.clock, storePause(tries));
      const gone = options.gone();
      if (gone) throw gone;
    }
  }
}

/** Says once that what an actor needs the store for has to wait. */
export function logStoreAway(
  log: (level: "warn", message: string, fields: Record<string, unknown>) => void,
  actor: string,
  what: string,
  { code, message }: CairnError,
): void {
  log("warn", `store unavailable, ${what} will be tried again`, { actor, code, error: message });
}
