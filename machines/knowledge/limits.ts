/** Limits of a map. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const knowledgeLimits = {
  /**
   * Pages that one commit turns into screens. Few, because their hundreds of edges expand in the database's
   * memory.
   */
  mapBatch: 10,
  /** Maximum links of these pages together. */
  mapLinks: 1_000,
  /** Maximum bytes of these pages together. A single page may exceed both. */
  mapBytes: 1_024 * 1_024,
  /** Edges of one kind in a commit. A page with more is committed in parts. */
  mapEdges: 2_000,
  /** Pages that one commit makes searchable, about 8 ms of CPU each. */
  indexBatch: 8,
  /** Maximum characters of their text together. A single page may exceed it. */
  indexText: 256 * 1_024,
  /** A new exploration has the machine for itself for this long. */
  headStart: 2 * SECOND,
  /** Pause after a batch while an exploration runs, as a multiple of the batch's duration. */
  pauseFactor: 6,
  indexRest: 12,
  /** Minimum pause after a batch that was not full, so that the next one has more pages. */
  minPause: 2 * SECOND,
  /** Poll interval of a paused ingest for new pages. */
  pollEvery: SECOND,
  /** An exploration that sent nothing for this long counts as ended. */
  crawlSilence: 10 * MINUTE,
  /** Names corrected in one commit. */
  nameBatch: 250,
  /** Screens, actions and transitions of one imported document, each. A larger map comes in several. */
  importedRows: 20_000,
  /** Screens, actions and transitions of one import command, together. */
  importPart: 200,
  /** Transitions whose recent outcomes are remembered. */
  travelledTransitions: 500,
  /** Milliseconds within which two equal outcomes of a transition are reports of one click. */
  sameTravel: 3_000,
  /** Milliseconds for which a transition that failed is avoided; then routes try it again. */
  avoidedFor: 30 * 60_000,
  /** Failures in a row after which routes never take a transition, for `droppedFor` milliseconds. */
  droppedAfter: 5,
  droppedFor: 24 * 60 * 60_000,
  /** Instances that are read for the texts of a screen. */
  screenSamples: 8,
  /** Pause after a failed ingest or deletion. It doubles up to `maxRetryPause`. */
  retryPause: SECOND,
  maxRetryPause: MINUTE,
  /** Maps that one worker keeps in memory. The longest unused go first. */
  cachedMaps: 8,
  /** Maximum screens and transitions of all cached maps together. The last used map always stays. */
  cachedSize: 1_000_000,
  /** Route steps cached for each map, about 500 bytes each. */
  recentSteps: 4_096,
  /** Maps with at least this many screens and transitions store an outline for a fast start. */
  outlineFrom: 5_000,
  /** Screens in one part of an outline. */
  outlinePart: 1_000,
  /** Default entries in one answer of a site map. */
  sitemapEntries: 1_000,
  /** Maximum entries in one answer of a site map. */
  mostSitemapEntries: 10_000,
  /** Actions that a functional site map reads. Larger maps repeat the same ones. */
  sitemapActions: 200_000,
  /** Headings returned for each screen of a semantic site map. */
  sitemapTopics: 5,
  /** Examples of the instances of a screen in one answer. */
  listedExamples: 5,
  /** Screens of one answer, each with its signature and actions. */
  listedScreens: 100,
  /** Actions in the answer of a recognised screen. get_actions has them all. */
  actionsOfRecognised: 50,
  /** Screens that are scored for one recognition. */
  candidates: 200,
} as const;
