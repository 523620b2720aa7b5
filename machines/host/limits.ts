/** Limits of concurrent requests to one host. In milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const hostLimits = {
  /**
   * Number of concurrent requests to a host that is not known yet. It grows up to `readingLimits.perHost`.
   */
  initial: 4,
  /** Interval at which a worker renews its lease. */
  renewEvery: 500,
  /** A worker that has not renewed its lease for this time counts as ended. */
  leaseFor: 2 * SECOND,
  /** Minimum interval at which a worker asks for a larger share. */
  growEvery: 50,
  /** Pause before a worker repeats a request that the host's actor did not answer. */
  askAgain: 250,
  /** Deadline for the answer of a host's actor. */
  answerWithin: 5 * SECOND,
  /**
   * At a host with a crawl-delay, workers take turns to send one request. A turn that takes longer than this
   * counts as lost. No page takes that long.
   */
  turnLostAfter: 90 * SECOND,
  /** A host counts as overloaded only if its mean answer time, in milliseconds, is above this value. */
  slowAfter: SECOND,
  /** A host counts as overloaded only if its mean answer time is this many times its normal time. */
  slowFactor: 3,
  /** Minimum number of answers before a host can count as overloaded. */
  slowSamples: 4,
  /**
   * How fast the normal answer time of a host rises. When a report has a higher mean, the normal time rises
   * by this share of the difference.
   */
  normalTimeWeight: 1 / 20,
} as const;
