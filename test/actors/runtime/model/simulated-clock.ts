/**
 * A clock whose time advances only when the test advances it. So no test waits, and none depends on the speed
 * of the machine.
 */
import type { Clock } from "../../../../actors/runtime/runtime-clock.ts";

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** Time of day at the start of the clock, in 2033. The value has no meaning, but it must not be zero. */
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
   * Advances time to the next alarm and runs it, if it is due within the given milliseconds. Returns false if
   * there is no such alarm.
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

  /**
   * Advances time by the given milliseconds. Due callbacks run in order, and promises of one callback settle
   * before the next runs.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settled();
    while (this.next(end - this.#elapsed)) await settled();
    this.#elapsed = end;
    await settled();
  }
}

/** Resolves when all promises are settled, except those that wait for a later time of the clock. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
