/**
 * Limits of navigation runs. Most come from the protocol specification. Values are in milliseconds unless a
 * name says otherwise.
 */
import { SECOND } from "../time-and-size-units.ts";

export const navigationLimits = {
  /** Default values of the options in a navigation request, such as the maximum number of articles. */
  articles: 10,
  depth: 3,
  linksPerPage: 20,
  calls: 15,
  seconds: 60,
  costUsd: 0.15,
  /** Maximum values that a navigation request may set. */
  mostArticles: 200,
  mostDepth: 10,
  mostCalls: 500,
  mostSeconds: 3_600,
  mostSeeds: 20,
  /**
   * Minimum confidence (0 to 1) of a decision. If the confidence is lower, the run does not follow this page
   * any further.
   */
  confidence: 0.5,
  /** Maximum number of characters of a page in a prompt for a decision. */
  decisionText: 8_000,
  /** Maximum number of characters of a page in a prompt for the extraction of content. */
  contentText: 15_000,
  /** Maximum number of characters of a page in a prompt for a rating of relevance. */
  previewText: 300,
  /** Maximum number of links of a page that a prompt lists for a model. */
  promptLinks: 200,
  /** Maximum number of pages of a thread that are read after its first page. */
  furtherPages: 10,
  /** Maximum number of further messages of a thread that are read, if each message has its own page. */
  furtherMessages: 50,
  /** Maximum number of further pages of one listing that a navigation run reads. */
  furtherListings: 10,
  /** Maximum number of earlier months that a run reads in an archive with one listing for each month. */
  earlierMonths: 24,
  /** Maximum length of a stored article, in characters. */
  articleLength: 100_000,
  /** Time limit for one call of a language model by a navigation run. */
  callWithin: 60 * SECOND,
  summarySentences: 8,
} as const;
