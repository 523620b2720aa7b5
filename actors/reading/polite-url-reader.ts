/**
 * Reads URLs at a polite rate: it checks robots.txt, waits for the permission to send a request to the host,
 * fetches the document and parses it. A redirect is checked against scope and robots.txt before it is
 * followed.
 */

import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { normaliseUrl, urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import { isAllowed, type RobotsRules } from "../../machines/exploration/crawl/robots-txt.ts";
import { readingLimits } from "../../machines/reading/page-reading-limits.ts";
import { type Clock, systemClock } from "./clock-of-page-reader.ts";
import type { PageSource, ReadPage } from "./content/extract-page-from-html.ts";
import { type FetchedBytes, fetchBytes } from "./fetch/fetch-document-bytes.ts";
import { type FetchOptions, fetchPage, type Unfollowed } from "./fetch/fetch-page.ts";
import { type FetchedListing, fetchListing } from "./fetch/fetch-sitemap-or-feed.ts";
import { type AskHost, Politeness } from "./fetch/host-request-rate.ts";
import { RobotsCache } from "./fetch/robots-cache.ts";
import type { TurnResult } from "./fetch/shared-code-of-host-request-queues.ts";
import { ParseWorker } from "./parse/page-parse-worker.ts";
import { InlineParser } from "./parse/same-thread-page-parser.ts";
import {
  type Elsewhere,
  type FailedRead,
  isOverload,
  redirectLoop,
  type SkippedRead,
  skipped,
  tooManyRedirects,
} from "./url-read-failures.ts";

/** A fetched and parsed page. */
export interface FetchedPage extends ReadPage {
  /** The requested URL. */
  readonly url: string;
  /** The page's URL after redirects, in normalised form. */
  readonly finalUrl: string;
  readonly status: number;
  /** The content type without parameters, such as `text/html`. */
  readonly mediaType: string;
  /** Size of the body in bytes after decompression. */
  readonly bytes: number;
}

export type ReadOutcome = { readonly kind: "page"; readonly page: FetchedPage } | SkippedRead | FailedRead;

/** The responses that a job has received and stored. */
export interface ReceivedResponses {
  /**
   * Returns the stored result of the request with this key. If none is stored, sends the request, and stores
   * its result before returning it.
   */
  once<Result>(key: string, request: () => Promise<Result>): Promise<Result>;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  /**
   * Decides whether a redirect may be followed, by its normalised target. The requested URL itself is not
   * checked, because the caller has chosen it.
   */
  readonly inScope: (url: string) => boolean;
  /** Whether to obey robots.txt. If not, robots.txt and its crawl-delay are not fetched. */
  readonly respectRobots: boolean;
  /** Whether to read the posts and the rows of lists on the page too. */
  readonly blocks?: boolean;
  /** Stores each response before it is parsed, so that a repeated read does not request it again. */
  readonly received?: ReceivedResponses;
}

export interface ReaderOptions {
  /** The `User-Agent` header. It starts with the name by which robots.txt files address this crawler. */
  readonly userAgent: string;
  /** The destinations that the egress policy allows. It resolves host names to addresses. */
  readonly destinations: Destinations;
  readonly clock?: Clock;
  /**
   * The name under which this worker requests leases (permissions for concurrent requests) by `askHost`.
   * Without a name or without `askHost`, the reader limits only its own requests.
   */
  readonly member?: string;
  readonly askHost?: AskHost;
  /**
   * Maximum number of concurrent requests to one host. It is used only without `askHost`. With `askHost`, a
   * manager limits the requests of all workers.
   */
  readonly perHost?: number;
}

/**
 * Reads URLs, which must be normalised. A method rejects only when its signal aborts, with the signal's
 * reason. Other failures are part of the result.
 */
export interface Reader {
  read(url: string, options: ReadOptions): Promise<ReadOutcome>;
  /**
   * Loads a URL by `visit` instead of HTTP, for example in a browser. Like a request, `visit` waits for the
   * permission of the host's queue, and is not called when robots.txt disallows the URL.
   */
  visitPolitely<Visited extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    visit: () => Promise<Visited>,
  ): Promise<Visited | SkippedRead | FailedRead>;
  /** Parses a document that the caller has fetched. It fails only with `reading.too_complex`. */
  readDocument(source: Omit<PageSource, "now" | "robot">): Promise<ReadPage | FailedRead>;
  /** Fetches a sitemap or a feed. */
  readListing(url: string, options: ReadOptions): Promise<FetchedListing | SkippedRead | FailedRead>;
  /** Fetches a document of any type, up to `documentLimits.bytes`. */
  readBytes(url: string, options: ReadOptions): Promise<FetchedBytes | SkippedRead | FailedRead>;
  /**
   * Returns the crawl-delay in the robots.txt of the URL's origin, in milliseconds. It is at most
   * `readingLimits.crawlDelay`.
   */
  crawlDelayOf(url: string, options: ReadOptions): Promise<number>;
  /**
   * Returns the sitemaps that the robots.txt of the URL's origin names. The list is empty when robots.txt is
   * not obeyed.
   */
  sitemapsOf(url: string, options: ReadOptions): Promise<readonly string[]>;
  /** Ends the thread that parses long documents. */
  close(): void;
}

