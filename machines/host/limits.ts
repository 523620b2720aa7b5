/** Limits of the concurrency at one host. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const hostLimits = {
  /** Requests at once at a host of which nothing is known; it grows to `reading.perHost`. */
  begin: 4,
  /** A worker that reads a host says so this often … */
  renewEvery: 500,
  /** … and counts as gone when it has not for so long. */
  leaseFor: 2 * SECOND,
  /** How often a worker may ask for more than it has. */
  growEvery: 50,
  /** Pause before a host's manager that did not answer is asked again. */
  askAgain: 250,
  /** How long a worker may wait for the answer of a host's manager. */
  answerWithin: 5 * SECOND,
  /** A turn at a host with a crawl-delay that nobody gave back counts as lost after this: longer than any page. */
  turnFor: 90 * SECOND,
  /** Mean milliseconds of answers from which a host may count as overloaded … */
  slow: SECOND,
  /** … when that is so many times what it takes at ease … */
  slowFactor: 3,
  /** … over at least so many answers. */
  slowSamples: 4,
  /** How much of the way to a slower mean the idea of ease goes with each report. */
  easeFollows: 1 / 20,
} as const;
