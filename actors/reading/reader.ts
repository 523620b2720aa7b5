/**
 * The reader: one call from a URL to what became of it.
 *
 * It puts the parts of this folder together in the order that politeness asks for: robots.txt first, then a
 * turn at the host, then the fetch (each redirect is checked against scope and robots before it is followed),
 * then the document. Every end is a value: `read` rejects only when its signal aborts.
 */

import type { Destinations } from "../../machines/egress/destinations.ts";
import { normaliseUrl, urlKey } from "../../machines/exploration/normalise-url.ts";
import { isAllowed, type RobotsRules } from "../../machines/exploration/robots.ts";
import { readingLimits } from "../../machines/reading/limits.ts";
import { ReadingApart } from "./apart.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type FetchOptions, fetchPage, type Unfollowed } from "./fetch.ts";
import { ReadingHere } from "./here.ts";
import { type FetchedListing, fetchListing } from "./listing-fetch.ts";
import {
  type Elsewhere,
  type FailedRead,
  isOverload,
  redirectLoop,
  type SkippedRead,
  skipped,
  tooManyRedirects,
} from "./outcome.ts";
import type { PageSource, ReadPage } from "./page.ts";
import { type AskHost, Politeness } from "./politeness.ts";
import { RobotsCache } from "./robots-cache.ts";
import type { Ending } from "./turn.ts";

/** A page as it was fetched and read. */
export interface FetchedPage extends ReadPage {
  /** What was asked for. */
  readonly url: string;
  /** Where it was found after redirects, normalised. */
  readonly finalUrl: string;
  readonly status: number;
  /** Without parameters, such as `text/html`. */
  readonly mediaType: string;
  /** Of the body, after decompression. */
  readonly bytes: number;
}

export type ReadOutcome = { readonly kind: "page"; readonly page: FetchedPage } | SkippedRead | FailedRead;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Asked for every redirect target, normalised; not for the URL itself, which the caller chose. */
  readonly inScope: (url: string) => boolean;
  /** False: neither robots.txt nor its crawl-delay is asked for. */
  readonly respectRobots: boolean;
}

export interface ReaderOptions {
  /** Sent with every request. It starts with the product token that robots.txt is searched for. */
  readonly userAgent: string;
  /** Where hosts are, and which of them may be reached. */
  readonly destinations: Destinations;
  readonly clock?: Clock;
  /** This worker's name among those who read a host, and who decides for a host; absent: this reader alone. */
  readonly member?: string;
  readonly askHost?: AskHost;
  /** Requests under way at one host, where this reader decides alone. */
  readonly perHost?: number;
}

/** All reject with the signal's reason when aborted, and never otherwise. URLs are normalised. */
export interface Reader {
  read(url: string, options: ReadOptions): Promise<ReadOutcome>;
  /** A visit that somebody else makes, such as a browser's: only if robots.txt allows it, and in its turn at the host. */
  attend<Visited extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    visit: () => Promise<Visited>,
  ): Promise<Visited | SkippedRead | FailedRead>;
  /** A document that somebody else fetched, read like those of `read`; fails only with `reading.too_complex`. */
  readDocument(source: Omit<PageSource, "now" | "robot">): Promise<ReadPage | FailedRead>;
  /** A sitemap or a feed. */
  readListing(url: string, options: ReadOptions): Promise<FetchedListing | SkippedRead | FailedRead>;
  /** Milliseconds between two requests that the robots.txt of a URL's origin asks for, as far as they are heeded. */
  crawlDelayOf(url: string, options: ReadOptions): Promise<number>;
  /** The sitemaps that the robots.txt of a URL's origin names; none when robots.txt is not to be read. */
  sitemapsOf(url: string, options: ReadOptions): Promise<readonly string[]>;
  /** Ends what it keeps running. */
  close(): void;
}

