/** Injected time, so that tests run without waiting and can produce every order of events. */

export interface Clock {
  /** Milliseconds since the epoch. It jumps when the system time is set. */
  now(): number;
  /** Milliseconds of a monotonic clock, for leases. */
  monotonic(): number;
  /** Calls `callback` once after `delay` milliseconds; the returned function cancels it. */
  after(delay: number, callback: () => void): () => void;
}

/** setTimeout accepts 31 bits; longer delays are split. */
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
