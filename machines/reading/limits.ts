/** Limits of reading pages over HTTP. Milliseconds and bytes unless a name says otherwise. */
import { DAY, MINUTE, SECOND } from "../units.ts";

export const readingLimits = {
  /** Attribute by which a browser marks elements that style sheets hide. */
  hiddenMark: "data-cairn-hidden",
  /** Characters of a URL. Longer ones are not followed: only crawler traps produce them. */
  urlLength: 2_048,
  /** Redirects followed from one URL. */
  redirects: 10,
  /** Decompressed size of a body. */
  pageBytes: 10 * 1_024 * 1_024,
  /** Parsing of long documents in a separate thread, from `from` characters. */
  parseThread: {
    from: 512 * 1_024,
    /** Deadline for one document. */
    patience: 30 * SECOND,
    /** Idle time after which the thread ends. */
    idle: 5 * SECOND,
    /** How long other documents wait for the end of a long one. */
    alone: 500,
  },
  /** Characters of a page's content that are stored. */
  contentLength: 1_024 * 1_024,
  /** Limits of a page's structured data (JSON-LD, microdata, cards). */
  structured: {
    /** Characters of scripts that are parsed. */
    source: 256 * 1_024,
    /** Characters that are stored, names and values together. */
    length: 16 * 1_024,
    /** Characters of one value, and of one name. */
    text: 1_000,
    name: 100,
    /** Entries of one list, one record or one kind of card. */
    entries: 50,
    /** Levels of one value. */
    depth: 8,
    /** Properties of microdata. */
    properties: 500,
  },
  /** Images with a description, and tables, listed for one page. */
  images: 50,
  tables: 50,
  /** Deadline from a request to the headers of its answer, for each redirect hop. */
  answerWithin: 15 * SECOND,
  /** Deadline from the first request to the last byte of the body, including redirects. */
  pageWithin: 60 * SECOND,
  /** Maximum concurrent requests at one host, of all workers together. */
  perHost: 16,
  /** Maximum crawl-delay; a larger one in robots.txt is probably an error. */
  crawlDelay: MINUTE,
  /** Maximum Retry-After; beyond it the job's own backoff applies. */
  retryAfter: 10 * MINUTE,
  /** First pause of an overloaded host without a Retry-After. It doubles up to `maxOverloadPause`. */
  overloadPause: SECOND,
  maxOverloadPause: MINUTE,
  /** Unpacked bytes of a sitemap or feed, and pages taken from one: the limits of sitemaps.org. */
  listingBytes: 50 * 1_024 * 1_024,
  listedPages: 50_000,
  /** Bytes of a robots.txt that are read: the minimum of RFC 9309. */
  robotsBytes: 500 * 1_024,
  robotsRedirects: 5,
  /** How long a robots.txt is cached. */
  robotsCachedFor: DAY,
  /** How long a failure to read robots.txt is cached. */
  robotsRetryAfter: 5 * SECOND,
  /** Cached origins with robots.txt and hosts with a queue. The least recently used are dropped first. */
  hosts: 1_000,
} as const;
