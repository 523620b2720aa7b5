/**
 * What is agreed about a host between those who read it: a lease of requests, asked for and given.
 *
 * One `HostManners` (`manners.ts`) decides for a host; every worker's `Politeness` (actors/reading/politeness.ts)
 * asks it. Times are spans, never moments: the two may be on machines whose clocks differ.
 */

/** What came of the requests since the last time. */
export interface LeaseReport {
  /** The epoch in which these requests were begun; failures of an older one have been answered for already. */
  readonly epoch: number;
  /** Requests that were answered as they should; how many of them were timed, and the mean of their milliseconds. */
  readonly good: number;
  readonly timed: number;
  readonly latency: number;
  /** The most that were under way at once. */
  readonly busiest: number;
  /** Answers 429 and 503. */
  readonly overloads: number;
  /** The longest span that the host asked to be left alone for, `null` when it named none. */
  readonly retryAfter: number | null;
  /** Requests without an answer: time-outs, broken connections. */
  readonly failures: number;
}

export interface LeaseRequest {
  /** Who asks: a worker, for all of its jobs. */
  readonly member: string;
  /** Requests under way there and waiting for their turn. */
  readonly wanted: number;
  /** Of these, under way. */
  readonly active: number;
  /** Milliseconds between the starts of two requests; 0 where the host asks for none. */
  readonly crawlDelay: number;
  /** How long ago the turn that was given at a host with a crawl-delay was used, when it is over; -1: not used. */
  readonly turnOver: number | null;
  /** How long the host is to be left alone, as far as the member knows: a new manager has it from its members. */
  readonly pausedFor: number;
  readonly report: LeaseReport;
}

export interface Lease {
  /** Requests that may be under way here. */
  readonly share: number;
  /** Requests that may be begun under this lease; `null`: any number. */
  readonly starts: number | null;
  /** Nothing is begun before this span is over … */
  readonly wait: number;
  /** … of which the host itself asked for this much. */
  readonly pausedFor: number;
  /** More may be asked for after this span. */
  readonly again: number;
  readonly epoch: number;
}
