/**
 * Limits of the store: connections, batches, search. Values are in milliseconds or bytes unless a comment
 * says otherwise.
 */
import { MINUTE, SECOND } from "../machines/time-and-size-units.ts";

export const resultsLimits = {
  /** Number of pages per query while all results of an exploration are sent as a stream. */
  pageSlice: 50,
  /** Number of pages whose links are read in one query, when all links of an exploration are streamed. */
  linkSlice: 100,
} as const;

export const storeLimits = {
  /** Time limit for opening a database. When it has passed, the database is reported as unavailable. */
  openWithin: 20 * SECOND,
  /** How long opening a locked database is retried. The process that holds the lock may be ending. */
  lockPatience: SECOND,
  /** Pause between two attempts to open a database that another process has locked. */
  lockPause: 50,
  /**
   * Free disk space in bytes that writes must leave. On a full disk, the database would refuse writes until
   * the process restarts.
   */
  diskReserve: 64 * 1_024 * 1_024,
  /** Minimum time between two checks of the free disk space. */
  diskCheckEvery: 250,
  /**
   * Time limit for a statement. When it has passed, the statement fails as unavailable, and its caller may
   * retry. The slowest statement in normal use indexes the full text of 25 long pages, and takes 5 seconds.
   */
  answerWithin: MINUTE,
  /** Time limit for a migration, which may build an index over the complete database. */
  migrateWithin: 60 * MINUTE,
  /** How long closing a database waits for pending statements. */
  closeWithin: 5 * SECOND,
  /** Limits of connections to a SurrealDB server. */
  server: {
    /** Pause before a lost connection is opened again. It doubles up to `maxBackoff`. */
    backoff: 100,
    maxBackoff: 5 * SECOND,
    /** Interval at which a connection is probed. */
    probeEvery: 10 * SECOND,
    /** Time limit for the answer to a probe. When it has passed, the connection is opened again. */
    probeWithin: 5 * SECOND,
  },
  /** Limits of the lease that a node holds while it serves its embedded store to the other nodes. */
  servingLease: {
    /**
     * If the lease holder does not answer, a node reads the lease again at this interval. When the lease has
     * expired, the node stops.
     */
    checkEvery: 250,
    /** Time limit for an answer of the node that serves the store. */
    answerWithin: SECOND,
  },
  /** Limits of a lock in the database that processes share. */
  lock: {
    /** Time after which a lock that is not renewed is free. The holder renews it four times in this time. */
    ttl: 8 * SECOND,
    /** Interval at which a waiting process retries the lock. */
    retryEvery: 100,
  },
  /** Number of rows that one statement deletes while a map or an exploration is deleted. */
  batch: 500,
  /**
   * Number of rows per statement while a backup is written or read. It is low, because pages may be large.
   */
  backupBatch: 100,
  /**
   * Number of screens per query while the transitions of a map are read. The database reads each transition
   * with its action, about 600 bytes, and a page has about 100 transitions. With 200 screens per query, the peak
   * memory of a map of 3,000 pages was 40 MB higher, and the map was not read faster.
   */
  adjacencySlice: 25,
  /** Number of screens in one query for the actions of a map. */
  actionSlice: 200,
  /** Maximum number of words of a page that are indexed. Later words rarely describe the page's subject. */
  searchWords: 10_000,
  /**
   * Maximum number of pages that a search reads and ranks. In the bench `knowledge`, 60 pages found no more
   * right answers than 30, and took 11 ms more CPU time.
   */
  searchCandidates: 30,
  /**
   * Limits of the indexes that each thread keeps in memory for its searches. `pages`: maximum number of pages
   * of an indexed map. `bytes`: maximum size of all indexes together. A page takes about 2 kB in a map of
   * 10,000 pages, and 8 kB in a map of 530 pages.
   */
  searchIndex: { pages: 50_000, bytes: 64 * 1_024 * 1_024 },
  /**
   * Number of changes of a map's searchable texts that the database keeps. After more changes, an index in
   * memory is built again. A change is a commit, with up to 25 texts.
   */
  textChanges: 1_000,
  /** Maximum length of a search hit's snippet in characters. */
  snippet: 300,
} as const;
