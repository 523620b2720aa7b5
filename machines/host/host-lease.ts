/**
 * The messages between the actor of a host and the workers that read from the host. Each worker asks for a
 * lease, which is its share of the concurrent requests. Times are durations, because the clocks of two
 * machines may differ.
 */

/** The results of a worker's requests since its last report. */
export interface LeaseReport {
  /** The epoch in which the reported requests started. Failures of an older epoch are already counted. */
  readonly epoch: number;
  /** Successful requests: their number, how many were timed, and the mean time in milliseconds. */
  readonly good: number;
  readonly timed: number;
  readonly latency: number;
  /** The highest number of concurrent requests. */
  readonly busiest: number;
  /** Number of the worker's requests that were answered with status 429 or 503. */
  readonly overloads: number;
  /** The longest Retry-After that the host sent; `null` without one. */
  readonly retryAfter: number | null;
  /** Number of the worker's requests that got no answer, because of a time-out or a broken connection. */
  readonly failures: number;
}

export interface LeaseRequest {
  /** Name of the worker that asks for a lease. It asks for all of its jobs together. */
  readonly member: string;
  /** Number of the worker's requests to the host that are running or waiting. */
  readonly wanted: number;
  /** Number of the worker's requests to the host that are running. */
  readonly active: number;
  /** Minimum time between the starts of two requests, in milliseconds; 0 without a crawl-delay. */
  readonly crawlDelay: number;
  /**
   * At a host with a crawl-delay, members take turns to send one request. This is how long ago the member's
   * request ended, in milliseconds; `null` while it is running, -1 when the member has sent none in its turn.
   */
  readonly turnOver: number | null;
  /** The remaining pause of the host that the member knows. A new owner learns the pause from its members. */
  readonly pausedFor: number;
  readonly report: LeaseReport;
}

export interface Lease {
  /** Number of requests that this member may run at once. */
  readonly share: number;
  /** Number of requests that may start under this lease; `null` for any number. */
  readonly starts: number | null;
  /** No request may start before this time has passed. */
  readonly wait: number;
  /** The part of `wait` that the host itself asked for. */
  readonly pausedFor: number;
  /** The member may ask for a larger share after this time. */
  readonly again: number;
  readonly epoch: number;
}
