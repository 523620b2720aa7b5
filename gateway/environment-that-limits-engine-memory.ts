/**
 * Environment variables that limit the memory of JavaScriptCore and RocksDB. Both engines choose their memory
 * sizes for the complete machine and read their settings once; `main.ts` therefore restarts the process with
 * these variables (30 ms). On a machine with 24 GB, the peak of a crawl of 526 pages falls from 620 MB to 430
 * MB.
 */
import { engineLimits, processLimits } from "./gateway-limits.ts";

const { writeBuffer, writeBuffers, blockCache, mergeReadahead } = engineLimits;

const SETTINGS: Readonly<Record<string, number>> = {
  /** Memory size in bytes that the garbage collector assumes for the machine. */
  BUN_JSC_forceRAMSize: processLimits.collectorMemory,
  /**
   * Disables the compiler's highest optimisation level. The optimised code reads pages 10 % faster, but only
   * after thousands of pages. For each of the first 300 pages, compiling takes 3 ms of CPU time, as much as
   * storing the page.
   */
  BUN_JSC_useFTLJIT: 0,
  /**
   * Factor by which a small heap may grow before the next garbage collection. JavaScriptCore's default, 2, is
   * meant for a process with a single heap.
   */
  BUN_JSC_smallHeapGrowthFactor: processLimits.smallHeapGrowth,
  /**
   * Factor by which a heap of medium size may grow before the next garbage collection. JavaScriptCore's default is
   * 1.5.
   */
  BUN_JSC_mediumHeapGrowthFactor: processLimits.mediumHeapGrowth,
  /**
   * Interval in milliseconds at which Bun collects garbage in each thread, in addition to the collections that
   * allocations cause. A collection stops the thread for 5 ms. With Bun's default, 1 second, it delays every
   * sixth call of a model that pauses for a second between two calls.
   */
  BUN_GC_TIMER_INTERVAL: processLimits.timedCollection,
  /**
   * Freed memory is returned to the system immediately. During the default delay of 100 ms it would still count as
   * used, while other threads allocate more.
   */
  MIMALLOC_PURGE_DELAY: 0,
  /** Number of memory arenas of the C library's allocator. By default, every native thread gets an arena. */
  MALLOC_ARENA_MAX: processLimits.allocatorArenas,
  /**
   * Freed blocks of at least this number of bytes are returned to the system, and smaller ones are kept. By
   * default, the C library raises this limit to the size of the largest freed block, up to 32 MB.
   */
  MALLOC_MMAP_THRESHOLD_: processLimits.allocatorReturns,
  /**
   * Free memory at the end of the heap is returned to the system when it has at least this number of bytes. By
   * default, the C library raises this limit to twice the size of the largest freed block, up to 64 MB.
   */
  MALLOC_TRIM_THRESHOLD_: processLimits.allocatorReturns,
  SURREAL_ROCKSDB_WRITE_BUFFER_SIZE: writeBuffer,
  SURREAL_ROCKSDB_MAX_WRITE_BUFFER_NUMBER: writeBuffers,
  SURREAL_ROCKSDB_MIN_WRITE_BUFFER_NUMBER_TO_MERGE: 1,
  SURREAL_ROCKSDB_BLOCK_CACHE_SIZE: blockCache,
  SURREAL_ROCKSDB_COMPACTION_READAHEAD_SIZE: mergeReadahead,
};

/**
 * Returns the environment with Cairn's memory settings added; `undefined` when all are already set. Existing
 * values are kept.
 */
export function engineEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const missing = Object.entries(SETTINGS).filter(([name]) => env[name] === undefined);
  if (missing.length === 0) return undefined;
  const settled: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) settled[name] = value;
  for (const [name, value] of missing) settled[name] = String(value);
  return settled;
}
