/** Limits of the actor runtime that other folders read too: addresses, leases, commits. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../units.ts";

export const addressLimits = {
  /** An id of an actor, in UTF-8. Longer ones would not fit a bus subject. */
  maxIdBytes: 128,
  /** How many ways the actors are split, of all groups together. Fixed for the life of a store, as the groups are. */
  shards: 160,
  /**
   * The groups of shards by what the actors in them need of a node. Kinds that render pages have one of their own,
   * so that they can be pinned to the nodes that have the role; few at a time, they need fewer shards. The kinds of
   * the first group are all that no other names.
   */
  groups: [
    { role: "compute", first: 0, shards: 128, kinds: [] },
    { role: "browser", first: 128, shards: 32, kinds: ["exploration", "session"] },
  ],
} as const;

export const leaseLimits = {
  /** How long a shard stays with a silent owner. */
  ttl: 10 * SECOND,
  /** The holder renews every ttl / 3 … */
  renewEvery: 1 / 3,
  /** … and stops hosting by itself at 2/3 of the ttl, on its own monotonic clock. */
  giveUpAt: 2 / 3,
  /** A lease at a broker that should have run out and has not is asked for again this often … */
  lookEvery: 250,
  /** … and first asked for this long after it should have: a broker takes a moment to forget. */
  expiryLag: 50,
} as const;

export const commitLimits = {
  /** Actors in one group commit. */
  group: 64,
  /** Bytes of typed writes in one group commit: in a transaction the database holds many times as much. */
  groupBytes: 1_024 * 1_024,
  /** Transactions one worker has under way. A shard is in one of them at most: its fence row is written by each. */
  inFlight: 2,
  /** Pause before a commit that found no store is tried again; doubles, up to `maxBackoff`. */
  backoff: 50,
  maxBackoff: 5 * SECOND,
  /** Retries of a transaction that lost a conflict, and the pause before the first. */
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
