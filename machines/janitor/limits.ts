/** How long stored records are kept. Milliseconds and bytes unless a name says otherwise. */
import { DAY, MINUTE } from "../units.ts";

export const retentionLimits = {
  /** Interval between two sweeps. */
  sweepEvery: 60 * MINUTE,
  /** Rows removed in one transaction. */
  sweepBatch: 500,
  /** Frontier rows of ended jobs. Pages stay until their map is deleted. */
  endedJobs: 30 * DAY,
  deadLetters: 30 * DAY,
  /** Audit entries, and the recent period that a query reads first. */
  audit: 90 * DAY,
  auditStretch: MINUTE,
  /** Requests with an Idempotency-Key and their answers. */
  repeats: DAY,
  /** Stored large results. */
  results: 60 * MINUTE,
  /** Saved sessions: longer than the maximum lifetime of a session, so only orphans are swept. */
  sessionStates: 8 * DAY,
  /** Outcomes of actions: 24 hours longer than the longest session lives. */
  actionOutcomes: 8 * DAY,
  /** Messages of dialogues. */
  dialogueMessages: 90 * DAY,
  /** Articles and decisions of navigation runs. */
  navigation: 90 * DAY,
  /** Recordings after their end. Export a recording to keep it longer. */
  recordings: 180 * DAY,
  /** Number of backups made before migrations. */
  migrationBackups: 3,
} as const;
