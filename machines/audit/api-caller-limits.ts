/**
 * Limits on API callers: request rates, failed authentication, the audit journal, idempotent repeats. Values
 * are in milliseconds or bytes unless a name says otherwise.
 */
import { MINUTE } from "../time-and-size-units.ts";

export const guardLimits = {
  /** Rate limit of one API key: allowed burst, and requests added per second. */
  key: { burst: 1_000, perSecond: 100 },
  /**
   * Rate limit for sign-in attempts from one client address. The limit is low, so that passwords cannot be
   * guessed.
   */
  signIn: { burst: 10, perSecond: 0.1 },
  /**
   * Rate limit for wrong API keys from one client address. An address from which a request with a valid key
   * has come is exempt for the time `authenticatedFor`.
   */
  wrongKey: { burst: 50, perSecond: 0.5 },
  authenticatedFor: 60 * MINUTE,
  /** Delay before new audit entries are written to the store, so that one write contains several. */
  writeDelay: 250,
  /** Maximum number of audit entries in one write. */
  writeBatch: 500,
  /**
   * Maximum number of audit entries kept in memory while the store is unavailable. Beyond this number, the
   * oldest entries are dropped from memory and remain only in the process log.
   */
  maxUnwritten: 10_000,
  /**
   * Size of the audit journal at which its file is rewritten. The journal contains the newest audit entries.
   * The new file contains only entries that the store does not have yet.
   */
  journalBytes: 1_024 * 1_024,
  /**
   * Maximum length in characters of an answer that is stored under its Idempotency-Key. A repeated request
   * with the same key gets the stored answer.
   */
  repeatLength: 256 * 1_024,
  /**
   * Maximum number of client addresses whose requests are counted. Beyond it, the addresses that were added
   * first are forgotten.
   */
  addresses: 10_000,
} as const;
