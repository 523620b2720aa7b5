/**
 * How long the janitor keeps stored records. Values are in milliseconds or bytes unless a name says
 * otherwise.
 */
import { DAY, MINUTE } from "../time-and-size-units.ts";

export const retentionLimits = {
  /** Interval between two sweeps (removals of records that are older than their retention). */
  sweepEvery: 60 * MINUTE,
  /** Maximum number of rows removed in one transaction. */
  sweepBatch: 500,
  /**
   * Retention of the URL rows (`frontier`) of jobs that have ended. Pages are kept until their map is
   * deleted.
   */
  endedJobs: 30 * DAY,
  deadLetters: 30 * DAY,
  /** How long audit entries are kept. */
  audit: 90 * DAY,
  /** A query of the audit log reads one time window after another. This is the length of the first window. */
  auditStretch: MINUTE,
  /** How long requests with an Idempotency-Key and their answers are kept. */
  repeats: DAY,
  /** How long stored large results are kept. */
  results: 60 * MINUTE,
  /**
   * Retention of the saved states of sessions. It is longer than the maximum lifetime of a session, so only
   * states of ended sessions are removed.
   */
  sessionStates: 8 * DAY,
  /**
   * Retention of the results of session actions. It is 24 hours longer than the maximum lifetime of a
   * session.
   */
  actionOutcomes: 8 * DAY,
  /** How long messages of dialogues are kept. */
  dialogueMessages: 90 * DAY,
  /** How long the articles and decisions of navigation runs are kept. */
  navigation: 90 * DAY,
  /** How long recordings are kept after their end. Export a recording to keep it longer. */
  recordings: 180 * DAY,
  /** Number of backups to keep. A backup is made before each migration of the store. */
  migrationBackups: 3,
} as const;