/** Creates a reader with caches of its own. A node shares one reader among its explorations. */
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

  /**
   * Checks the robots.txt of the URL's host. Returns the crawl-delay in milliseconds, or the reason why the
   * URL must not be fetched.
   */
  async function permit(
    url: string,
    { respectRobots, signal }: ReadOptions,
  ): Promise<SkippedRead | FailedRead | { readonly kind: "granted"; readonly crawlDelay: number }> {
    if (!respectRobots) return { kind: "granted", crawlDelay: 0 };
    const answer = await robots.rulesFor(url, signal);
    if (answer.kind === "failed") return answer;
    if (!isAllowed(answer.rules, url)) {
      const { host } = new URL(url);
      return skipped(
        "robots",
        `The robots.txt of ${host} does not allow ${url}. With respect_robots: false it is read.`,
      );
    }
    return { kind: "granted", crawlDelay: cappedDelay(answer.rules) };
  }

  /** Waits for the permission to send a request to the host of a URL, and then fetches the URL. */
  async function fetchAtHost<Result extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    take: (url: string, options: FetchOptions) => Promise<Result | Unfollowed>,
    answered: AnsweredResult,
  ): Promise<Result | Unfollowed> {
    const { signal, inScope } = options;
    const permission = await permit(url, options);
    if (permission.kind !== "granted") return permission;
    const { host } = new URL(url);
    const turn = await politeness.enter(host, permission.crawlDelay, signal);
    let ending: TurnResult = "stopped";
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
          await turn.waitForNext(signal);
          return undefined;
        },
      });
      ending = turnResultOf(result, answered);
      return result;
    } finally {
      turn.leave(ending);
    }
  }

  /**
   * Fetches a URL. When a redirect leads to another host, it waits for the permission to send a request to
   * that host and continues there.
   */
  async function fetchPolitely<Result extends { readonly kind: string }>(
    url: string,
    options: ReadOptions,
    take: (url: string, options: FetchOptions) => Promise<Result | Unfollowed>,
    answered: AnsweredResult = "good",
  ): Promise<Result | SkippedRead | FailedRead> {
    const seen = new Set<string>();
    let at = url;
    for (;;) {
      seen.add(at);
      const result = await fetchAtHost(at, options, take, answered);
      if (!isElsewhere(result)) return result;
      if (seen.has(result.url)) return redirectLoop(url);
      if (seen.size > readingLimits.redirects) return tooManyRedirects(url, readingLimits.redirects);
      at = result.url;
    }
  }

  const inlineParser = new InlineParser();
  const parseWorker = new ParseWorker();
  const readDocument: Reader["readDocument"] = async (given) => {
    const source: PageSource = { ...given, now: clock.now(), robot: robots.productToken };
    const length = typeof source.html === "string" ? source.html.length : source.html.bytes.byteLength;
    if (length > readingLimits.parseThread.from) return await parseWorker.read(source);
    await parseWorker.whenIdle();
    return await inlineParser.read(source);
  };

  return {
    async read(url, options) {
      const seen = new Set<string>();
      let at = url;
      for (;;) {
        const result = await receivedOnce(`get ${at}`, options, () => fetchPolitely(at, options, fetchPage));
        if (result.kind !== "document") return result;
        const { text, url: finalUrl, mediaType, status, bytes, language, relations: headers } = result;
        const page = await readDocument({
          url: finalUrl,
          html: text,
          mediaType,
          language,
          headers,
          blocks: options.blocks,
        });
        options.signal.throwIfAborted();
        if ("kind" in page) return page;
        seen.add(urlKey(at)).add(urlKey(finalUrl));
        const { refresh } = page.relations;
        if (refresh === undefined || seen.has(urlKey(refresh))) {
          return { kind: "page", page: { ...page, url, finalUrl, status, mediaType, bytes } };
        }
        // The page contains an immediate refresh (`<meta http-equiv="refresh">`), which is followed like a
        // redirect.
        if (!options.inScope(refresh)) return outOfScope(url, refresh);
        if (seen.size > readingLimits.redirects) return tooManyRedirects(url, readingLimits.redirects);
        at = refresh;
      }
    },
    visitPolitely: (url, options, visit) =>
      receivedOnce(`visit ${url}`, options, () => fetchPolitely(url, options, visit, "untimed")),
    readDocument,
    close: () => parseWorker.close(),
    readBytes: (url, options) => fetchPolitely(url, options, fetchBytes),
    readListing: (url, options) => fetchPolitely(url, options, fetchListing),
    async crawlDelayOf(url, options) {
      if (!options.respectRobots) return 0;
      const answer = await robots.rulesFor(url, options.signal);
      return answer.kind === "failed" ? 0 : cappedDelay(answer.rules);
    },
    async sitemapsOf(url, { respectRobots, signal }) {
      if (!respectRobots) return [];
      const answer = await robots.rulesFor(url, signal);
      if (answer.kind === "failed") return [];
      return answer.sitemaps.flatMap((written) => normaliseUrl(written, url) ?? []);
    },
  };
}

function receivedOnce<Result>(
  key: string,
  { received }: ReadOptions,
  request: () => Promise<Result>,
): Promise<Result> {
  return received ? received.once(key, request) : request();
}

function cappedDelay({ crawlDelay = 0 }: RobotsRules): number {
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

/**
 * Whether the time of an answered request is used to adapt the number of concurrent requests to the host.
 * `good`: it is used. `untimed`: it is not used, because a browser visited the page.
 */
type AnsweredResult = Extract<TurnResult, "good" | "untimed">;

const CONNECTION_LOST: ReadonlySet<string> = new Set(["reading.timeout", "reading.reset", "reading.refused"]);

/**
 * Returns how a request to a host has ended, for the report to the actor `host/<host>`. A response with an
 * HTTP error status counts as an answer, and not as a failure.
 */
function turnResultOf(result: { readonly kind: string }, answered: AnsweredResult): TurnResult {
  if (!isFailed(result)) return answered;
  if (isOverload(result)) return { retryAfter: result.retryAfter };
  return result.status === undefined && CONNECTION_LOST.has(result.code) ? "failed" : answered;
}

export function outOfScope(url: string, target: string): SkippedRead {
  return skipped("redirected_out_of_scope", `${url} redirects to ${target}, outside of the site.`, target);
}
