/** Limits of a map. In milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const knowledgeLimits = {
  /**
   * Maximum number of pages that one commit turns into screens. It is low, because the hundreds of edges of
   * each page need much memory in the database.
   */
  mapBatch: 10,
  /** Maximum number of links of all pages in a commit that turns pages into screens. */
  mapLinks: 1_000,
  /**
   * Maximum size in bytes of all pages in a commit that turns pages into screens. A single page may be
   * larger.
   */
  mapBytes: 1_024 * 1_024,
  /** Maximum number of edges of one kind in a commit. A page with more is committed in parts. */
  mapEdges: 2_000,
  /** Maximum number of pages that one commit makes searchable. Each takes about 8 ms of CPU time. */
  indexBatch: 8,
  /** Maximum characters of text in a commit that makes pages searchable. A single page may have more. */
  indexText: 256 * 1_024,
  /**
   * After an exploration starts, its map ingests nothing for this time, so that the exploration has the
   * machine for itself.
   */
  headStart: 2 * SECOND,
  /** Pause after a batch of ingest while an exploration runs, as a multiple of the batch's duration. */
  pauseFactor: 6,
  indexRest: 12,
  /** Minimum pause after a batch of ingest that was not full, so that the next one has more pages. */
  minPause: 2 * SECOND,
  /** Interval at which a paused ingest checks for new pages. */
  pollEvery: SECOND,
  /** An exploration that has sent no message for this time counts as ended. */
  crawlSilence: 10 * MINUTE,
  /** Maximum number of screen names corrected in one commit. */
  nameBatch: 250,
  /**
   * Maximum number of screens, of actions and of transitions in one imported document. A larger map is
   * imported in several.
   */
  importedRows: 20_000,
  /** Maximum number of screens, actions and transitions together in one import command. */
  importPart: 200,
  /** Maximum number of transitions whose recent outcomes are remembered. */
  travelledTransitions: 500,
  /** Two equal outcomes of a transition within this time are two reports of one click. In milliseconds. */
  sameTravel: 3_000,
  /** How long routes avoid a transition that failed, in milliseconds. Then they may use it again. */
  avoidedFor: 30 * 60_000,
  /**
   * Number of consecutive failures after which routes do not use a transition for `droppedFor` milliseconds.
   */
  droppedAfter: 5,
  droppedFor: 24 * 60 * 60_000,
  /** Maximum number of pages (instances) of a screen that are read to collect the screen's texts. */
  screenSamples: 8,
  /** Pause after a failed ingest or deletion. It doubles up to `maxRetryPause`. */
  retryPause: SECOND,
  maxRetryPause: MINUTE,
  /** Maximum number of maps that one worker keeps in memory. The least recently used are dropped first. */
  cachedMaps: 8,
  /** Maximum number of screens and transitions in all cached maps. The last used map is never dropped. */
  cachedSize: 1_000_000,
  /** Maximum number of route steps cached for each map. A step takes about 500 bytes. */
  recentSteps: 4_096,
  /**
   * A map with at least this many screens and transitions stores an outline, from which it loads fast after a
   * start.
   */
  outlineFrom: 5_000,
  /** Maximum number of screens in one part of an outline. */
  outlinePart: 1_000,
  /** Default number of entries in one answer of a site map. */
  sitemapEntries: 1_000,
  /** Maximum number of entries in one answer of a site map. */
  mostSitemapEntries: 10_000,
  /**
   * Maximum number of actions that a functional site map reads. A map with more actions mostly repeats those
   * that were read.
   */
  sitemapActions: 200_000,
  /** Maximum number of headings returned for each screen of a semantic site map. */
  sitemapTopics: 5,
  /** Maximum number of example pages (instances) of a screen in one answer. */
  listedExamples: 5,
  /** Maximum number of screens in one answer, each with its signature and actions. */
  listedScreens: 100,
  /** Maximum number of actions in the answer about a recognised screen. `get_actions` returns all of them. */
  actionsOfRecognised: 50,
  /**
   * Maximum number of screens whose signatures are read in one recognition. When more screens share an
   * address (a crowd), an index of their texts selects `crowdCandidates` of them.
   */
  candidates: 200,
  /** Reading a signature takes about 0.1 ms, and the index already ranks the screens by their score. */
  crowdCandidates: 5,
  /** Maximum number of signatures that are read at once for the index of a crowd. */
  crowdBatch: 1_000,
} as const;
