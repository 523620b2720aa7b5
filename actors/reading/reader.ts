/**
 * The reader: one call from a URL to what became of it.
 *
 * It puts the parts of this folder together in the order that politeness asks for: robots.txt first, then a
 * turn at the host, then the fetch (each redirect is checked against scope and robots before it is followed),
 * then the document. Every end is a value: `read` rejects only when its signal aborts.
 */

import type { Destinations } from "../../machines/egress/destinations.ts";
import { isAllowed } from "../../machines/exploration/robots.ts";
import { normaliseUrl, urlKey } from "../../machines/exploration/url.ts";
import { limits } from "../../machines/limits.ts";
import { type FetchOptions, fetchPage } from "./fetch.ts";
import { type FetchedListing, fetchListing } from "./listing-fetch.ts";
import { type FailedRead, type SkippedRead, skipped, tooManyRedirects } from "./outcome.ts";
import { type ReadPage, readPage } from "./page.ts";
import { type Clock, Politeness, systemClock } from "./politeness.ts";
import { RobotsCache } from "./robots-cache.ts";

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
  /** Requests under way at one host. */
  readonly perHost?: number;
}

/** All reject with the signal's reason when aborted, and never otherwise. URLs are normalised. */
export interface Reader {
  read(url: string, options: ReadOptions): Promise<ReadOutcome>;
  /** A sitemap or a feed. */
  readListing(url: string, options: ReadOptions): Promise<FetchedListing | SkippedRead | FailedRead>;
  /** The sitemaps that the robots.txt of a URL's origin names; none when robots.txt is not to be read. */
  sitemapsOf(url: string, options: ReadOptions): Promise<readonly string[]>;
}

/** A reader with its own caches; a node makes one and shares it among its jobs. */
export function createReader({
  userAgent,
  destinations,
  clock = systemClock,
  perHost = limits.reading.perHost,
}: ReaderOptions): Reader {
  const robots = new RobotsCache({ userAgent, destinations, clock });
  const politeness = new Politeness({ perHost, clock });

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
    const crawlDelay = Math.min((answer.rules.crawlDelay ?? 0) * 1_000, limits.reading.crawlDelay);
    return { kind: "granted", crawlDelay };
  }

  /** One fetch in its turn at the host. */
  async function politely<Result extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    take: (url: string, options: FetchOptions) => Promise<Result | SkippedRead | FailedRead>,
  ): Promise<Result | SkippedRead | FailedRead> {
    const { signal, inScope } = options;
    const permission = await permit(url, options);
    if (permission.kind !== "granted") return permission;
    const { host } = new URL(url);
    const leave = await politeness.enter(host, permission.crawlDelay, signal);
    try {
      const result = await take(url, {
        signal,
        destinations,
        userAgent,
        now: clock.now,
        mayFollow: async (target) => {
          if (!inScope(target)) return outOfScope(url, target);
          const next = await permit(target, options);
          if (next.kind !== "granted") return next;
          await politeness.space(new URL(target).host, next.crawlDelay, signal);
          return undefined;
        },
      });
      if (!isFailed(result)) politeness.recovered(host);
      else if (result.status === 429 || result.status === 503) politeness.overloaded(host, result.retryAfter);
      return result;
    } finally {
      leave();
    }
  }

  return {
    async read(url, options) {
      const seen = new Set<string>();
      let at = url;
      for (;;) {
        const result = await politely(at, options, fetchPage);
        if (result.kind !== "document") return result;
        const { text, url: finalUrl, mediaType, status, bytes, language, relations: headers } = result;
        const source = {
          url: finalUrl,
          html: text,
          mediaType,
          language,
          headers,
          robot: robots.productToken,
        };
        const page = readPage({ ...source, now: clock.now() });
        seen.add(urlKey(at)).add(urlKey(finalUrl));
        const { refresh } = page.relations;
        if (refresh === undefined || seen.has(urlKey(refresh))) {
          return { kind: "page", page: { ...page, url, finalUrl, status, mediaType, bytes } };
        }
        // A document that only sends its visitor on is a redirect in all but name.
        if (!options.inScope(refresh)) return outOfScope(url, refresh);
        if (seen.size > limits.reading.redirects) return tooManyRedirects(url, limits.reading.redirects);
        at = refresh;
      }
    },
    readListing: (url, options) => politely(url, options, fetchListing),
    async sitemapsOf(url, { respectRobots, signal }) {
      if (!respectRobots) return [];
      const answer = await robots.rulesFor(url, signal);
      if (answer.kind === "failed") return [];
      return answer.sitemaps.flatMap((written) => normaliseUrl(written, url) ?? []);
    },
  };
}

function isFailed(result: { readonly kind: string }): result is FailedRead {
  return result.kind === "failed";
}

function outOfScope(url: string, target: string): SkippedRead {
  return skipped("redirected_out_of_scope", `${url} redirects to ${target}, outside of the site.`, target);
}
