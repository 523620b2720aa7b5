/** How long stored records are kept. Milliseconds and bytes unless a name says otherwise. */
import { DAY, MINUTE } from "../units.ts";

export const retentionLimits = {
  /** How often the janitor sweeps. */
  sweepEvery: 60 * MINUTE,
  /** Rows removed in one transaction of a sweep. */
  sweepBatch: 500,
  /** Frontier rows of jobs that ended (the pages themselves stay until their map is deleted). */
  endedJobs: 30 * DAY,
  deadLetters: 30 * DAY,
  /** Who had what done; and the stretch of it, back from now, in which a page of it is looked for first. */
  audit: 90 * DAY,
  auditStretch: MINUTE,
  /** Requests with an Idempotency-Key, and what they were answered. */
  repeats: DAY,
  /** Stored heavy results. */
  results: 60 * MINUTE,
  /** What sessions come back from: longer than any lives, so that only what nobody took away is left to sweep. */
  sessionStates: 8 * DAY,
  /** What sessions recorded, after its end; who wants one for longer exports it. */
  recordings: 180 * DAY,
  /** Backups made before a migration: how many are kept. */
  migrationBackups: 3,
} as const;
