/**
 * Limits of calls to language models. Durations are in milliseconds unless a name says otherwise.
 */
import { MINUTE, SECOND } from "../../machines/time-and-size-units.ts";

export const modelLimits = {
  /** Time limit for one question, including repeated calls. */
  within: 60 * SECOND,
  /** Maximum number of calls of the model server for one question, if the server is busy or broken. */
  tries: 4,
  /**
   * Pause after the first failed call. Each further failure doubles it, and random jitter adds up to the same
   * time again.
   */
  backoff: 500,
  longestBackoff: 8 * SECOND,
  /** Number of invalid answers (answers that do not fit the schema) after which a question fails. */
  invalidAnswers: 2,
  /** Time for which a cached answer is returned when the same question is asked again. */
  cacheFor: 60 * MINUTE,
  /** Maximum number of cached answers. The oldest are removed first. */
  cachedAnswers: 500,
  /** Time for which the status of the model is cached. */
  statusFor: 10 * SECOND,
  statusWithin: 5 * SECOND,
  /**
   * Maximum number of characters of an invalid answer, and of the description of its problem, when both are
   * sent back to the model.
   */
  problemLength: 1_000,
  maxOutputTokens: 4_096,
} as const;
