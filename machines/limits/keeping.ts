/**
 * Numbers of the gateway, the store and its housekeeping.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise. Neighbour: `../limits.ts` joins them.
 */
import { DAY, MINUTE, SECOND } from "./units.ts";

export const keeping = {
  gateway: {
    /** The body of a request. */
    bodyBytes: 1_024 * 1_024,
    /** Seconds without a byte after which a connection is closed; longer than `ask.timeout`. */
    idleSeconds: 120,
    /** Text of a streamed answer gathered into one chunk. */
    chunkBytes: 64 * 1_024,
    /** Characters of a document that is answered in one piece, where nothing can be streamed. */
    documentText: 4 * 1_024 * 1_024,
    /** Pages of one page of results, at most. */
    resultsPage: 1_000,
    /** Entries of one list of the runtime (actors, dead letters) when the caller names no number, and at most. */
    listDefault: 100,
    listPage: 1_000,
    /** How long a request waits for a system that is still starting. */
    startPatience: 20 * SECOND,
    /** How long requests under way may finish at a shutdown before their connections are closed. */
    drain: 10 * SECOND,
    /** How long the command line waits for the answer to "who are you?" of a gateway. */
    probe: 2 * SECOND,
    /** How often the command line asks how an exploration is doing. */
    pollEvery: 250,
    /** The doctor warns below this much free disk. */
    freeDisk: 1_024 * 1_024 * 1_024,
  },
  store: {
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
    /** Memory of the database in this process. */
    engine: {
      /** Rows that wait in memory to be written to a table file … */
      writeBuffer: 8 * 1_024 * 1_024,
      /** … and how many such buffers there are: one that is filled, one that is being written out. */
      writeBuffers: 2,
      /**
       * Blocks of table files kept for reading, at most. It bounds the largest transaction as well: with 24 MB one of
       * 31 MB, followed by small ones, stopped the database for good; with 32 MB it does not. The likely
       * reason: the engine lets no write begin while its buffers hold more than this, and keeps one that was written
       * out until others have taken its place. So whoever writes without end writes in parts (`exploration.batchRows`,
       * `knowledge.mapEdges`).
       */
      blockCache: 32 * 1_024 * 1_024,
      /** What is read ahead of each table file while files are merged; the engine's own 16 MB are for spinning disks. */
      mergeReadahead: 1_024 * 1_024,
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
  },
  guard: {
    /** Requests of one key: so many at once, and so many of them come back in a second. */
    key: { burst: 1_000, perSecond: 100 },
    /** Tries to sign in from one address: guessing a key by hand is over soon. */
    signIn: { burst: 10, perSecond: 0.1 },
    /** Wrong keys named from one address; who was heard from there within the last of these minutes is heard on. */
    wrongKey: { burst: 50, perSecond: 0.5 },
    heardFor: 60 * MINUTE,
    /** Acts are noted in the store behind them, this soon … */
    noteWithin: 250,
    /** … so many at once … */
    noteBatch: 500,
    /** … and so many are kept while the store is away; over it the oldest are in the process's log alone. */
    notesKept: 10_000,
    /** Length of the journal of acts at which it is written anew, with what is not in the store yet. */
    journalBytes: 1_024 * 1_024,
    /** Characters of an answer that is kept for who asks again with the same Idempotency-Key. */
    repeatLength: 256 * 1_024,
    /** Addresses whose tries are counted, or that somebody was heard from; the longest known go first. */
    addresses: 10_000,
  },
  socket: {
    /** Sockets of one gateway, and different things that they watch. */
    connections: 2_000,
    feeds: 500,
    /** Events of a feed that are kept for readers who come back, and the characters of all of them together. */
    keptEvents: 2_000,
    keptBytes: 2 * 1_024 * 1_024,
    /** How long a feed that nobody reads goes on. */
    lingers: 30 * SECOND,
    /** Unread bytes at which a slow reader is closed. */
    unreadBytes: 1_024 * 1_024,
    /** Of a message that comes in. */
    messageBytes: 64 * 1_024,
    heartbeat: 15 * SECOND,
    /** Seconds without a sign of life (Bun pings by itself) after which a socket counts as gone. */
    silentSeconds: 60,
    /** How long a ticket is good. */
    ticketFor: 30 * SECOND,
  },
  mcp: {
    /** Connections of clients that speak 2025's protocol, which has sessions; over it the one that was idle longest goes … */
    connections: 200,
    /** … and one that has no stream open and asked nothing for so long. */
    idle: 60 * MINUTE,
    sweepEvery: MINUTE,
    /** Messages kept for a client whose stream broke off, and the characters of all of them together. */
    keptMessages: 200,
    keptBytes: 2 * 1_024 * 1_024,
    /** How long such a client is told to wait before it comes back. */
    comeBack: SECOND,
    /** A stream says that it lives so often: well within `gateway.idleSeconds`. */
    keepAlive: 15 * SECOND,
    /** Streams of 2026's protocol that wait for changes. */
    subscriptions: 500,
    /** What a list of tools may take of a model's context, without the schemas of what comes back. */
    listTokens: 4_000,
    /** Resources that one connection may watch, and how often it is told at most that one has changed. */
    subscribed: 100,
    tellEvery: 250,
    /** Explorations in the list of resources, the newest. */
    listedResources: 100,
    /** How long a call waits for an exploration when the caller names no time, and at most; well within clients' own patience. */
    waitSeconds: 50,
    waitMostSeconds: 600,
    /** How often such a call looks by itself, beside being told. */
    lookEvery: SECOND,
  },
  console: {
    /** A diagram that takes longer to lay out is given up … */
    layoutWithin: 20 * SECOND,
    /** … and the layout's thread ends when nothing was to be drawn for so long. */
    layoutIdle: 10 * SECOND,
    /** How long a person stays signed in. */
    session: 12 * 60 * MINUTE,
    /** Actors of one page of the list. */
    actorsPage: 50,
    /** Diagrams that are kept: one for each machine there is. */
    diagrams: 50,
  },
  inspection: {
    /** What is shown of an actor's context: levels, entries of one list, characters of one text, values in all. */
    context: { depth: 12, entries: 100, text: 1_000, values: 5_000 },
    /** The same of an event it takes: a crawl's carry whole pages. */
    event: { depth: 6, entries: 20, text: 200, values: 200 },
    /** While an actor's state stays, lists hear of its activity this often at the most. */
    stateEvery: SECOND,
  },
  retention: {
    /** How often the janitor sweeps. */
    sweepEvery: 60 * MINUTE,
    /** Rows removed in one transaction of a sweep. */
    sweepBatch: 500,
    /** Frontier rows of jobs that ended (the pages themselves stay until their map is deleted). */
    endedJobs: 30 * DAY,
    deadLetters: 30 * DAY,
    /** Who had what done; and the stretch of it, back from now, in which a page of it is looked for first. */
    audit: 90 * DAY,
    auditStretch: MINUTE,
    /** Requests with an Idempotency-Key, and what they were answered. */
    repeats: DAY,
    /** Stored heavy results. */
    results: 60 * MINUTE,
    /** What sessions come back from: longer than any lives, so that only what nobody took away is left to sweep. */
    sessionStates: 8 * DAY,
    /** What sessions recorded, after its end; who wants one for longer exports it. */
    recordings: 180 * DAY,
    /** Backups made before a migration: how many are kept. */
    migrationBackups: 3,
  },
} as const;
