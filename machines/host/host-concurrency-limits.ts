/**
 * Limits of concurrent requests to one host. Values are in milliseconds or bytes unless a name says
 * otherwise.
 */
import { SECOND } from "../time-and-size-units.ts";

export const hostLimits = {
  /**
   * Number of concurrent requests at the start, when a host's speed is not known. The number grows up to
   * `readingLimits.perHost`.
   */
  initial: 4,
  /** Interval at which a worker renews its lease, which is its share of the concurrent requests to a host. */
  renewEvery: 500,
  /** If a worker does not renew its lease (share of the requests to a host) for this time, it counts as ended. */
  leaseFor: 2 * SECOND,
  /** Minimum interval between two requests of a worker for a larger share of a host's concurrent requests. */
  growEvery: 50,
  /**
   * If the host's actor has not answered, a worker asks for a lease (share of the requests to the host) again after
   * this pause.
   */
  askAgain: 250,
  /** Time limit for an answer of the actor that grants leases (shares of the requests to a host). */
  answerWithin: 5 * SECOND,
  /**
   * At a host with a crawl-delay, workers take turns, and each turn permits one request. A turn that is not
   * returned within this time counts as lost. No page takes that long.
   */
  turnLostAfter: 90 * SECOND,
  /** A host can count as overloaded only if its mean answer time, in milliseconds, is longer than this. */
  slowAfter: SECOND,
  /**
   * A host counts as overloaded only if its mean answer time is more than this multiple of its usual answer
   * time.
   */
  slowFactor: 3,
  /**
   * Minimum number of measured answers in a report before their mean time can show that the host is
   * overloaded.
   */
  slowSamples: 4,
  /**
   * The usual answer time follows reports with a longer mean answer time only slowly. It moves by this share
   * (0 to 1) of the difference.
   */
  normalTimeWeight: 1 / 20,
} as const;
