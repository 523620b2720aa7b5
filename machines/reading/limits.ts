/** Limits of reading pages over HTTP. Milliseconds and bytes unless a name says otherwise. */
import { DAY, MINUTE, SECOND } from "../units.ts";

export const readingLimits = {
  /** Longer URLs, in characters, are not followed: no real page needs them, and crawler traps grow them. */
  urlLength: 2_048,
  /** Redirects followed from one URL. */
  redirects: 10,
  /** Of a body after decompression; a longer one is no page that a person reads. */
  pageBytes: 10 * 1_024 * 1_024,
  /** Documents of more characters than this are read in a thread of their own … */
  apart: {
    from: 512 * 1_024,
    /** … each in this time at the most, */
    patience: 30 * SECOND,
    /** … which ends when none came for so long. */
    idle: 5 * SECOND,
    /** Milliseconds for which others that came meanwhile wait for its end. */
    alone: 500,
  },
  /** Characters of a page's content that are kept. */
  contentLength: 1_024 * 1_024,
  /** What a page tells machines about itself (JSON-LD, microdata, cards), of each page … */
  structured: {
    /** … characters of scripts that are parsed at all, */
    source: 256 * 1_024,
    /** characters that are kept, names and values together, */
    length: 16 * 1_024,
    /** characters of one value and of one name, */
    text: 1_000,
    name: 100,
    /** entries of one list, one record or one kind of card, */
    entries: 50,
    /** levels of one value, */
    depth: 8,
    /** and properties of microdata. */
    properties: 500,
  },
  /** Images with a description, and tables, that are listed of one page. */
  images: 50,
  tables: 50,
  /** From the request to the headers of the answer, for each hop. */
  answerWithin: 15 * SECOND,
  /** From the first request to the last byte of the body, redirects included. */
  pageWithin: 60 * SECOND,
  /** Requests under way at one host, of all workers together and at the most; see `host`. */
  perHost: 16,
  /** A longer crawl-delay in a robots.txt is cut to this, so that a typing error does not stop a job for days. */
  crawlDelay: MINUTE,
  /** A longer Retry-After is cut to this; the job's own backoff takes over from there. */
  retryAfter: 10 * MINUTE,
  /** First pause of a host that is overloaded and does not say for how long; doubles, up to `longestPause`. */
  firstPause: SECOND,
  longestPause: MINUTE,
  /** Bytes of a sitemap or feed, unpacked, and pages that are taken from one: what sitemaps.org allows. */
  listingBytes: 50 * 1_024 * 1_024,
  listedPages: 50_000,
  /** Bytes of a robots.txt that are read, as RFC 9309 asks at the least. */
  robotsBytes: 500 * 1_024,
  robotsRedirects: 5,
  /** How long a robots.txt is believed … */
  robotsFor: DAY,
  /** … and how long that it could not be had, before it is asked for again. */
  robotsRetry: 5 * SECOND,
  /** Origins whose robots.txt, and hosts whose queue, are remembered; the longest unused go first. */
  hosts: 1_000,
} as const;
