/**
 * The messages between the actor of a host and the workers that read from the host. A lease is a worker's
 * share of the concurrent requests to the host. Times are durations, because the clocks of two machines may
 * differ.
 */

/** The results of a worker's requests to one host since its last report. */
export interface LeaseReport {
  /**
   * The number of the epoch in which the reported requests started. A new epoch starts whenever the host's
   * limit of concurrent requests is decreased. Reports of older epochs do not decrease this limit again.
   */
  readonly epoch: number;
  /** Number of successful requests since the last report. */
  readonly good: number;
  /** Number of the successful requests (`good`) whose duration was measured. */
  readonly timed: number;
  /** Mean of the measured durations in milliseconds. */
  readonly latency: number;
  /** The maximum number of the worker's requests that ran at the same time. */
  readonly busiest: number;
  /** Number of the worker's requests that were answered with status 429 or 503. */
  readonly overloads: number;
  /** The longest time of a header Retry-After that the host sent; `null` if the host sent no such header. */
  readonly retryAfter: number | null;
  /** Number of the worker's requests without an answer, because of a time-out or a broken connection. */
  readonly failures: number;
}

export interface LeaseRequest {
  /** Name of the worker that asks for a lease. All jobs of the worker share one lease. */
  readonly member: string;
  /** Number of concurrent requests that the worker could use: those that are running or waiting. */
  readonly wanted: number;
  /** Number of the worker's requests to the host that are currently running. */
  readonly active: number;
  /** Minimum time between the starts of two requests, in milliseconds; 0 without a crawl-delay. */
  readonly crawlDelay: number;
  /**
   * Time in milliseconds since the request of this worker's last turn ended. Turns are used only at a host
   * with a crawl-delay: in a turn, one worker may send one request. `null`: the request is still running. -1:
   * the worker sent no request in its turn.
   */
  readonly turnOver: number | null;
  /**
   * Milliseconds for which the host still refuses requests, as far as this worker knows. A new owner of the
   * host's actor learns this from the workers.
   */
  readonly pausedFor: number;
  readonly report: LeaseReport;
}

export interface Lease {
  /** Number of requests that this worker may run at the same time. */
  readonly share: number;
  /**
   * Maximum number of requests that may start under this lease (share of the requests to a host); `null` without a
   * limit.
   */
  readonly starts: number | null;
  /** Delay in milliseconds before the first request under this lease (share of the requests to a host) may start. */
  readonly wait: number;
  /** How much of the delay `wait` the host itself has demanded, for example by Retry-After. */
  readonly pausedFor: number;
  /** Time in milliseconds after which the worker may request a larger share of the host's concurrency. */
  readonly again: number;
  readonly epoch: number;
}
