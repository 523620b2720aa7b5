/**
 * Limits of the actor runtime that other folders need: addresses, leases, commits. In milliseconds and bytes
 * unless a name says otherwise.
 */
import { SECOND } from "../units.ts";

export const addressLimits = {
  /** Maximum length of an actor's id in UTF-8 bytes. A longer id does not fit into a message subject. */
  maxIdBytes: 128,
  /** Number of shards in all groups together. It is fixed for the life of a store, like the groups. */
  shards: 160,
  /**
   * Shard groups, by the role that their actors need. Kinds that render pages have a separate group, so that
   * only nodes with a browser run them.
   */
  groups: [
    { role: "compute", first: 0, shards: 128 },
    { role: "browser", first: 128, shards: 32 },
  ],
} as const;

export const leaseLimits = {
  /** Lifetime of a shard's lease. */
  ttl: 10 * SECOND,
  /** Interval at which a lease is renewed, as a share of its lifetime. */
  renewEvery: 1 / 3,
  /**
   * The holder of a lease stops running its actors after this share of the lifetime, measured by its own
   * monotonic clock.
   */
  giveUpAt: 2 / 3,
  /** Poll interval for a lease that should have expired at the message broker. */
  pollExpiryEvery: 250,
  /** Delay before the first poll for an expired lease, because a broker expires keys slightly late. */
  expiryLag: 50,
} as const;

export const commitLimits = {
  /** Maximum number of actors in one group commit. */
  group: 64,
  /**
   * Maximum size of the typed writes in one group commit, in bytes. The database needs several times as much
   * memory for the transaction.
   */
  groupBytes: 1_024 * 1_024,
  /**
   * Maximum number of concurrent transactions of one worker. A shard is in at most one of them, because each
   * transaction writes the row with the shard's fence (owner number).
   */
  inFlight: 2,
  /** Pause before a commit is retried while the store is unavailable. It doubles up to `maxBackoff`. */
  backoff: 50,
  maxBackoff: 5 * SECOND,
  /** Maximum number of retries of a transaction after a conflict, and the pause before the first retry. */
  conflictRetries: 10,
  conflictPause: 2,
} as const;

/** Limits of the runtime's lists: actors, dead letters, audit entries. */
export const listLimits = {
  /** Default number of entries in one page of a list. */
  defaultSize: 100,
  /** Maximum number of entries in one page of a list. */
  maxSize: 1_000,
} as const;
