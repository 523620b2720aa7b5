/** Limits of an exploration. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const explorationLimits = {
  /** The pressing part of an interactive exploration. */
  pressing: {
    /** Defaults of a request. */
    actions: 300,
    seconds: 300,
    mostActions: 20_000,
    mostSeconds: 24 * 3_600,
    viewport: { width: 1_280, height: 900 },
    /** Presses behind each other within a page. */
    depth: 3,
    /** States of one page whose elements are pressed. */
    states: 60,
    /** Presses without a new state after which a state is left. */
    fruitless: 25,
    /** Texts kept of a state, and characters of its name. */
    texts: 60,
    nameLength: 120,
  },
  /** Concurrent reads of one job. Politeness may allow a host fewer. */
  concurrency: 16,
  /** Pages in one commit. */
  batchPages: 25,
  /** Bytes of their documents in one commit; each is copied several times on its way. */
  batchBytes: 1_024 * 1_024,
  /** Rows of one kind in one commit; links may be tens of thousands. */
  batchRows: 2_000,
  /** Maximum wait for a full batch. A commit costs as much as reading some pages, whatever its size. */
  batchWait: 500,
  /** Shorter wait when the queue is empty: the next pages are links of the waiting ones. */
  dryWait: 20,
  /** Pages read but not stored. Beyond it no read starts. */
  unstoredPages: 32,
  /** Bytes of these pages' documents. Beyond it no read starts. */
  unstoredBytes: 2 * 1_024 * 1_024,
  /**
   * Bytes that the collector of a crawl thread counts as live without using memory
   * (actors/runtime/platform.ts). It makes the crawl 25 % faster for about 10 MB; twice as many gain nothing.
   */
  ballast: 24 * 1_024 * 1_024,
  /** Known URLs in memory, so that most links need no query of the store. */
  knownUrls: 20_000,
  /** Reads of one URL before it fails. */
  attempts: 3,
  /** Reads before it fails when the host was overloaded each time, which is no fault of the page. */
  overloadAttempts: 8,
  /** Pause before the second read. It doubles up to `maxBackoff`; a server's Retry-After wins. */
  backoff: SECOND,
  maxBackoff: MINUTE,
  /** Pages of one template without new content before the rest is skipped (exploration/trap-watch.ts). */
  pagesWithoutNovelty: 10,
  /** The same for special pages of wikis and for revisions, whose text never counts as new. */
  specialPagesWithoutNovelty: 3,
  /** Share of a page's text, by weight, that must be new compared with its family. */
  noveltyShare: 1 / 4,
  /** Characters and lines of a page that are compared. */
  comparedLength: 4_096,
  comparedLines: 100,
  /** URL families that a job remembers, variants and lines of each. The longest unused go first. */
  families: 2_000,
  variants: 100,
  familyLines: 1_500,
  /** Traps that a job reports, and example URLs of each. */
  traps: 50,
  trapExamples: 3,
  /** Sitemaps and feeds that a job reads, feeds among them, and pages taken from all. */
  listings: 200,
  feeds: 20,
  listedPages: 200_000,
  /** Pages that wait until their canonical address has been read. */
  deferredPages: 200,
  /** Folders whose answer to an impossible URL is remembered. */
  probedFolders: 100,
  /** Patterns in one list of a request (`include`, `exclude`), and characters of one. */
  patterns: 100,
  patternLength: 500,
  rendering: {
    /** Rendered pages of a kind that must agree before the kind is decided. */
    samples: 2,
    /** Consecutive rendered pages without gain before a kind is read over HTTP again. */
    giveUpAfter: 5,
    /** One of this many suspicious pages of an HTTP kind is rendered to check the decision. */
    recheckEvery: 20,
    /** Page kinds that a job remembers. */
    kinds: 500,
    /** Titles of rendered pages that a job remembers, to detect titles that all pages share. */
    titles: 500,
  },
  /** Minimum interval of progress events. A status change is sent at once. */
  progressEvery: 250,
  /** Minimum interval of messages to the map about waiting pages. */
  notifyMapEvery: SECOND,
  /** Interval at which a job that only waits for its map asks again, to detect a map out of service. */
  pollMapEvery: 15 * SECOND,
} as const;
