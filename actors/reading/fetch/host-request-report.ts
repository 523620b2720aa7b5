/**
 * Collects the results of requests to a host until they are reported to the actor `host/<host>`. From the
 * reports, `machines/host/adaptive-request-limit.ts` computes how many concurrent requests the host can bear.
 */
import type { LeaseReport } from "../../../machines/host/host-lease-messages.ts";
import type { TurnResult } from "./shared-code-of-host-request-queues.ts";

export class HostReport {
  /**
   * The newest epoch of the host's manager (the actor that limits the requests to a host) that this worker
   * has received. The manager begins a new epoch when it lowers the limit. Results from earlier epochs do not
   * count.
   */
  epoch = 0;
  #good = 0;
  /** The number of successful requests whose time was measured. */
  #timed = 0;
  /** The sum of the measured times of successful requests, in milliseconds. */
  #took = 0;
  #busiest = 0;
  #overloads = 0;
  #failures = 0;
  #retryAfter: number | null = null;

  countStart(active: number): void {
    this.#busiest = Math.max(this.#busiest, active);
  }

  /**
   * Counts a finished request. Returns true if the manager of the host must get the report at once, for
   * example because the host is overloaded.
   * @param epoch the manager's epoch when the request started; the manager begins a new epoch whenever it
   * lowers its limit
   */
  countResult(ending: TurnResult, epoch: number, took: number): boolean {
    if (typeof ending === "object") {
      const { retryAfter } = ending;
      if (retryAfter !== undefined) this.#retryAfter = Math.max(this.#retryAfter ?? 0, retryAfter);
      if (epoch === this.epoch) this.#overloads += 1;
      return retryAfter !== undefined || epoch === this.epoch;
    }
    // Requests that start together often fail together. If the manager has lowered its limit since this
    // request started, it knows about the failure already. So the failure is not counted again.
    if (epoch !== this.epoch) return false;
    if (ending === "failed") this.#failures += 1;
    else if (ending !== "stopped") this.#good += 1;
    if (ending === "good") {
      this.#timed += 1;
      this.#took += took;
    }
    return ending === "failed";
  }

  /** Returns the counts of requests since the previous report, and restarts all counts at zero. */
  takeReport(active: number): LeaseReport {
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
    this.#reset(active);
    return report;
  }

  /**
   * Adds the counts of a report that the host's manager has not received, so that the next report contains
   * them.
   */
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

  /**
   * Stores the epoch of the host's manager (the actor that limits the requests to a host). The manager begins
   * a new epoch when it lowers the limit of concurrent requests. All counts then start again at zero.
   */
  applyEpoch(epoch: number, active: number): void {
    if (epoch === this.epoch) return;
    this.epoch = epoch;
    this.#reset(active);
  }

  #reset(active: number): void {
    this.#good = 0;
    this.#timed = 0;
    this.#took = 0;
    this.#busiest = active;
    this.#overloads = 0;
    this.#failures = 0;
    this.#retryAfter = null;
  }
}
