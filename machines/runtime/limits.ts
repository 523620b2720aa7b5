/**
 * Limits of the actor runtime that other folders read too: addresses, leases, commits. Milliseconds and bytes
 * unless a name says otherwise.
 */
import { SECOND } from "../units.ts";

export const addressLimits = {
  /** UTF-8 bytes of an actor's id. Longer ones do not fit a bus subject. */
  maxIdBytes: 128,
  /** Number of shards in all groups. Fixed for the life of a store, like the groups. */
  shards: 160,
  /**
   * Shard groups by the role that their actors need. Kinds that render pages have their own group, so that
   * they can be pinned to nodes with a browser.
   */
  groups: [
    { role: "compute", first: 0, shards: 128 },
    { role: "browser", first: 128, shards: 32 },
  ],
} as const;

export const leaseLimits = {
  /** Lifetime of a shard's lease. */
  ttl: 10 * SECOND,
  /** Renewal interval, as a share of the lifetime. */
  renewEvery: 1 / 3,
  /** The holder stops hosting at this share of the lifetime, by its own monotonic clock. */
  giveUpAt: 2 / 3,
  /** Poll interval for a lease that should have expired at the broker. */
  pollExpiryEvery: 250,
  /** Delay before the first poll, because a broker expires keys a little late. */
  expiryLag: 50,
} as const;

export const commitLimits = {
  /** Actors in one group commit. */
  group: 64,
  /** Bytes of typed writes in one group commit. The database needs several times as much for the transaction. */
  groupBytes: 1_024 * 1_024,
  /** Concurrent transactions of one worker. A shard is in at most one of them, because each writes its fence row. */
  inFlight: 2,
  /** Pause before a commit is retried while the store is away. It doubles up to `maxBackoff`. */
  backoff: 50,
  maxBackoff: 5 * SECOND,
  /** Retries of a transaction after a conflict, and the pause before the first. */
  conflictRetries: 10,
  conflictPause: 2,
} as const;

/** Lists of the runtime: actors, dead letters, audit entries. */
export const listLimits = {
  /** Entries of one page when the caller gives no limit. */
  defaultSize: 100,
  /** Most entries of one page. */
  maxSize: 1_000,
} as const;
