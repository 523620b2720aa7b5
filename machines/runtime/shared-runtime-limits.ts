/**
 * Limits of the actor runtime that other folders need: addresses, leases, commits. Values are in milliseconds
 * or bytes unless a name says otherwise.
 */
import { SECOND } from "../time-and-size-units.ts";

export const addressLimits = {
  /** Maximum length of an actor's id in UTF-8 bytes. A longer id does not fit into a message subject. */
  maxIdBytes: 128,
  /** Total number of shards of all groups. It cannot change during the life of a store. */
  shards: 160,
  /**
   * The groups of shards. All actors of a group need the same role of a node, such as `browser`. Kinds of
   * actors that render pages have their own group, so that only nodes with a browser run them.
   */
  groups: [
    { role: "compute", first: 0, shards: 128 },
    { role: "browser", first: 128, shards: 32 },
  ],
} as const;

export const leaseLimits = {
  /** Lifetime of the lease by which a node owns a shard. */
  ttl: 10 * SECOND,
  /** Interval at which the lease of a shard is renewed, as a share of the lease's lifetime. */
  renewEvery: 1 / 3,
  /**
   * After this share of the lease's lifetime since the last renewal, the holder no longer relies on the lease.
   * It writes nothing until it has renewed the lease. The holder measures the time with its own monotonic
   * clock.
   */
  giveUpAt: 2 / 3,
  /**
   * A worker is replaced if it has sent no request during this number of consecutive renewal intervals (30
   * seconds with the default lifetime). Until then the node renews its leases, because it may only be busy
   * with a huge page.
   */
  silentIntervals: 9,
  /**
   * Before a node takes over a shard, the old lease of the shard must have expired. This is the interval at
   * which the node asks the message broker whether the lease still exists.
   */
  pollExpiryEvery: 250,
  /**
   * A broker removes expired keys slightly late. So an expired lease is checked this number of milliseconds
   * after its expiry.
   */
  expiryLag: 50,
} as const;

export const commitLimits = {
  /** Maximum number of actors whose steps one transaction (group commit) writes. */
  group: 64,
  /**
   * Maximum size in bytes of the writes in one group commit. The database needs several times that memory for
   * the transaction.
   */
  groupBytes: 1_024 * 1_024,
  /**
   * Maximum number of concurrent transactions of one worker. Two of them never contain the same shard. They
   * would conflict, because each transaction writes the fence (owner counter) of its shards.
   */
  inFlight: 2,
  /** Pause before a commit is retried while the store is unavailable. It doubles up to `maxBackoff`. */
  backoff: 50,
  maxBackoff: 5 * SECOND,
  /**
   * Maximum number of repetitions of a transaction that conflicts with another. `conflictPause`: pause before
   * the first repetition.
   */
  conflictRetries: 10,
  conflictPause: 2,
} as const;

/**
 * Limits of the lists that the runtime returns: actors, dead letters (messages that actors could not handle), audit
 * entries.
 */
export const listLimits = {
  /** Default number of entries in one page of a list. */
  defaultSize: 100,
  /** Maximum number of entries in one page of a list. */
  maxSize: 1_000,
} as const;
