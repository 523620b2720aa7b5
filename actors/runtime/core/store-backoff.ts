/** Detects that the store is unreachable, and decides how long to wait before the next attempt. */
import { type CairnError, Unavailable } from "../../../machines/errors.ts";
import { commitLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { type Clock, pause } from "../runtime-clock.ts";

export function isStoreAway(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.code.startsWith("store.");
}

/**
 * Returns the milliseconds to wait before the next attempt. The wait grows with the number of failed attempts
 * (`tries`).
 */
export function storePause(tries: number): number {
  const { backoff, maxBackoff } = commitLimits;
  return Math.min(backoff * 2 ** tries, maxBackoff);
}

/**
 * Repeats `work` while the store is unavailable.
 *
 * @param options `onFirstFailure` is called once, for example to log. `reasonToStop` is called before and
 * after each wait, and may return an error to end the repetition. Before a wait, the repetition then ends
 * with the store's error; after a wait, with the returned error.
 */
export async function retryWhileStoreAway(
  work: () => Promise<void>,
  options: {
    readonly clock: Clock;
    readonly reasonToStop: () => Error | undefined;
    readonly onFirstFailure: (error: Unavailable) => void;
  },
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isStoreAway(error) || options.reasonToStop()) throw error;
      if (tries === 0) options.onFirstFailure(error);
      await pause(options.clock, storePause(tries));
      const reason = options.reasonToStop();
      if (reason) throw reason;
    }
  }
}

/** Logs that some work of an actor is tried again later, because the store is unavailable. */
export function logStoreAway(
  log: (level: "warn", message: string, fields: Record<string, unknown>) => void,
  actor: string,
  what: string,
  { code, message }: CairnError,
): void {
  log("warn", `store unavailable, ${what} will be tried again`, { actor, code, error: message });
}
