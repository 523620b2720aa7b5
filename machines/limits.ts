/**
 * Every number of the runtime and of the store's housekeeping: named, explained, defaulted, in one place.
 * Durations are milliseconds, sizes bytes, unless the name says otherwise.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

export const limits = {
  address: {
    /** An id of an actor, in UTF-8. Longer ones would not fit a bus subject. */
    maxIdBytes: 128,
    /** How many ways the actors are split. Fixed for the life of a store. */
    shards: 128,
  },
  lease: {
    /** How long a shard stays with a silent owner. */
    ttl: 10 * SECOND,
    /** The holder renews every ttl / 3 … */
    renewEvery: 1 / 3,
    /** … and stops hosting by itself at 2/3 of the ttl, on its own monotonic clock. */
    giveUpAt: 2 / 3,
  },
  mailbox: {
    /** Commands waiting for one actor; one more is `actor.mailbox_full`. */
    capacity: 1_024,
    /** Commands of one actor taken into one step batch, hence one commit. */
    batch: 32,
  },
  step: {
    /** Times a message may make its step throw before it goes to the dead letters. */
    attempts: 3,
    /**
     * Command ids (with their replies) an actor remembers, so that a retry gets the first answer. Several times
     * `mailbox.batch`: after a crash whole batches that were committed are delivered again.
     */
    rememberedCommands: 128,
    /** Sending actors whose last send an actor remembers; the longest silent are forgotten first. */
    rememberedSenders: 256,
  },
  commit: {
    /** Actors in one group commit. */
    group: 64,
    /** Bytes of typed writes in one group commit, so that one transaction stays short. */
    groupBytes: 4 * 1_024 * 1_024,
    /** Transactions one worker has under way. A shard is in one of them at most: its fence row is written by each. */
    inFlight: 2,
    /** Pause before a commit that found no store is tried again; doubles, up to `maxBackoff`. */
    backoff: 50,
    maxBackoff: 5 * SECOND,
    /** Retries of a transaction that lost a conflict, and the pause before the first. */
    conflictRetries: 10,
    conflictPause: 2,
  },
  sends: {
    /** A send of one actor to another that nobody answered is repeated after this. */
    repeatAfter: 30 * SECOND,
  },
  activation: {
    /** An idle actor is passivated after this. */
    idle: 60 * SECOND,
    /** Actors one worker keeps in memory; over it the longest idle go first … */
    resident: 10_000,
    /** … this share of them at once, since choosing them means looking at all. */
    evictedAtOnce: 1 / 10,
    /** Crashes of one actor before it is parked … */
    maxCrashes: 5,
    /** … within this. */
    crashWindow: MINUTE,
  },
  timers: {
    /** Timers further away stay in the store only; the store is read again this often. */
    horizon: 30 * SECOND,
  },
  worker: {
    /** Respawns of a worker before the node gives up … */
    maxCrashes: 5,
    /** … within this. */
    crashWindow: MINUTE,
    /** First pause before a respawn; doubles, up to `maxBackoff`. */
    backoff: 100,
    maxBackoff: 10 * SECOND,
    /** A worker that does not report ready in this time is started again. */
    readyWithin: 30 * SECOND,
    /** How long a worker may finish what is under way when it is told to stop … */
    grace: 10 * SECOND,
    /** … and how often it looks whether it has. */
    drainPoll: 5,
  },
  process: {
    /** What the garbage collector takes for the machine's memory, in bytes: it lets heaps grow less. */
    collectorMemory: 384 * 1_024 * 1_024,
    allocatorArenas: 2,
  },
  ask: {
    /** The caller's patience when it names none. */
    timeout: 30 * SECOND,
    /** Between two looks at work that goes on after its command was acknowledged. */
    lookAgain: 20,
  },
  reading: {
    /** Longer URLs, in characters, are not followed: no real page needs them, and crawler traps grow them. */
    urlLength: 2_048,
    /** Redirects followed from one URL. */
    redirects: 10,
    /** Of a body after decompression; a longer one is no page that a person reads. */
    pageBytes: 10 * 1_024 * 1_024,
    /** Characters of a page's content that are kept. */
    contentLength: 1_024 * 1_024,
    /** What a page tells machines about itself (JSON-LD, microdata, cards), of each page … */
    structured: {
      /** … characters of scripts that are parsed at all, */
      source: 256 * 1_024,
      /** characters that are kept, names and values together, */
      length: 16 * 1_024,
      /** characters of one value and of one name, */
      text: 1_000,
      name: 100,
      /** entries of one list, one record or one kind of card, */
      entries: 50,
      /** levels of one value, */
      depth: 8,
      /** and properties of microdata. */
      properties: 500,
    },
    /** Images with a description, and tables, that are listed of one page. */
    images: 50,
    tables: 50,
    /** From the request to the headers of the answer, for each hop. */
    answerWithin: 15 * SECOND,
    /** From the first request to the last byte of the body, redirects included. */
    pageWithin: 60 * SECOND,
    /** Requests under way at one host, of all workers together and at the most; see `host`. */
    perHost: 16,
    /** A longer crawl-delay in a robots.txt is cut to this, so that a typing error does not stop a job for days. */
    crawlDelay: MINUTE,
    /** A longer Retry-After is cut to this; the job's own backoff takes over from there. */
    retryAfter: 10 * MINUTE,
    /** First pause of a host that is overloaded and does not say for how long; doubles, up to `longestPause`. */
    firstPause: SECOND,
    longestPause: MINUTE,
    /** Bytes of a sitemap or feed, unpacked, and pages that are taken from one: what sitemaps.org allows. */
    listingBytes: 50 * 1_024 * 1_024,
    listedPages: 50_000,
    /** Bytes of a robots.txt that are read, as RFC 9309 asks at the least. */
    robotsBytes: 500 * 1_024,
    robotsRedirects: 5,
    /** How long a robots.txt is believed … */
    robotsFor: DAY,
    /** … and how long that it could not be had, before it is asked for again. */
    robotsRetry: 5 * SECOND,
    /** Origins whose robots.txt, and hosts whose queue, are remembered; the longest unused go first. */
    hosts: 1_000,
  },
  egress: {
    /** How long the addresses of a name are believed: one look-up serves a burst of requests … */
    namesFor: 30 * SECOND,
    /** … and of how many origins; the longest known go first. */
    origins: 1_000,
    /** How long the proxy tries one address of a host before it takes the next. */
    connectWithin: 10 * SECOND,
    /** A connection through the proxy without a byte in either direction for so long is closed. */
    idle: 10 * MINUTE,
    /** How long the proxy keeps a connection that a browser may use again. */
    keepAlive: MINUTE,
    /** Bytes of the headers of one message through the proxy, as Chromium allows. */
    headerBytes: 256 * 1_024,
    /** Hosts of which the proxy remembers why the last connection failed. */
    troubles: 1_000,
  },
  host: {
    /** Requests at once at a host of which nothing is known; it grows to `reading.perHost`. */
    begin: 4,
    /** A worker that reads a host says so this often … */
    renewEvery: 500,
    /** … and counts as gone when it has not for so long. */
    leaseFor: 2 * SECOND,
    /** How often a worker may ask for more than it has. */
    growEvery: 50,
    /** Pause before a host's manager that did not answer is asked again. */
    askAgain: 250,
    /** How long a worker may wait for the answer of a host's manager. */
    answerWithin: 5 * SECOND,
    /** A turn at a host with a crawl-delay that nobody gave back counts as lost after this: longer than any page. */
    turnFor: 90 * SECOND,
    /** Mean milliseconds of answers from which a host may count as overloaded … */
    slow: SECOND,
    /** … when that is so many times what it takes at ease … */
    slowFactor: 3,
    /** … over at least so many answers. */
    slowSamples: 4,
    /** How much of the way to a slower mean the idea of ease goes with each report. */
    easeFollows: 1 / 20,
  },
  browser: {
    /** Pages that one worker renders at once: more of them only share the same cores. */
    pages: 4,
    /** Renders that wait for a page; one more is `browser.busy`. */
    queued: 256,
    /** Renders after which a page is replaced, so that nothing a site leaves in it grows for ever. */
    rendersPerPage: 200,
    /** A page that is to be used again answers in this time, or is replaced. */
    respondsWithin: SECOND,
    /** A page that nobody needed for this long is emptied, so that what was shown in it stops working. */
    parkAfter: SECOND,
    /** A browser without work is closed after this. */
    idle: 2 * MINUTE,
    /** From the start of Chromium's process to its first answer; the same for a new page. */
    launchWithin: 20 * SECOND,
    /** For the one request that tells a context the credentials of its proxy. */
    loginWithin: 5 * SECOND,
    /** How long Chromium may take to close by itself before it is killed. */
    closeWithin: 3 * SECOND,
    /** Pause before Chromium is started again after a crash or a failed start; doubles, up to `maxBackoff` … */
    backoff: 250,
    maxBackoff: 30 * SECOND,
    /** … and begins anew when it has lived this long. */
    steadyAfter: MINUTE,
    /** From the request to the finished page, everything included. */
    renderWithin: 45 * SECOND,
    /** From the first byte of the document until it is taken as it is, settled or not. */
    settleWithin: 10 * SECOND,
    /** No change of the document for this long, and nothing that it asked for under way: it has settled. */
    quiet: 100,
    /** The same for a document that shows neither a text nor a link yet. */
    emptyQuiet: SECOND,
    /** A script or a call of a page that takes longer is not waited for: it may be held open for news. */
    requestPatience: 4 * SECOND,
    /** The same call made more often than this on one page is polling, and not waited for. */
    repeats: 2,
    /** A text that changes more often than this is a clock or an animation: it keeps nothing from settling. */
    textChanges: 8,
    /** Documents that one render may pass through when scripts send it on; the last is taken. */
    documents: 5,
    /** Documents in frames, of the same origin, that come with a page. */
    frames: 20,
    /** Calls of a job's pages that are remembered as never ending. */
    endlessCalls: 100,
    /** Size of the window in CSS pixels: a common laptop's. Taller ones cost CPU with every page. */
    width: 1_280,
    height: 800,
    /** `chromium --version` answers in this time, or the file is not a Chromium that runs here. */
    versionWithin: 10 * SECOND,
    /** Bounds of the two ways to install one. A package manager must not be cut off in its work, so its is long. */
    aptWithin: 10 * MINUTE,
    downloadWithin: MINUTE,
    /** Pause after an installation that failed, before the next need of a browser tries again. */
    installAgainAfter: 10 * MINUTE,
  },
  gateway: {
    /** The body of a request. */
    bodyBytes: 1_024 * 1_024,
    /** Seconds without a byte after which a connection is closed; longer than `ask.timeout`. */
    idleSeconds: 120,
    /** Text of a streamed answer gathered into one chunk. */
    chunkBytes: 64 * 1_024,
    /** Pages of one page of results, at most. */
    resultsPage: 1_000,
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
  exploration: {
    /** Pages of one job under way at once; the reader's politeness may allow a host fewer. */
    concurrency: 16,
    /** Pages that one commit stores … */
    batchPages: 25,
    /** … or as many as came in this time. */
    batchWait: 150,
    /** Pages read but not stored yet; over it no new read starts. */
    unstoredPages: 50,
    /** Known URLs an exploration keeps at hand, so that most links need no look into the store. */
    knownUrls: 20_000,
    /** Reads of one URL before it counts as failed. */
    attempts: 3,
    /** The same where the host said each time that it has too much to do: that is no fault of the page. */
    overloadAttempts: 8,
    /** Pause before the second read; doubles, up to `maxBackoff`. A server's Retry-After wins. */
    backoff: SECOND,
    maxBackoff: MINUTE,
    /** Pages of one template that may bring nothing before the rest of it is left (exploration/trap-watch.ts). */
    barrenPages: 10,
    /** A page is fresh when so much of its text, by weight, is new to its relatives. */
    newsShare: 1 / 4,
    /** Characters and lines of a page that are compared with its relatives'. */
    comparedLength: 4_096,
    comparedLines: 100,
    /** Families of URLs that a job remembers, variants and lines of each; the longest unused go first. */
    families: 2_000,
    variants: 100,
    familyLines: 1_500,
    /** Traps that a job reports, and URLs it names of each. */
    traps: 50,
    trapExamples: 3,
    /** Sitemaps and feeds of one job that are read, feeds of them, and pages that are taken from all. */
    listings: 200,
    feeds: 20,
    listedPages: 200_000,
    /** Pages kept waiting until the canonical address they name has been read. */
    deferredPages: 200,
    /** Folders whose answer to a URL that cannot exist is remembered. */
    probedFolders: 100,
    /** Patterns of one list of a request (`include`, `exclude`), and characters of one. */
    patterns: 100,
    patternLength: 500,
    rendering: {
      /** Rendered pages of a kind that have to agree before the kind is decided. */
      samples: 2,
      /** Rendered pages in a row that brought nothing before a rendered kind is read over HTTP. */
      giveUpAfter: 5,
      /** Of the pages of an HTTP kind that show signs of scripts, every so many-th is rendered to look again. */
      recheckEvery: 20,
      /** Kinds of pages that a job remembers. */
      kinds: 500,
      /** Titles of rendered pages that a job remembers, to tell the ones that all of an application has. */
      titles: 500,
    },
    /** How often watchers are told of progress, at most; a change of the job's status is told at once. */
    progressEvery: 250,
    /** How often the map is told, at most, that pages wait for it. */
    tellMapEvery: SECOND,
  },
  results: {
    /** Pages read at once while all results of a job are streamed … */
    pageSlice: 50,
    /** … and pages whose links are read at once. */
    linkSlice: 100,
  },
  knowledge: {
    /** Pages that one commit turns into screens. */
    mapBatch: 25,
    /** Pages that one commit makes searchable (about 8 ms of CPU each) … */
    indexBatch: 20,
    /** … or as many as have this much text together, in characters. One page may be longer. */
    indexText: 1_024 * 1_024,
    /** While an exploration adds pages, how long each kind of batch is followed by rest, in times it took. */
    mapRest: 6,
    indexRest: 12,
    /** How often a resting intake looks whether more pages wait. */
    look: 250,
    /** An exploration that was not heard of for this long is not taken to be crawling any more. */
    crawlSilence: 10 * MINUTE,
    /** Names corrected in one commit. */
    nameBatch: 500,
    /** Pause after a failed intake or deletion; doubles, up to `maxRetryPause`. */
    retryPause: SECOND,
    maxRetryPause: MINUTE,
    /** Maps one worker keeps ready for queries; the longest unused go first … */
    cachedMaps: 8,
    /** … also while they have more screens and transitions together than this; the last one asked always stays. */
    cachedPlaces: 1_000_000,
    /** From so many screens and transitions on a map keeps an outline of itself for its next start … */
    outlineFrom: 5_000,
    /** … whose parts hold so many screens each. */
    outlinePart: 1_000,
    /** Sections, screens or functions of one answer of a site map, when the caller names no number … */
    sitemapEntries: 1_000,
    /** … and at most. */
    mostSitemapEntries: 10_000,
    /** Actions that a functional site map looks at; a map with more is full of the same ones. */
    sitemapActions: 200_000,
    /** Headings told of each screen of a semantic site map. */
    sitemapTopics: 5,
    /** Screens that a sight is scored against. */
    candidates: 200,
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
    /** Memory of the database in this process. */
    engine: {
      /** Rows that wait in memory to be written to a table file … */
      writeBuffer: 16 * 1_024 * 1_024,
      /** … and how many such buffers there are: one that is filled, one that is being written out. */
      writeBuffers: 2,
      /** Blocks of table files kept for reading. */
      blockCache: 32 * 1_024 * 1_024,
    },
    /** Rows of one statement while a map or a job is deleted. */
    batch: 500,
    /** Rows of one statement while a backup is written or read; pages may be large. */
    backupBatch: 100,
    /** Screens whose edges one slice of a map's adjacency holds … */
    adjacencySlice: 1_000,
    /** … and whose actions, which are longer, one slice of what a map offers. */
    actionSlice: 200,
    /** Words of a page's text that are searchable; words further down rarely say what the page is about. */
    searchWords: 10_000,
    /** Pages that a search takes from the index by their heads and as many by their bodies, and weighs again. */
    searchCandidates: 60,
    /** Characters of a search hit's snippet. */
    snippet: 300,
  },
  retention: {
    /** How often the janitor sweeps. */
    sweepEvery: 60 * MINUTE,
    /** Rows removed in one transaction of a sweep. */
    sweepBatch: 500,
    /** Frontier rows of jobs that ended (the pages themselves stay until their map is deleted). */
    endedJobs: 30 * DAY,
    deadLetters: 30 * DAY,
    /** Stored heavy results. */
    results: 60 * MINUTE,
    /** Backups made before a migration: how many are kept. */
    migrationBackups: 3,
  },
} as const;
