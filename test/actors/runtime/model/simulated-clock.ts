/** A clock that only moves when a test moves it, so no test waits or depends on the speed of the machine. */
import type { Clock } from "../../../../actors/runtime/clock.ts";

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** Start time of the clock, a moment in 2033. Any value except zero would do. */
const EPOCH = 2_000_000_000_000;

export class SimulatedClock implements Clock {
  #elapsed = 0;
  #slept = 0;
  #order = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return EPOCH + this.#slept + Math.floor(this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(delay: number, callback: () => void): () => void {
    this.#order += 1;
    const alarm = { at: this.#elapsed + Math.max(delay, 0), order: this.#order, ring: callback };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Simulates a suspended machine: the time of day advances, but the monotonic clock does not. */
  sleep(milliseconds: number): void {
    this.#slept += milliseconds;
  }

  /**
   * Advances to the next alarm within the given milliseconds and runs it. Returns false when there is none.
   */
  next(within = Number.POSITIVE_INFINITY): boolean {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (!first || alarm.at < first.at || (alarm.at === first.at && alarm.order < first.order))
        first = alarm;
    }
    if (!first || first.at > this.#elapsed + within) return false;
    this.#alarms.delete(first);
    this.#elapsed = Math.max(this.#elapsed, first.at);
    first.ring();
    return true;
  }

  /** Advances time. Due callbacks run in order, and the promises of each settle before the next. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settled();
    while (this.next(end - this.#elapsed)) await settled();
    this.#elapsed = end;
    await settled();
  }
}

/** Resolves when every promise that can settle without time has settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
