/** Limits of ingested documents. Values are in characters unless a name says otherwise. */
import { SECOND } from "../../time-and-size-units.ts";

export const documentLimits = {
  /** Maximum size of a document in bytes. A PDF manual of 1,000 pages has about 15 MB. */
  bytes: 32 * 1_024 * 1_024,
  /**
   * Maximum length of a passage, the part of a document that a search returns. It is enough for the description of
   * one procedure, and a model can read ten passages of this length.
   */
  passage: 1_600,
  /** Maximum length of a passage (part) of a video transcript. It is about a minute of speech. */
  transcriptPassage: 700,
  /** Maximum number of passages of one document. */
  passages: 50_000,
  title: 300,
  /** Maximum number of tasks of one document. */
  tasks: 500,
  /** Maximum number of steps of a task. */
  steps: 100,
  step: 500,
  /** Maximum total length in characters of the passages and tasks of a document in one command. */
  partText: 200_000,
  /** Maximum number of passages and tasks of a document in one command. */
  partRows: 200,
  /** Maximum number of passages (parts of documents) in one commit of the search index. */
  indexBatch: 50,
  /**
   * Maximum number of screens to which one passage (part of a document) is linked. A passage is linked to the screens
   * that it names.
   */
  linkedScreens: 5,
  /** Maximum number of passages in the answer to `get_screen_context`. */
  contextPassages: 10,
  /** Maximum time that a caller waits until a document is searchable, in milliseconds. */
  waitWithin: 30 * SECOND,
  /** Maximum number of videos on a page whose transcripts are read. */
  videos: 10,
  /**
   * Maximum number of files of one video, usually one for each format. A transcript is searched for next to
   * each of these files.
   */
  videoFiles: 5,
  /** Maximum number of subtitle tracks that are read from one video, usually one for each language. */
  tracks: 10,
} as const;
