/** Limits of reading pages over HTTP. Values are in milliseconds or bytes unless a name says otherwise. */
import { DAY, MINUTE, SECOND } from "../time-and-size-units.ts";

export const readingLimits = {
  /** The attribute by which Cairn marks elements in a rendered document that style sheets hide. */
  hiddenMark: "data-cairn-hidden",
  /**
   * The attribute by which Cairn marks fields in a rendered document that have a value. Scripts often set the value
   * of a field without its attribute `value`.
   */
  filledMark: "data-cairn-filled",
  /**
   * Maximum length of a URL in characters. A longer URL is not followed, because URLs of such a length come
   * only from crawler traps.
   */
  urlLength: 2_048,
  /** Maximum number of redirects followed from one URL. */
  redirects: 10,
  /** Maximum size of a response body after decompression. */
  pageBytes: 10 * 1_024 * 1_024,
  /**
   * The thread that parses long documents. `from`: minimum length of such a document in characters. Shorter documents
   * are parsed in the worker's own thread.
   */
  parseThread: {
    from: 512 * 1_024,
    /** Time limit for parsing one document. */
    patience: 30 * SECOND,
    /** The parse thread ends after this time without documents. */
    idle: 5 * SECOND,
    /**
     * While the parse thread parses a long document, shorter documents wait at most this time. Parsing both
     * at once would need too much memory.
     */
    alone: 500,
    /**
     * Before a document of at least this size in bytes is parsed, the requesting thread collects garbage.
     * Parsing needs about 24 bytes of memory for each byte of a document, so the largest documents determine
     * the peak. A collection takes 30 ms of CPU time and lowers the peak by 5 MB.
     */
    collectFrom: 2 * 1_024 * 1_024,
  },
  /** Maximum length of a page's stored content in characters. */
  contentLength: 1_024 * 1_024,
  /** Limits of a page's structured data (JSON-LD, microdata, cards). */
  structured: {
    /** Maximum total length of a page's scripts that are parsed for data, in characters. */
    source: 256 * 1_024,
    /** Maximum length of a page's stored data in characters, including names and values. */
    length: 16 * 1_024,
    /** Maximum length of one value or one name in a page's structured data, in characters. */
    text: 1_000,
    name: 100,
    /**
     * Maximum number of entries in one part of a page's structured data: a list, a record or all cards of one
     * kind.
     */
    entries: 50,
    /** Maximum levels of nesting in one value of a page's structured data. */
    depth: 8,
    /** Maximum number of microdata properties of one page. */
    properties: 500,
  },
  /** Maximum number of images that are listed for one page. Only images with an alternative text are listed. */
  images: 50,
  /** Maximum number of tables that are listed for one page. */
  tables: 50,
  /** Time limit from a request to the headers of its answer. It starts again for each redirect. */
  answerWithin: 15 * SECOND,
  /** Time limit from the first request to the last byte of the body, including all redirects. */
  pageWithin: 60 * SECOND,
  /** Maximum number of concurrent requests to one host, from all workers together. */
  perHost: 16,
  /** Maximum crawl-delay that is obeyed. A larger value in robots.txt is probably an error. */
  crawlDelay: MINUTE,
  /** Maximum Retry-After that is obeyed. A larger value is shortened to this time. */
  retryAfter: 10 * MINUTE,
  /** First pause for an overloaded host that sends no Retry-After. It doubles up to `maxOverloadPause`. */
  overloadPause: SECOND,
  maxOverloadPause: MINUTE,
  /** Maximum decompressed size of a sitemap or feed in bytes. It is the limit of sitemaps.org. */
  listingBytes: 50 * 1_024 * 1_024,
  /** Maximum number of pages that are taken from one sitemap or feed. It is the limit of sitemaps.org. */
  listedPages: 50_000,
  /** Maximum number of bytes of a robots.txt that are read. RFC 9309 demands at least this number. */
  robotsBytes: 500 * 1_024,
  robotsRedirects: 5,
  /** Time for which a robots.txt is cached. */
  robotsCachedFor: DAY,
  /** How long a failure to read a robots.txt is remembered. */
  robotsRetryAfter: 5 * SECOND,
  /**
   * Maximum number of origins whose robots.txt is cached, and of hosts whose request queue is kept. Beyond
   * it, the least recently used are dropped.
   */
  hosts: 1_000,
} as const;
