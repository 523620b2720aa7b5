/**
 * Environment variables that bound the memory of JavaScriptCore and RocksDB.
 * Both engines size themselves for the whole machine and read their settings once, so `main.ts` replaces the
 * process by itself with these variables set (30 ms). Measured on 24 GB: a crawl of 526 pages peaks at 430 MB
 * instead of 620 MB.
 */
import { engineLimits, processLimits } from "./limits.ts";

const { writeBuffer, writeBuffers, blockCache, mergeReadahead } = engineLimits;

const SETTINGS: Readonly<Record<string, number>> = {
  /** The memory that the garbage collector assumes for the machine. */
  BUN_JSC_forceRAMSize: processLimits.collectorMemory,
  /**
   * Disables the last tier of the compiler. Its code reads pages 10 % faster, but only after thousands of
   * them. Until then compiling costs as much CPU as storing the pages (3 ms for each of the first 300).
   */
  BUN_JSC_useFTLJIT: 0,
  /**
   * Growth of a heap before the next collection. JavaScriptCore's defaults, 2 and 1.5, suit a machine with
   * one heap.
   */
  BUN_JSC_smallHeapGrowthFactor: processLimits.smallHeapGrowth,
  BUN_JSC_mediumHeapGrowthFactor: processLimits.mediumHeapGrowth,
  /**
   * Returns freed memory to the system at once. The default delay of 100 ms lets other threads request more
   * meanwhile.
   */
  MIMALLOC_PURGE_DELAY: 0,
  /** Arenas of the C library's allocator. By default every native thread gets its own. */
  MALLOC_ARENA_MAX: processLimits.allocatorArenas,
  /**
   * Fixes both thresholds. The C library otherwise raises them to the largest block it has freed, up to 32
   * and 64 MB, and then keeps that memory.
   */
  MALLOC_MMAP_THRESHOLD_: processLimits.allocatorReturns,
  MALLOC_TRIM_THRESHOLD_: processLimits.allocatorReturns,
  SURREAL_ROCKSDB_WRITE_BUFFER_SIZE: writeBuffer,
  SURREAL_ROCKSDB_MAX_WRITE_BUFFER_NUMBER: writeBuffers,
  SURREAL_ROCKSDB_MIN_WRITE_BUFFER_NUMBER_TO_MERGE: 1,
  SURREAL_ROCKSDB_BLOCK_CACHE_SIZE: blockCache,
  SURREAL_ROCKSDB_COMPACTION_READAHEAD_SIZE: mergeReadahead,
};

/** The environment with these settings added; `undefined` when it already has all of them. Existing values win. */
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
