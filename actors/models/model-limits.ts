/** Limits of calls to models. Milliseconds unless a name says otherwise. */
import { MINUTE, SECOND } from "../../machines/units.ts";

export const modelLimits = {
  /** Deadline of one question with all its tries. */
  within: 60 * SECOND,
  /** Calls of one question that meet a busy or broken server. */
  tries: 4,
  /** First pause after such a call; it doubles, with jitter of up to as much again. */
  backoff: 500,
  longestBackoff: 8 * SECOND,
  /** Answers to one question that do not fit the schema, before it is given up. */
  invalidAnswers: 2,
  /** How long an answer is reused for the same question. */
  cacheFor: 60 * MINUTE,
  /** Cached answers; the oldest go first. */
  cachedAnswers: 500,
  /** How long the status of the model is believed. */
  statusFor: 10 * SECOND,
  statusWithin: 5 * SECOND,
  /** Characters of an invalid answer and its problem that the model is shown again. */
  problemLength: 1_000,
  maxOutputTokens: 4_096,
} as const;
