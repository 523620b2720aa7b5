/**
 * What came of a host's requests since it was last reported: counts for `machines/host/manners.ts`.
 */
import type { LeaseReport } from "../../machines/host/host-lease.ts";
import type { Ending } from "./turn.ts";

export class Conduct {
  /** The epoch that the host's manager is in, as far as it is known here. */
  epoch = 0;
  #good = 0;
  /** How many of the good ones were timed, and the sum of their milliseconds. */
  #timed = 0;
  #took = 0;
  #busiest = 0;
  #overloads = 0;
  #failures = 0;
  #retryAfter: number | null = null;

  began(active: number): void {
    this.#busiest = Math.max(this.#busiest, active);
  }

  /** Counts a request; whether the others should be told at once. */
  ended(ending: Ending, epoch: number, took: number): boolean {
    if (typeof ending === "object") {
      const { retryAfter } = ending;
      if (retryAfter !== undefined) this.#retryAfter = Math.max(this.#retryAfter ?? 0, retryAfter);
      if (epoch === this.epoch) this.#overloads += 1;
      return retryAfter !== undefined || epoch === this.epoch;
    }
    // Requests of one burst fail together; what was begun before the manager's last decrease it has answered for.
    if (epoch !== this.epoch) return false;
    if (ending === "failed") this.#failures += 1;
    else if (ending !== "stopped") this.#good += 1;
    if (ending === "good") {
      this.#timed += 1;
      this.#took += took;
    }
    return ending === "failed";
  }

  /** What there is to tell, and begins anew. */
  take(active: number): LeaseReport {
    const report: LeaseReport = {
      epoch: this.epoch,
      good: this.#good,
      timed: this.#timed,
      latency: this.#timed === 0 ? 0 : this.#took / this.#timed,
      busiest: this.#busiest,
      overloads: this.#overloads,
      retryAfter: this.#retryAfter,
      failures: this.#failures,
    };
    this.#begin(active);
    return report;
  }

  /** Takes back a report that did not arrive. */
  restore({ epoch, good, timed, latency, busiest, overloads, retryAfter, failures }: LeaseReport): void {
    if (retryAfter !== null) this.#retryAfter = Math.max(this.#retryAfter ?? 0, retryAfter);
    if (epoch !== this.epoch) return;
    this.#good += good;
    this.#timed += timed;
    this.#took += timed * latency;
    this.#busiest = Math.max(this.#busiest, busiest);
    this.#overloads += overloads;
    this.#failures += failures;
  }

  /** The manager's answer: what was begun before belongs to an epoch that is over. */
  told(epoch: number, active: number): void {
    if (epoch === this.epoch) return;
    this.epoch = epoch;
    this.#begin(active);
  }

  #begin(active: number): void {
    this.#good = 0;
    this.#timed = 0;
    this.#took = 0;
    this.#busiest = active;
    this.#overloads = 0;
    this.#failures = 0;
    this.#retryAfter = null;
  }
}
