/** Limits of the HTTP gateway, the command line and the process. Milliseconds and bytes unless a name says otherwise. */
import { SECOND } from "../machines/units.ts";

export const gatewayLimits = {
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
} as const;

export const processLimits = {
  /** What the garbage collector takes for the machine's memory, in bytes: it lets heaps grow less. */
  collectorMemory: 384 * 1_024 * 1_024,
  /** Times what a heap holds after a collection that it may hold before the next: of a heap that is small beside that memory … */
  smallHeapGrowth: 1.5,
  /** … and of one of a quarter of it and more. */
  mediumHeapGrowth: 1.3,
  allocatorArenas: 2,
  /** From this size on, in bytes, native memory goes back to the system as soon as it is freed. */
  allocatorReturns: 1_024 * 1_024,
} as const;

/** Memory of the embedded database engine, which reads these from the environment once. */
export const engineLimits = {
  /** Rows that wait in memory to be written to a table file … */
  writeBuffer: 8 * 1_024 * 1_024,
  /** … and how many such buffers there are: one that is filled, one that is being written out. */
  writeBuffers: 2,
  /**
   * Blocks of table files kept for reading, at most. It bounds the largest transaction as well: with 24 MB one of
   * 31 followed by small ones, stopped the database for good; with 32 MB it does not. The likely
   * reason: the engine lets no write begin while its buffers hold more than this, and keeps one that was written
   * out until others have taken its place. So whoever writes without end writes in parts (`exploration.batchRows`,
   * `knowledge.mapEdges`).
   */
  blockCache: 32 * 1_024 * 1_024,
  /** What is read ahead of each table file while files are merged; the engine's own 16 MB are for spinning disks. */
  mergeReadahead: 1_024 * 1_024,
} as const;
