/** Limits of reading pages over HTTP. In milliseconds and bytes unless a name says otherwise. */
import { DAY, MINUTE, SECOND } from "../units.ts";

export const readingLimits = {
  /** Attribute by which a browser marks elements that style sheets hide. */
  hiddenMark: "data-cairn-hidden",
  /**
   * Maximum length of a URL in characters. A longer URL is not followed, because only crawler traps produce
   * them.
   */
  urlLength: 2_048,
  /** Maximum number of redirects followed from one URL. */
  redirects: 10,
  /** Maximum size of a response body after decompression. */
  pageBytes: 10 * 1_024 * 1_024,
  /** A document with at least `from` characters is parsed in a separate thread. */
  parseThread: {
    from: 512 * 1_024,
    /** Time limit for parsing one document. */
    patience: 30 * SECOND,
    /** The parse thread ends after it was idle for this time. */
    idle: 5 * SECOND,
    /** How long other documents wait for the parsing of a long one. */
    alone: 500,
  },
  /** Maximum length of a page's stored content in characters. */
  contentLength: 1_024 * 1_024,
  /** Limits of a page's structured data (JSON-LD, microdata, cards). */
  structured: {
    /** Maximum length of the scripts that are parsed, in characters. */
    source: 256 * 1_024,
    /** Maximum length of the stored data in characters, names and values together. */
    length: 16 * 1_024,
    /** Maximum length of one value or one name in characters. */
    text: 1_000,
    name: 100,
    /** Maximum number of entries in one list, one record or one kind of card. */
    entries: 50,
    /** Maximum levels of nesting in one value. */
    depth: 8,
    /** Maximum number of microdata properties. */
    properties: 500,
  },
  /** Maximum numbers of described images and of tables listed for one page. */
  images: 50,
  tables: 50,
  /** Deadline from a request to the headers of its answer, for each redirect hop. */
  answerWithin: 15 * SECOND,
  /** Deadline from the first request to the last byte of the body, including redirects. */
  pageWithin: 60 * SECOND,
  /** Maximum number of concurrent requests to one host, from all workers together. */
  perHost: 16,
  /** Maximum crawl-delay. A larger one in robots.txt is probably an error. */
  crawlDelay: MINUTE,
  /** Maximum Retry-After that is obeyed. For a longer one, the job uses its own backoff. */
  retryAfter: 10 * MINUTE,
  /** First pause of an overloaded host that sends no Retry-After. It doubles up to `maxOverloadPause`. */
  overloadPause: SECOND,
  maxOverloadPause: MINUTE,
  /**
   * Maximum decompressed size of a sitemap or feed in bytes, and maximum number of pages taken from it. Both
   * are limits of sitemaps.org.
   */
  listingBytes: 50 * 1_024 * 1_024,
  listedPages: 50_000,
  /** Number of bytes of a robots.txt that are read. It is the minimum of RFC 9309. */
  robotsBytes: 500 * 1_024,
  robotsRedirects: 5,
  /** How long a robots.txt is cached. */
  robotsCachedFor: DAY,
  /** How long a failure to read robots.txt is cached. */
  robotsRetryAfter: 5 * SECOND,
  /**
   * Maximum number of cached origins with a robots.txt, and of hosts with a queue. The least recently used
   * are dropped first.
   */
  hosts: 1_000,
} as const;
