/** Limits of a map. Values are in milliseconds or bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../time-and-size-units.ts";

export const knowledgeLimits = {
  /**
   * Maximum number of pages that one commit turns into screens. A page has hundreds of edges (such as links),
   * and the database needs much memory for their rows.
   */
  mapBatch: 10,
  /** Maximum number of links, over all pages, in one commit that turns pages into screens. */
  mapLinks: 1_000,
  /**
   * Maximum total size in bytes of the pages in one commit that turns pages into screens. A commit with a
   * single page may be larger.
   */
  mapBytes: 1_024 * 1_024,
  /**
   * Maximum number of edges of one kind (such as links between pages) in a commit. A page with more edges is
   * committed in parts.
   */
  mapEdges: 2_000,
  /**
   * Maximum number of pages that one commit makes searchable. Indexing a page takes about 8 ms of CPU time.
   */
  indexBatch: 8,
  /**
   * Maximum number of characters of text in a commit that makes pages searchable. A commit of one page may
   * have more.
   */
  indexText: 256 * 1_024,
  /**
   * During this time after the start of an exploration, its map ingests no pages (adds none to itself). The
   * exploration can then use the whole machine.
   */
  headStart: 2 * SECOND,
  /**
   * While an exploration runs, its map pauses after each batch that adds pages to the map. The length of the
   * pause is this multiple of the batch's duration.
   */
  mapPauseFactor: 6,
  /**
   * While an exploration runs, its map pauses after each batch that makes pages searchable. The length of the
   * pause is this multiple of the batch's duration.
   */
  indexPauseFactor: 12,
  /** Minimum pause after a batch that was not full. During the pause, more pages arrive for the next batch. */
  minPause: 2 * SECOND,
  /**
   * Interval at which a paused ingest (adding pages to the map) checks whether new pages have arrived, and whether it
   * may continue.
   */
  pollEvery: SECOND,
  /** An exploration counts as ended when the map has received no message from it for this time. */
  crawlSilence: 10 * MINUTE,
  /** Maximum number of screens in one commit that corrects their names, groups or recognition texts. */
  nameBatch: 250,
  /**
   * Maximum number of screens in one imported document. The same maximum applies to its actions and to its
   * transitions. A larger map is split into several documents.
   */
  importedRows: 100_000,
  /** Maximum number of screens, actions and transitions together in one import command. */
  importPart: 200,
  /**
   * Maximum number of transitions of a map whose recent successes and failures are remembered. Routes avoid
   * transitions that failed recently.
   */
  travelledTransitions: 500,
  /**
   * Minimum time in milliseconds between two equal reports about a transition. A second report within this
   * time is ignored, because it is about the same click.
   */
  sameTravel: 3_000,
  /** Routes avoid a transition for this time after it has failed, in milliseconds. */
  avoidedFor: 30 * 60_000,
  /**
   * Number of failures of a transition in a row after which routes leave it out for `droppedFor`
   * milliseconds.
   */
  droppedAfter: 5,
  droppedFor: 24 * 60 * 60_000,
  /** Maximum number of pages (instances) of a screen that are read to collect the screen's texts. */
  screenSamples: 8,
  /**
   * Pause before a failed ingest (adding pages to a map) or a failed deletion of a map is retried. It doubles up to
   * `maxRetryPause`.
   */
  retryPause: SECOND,
  maxRetryPause: MINUTE,
  /** Maximum number of maps that one worker keeps in memory. The least recently used are dropped first. */
  cachedMaps: 8,
  /**
   * Maximum number of screens and transitions in all cached maps together. The most recently used map always
   * stays cached.
   */
  cachedSize: 1_000_000,
  /** Maximum number of route steps that are cached for each map. A step takes about 500 bytes of memory. */
  recentSteps: 4_096,
  /**
   * A map with at least this number of screens and transitions is stored with an outline (a compact copy).
   * After a start, a worker loads a large map from its outline, because that is fast.
   */
  outlineFrom: 5_000,
  /**
   * Maximum number of screens of a map whose state is stored before an exploration, for a later comparison.
   * The state of a map of this size takes about 2 MB.
   */
  sketchedScreens: 5_000,
  /** Maximum number of screens in one part of an outline, the compact copy from which a map is loaded. */
  outlinePart: 1_000,
  /** Default number of entries in one answer of a site map. */
  sitemapEntries: 1_000,
  /** Maximum number of entries in one answer of a site map. */
  mostSitemapEntries: 10_000,
  /**
   * Maximum number of actions that are read for a site map of functions (a list of the site's forms and controls).
   * Further actions mostly repeat those that were read.
   */
  sitemapActions: 200_000,
  /**
   * Maximum number of pages whose fields are read to find the form of a task. They are the pages whose forms fit
   * the task best by their names, addresses and buttons.
   */
  pagesOfTaskForms: 40,
  /** Maximum number of forms of a map that are kept in memory to find the form of a task. */
  cachedForms: 5_000,
  /** Maximum number of headings returned for each screen of a semantic site map. */
  sitemapTopics: 5,
  /** Maximum number of example pages (instances) that an answer lists for a screen. */
  listedExamples: 5,
  /** Maximum number of screens in one answer, each with its signature and actions. */
  listedScreens: 100,
  /**
   * Maximum number of parts of a page, such as closed sections, whose links and buttons are listed with those
   * of the page. One request reads all parts.
   */
  partsOfActions: 50,
  /**
   * If a map has more transitions than this, a target (words for a screen) is not searched in the texts of links. The
   * search reads all transitions; 20,000 take about 0.2 s.
   */
  transitionsOfLinkNames: 20_000,
  /**
   * Maximum number of links whose texts are compared with a target (words for a screen). They are the links that
   * contain a word of the target.
   */
  linksOfTarget: 2_000,
  /**
   * Maximum number of actions in an answer to `find_screen`. The answer to `get_actions` contains all of
   * them.
   */
  actionsOfRecognised: 50,
  /**
   * Maximum number of screens at one address whose signatures are compared in one recognition. If there are
   * more, an index of their texts selects `crowdCandidates` of them.
   */
  candidates: 200,
  /**
   * Maximum number of screens that the index of texts returns if many screens share one address. It is low,
   * because each screen is then compared by its signature, which takes about 0.1 ms. The index returns the
   * best screens first.
   */
  crowdCandidates: 5,
  /**
   * Maximum number of screens whose texts are read in one query, to index the texts of a crowd (many screens
   * that share an address).
   */
  crowdBatch: 1_000,
} as const;
