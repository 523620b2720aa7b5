/**
 * The messages between a host's actor and the workers that read the host: a lease of requests.
 * The actor decides for a host; each worker asks for its share. Times are durations, because the clocks of
 * the two machines may differ.
 */

/** The results of requests since the last report. */
export interface LeaseReport {
  /** The epoch in which these requests started. Failures of an older epoch are already accounted for. */
  readonly epoch: number;
  /** Successful requests; how many of them were timed, and the mean in milliseconds. */
  readonly good: number;
  readonly timed: number;
  readonly latency: number;
  /** The most concurrent requests. */
  readonly busiest: number;
  /** Answers 429 and 503. */
  readonly overloads: number;
  /** The longest Retry-After of the host; `null` without one. */
  readonly retryAfter: number | null;
  /** Requests without an answer: time-outs, broken connections. */
  readonly failures: number;
}

export interface LeaseRequest {
  /** The worker that asks, for all of its jobs. */
  readonly member: string;
  /** Running and waiting requests. */
  readonly wanted: number;
  /** Running requests. */
  readonly active: number;
  /** Milliseconds between the starts of two requests; 0 without a crawl-delay. */
  readonly crawlDelay: number;
  /**
   * How long ago the turn at a host with a crawl-delay was used; `null` while it is running, -1 when it was
   * not used.
   */
  readonly turnOver: number | null;
  /** The remaining pause of the host that the member knows of. A new actor learns it from its members. */
  readonly pausedFor: number;
  readonly report: LeaseReport;
}

export interface Lease {
  /** Requests that this member may run at once. */
  readonly share: number;
  /** Requests that may start under this lease; `null`: any number. */
  readonly starts: number | null;
  /** Nothing starts before this time has passed. */
  readonly wait: number;
  /** The part of `wait` that the host itself requested. */
  readonly pausedFor: number;
  /** The member may ask for more after this time. */
  readonly again: number;
  readonly epoch: number;
}
