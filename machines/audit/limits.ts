/** Limits on callers: request rates, failed authentication, the audit journal, idempotent repeats. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE } from "../units.ts";

export const guardLimits = {
  /** Requests of one key: so many at once, and so many of them come back in a second. */
  key: { burst: 1_000, perSecond: 100 },
  /** Tries to sign in from one address: guessing a key by hand is over soon. */
  signIn: { burst: 10, perSecond: 0.1 },
  /** Wrong keys named from one address; who was heard from there within the last of these minutes is heard on. */
  wrongKey: { burst: 50, perSecond: 0.5 },
  heardFor: 60 * MINUTE,
  /** Acts are noted in the store behind them, this soon … */
  noteWithin: 250,
  /** … so many at once … */
  noteBatch: 500,
  /** … and so many are kept while the store is away; over it the oldest are in the process's log alone. */
  notesKept: 10_000,
  /** Length of the journal of acts at which it is written anew, with what is not in the store yet. */
  journalBytes: 1_024 * 1_024,
  /** Characters of an answer that is kept for who asks again with the same Idempotency-Key. */
  repeatLength: 256 * 1_024,
  /** Addresses whose tries are counted, or that somebody was heard from; the longest known go first. */
  addresses: 10_000,
} as const;
