/**
 * Decides how often an actor or a worker may crash, and how long to wait before it is started again. The same
 * rule applies to both kinds of restart: an actor is loaded from its last commit, and a worker thread is
 * created.
 */
import { type Clock, pause } from "../runtime-clock.ts";

/** Counts the crashes of an actor or a worker in the last `crashWindow` milliseconds. */
export class CrashWindow {
  readonly #max: number;
  readonly #within: number;
  #times: number[] = [];

  constructor(max: number, within: number) {
    this.#max = max;
    this.#within = within;
  }

  /**
   * Records a crash at `now` (milliseconds of a monotonic clock). Returns whether there are too many crashes
   * in the window.
   */
  add(now: number): boolean {
    this.#times = [...this.#times.filter((time) => now - time < this.#within), now];
    return this.#times.length > this.#max;
  }

  /** Resets the count of crashes to zero. */
  clear(): void {
    this.#times = [];
  }

  get recent(): number {
    return this.#times.length;
  }
}

export interface Supervision {
  readonly maxCrashes: number;
  /** Length in milliseconds of the window in which crashes are counted. */
  readonly crashWindow: number;
  /**
   * Milliseconds of the pause before the first restart. Each further recent crash doubles the pause, up to
   * `maxBackoff`.
   */
  readonly backoff: number;
  readonly maxBackoff: number;
}

/**
 * Calls `run` and waits until it ends. When `run` resolves with `crashed`, it is called again after a pause;
 * when it resolves with `stopped`, it is not.
 *
 * The function resolves with `stopped`, or with `exhausted` after too many crashes.
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
