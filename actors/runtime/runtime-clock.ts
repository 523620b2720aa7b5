/**
 * The time as an interface. Tests inject their own clock, so they run without waiting and can produce every
 * order of events.
 */

export interface Clock {
  /** Returns the milliseconds since the epoch. The value jumps when the system time is set. */
  now(): number;
  /** Returns the milliseconds of a monotonic clock, which never jumps. Leases use it. */
  monotonic(): number;
  /** Calls `callback` once after `delay` milliseconds; the returned function cancels it. */
  after(delay: number, callback: () => void): () => void;
}

/** The longest delay of `setTimeout`, in milliseconds (31 bits). Longer delays are split. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delay, callback) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (left: number) => {
      const piece = Math.min(Math.max(left, 0), LONGEST_TIMEOUT);
      handle = setTimeout(() => (left > piece ? arm(left - piece) : callback()), piece);
    };
    arm(delay);
    return () => clearTimeout(handle);
  },
};

/** Waits for `delay` milliseconds on the given clock. */
export function pause(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay, resolve);
  });
}
