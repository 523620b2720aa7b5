/**
 * Supervision: how often something may crash, and how long to wait before it is tried again.
 *
 * One rule for actors (reloaded from their last commit) and for workers (spawned again): so many crashes
 * within a window, then no more.
 */
import { type Clock, pause } from "../clock.ts";

/** Counts crashes within a sliding window. */
export class CrashWindow {
  readonly #max: number;
  readonly #within: number;
  #times: number[] = [];

  constructor(max: number, within: number) {
    this.#max = max;
    this.#within = within;
  }

  /** Notes a crash at `now` (milliseconds, monotonic) and says whether that is one too many. */
  add(now: number): boolean {
    this.#times = [...this.#times.filter((time) => now - time < this.#within), now];
    return this.#times.length > this.#max;
  }

  /** Starts to count anew. */
  clear(): void {
    this.#times = [];
  }

  get recent(): number {
    return this.#times.length;
  }
}

export interface Supervision {
  readonly maxCrashes: number;
  /** Milliseconds. */
  readonly crashWindow: number;
  /** First pause, doubled with each recent crash, up to `maxBackoff`. */
  readonly backoff: number;
  readonly maxBackoff: number;
}

/**
 * Keeps something running: starts it, waits until it ends, starts it again after a pause.
 *
 * `run` resolves with how it ended: `stopped` was wanted and ends the supervision, `crashed` counts. Resolves
 * with `stopped`, or `exhausted` when it crashed too often.
 */
export async function supervise(
  run: (attempt: number) => Promise<"stopped" | "crashed">,
  { maxCrashes, crashWindow, backoff, maxBackoff }: Supervision,
  clock: Clock,
): Promise<"stopped" | "exhausted"> {
  const crashes = new CrashWindow(maxCrashes, crashWindow);
  for (let attempt = 1; ; attempt++) {
    if ((await run(attempt)) === "stopped") return "stopped";
    if (crashes.add(clock.monotonic())) return "exhausted";
    await pause(clock, Math.min(backoff * 2 ** (crashes.recent - 1), maxBackoff));
  }
}
