/** Limits of navigation runs, from the protocol specification where it names them. Milliseconds unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const navigationLimits = {
  /** Defaults of a request. */
  articles: 10,
  depth: 3,
  linksPerPage: 20,
  calls: 15,
  seconds: 60,
  costUsd: 0.15,
  /** Largest values of a request. */
  mostArticles: 200,
  mostDepth: 10,
  mostCalls: 500,
  mostSeconds: 3_600,
  mostSeeds: 20,
  /** Below this confidence a branch ends instead of a guess. */
  confidence: 0.5,
  /** Characters of a page in a prompt: for the decision, for the content, for the relevance. */
  decisionText: 8_000,
  contentText: 15_000,
  previewText: 300,
  /** Links in a prompt. */
  promptLinks: 200,
  /** Further pages of one thread that are read with it. */
  furtherPages: 10,
  /** Further pages of one listing that are followed. */
  furtherListings: 5,
  /** Characters of a stored article. */
  articleLength: 100_000,
  /** Deadline of one model call. */
  callWithin: 60 * SECOND,
  /** Sentences of a summary. */
  summarySentences: 8,
} as const;
