/** Limits of ingested documents. Characters, unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const documentLimits = {
  /** Bytes of a document. A manual of 1,000 pages as PDF has about 15 MB. */
  bytes: 32 * 1_024 * 1_024,
  /** A passage. Long enough for one procedure, short enough for a model to read ten. */
  passage: 1_600,
  /** A passage below this joins the next one of its section. */
  shortPassage: 200,
  /** A passage of a transcript: about a minute of speech. */
  transcriptPassage: 700,
  /** Passages of one document. */
  passages: 50_000,
  title: 300,
  /** Tasks of one document. */
  tasks: 500,
  /** Steps of a task. */
  steps: 100,
  step: 500,
  /** Characters of passages and tasks in one command, and their number. */
  partText: 200_000,
  partRows: 200,
  /** Passages in one commit of the search index. */
  indexBatch: 50,
  /** Screens that one passage is linked to. */
  linkedScreens: 5,
  /** Passages in the answer of a screen's context. */
  contextPassages: 10,
  /** Milliseconds that a caller waits until a document can be found. */
  waitWithin: 30 * SECOND,
  /** Tracks of one video page that are read. */
  tracks: 10,
} as const;
