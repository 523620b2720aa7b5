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
    /** Presses behind each other within a page: a wizard of six steps is walked to its end. */
    depth: 6,
    /** Presses behind each other beyond which only controls that were never pressed are tried. */
    wideDepth: 3,
    /** Elements of one state that are considered. */
    candidates: 200,
    /** Presses of one control in different states that led to different ones; it is tried no more beyond it. */
    triesOfControl: 8,
    /** Presses among look-alikes, however different the states are that they lead to. */
    triesOfGroup: 12,
    /** Share of what a press adds, in common with what another adds, that makes the two lead to one kind of state. */
    sameEffect: 0.62,
    /** Addresses of one kind that a press found and whose pages are pressed, too. */
    pagesOfKind: 12,
    /** States of one page whose elements are pressed. */
    states: 60,
    /** Presses without a new state after which a state is left. */
    fruitless: 25,
    /** How long a page may change and send requests after a press before it is taken as it is. */
    settleWithin: 3 * SECOND,
    settleEvery: 60,
    /** How long a page that was opened may be still before it loads its data. */
    arrivesWithin: 400,
    /** Browsers that crash or are lost before the presses end. */
    lostBrowsers: 3,
    /** Pages in a row that cannot be opened before the presses end: the site refuses the visitor. */
    refusedPages: 3,
    /** Rounds of links and presses: presses find addresses whose pages have links of their own. */
    rounds: 4,
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
