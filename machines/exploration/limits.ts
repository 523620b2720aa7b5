/** Limits of an exploration. In milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const explorationLimits = {
  /** Limits of the pressing phase, in which an interactive exploration presses controls. */
  pressing: {
    /** Default values of a request's options. */
    actions: 300,
    seconds: 300,
    mostActions: 20_000,
    mostSeconds: 24 * 3_600,
    viewport: { width: 1_280, height: 900 },
    /** Maximum number of consecutive presses within a page. A wizard of six steps is walked to its end. */
    depth: 6,
    /** From this number of consecutive presses on, only controls that were never pressed before are tried. */
    wideDepth: 3,
    /** Maximum number of elements considered in one state of a page. */
    candidates: 200,
    /** A control is not pressed any more after it led to different results in this number of states. */
    triesOfControl: 8,
    /** Maximum number of presses among controls of similar appearance, even if each leads to a different state. */
    triesOfGroup: 12,
    /** Two presses lead to the same kind of state when this share of the added content is common to both. */
    sameEffect: 0.62,
    /** Maximum number of pages of one kind, found by presses, whose controls are pressed too. */
    pagesOfKind: 12,
    /** Maximum number of states of one page whose controls are pressed. */
    states: 60,
    /** A state is left after this number of presses that revealed no new state. */
    fruitless: 25,
    /** Maximum wait for a page to settle after a press. Then it is used as it is. */
    settleWithin: 3 * SECOND,
    settleEvery: 60,
    /** Maximum wait for a newly opened page to start loading its data. */
    arrivesWithin: 400,
    /** The pressing phase ends after this number of crashed or lost browsers. */
    lostBrowsers: 3,
    /**
     * The pressing phase ends after this number of consecutive pages that cannot be opened, because the site
     * then refuses the visitor.
     */
    refusedPages: 3,
    /**
     * Maximum number of rounds that alternate between following links and pressing. Presses find pages that
     * have links of their own.
     */
    rounds: 4,
    /**
     * Maximum number of links of one state that become transitions, and of those to one address. A state with
     * more shows a list, whose further rows add nothing to the map.
     */
    links: 100,
    linksToAddress: 2,
    /** Maximum number of texts kept of a state, and maximum length of its name in characters. */
    texts: 60,
    nameLength: 120,
  },
  /** Maximum number of concurrent page reads of one job. The limit of a host may be lower. */
  concurrency: 16,
  /** Maximum number of pages in one commit. */
  batchPages: 25,
  /**
   * Maximum size of the documents in one commit, in bytes. Each document is copied several times while it is
   * stored.
   */
  batchBytes: 1_024 * 1_024,
  /** Maximum number of rows of one kind in one commit. A page may have tens of thousands of links. */
  batchRows: 2_000,
  /** Maximum wait for a full batch. A commit costs as much as reading several pages, whatever its size. */
  batchWait: 500,
  /**
   * Wait for further pages when the queue is empty. It is short, because the next pages can only come from
   * links of the waiting ones.
   */
  dryWait: 20,
  /** No further page is read while this number of read pages is not stored yet. */
  unstoredPages: 32,
  /** No further page is read while the documents of unstored pages have this size, in bytes. */
  unstoredBytes: 2 * 1_024 * 1_024,
  /**
   * Bytes that the garbage collector of a crawl thread counts as live although they use no memory. It then
   * runs less often, which makes a crawl 25 % faster for about 10 MB. Twice the value gains nothing.
   */
  ballast: 24 * 1_024 * 1_024,
  /** Number of known URLs kept in memory, so that most links need no query to the store. */
  knownUrls: 20_000,
  /** A URL fails after this number of failed reads. */
  attempts: 3,
  /**
   * A URL fails after this number of reads if the host was overloaded each time. The number is higher,
   * because the page is not the cause.
   */
  overloadAttempts: 8,
  /**
   * Pause before the second read of a URL. It doubles for each further read up to `maxBackoff`. A server's
   * Retry-After has priority.
   */
  backoff: SECOND,
  maxBackoff: MINUTE,
  /**
   * When this number of pages of one URL template had no new content, further URLs of the template are
   * skipped (exploration/trap-watch.ts).
   */
  pagesWithoutNovelty: 10,
  /**
   * Special pages of wikis and revisions are skipped after this number of pages without new content. Their
   * text never counts as new.
   */
  specialPagesWithoutNovelty: 3,
  /**
   * A page has new content if at least this share of its text, by weight, is new compared with similar URLs.
   */
  noveltyShare: 1 / 4,
  /** Maximum number of characters and lines of a page that are compared. */
  comparedLength: 4_096,
  comparedLines: 100,
  /**
   * Maximum number of URL families that a job remembers (a family has one host and path pattern), and of
   * variants (such as parameter names) and text lines in each. The least recently used are dropped first.
   */
  families: 2_000,
  variants: 100,
  familyLines: 1_500,
  /** Maximum number of traps that a job reports, and of example URLs for each. */
  traps: 50,
  trapExamples: 3,
  /**
   * Maximum numbers of sitemaps and feeds that a job reads, of feeds alone, and of pages taken from all of
   * them.
   */
  listings: 200,
  feeds: 20,
  listedPages: 200_000,
  /** Maximum number of pages that wait until the page at their canonical address has been read. */
  deferredPages: 200,
  /** Maximum number of folders whose answer to an impossible URL is remembered. */
  probedFolders: 100,
  /**
   * Maximum number of patterns in `include` or `exclude` of a request, and maximum length of a pattern in
   * characters.
   */
  patterns: 100,
  patternLength: 500,
  rendering: {
    /** Number of rendered pages of one kind that must agree before the kind is decided. */
    samples: 2,
    /**
     * After this number of consecutive rendered pages without additional content, their kind is read over
     * HTTP again.
     */
    giveUpAfter: 5,
    /**
     * One in this number of suspicious pages is rendered in a browser although its kind is read over HTTP, to
     * check that decision.
     */
    recheckEvery: 20,
    /** Maximum number of page kinds that a job remembers. */
    kinds: 500,
    /**
     * Maximum number of titles of rendered pages that a job remembers, to detect a title that all pages
     * share.
     */
    titles: 500,
  },
  /** Minimum interval of progress events. A change of status is sent immediately. */
  progressEvery: 250,
  /** Minimum interval of messages to the map about pages that wait to be indexed. */
  notifyMapEvery: SECOND,
  /**
   * Interval at which a job that only waits for its map queries it, to detect that the map is out of service.
   */
  pollMapEvery: 15 * SECOND,
} as const;
