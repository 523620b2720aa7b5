/** Limits of a map. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../units.ts";

export const knowledgeLimits = {
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
} as const;
