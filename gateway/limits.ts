/**
 * Limits of the HTTP gateway, the command line and the process. Milliseconds and bytes unless a name says
 * otherwise.
 */
import { SECOND } from "../machines/units.ts";

export const gatewayLimits = {
  /** Maximum size of a request body. */
  bodyBytes: 1_024 * 1_024,
  /** Seconds without a byte before a connection is closed. Longer than `askLimits.timeout`. */
  idleSeconds: 120,
  /** Size of one chunk of a streamed answer. */
  chunkBytes: 64 * 1_024,
  /** Maximum characters of a document that is sent in one piece, where streaming is impossible. */
  documentText: 4 * 1_024 * 1_024,
  /** Maximum pages in one part of the results of an exploration. */
  resultsPage: 1_000,
  /** How long a request waits for a system that is starting. */
  startPatience: 20 * SECOND,
  /** How long running requests may take at shutdown before their connections are closed. */
  drain: 10 * SECOND,
  /** How long the command line waits for a gateway to identify itself. */
  probe: 2 * SECOND,
  /** Polling interval of the command line for the status of an exploration. */
  pollEvery: 250,
  /** Free disk below which the doctor warns. */
  freeDisk: 1_024 * 1_024 * 1_024,
} as const;

export const processLimits = {
  /** Machine memory that the garbage collector assumes. A small value makes heaps grow less. */
  collectorMemory: 384 * 1_024 * 1_024,
  /** Growth factor between two collections for a heap that is small beside `collectorMemory`. */
  smallHeapGrowth: 1.5,
  /** Growth factor for a heap of a quarter of `collectorMemory` or more. */
  mediumHeapGrowth: 1.3,
  allocatorArenas: 2,
  /** Blocks of at least this size return to the system as soon as they are freed. */
  allocatorReturns: 1_024 * 1_024,
} as const;

/** Memory of the embedded database engine. The engine reads these from the environment once. */
export const engineLimits = {
  /** Rows that wait in memory before they are written to a table file. */
  writeBuffer: 8 * 1_024 * 1_024,
  /** Number of write buffers: one is filled while the other is written. */
  writeBuffers: 2,
  /**
   * Cache of table file blocks. It also bounds the largest transaction: with 24 MB, a transaction of 31 MB
   * followed by small ones stopped the database for good; with 32 MB it does not. Probable cause: the engine
   * blocks writes while its buffers hold more than this cache, and frees a written buffer only when others
   * replace it. So large writes are split (`explorationLimits.batchRows`, `knowledgeLimits.mapEdges`).
   */
  blockCache: 32 * 1_024 * 1_024,
  /** Read-ahead of each table file during a merge. The engine's default of 16 MB is meant for hard disks. */
  mergeReadahead: 1_024 * 1_024,
} as const;
