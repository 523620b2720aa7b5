/**
 * A clock that stands still until it is moved: tests own the time, so no test waits and none depends on speed.
 *
 * Neighbours: `world.ts` moves it between events, the specifications of the runtime move it by hand.
 */
import type { Clock } from "../../../../actors/runtime/clock.ts";

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** Some moment in 2033; any will do, as long as it is not zero. */
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

  /** The machine was suspended: the time of day went on, everything else stood still. */
  sleep(milliseconds: number): void {
    this.#slept += milliseconds;
  }

  /** Goes to the next alarm, at most `within` milliseconds ahead, and rings it; false when there is none. */
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

  /** Lets time pass; whatever is due rings in order, and what each ring causes settles before the next. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settled();
    while (this.next(end - this.#elapsed)) await settled();
    this.#elapsed = end;
    await settled();
  }
}

/** Resolves once every promise that can settle without time passing has settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
