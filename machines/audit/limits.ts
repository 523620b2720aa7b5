/**
 * Limits on API callers: request rates, failed authentication, the audit journal, idempotent repeats. In
 * milliseconds and bytes unless a name says otherwise.
 */
import { MINUTE } from "../units.ts";

export const guardLimits = {
  /** Rate limit of one API key: allowed burst, and requests added per second. */
  key: { burst: 1_000, perSecond: 100 },
  /** Rate limit of sign-in attempts from one address. It is low, to prevent the guessing of passwords. */
  signIn: { burst: 10, perSecond: 0.1 },
  /**
   * Rate limit of wrong API keys from one address. It does not apply to an address from which a valid key
   * came within `authenticatedFor`.
   */
  wrongKey: { burst: 50, perSecond: 0.5 },
  authenticatedFor: 60 * MINUTE,
  /** Delay before audit entries are written to the store. */
  writeDelay: 250,
  /** Maximum number of audit entries in one write. */
  writeBatch: 500,
  /**
   * Maximum number of audit entries kept in memory while the store is unavailable. Beyond it, the oldest
   * remain only in the process log.
   */
  maxUnwritten: 10_000,
  /** Size of the audit journal at which it is rewritten with the entries that are not in the store yet. */
  journalBytes: 1_024 * 1_024,
  /**
   * Maximum length of an answer that is kept for a repeated request with the same Idempotency-Key, in
   * characters.
   */
  repeatLength: 256 * 1_024,
  /**
   * Maximum number of client addresses for which requests are counted. The addresses that were added first
   * are forgotten first.
   */
  addresses: 10_000,
} as const;
