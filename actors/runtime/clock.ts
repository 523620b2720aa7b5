/**
 * Time, injected: tests drive it by hand, so that no test waits and every order of events can be had.
 */

export interface Clock {
  /** Milliseconds since the epoch; may jump when the machine's time is set. */
  now(): number;
  /** Milliseconds on a clock that never jumps; leases are measured with it. */
  monotonic(): number;
  /** Calls `callback` once, after `delay` milliseconds; the answer cancels it. */
  after(delay: number, callback: () => void): () => void;
}

/** setTimeout holds 31 bits; a longer delay is waited for in pieces. */
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

/** Waits on a clock. */
export function pause(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay, resolve);
  });
}
