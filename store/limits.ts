/** Limits of the store: connections, batches, search. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../machines/units.ts";

export const resultsLimits = {
  /** Pages read per query while all results of an exploration are streamed. */
  pageSlice: 50,
  /** Pages whose links are read per query. */
  linkSlice: 100,
} as const;

export const storeLimits = {
  /** A database that does not open in this time is reported as unavailable. */
  openWithin: 20 * SECOND,
  /** A locked database is retried for this long: the process that holds it may be about to end. */
  lockPatience: SECOND,
  /** Pause between these retries. */
  lockPause: 50,
  /**
   * Minimum free disk space for writes: after a full disk the database accepts no writes until the process
   * restarts.
   */
  diskReserve: 64 * 1_024 * 1_024,
  /** Minimum time between two checks of the free disk space. */
  diskCheckEvery: 250,
  /**
   * Deadline for a statement; after it the statement fails as unavailable and its caller may retry. It is far
   * above the slowest valid statement: indexing the full text of 25 long pages takes 5 seconds.
   */
  answerWithin: MINUTE,
  /** Deadline for a migration, which may build an index over the whole database. */
  migrateWithin: 60 * MINUTE,
  /** How long pending statements may take when the database is closed. */
  closeWithin: 5 * SECOND,
  /** Connections to a SurrealDB server. */
  server: {
    /** Pause before a lost connection is opened again; doubles up to `maxBackoff`. */
    backoff: 100,
    maxBackoff: 5 * SECOND,
    /** Interval of connection probes. */
    probeEvery: 10 * SECOND,
    /** Deadline for a probe; after it the connection is opened again. */
    probeWithin: 5 * SECOND,
  },
  /** The lease of the node that serves the embedded store to the other nodes. */
  servingLease: {
    /** Interval of checks of a lease whose holder does not answer, until the lease expires. */
    checkEvery: 250,
    /** How long the holder may take to answer. */
    answerWithin: SECOND,
  },
  /** A lock in the database. */
  lock: {
    /** Lifetime of a lock without renewal; the holder renews it every quarter of this time. */
    ttl: 8 * SECOND,
    /** Interval at which a waiting process retries the lock. */
    retryEvery: 100,
  },
  /** Rows per statement while a map or an exploration is deleted. */
  batch: 500,
  /** Rows per statement while a backup is written or read; pages may be large. */
  backupBatch: 100,
  /** Screens per slice of a map's adjacency. */
  adjacencySlice: 200,
  /** Screens per slice of a map's actions. */
  actionSlice: 200,
  /** Words of a page's text that are indexed; later words rarely describe the page. */
  searchWords: 10_000,
  /** Candidates that a search takes from the index of heads, and as many from the index of bodies, before ranking. */
  searchCandidates: 60,
  /** Characters of a search hit's snippet. */
  snippet: 300,
} as const;
