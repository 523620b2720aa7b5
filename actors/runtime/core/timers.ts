/**
 * Fires the timers of one actor from its committed rows. Far timers stay in the store when the actor leaves
 * memory.
 */
import type { Clock } from "../clock.ts";
import type { TimerRow } from "./actor-record.ts";

interface Armed {
  readonly cancel: () => void;
  rang: boolean;
}

export class Timers {
  readonly #clock: Clock;
  readonly #ring: (timer: TimerRow) => void;
  /** By run: a timer that was set again has another run. A fired timer stays here until its row is deleted. */
  readonly #armed = new Map<number, Armed>();

  constructor(clock: Clock, ring: (timer: TimerRow) => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Makes the armed timers equal to the committed rows. */
  reconcile(rows: readonly TimerRow[]): void {
    for (const [run, { cancel }] of this.#armed) {
      if (rows.some((row) => row.run === run)) continue;
      cancel();
      this.#armed.delete(run);
    }
    if (rows.length === 0) return;
    const now = this.#clock.now();
    // After a pause several timers may be overdue: they fire in the order of their due times.
    for (const row of rows.toSorted((a, b) => a.at - b.at || a.run - b.run)) this.#arm(row, now);
  }

  clear(): void {
    for (const { cancel } of this.#armed.values()) cancel();
    this.#armed.clear();
  }

  #arm(row: TimerRow, now: number): void {
    const before = this.#armed.get(row.run);
    // A timer that was armed before the machine was suspended relies on a clock that stood still, so an
    // overdue timer fires now.
    if (before && (before.rang || row.at > now)) return;
    before?.cancel();
    const armed: Armed = {
      rang: false,
      cancel: this.#clock.after(Math.max(row.at - now, 0), () => {
        armed.rang = true;
        this.#ring(row);
      }),
    };
    this.#armed.set(row.run, armed);
  }
}