/** A reader with its own caches; a node makes one and shares it among its jobs. */
export function createReader({
  userAgent,
  destinations,
  clock = systemClock,
  member,
  askHost,
  perHost,
}: ReaderOptions): Reader {
  const robots = new RobotsCache({ userAgent, destinations, clock });
  const politeness = new Politeness({ clock, member, ask: askHost, perHost });

  /** Why a URL may not be fetched, else the crawl-delay of its host in milliseconds. */
  async function permit(
    url: string,
    { respectRobots, signal }: ReadOptions,
  ): Promise<SkippedRead | FailedRead | { readonly kind: "granted"; readonly crawlDelay: number }> {
    if (!respectRobots) return { kind: "granted", crawlDelay: 0 };
    const answer = await robots.rulesFor(url, signal);
    if (answer.kind === "failed") return answer;
    if (!isAllowed(answer.rules, url)) {
      return skipped("robots", `The robots.txt of ${new URL(url).host} does not allow ${url}.`);
    }
    return { kind: "granted", crawlDelay: heededDelay(answer.rules) };
  }

  /** One fetch in its turn at one host. */
  async function fetchThere<Result extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    take: (url: string, options: FetchOptions) => Promise<Result | Unfollowed>,
    answered: Answered,
  ): Promise<Result | Unfollowed> {
    const { signal, inScope } = options;
    const permission = await permit(url, options);
    if (permission.kind !== "granted") return permission;
    const { host } = new URL(url);
    const turn = await politeness.enter(host, permission.crawlDelay, signal);
    let ending: Ending = "stopped";
    try {
      const result = await take(url, {
        signal,
        destinations,
        userAgent,
        now: clock.now,
        mayFollow: async (target, written) => {
          if (!inScope(target)) return outOfScope(url, target);
          if (new URL(target).host !== host) return { kind: "elsewhere", url: written };
          const next = await permit(target, options);
          if (next.kind !== "granted") return next;
          await turn.again(signal);
          return undefined;
        },
      });
      ending = endingOf(result, answered);
      return result;
    } finally {
      turn.leave(ending);
    }
  }

  /** A fetch that goes from host to host, as its redirects do. */
  async function politely<Result extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    take: (url: string, options: FetchOptions) => Promise<Result | Unfollowed>,
    answered: Answered = "good",
  ): Promise<Result | SkippedRead | FailedRead> {
    const seen = new Set<string>();
    let at = url;
    for (;;) {
      seen.add(at);
      const result = await fetchThere(at, options, take, answered);
      if (!isElsewhere(result)) return result;
      if (seen.has(result.url)) return redirectLoop(url);
      if (seen.size > readingLimits.redirects) return tooManyRedirects(url, readingLimits.redirects);
      at = result.url;
    }
  }

  const here = new ReadingHere();
  const apart = new ReadingApart();
  const readDocument: Reader["readDocument"] = async (given) => {
    const source: PageSource = { ...given, now: clock.now(), robot: robots.productToken };
    const length = typeof source.html === "string" ? source.html.length : source.html.bytes.byteLength;
    if (length > readingLimits.parseThread.from) return await apart.read(source);
    await apart.quiet();
    return await here.read(source);
  };

  return {
    async read(url, options) {
      const seen = new Set<string>();
      let at = url;
      for (;;) {
        const result = await politely(at, options, fetchPage);
        if (result.kind !== "document") return result;
        const { text, url: finalUrl, mediaType, status, bytes, language, relations: headers } = result;
        const page = await readDocument({ url: finalUrl, html: text, mediaType, language, headers });
        options.signal.throwIfAborted();
        if ("kind" in page) return page;
        seen.add(urlKey(at)).add(urlKey(finalUrl));
        const { refresh } = page.relations;
        if (refresh === undefined || seen.has(urlKey(refresh))) {
          return { kind: "page", page: { ...page, url, finalUrl, status, mediaType, bytes } };
        }
        // A document that only sends its visitor on is a redirect in all but name.
        if (!options.inScope(refresh)) return outOfScope(url, refresh);
        if (seen.size > readingLimits.redirects) return tooManyRedirects(url, readingLimits.redirects);
        at = refresh;
      }
    },
    attend: (url, options, visit) => politely(url, options, visit, "untimed"),
    readDocument,
    close: () => apart.close(),
    readListing: (url, options) => politely(url, options, fetchListing),
    async crawlDelayOf(url, options) {
      if (!options.respectRobots) return 0;
      const answer = await robots.rulesFor(url, options.signal);
      return answer.kind === "failed" ? 0 : heededDelay(answer.rules);
    },
    async sitemapsOf(url, { respectRobots, signal }) {
      if (!respectRobots) return [];
      const answer = await robots.rulesFor(url, signal);
      if (answer.kind === "failed") return [];
      return answer.sitemaps.flatMap((written) => normaliseUrl(written, url) ?? []);
    },
  };
}

function heededDelay({ crawlDelay = 0 }: RobotsRules): number {
  return Math.min(crawlDelay * 1_000, readingLimits.crawlDelay);
}

function isFailed(result: { readonly kind: string }): result is FailedRead {
  return result.kind === "failed";
}

function isElsewhere<Other extends { readonly kind: string }>(
  result: Other | Elsewhere,
): result is Elsewhere {
  return result.kind === "elsewhere";
}

/** Whether the time that an answer takes is the host's. */
type Answered = Extract<Ending, "good" | "untimed">;

const LOST: ReadonlySet<string> = new Set(["reading.timeout", "reading.reset", "reading.refused"]);

/** What a fetch tells of how the host is. An answer that is an error is an answer all the same. */
function endingOf(result: { readonly kind: string }, answered: Answered): Ending {
  if (!isFailed(result)) return answered;
  if (isOverload(result)) return { retryAfter: result.retryAfter };
  return result.status === undefined && LOST.has(result.code) ? "failed" : answered;
}

export function outOfScope(url: string, target: string): SkippedRead {
  return skipped("redirected_out_of_scope", `${url} redirects to ${target}, outside of the site.`, target);
}
