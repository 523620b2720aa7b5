/** Limits of an exploration. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const explorationLimits = {
  /** Pages of one job under way at once; the reader's politeness may allow a host fewer. */
  concurrency: 16,
  /** Pages that one commit stores … */
  batchPages: 25,
  /** … and bytes of their documents, so that long ones do not swell it: each is copied several times on its way … */
  batchBytes: 1_024 * 1_024,
  /** … and rows of one kind: what they lead to may be tens of thousands … */
  batchRows: 2_000,
  /** … or as many as came in this time: a commit costs as much as reading some pages, however few are in it … */
  batchWait: 500,
  /** … which is shorter when nothing is queued: what comes next are the links of the pages that wait. */
  dryWait: 20,
  /** Pages read but not stored yet; over it no new read starts. */
  unstoredPages: 32,
  /** … as over so many bytes of their documents. */
  unstoredBytes: 2 * 1_024 * 1_024,
  /**
   * Bytes that the collector of a crawl's thread takes for alive and that take no room (actors/runtime/platform.ts): it
   * is faster by a quarter with them, and needs some 10 MB more; with twice as many it is no faster.
   */
  ballast: 24 * 1_024 * 1_024,
  /** Known URLs an exploration keeps at hand, so that most links need no look into the store. */
  knownUrls: 20_000,
  /** Reads of one URL before it counts as failed. */
  attempts: 3,
  /** The same where the host said each time that it has too much to do: that is no fault of the page. */
  overloadAttempts: 8,
  /** Pause before the second read; doubles, up to `maxBackoff`. A server's Retry-After wins. */
  backoff: SECOND,
  maxBackoff: MINUTE,
  /** Pages of one template that may bring nothing before the rest of it is left (exploration/trap-watch.ts). */
  barrenPages: 10,
  /** The same for what wikis do with a page, and for revisions, whose text is never news. */
  barrenSpecialPages: 3,
  /** A page is fresh when so much of its text, by weight, is new to its relatives. */
  newsShare: 1 / 4,
  /** Characters and lines of a page that are compared with its relatives'. */
  comparedLength: 4_096,
  comparedLines: 100,
  /** Families of URLs that a job remembers, variants and lines of each; the longest unused go first. */
  families: 2_000,
  variants: 100,
  familyLines: 1_500,
  /** Traps that a job reports, and URLs it names of each. */
  traps: 50,
  trapExamples: 3,
  /** Sitemaps and feeds of one job that are read, feeds of them, and pages that are taken from all. */
  listings: 200,
  feeds: 20,
  listedPages: 200_000,
  /** Pages kept waiting until the canonical address they name has been read. */
  deferredPages: 200,
  /** Folders whose answer to a URL that cannot exist is remembered. */
  probedFolders: 100,
  /** Patterns of one list of a request (`include`, `exclude`), and characters of one. */
  patterns: 100,
  patternLength: 500,
  rendering: {
    /** Rendered pages of a kind that have to agree before the kind is decided. */
    samples: 2,
    /** Rendered pages in a row that brought nothing before a rendered kind is read over HTTP. */
    giveUpAfter: 5,
    /** Of the pages of an HTTP kind that show signs of scripts, every so many-th is rendered to look again. */
    recheckEvery: 20,
    /** Kinds of pages that a job remembers. */
    kinds: 500,
    /** Titles of rendered pages that a job remembers, to tell the ones that all of an application has. */
    titles: 500,
  },
  /** How often watchers are told of progress, at most; a change of the job's status is told at once. */
  progressEvery: 250,
  /** How often the map is told, at most, that pages wait for it. */
  tellMapEvery: SECOND,
  /** How often a job that only waits for its map reminds it, and so hears whether it is still in service. */
  askMapAgain: 15 * SECOND,
} as const;
