/**
 * Limits of the HTTP gateway, the command line and the process. Values are in milliseconds or bytes unless a
 * comment says otherwise.
 */
import { SECOND } from "../machines/time-and-size-units.ts";

export const gatewayLimits = {
  /** Maximum size of a request body. */
  bodyBytes: 1_024 * 1_024,
  /**
   * Maximum size of the body of a request that imports a map. For a few seconds, parsing and checking the
   * body takes up to ten times its size in memory.
   */
  mapBytes: 32 * 1_024 * 1_024,
  /**
   * Seconds without traffic after which a connection is closed. They exceed `askLimits.timeout`, so that no
   * slow answer is cut off.
   */
  idleSeconds: 120,
  /** Size of one chunk of a streamed answer. */
  chunkBytes: 64 * 1_024,
  /** Maximum length in characters of a document that an interface without streaming sends in one piece. */
  documentText: 4 * 1_024 * 1_024,
  /** Maximum number of pages in one part of the results of an exploration. */
  resultsPage: 1_000,
  /** How long a request waits for a system that is still starting. */
  startPatience: 20 * SECOND,
  /** How long running requests may continue at shutdown before their connections are closed. */
  drain: 10 * SECOND,
  /** How long the command line waits for a gateway to return its instance id. */
  probe: 2 * SECOND,
  /** Interval at which the command line polls the status of an exploration. */
  pollEvery: 250,
  /** Bytes of free disk space below which `cairn doctor` reports a problem. */
  freeDisk: 1_024 * 1_024 * 1_024,
} as const;

export const processLimits = {
  /** Memory size that the garbage collector assumes for the machine. If this value is small, heaps grow less. */
  collectorMemory: 384 * 1_024 * 1_024,
  /**
   * Factor by which a small heap may grow before the next garbage collection. A heap is small if it takes
   * less than a quarter of `collectorMemory`.
   */
  smallHeapGrowth: 1.5,
  /**
   * Factor by which a medium heap may grow before the next garbage collection. A heap is medium if it has at
   * least a quarter of the size `collectorMemory`.
   */
  mediumHeapGrowth: 1.3,
  /** Interval in milliseconds at which a timer starts a garbage collection. */
  timedCollection: 30 * SECOND,
  allocatorArenas: 2,
  /** Memory blocks of at least this size are returned to the operating system as soon as they are freed. */
  allocatorReturns: 1_024 * 1_024,
} as const;

/** Memory limits of the embedded database engine, which reads them from the environment only once. */
export const engineLimits = {
  /**
   * Size of a buffer that collects rows in memory before they are written to a table file. With 8 MB, the
   * peak memory of a crawl of 300 pages was 12 MB lower. But the crawl took 10 % more CPU time, because more
   * small files had to be merged.
   */
  writeBuffer: 12 * 1_024 * 1_024,
  /** Number of write buffers. The database fills one buffer while it writes another buffer to disk. */
  writeBuffers: 2,
  /**
   * Size of the cache for blocks of table files. It also limits the size of a transaction. With a cache of 24
   * MB, small transactions after a transaction of 31 MB stopped the database permanently; with 32 MB they do
   * not. The engine probably blocks all writes while its write buffers are larger than this cache. So large
   * writes are split (`explorationLimits.batchRows`, `knowledgeLimits.mapEdges`).
   */
  blockCache: 32 * 1_024 * 1_024,
  /**
   * Number of bytes that are read ahead from each table file during a merge. The engine's default of 16 MB is
   * meant for hard disks.
   */
  mergeReadahead: 1_024 * 1_024,
} as const;
