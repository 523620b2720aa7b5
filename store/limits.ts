/** Limits of the store: connections, batches, search. Milliseconds and bytes unless a name says otherwise. */
import { MINUTE, SECOND } from "../machines/units.ts";

export const resultsLimits = {
  /** Pages read at once while all results of a job are streamed … */
  pageSlice: 50,
  /** … and pages whose links are read at once. */
  linkSlice: 100,
} as const;

export const storeLimits = {
  /** A database that does not open in this time is reported as unavailable. */
  openWithin: 20 * SECOND,
  /** A locked database is tried again for this long: the one that holds it may be about to end … */
  lockPatience: SECOND,
  /** … after pauses of this. */
  lockPause: 50,
  /** Below this much free disk nothing is written any more: after a full one the database takes no more writes. */
  diskReserve: 64 * 1_024 * 1_024,
  /** How often the free disk is looked at, at most. */
  diskCheckEvery: 250,
  /**
   * A statement that has no answer in this time is given up as unavailable and sent again by whoever needs it.
   * Far above the slowest that is right: 25 long pages into the full-text index take 5 seconds.
   */
  answerWithin: MINUTE,
  /** The same for a migration, which may build an index over everything there is. */
  migrateWithin: 60 * MINUTE,
  /** How long statements under way may take to end when the database is closed. */
  closeWithin: 5 * SECOND,
  /** A SurrealDB server. */
  server: {
    /** Pause before a connection that broke off is made anew; doubles, up to `maxBackoff`. */
    backoff: 100,
    maxBackoff: 5 * SECOND,
    /** How often a connection is asked whether it still lives … */
    probeEvery: 10 * SECOND,
    /** … and how long the server may take to say so before the connection is made anew. */
    probeWithin: 5 * SECOND,
  },
  /** The right to serve a store to other nodes. */
  seat: {
    /** Between two looks at a lease whose holder does not answer, which will run out … */
    lookEvery: 250,
    /** … and how long the holder may take to answer. */
    answerWithin: SECOND,
  },
  /** A lock in the database. */
  lock: {
    /** How long it stays with a holder that says nothing; extended every quarter of it. */
    ttl: 8 * SECOND,
    /** Between two looks of who waits for it. */
    lookAgain: 100,
  },
  /** Rows of one statement while a map or a job is deleted. */
  batch: 500,
  /** Rows of one statement while a backup is written or read; pages may be large. */
  backupBatch: 100,
  /** Screens whose edges one slice of a map's adjacency holds … */
  adjacencySlice: 200,
  /** … and whose actions, which are longer, one slice of what a map offers. */
  actionSlice: 200,
  /** Words of a page's text that are searchable; words further down rarely say what the page is about. */
  searchWords: 10_000,
  /** Pages that a search takes from the index by their heads and as many by their bodies, and weighs again. */
  searchCandidates: 60,
  /** Characters of a search hit's snippet. */
  snippet: 300,
} as const;
