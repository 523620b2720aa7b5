/**
 * Numbers of explorations, their results, and the maps that are made of them.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise. Neighbour: `../limits.ts` joins them.
 */
import { MINUTE, SECOND } from "./units.ts";

export const exploring = {
  exploration: {
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
  },
  results: {
    /** Pages read at once while all results of a job are streamed … */
    pageSlice: 50,
    /** … and pages whose links are read at once. */
    linkSlice: 100,
  },
  knowledge: {
    /** Pages that one commit turns into screens: few, because their hundreds of edges swell in the database's memory. */
    mapBatch: 10,
    /** … or as many as lead to this many others together … */
    mapLinks: 1_000,
    /** … and this many bytes: a page is read whole, with all of its links. One page may have more of both. */
    mapBytes: 1_024 * 1_024,
    /** Edges of one kind in a commit; those of a page that leads to more are committed in parts. */
    mapEdges: 2_000,
    /** Pages that one commit makes searchable (about 8 ms of CPU each) … */
    indexBatch: 8,
    /** … or as many as have this much text together, in characters. One page may be longer. */
    indexText: 256 * 1_024,
    /** An exploration that begins has the machine for itself for so long, unless it ends before. */
    headStart: 2 * SECOND,
    /** While an exploration adds pages, how long each kind of batch is followed by rest, in times it took. */
    mapRest: 6,
    indexRest: 12,
    /** At least so long after a batch that was not full: where pages come slowly, the next shall have more of them. */
    leastRest: 2 * SECOND,
    /** How often a resting intake looks whether more pages wait. */
    look: SECOND,
    /** An exploration that was not heard of for this long is not taken to be crawling any more. */
    crawlSilence: 10 * MINUTE,
    /** Names corrected in one commit. */
    nameBatch: 250,
    /** Pause after a failed intake or deletion; doubles, up to `maxRetryPause`. */
    retryPause: SECOND,
    maxRetryPause: MINUTE,
    /** Maps one worker keeps ready for queries; the longest unused go first … */
    cachedMaps: 8,
    /** … also while they have more screens and transitions together than this; the last one asked always stays. */
    cachedPlaces: 1_000_000,
    /** Steps of ways kept with each map in memory, some 500 bytes each. */
    recentSteps: 4_096,
    /** From so many screens and transitions on a map keeps an outline of itself for its next start … */
    outlineFrom: 5_000,
    /** … whose parts hold so many screens each. */
    outlinePart: 1_000,
    /** Sections, screens or functions of one answer of a site map, when the caller names no number … */
    sitemapEntries: 1_000,
    /** … and at most. */
    mostSitemapEntries: 10_000,
    /** Actions that a functional site map looks at; a map with more is full of the same ones. */
    sitemapActions: 200_000,
    /** Headings told of each screen of a semantic site map. */
    sitemapTopics: 5,
    /** Screens that a sight is scored against. */
    candidates: 200,
  },
} as const;
