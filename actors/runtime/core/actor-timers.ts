/**
 * Fires the timers of one actor from its committed rows. When an actor leaves memory, timers that are not due
 * soon stay in the store.
 */
import type { Clock } from "../runtime-clock.ts";
import type { TimerRow } from "./actor-record.ts";

interface Armed {
  readonly cancel: () => void;
  rang: boolean;
}

export class Timers {
  readonly #clock: Clock;
  readonly #ring: (timer: TimerRow) => void;
  /**
   * The running timers by run number. A timer that is set again gets a new run number. A timer that has fired
   * stays in this list until its row is deleted.
   */
  readonly #armed = new Map<number, Armed>();

  constructor(clock: Clock, ring: (timer: TimerRow) => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Starts and stops timers, so that exactly the timers in the committed rows are running. */
  reconcile(rows: readonly TimerRow[]): void {
    for (const [run, { cancel }] of this.#armed) {
      if (rows.some((row) => row.run === run)) continue;
      cancel();
      this.#armed.delete(run);
    }
    if (rows.length === 0) return;
    const now = this.#clock.now();
    // After a pause of the process, several timers may be overdue. They fire in the order of their due times.
    for (const row of rows.toSorted((a, b) => a.at - b.at || a.run - b.run)) this.#arm(row, now);
  }

  clear(): void {
    for (const { cancel } of this.#armed.values()) cancel();
    this.#armed.clear();
  }

  #arm(row: TimerRow, now: number): void {
    const before = this.#armed.get(row.run);
    // Timers stop while the computer is suspended. So a timer that is set but already overdue is fired now.
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
