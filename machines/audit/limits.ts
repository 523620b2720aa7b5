/**
 * Limits on callers: request rates, failed authentication, the audit journal, idempotent repeats.
 * Milliseconds and bytes unless a name says otherwise.
 */
import { MINUTE } from "../units.ts";

export const guardLimits = {
  /** Requests of one key: burst, and refill per second. */
  key: { burst: 1_000, perSecond: 100 },
  /** Sign-in attempts from one address: a low rate against guessing. */
  signIn: { burst: 10, perSecond: 0.1 },
  /** Wrong keys from one address. Callers authenticated within `heardFor` are not refused. */
  wrongKey: { burst: 50, perSecond: 0.5 },
  authenticatedFor: 60 * MINUTE,
  /** Delay before audit entries are written to the store. */
  writeDelay: 250,
  /** Entries in one write. */
  writeBatch: 500,
  /** Entries kept while the store is away. Beyond it the oldest remain only in the process log. */
  maxUnwritten: 10_000,
  /** Size of the audit journal at which it is rewritten with the entries that are not in the store yet. */
  journalBytes: 1_024 * 1_024,
  /** Characters of an answer kept for requests with the same Idempotency-Key. */
  repeatLength: 256 * 1_024,
  /** Addresses with counters. The oldest are dropped first. */
  addresses: 10_000,
} as const;
