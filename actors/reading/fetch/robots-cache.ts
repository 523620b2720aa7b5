/**
 * Caches the robots.txt of each origin for a day. When robots.txt cannot be fetched, RFC 9309 §2.3 applies:
 * after a 4xx status or too many redirects, everything is allowed. After a server error, a 429 or no
 * response, everything is forbidden until robots.txt can be fetched.
 */

import type { Destinations } from "../../../machines/egress/checked-host-resolver-interface.ts";
import {
  parseRobots,
  ROBOTS_ALLOW_ALL,
  type RobotsRules,
  robotsFor,
} from "../../../machines/exploration/crawl/robots-txt.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type { Clock } from "../clock-of-page-reader.ts";
import { type FailedRead, failedStatus } from "../url-read-failures.ts";
import {
  discard,
  type Exchange,
  isRedirect,
  readStart,
  redirectTarget,
  untilAborted,
  withExchange,
} from "./http-exchange.ts";

type Answer =
  | { readonly kind: "rules"; readonly rules: RobotsRules; readonly sitemaps: readonly string[] }
  | FailedRead;

interface Entry {
  readonly answer: Promise<Answer>;
  until: number;
}

export interface RobotsCacheOptions {
  readonly userAgent: string;
  readonly destinations: Destinations;
  readonly clock: Clock;
}

export class RobotsCache {
  readonly #userAgent: string;
  /** The first word of the user agent, by which robots.txt files name this crawler. */
  readonly productToken: string;
  readonly #destinations: Destinations;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor({ userAgent, destinations, clock }: RobotsCacheOptions) {
    this.#userAgent = userAgent;
    this.productToken = /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? userAgent;
    this.#destinations = destinations;
    this.#clock = clock;
  }

  /**
   * Returns the rules for this crawler at the URL's origin, or why they are not available. Concurrent callers
   * share one request. When the signal of one caller aborts, only that caller's promise rejects.
   */
  async rulesFor(url: string, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { origin } = new URL(url);
    let entry = this.#entries.get(origin);
    if (!entry || entry.until <= this.#clock.now()) entry = this.#request(origin);
    const answer = await untilAborted(entry.answer, signal);
    if (answer.kind === "rules" || !answer.retryable) return answer;
    // A failed result stays in the cache until `entry.until`. An earlier retry would get it again, so
    // `retryAfter` is at least the time until then.
    const wait = Math.max(answer.retryAfter ?? 0, entry.until - this.#clock.now(), 0);
    return { ...answer, retryAfter: wait };
  }

  #request(origin: string): Entry {
    const { robotsCachedFor: believed, robotsRetryAfter: robotsRetry, hosts } = readingLimits;
    // While robots.txt is being requested, the cache entry does not expire. `settle` sets the time of expiry
    // after the request.
    const entry: Entry = { answer: this.#fetch(origin), until: Number.POSITIVE_INFINITY };
    const settle = (isFailure: boolean): void => {
      entry.until = this.#clock.now() + (isFailure ? robotsRetry : believed);
    };
    entry.answer.then(
      ({ kind }) => settle(kind === "failed"),
      () => settle(true),
    );
    this.#entries.delete(origin);
    this.#entries.set(origin, entry);
    if (this.#entries.size > hosts) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    return entry;
  }

  async #fetch(origin: string): Promise<Answer> {
    const url = `${origin}/robots.txt`;
    const { answerWithin } = readingLimits;
    const answer = await withExchange<Answer>(
      url,
      {
        signal: new AbortController().signal,
        destinations: this.#destinations,
        userAgent: this.#userAgent,
        accept: "text/plain,*/*;q=0.5",
        answerWithin,
        within: 2 * answerWithin,
      },
      (exchange) => this.#follow(url, exchange),
    );
    if (answer.kind !== "failed" || answer.code !== "egress.refused") return answer;
    return { ...answer, message: `${url} cannot be fetched: ${answer.message}` };
  }

  async #follow(start: string, exchange: Exchange): Promise<Answer> {
    let url = start;
    for (let hop = 0; hop <= readingLimits.robotsRedirects; hop++) {
      const response = await exchange.request(url);
      const { status } = response;
      const target = isRedirect(status) ? redirectTarget(response, url) : undefined;
      if (target !== undefined) {
        await discard(response);
        url = target;
        continue;
      }
      if (status >= 200 && status < 300) {
        const { bytes } = await readStart(response, readingLimits.robotsBytes);
        return this.#rules(parseRobots(new TextDecoder().decode(bytes)));
      }
      await discard(response);
      if (status === 429 || status >= 500) return unreachable(failedStatus(url, response, this.#clock.now()));
      return this.#rules(ROBOTS_ALLOW_ALL);
    }
    return this.#rules(ROBOTS_ALLOW_ALL);
  }

  #rules(robots: Parameters<typeof robotsFor>[0]): Answer {
    return { kind: "rules", rules: robotsFor(robots, this.productToken), sitemaps: robots.sitemaps };
  }
}

function unreachable(failure: FailedRead): FailedRead {
  return {
    ...failure,
    retryable: true,
    code: "reading.robots_unreachable",
    message: `${failure.message} Without its robots.txt nothing may be fetched there; start with respect_robots false to do so all the same.`,
  };
}
