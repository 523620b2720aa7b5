/**
 * Limits of navigation runs. Most come from the protocol specification. In milliseconds unless a name says
 * otherwise.
 */
import { SECOND } from "../units.ts";

export const navigationLimits = {
  /** Default values of a request. */
  articles: 10,
  depth: 3,
  linksPerPage: 20,
  calls: 15,
  seconds: 60,
  costUsd: 0.15,
  /** Maximum values of a request. */
  mostArticles: 200,
  mostDepth: 10,
  mostCalls: 500,
  mostSeconds: 3_600,
  mostSeeds: 20,
  /**
   * Minimum confidence of a decision. With a lower confidence, this branch of the run ends instead of
   * guessing.
   */
  confidence: 0.5,
  /** Maximum characters of a page in a prompt: for the decision, for the content, for the relevance. */
  decisionText: 8_000,
  contentText: 15_000,
  previewText: 300,
  /** Maximum number of links in a prompt. */
  promptLinks: 200,
  /** Maximum number of further pages that are read with the first page of a thread. */
  furtherPages: 10,
  /**
   * Maximum number of messages of one thread that are read with the first one, if each message has its own
   * page.
   */
  furtherMessages: 50,
  /** Maximum number of further pages of one listing that are followed. */
  furtherListings: 10,
  /** Maximum length of a stored article in characters. */
  articleLength: 100_000,
  /** Deadline of one model call. */
  callWithin: 60 * SECOND,
  /** Maximum number of sentences in a summary. */
  summarySentences: 8,
} as const;
