/** Limits of the concurrency at one host. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const hostLimits = {
  /** Concurrent requests at an unknown host; it grows up to `readingLimits.perHost`. */
  initial: 4,
  /** Renewal interval of a worker's lease. */
  renewEvery: 500,
  /** A worker that has not renewed for this long counts as gone. */
  leaseFor: 2 * SECOND,
  /** Minimum interval between requests of a worker for a larger share. */
  growEvery: 50,
  /** Pause before a host's actor that did not answer is asked again. */
  askAgain: 250,
  /** Deadline for the answer of a host's actor. */
  answerWithin: 5 * SECOND,
  /** A turn at a host with a crawl-delay counts as lost after this; longer than any page takes. */
  turnLostAfter: 90 * SECOND,
  /** Mean answer time in milliseconds above which a host may count as overloaded. */
  slowAfter: SECOND,
  /** It counts as overloaded when the mean is this many times its normal time. */
  slowFactor: 3,
  /** Minimum number of answers for that decision. */
  slowSamples: 4,
  /** Weight of a slower mean in the normal time, per report. */
  normalTimeWeight: 1 / 20,
} as const;
