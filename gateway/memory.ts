/**
 * How much memory the process lets its engines take, settled before either of them starts.
 *
 * JavaScriptCore and RocksDB size themselves for the whole machine (a crawl of 526 pages peaked at 620 MB of
 * resident memory on 24 GB, against 430 MB with these), and both read their settings from the environment, once.
 * So `main.ts` replaces the process by itself with them set, before it loads anything else: same process id, same
 * streams, 30 ms.
 */
import { engineLimits, processLimits } from "./limits.ts";

const { writeBuffer, writeBuffers, blockCache, mergeReadahead } = engineLimits;

const SETTINGS: Readonly<Record<string, number>> = {
  /** The memory that the garbage collector believes the machine has. */
  BUN_JSC_forceRAMSize: processLimits.collectorMemory,
  /**
   * Without the compiler's last tier. Its code reads pages 10 % faster, but only after thousands of them; until then
   * compiling it takes as much CPU as storing the pages does (measured: 3 ms for each of the first 300 pages).
   */
  BUN_JSC_useFTLJIT: 0,
  /** How much a heap grows before it is collected again; JavaScriptCore's own 2 and 1.5 are for machines with one. */
  BUN_JSC_smallHeapGrowthFactor: processLimits.smallHeapGrowth,
  BUN_JSC_mediumHeapGrowthFactor: processLimits.mediumHeapGrowth,
  /** What JavaScript frees goes back to the system at once, instead of after 100 ms in which other threads ask for more. */
  MIMALLOC_PURGE_DELAY: 0,
  /** Arenas of the C library's allocator, which native threads otherwise get one each. */
  MALLOC_ARENA_MAX: processLimits.allocatorArenas,
  /**
   * Without these the C library raises both with the largest block it has seen freed, up to 32 and 64 MB, and keeps
   * what one long page took of the database for ever.
   */
  MALLOC_MMAP_THRESHOLD_: processLimits.allocatorReturns,
  MALLOC_TRIM_THRESHOLD_: processLimits.allocatorReturns,
  SURREAL_ROCKSDB_WRITE_BUFFER_SIZE: writeBuffer,
  SURREAL_ROCKSDB_MAX_WRITE_BUFFER_NUMBER: writeBuffers,
  SURREAL_ROCKSDB_MIN_WRITE_BUFFER_NUMBER_TO_MERGE: 1,
  SURREAL_ROCKSDB_BLOCK_CACHE_SIZE: blockCache,
  SURREAL_ROCKSDB_COMPACTION_READAHEAD_SIZE: mergeReadahead,
};

/** The environment with these settings, where it does not say otherwise; `undefined` when nothing is missing. */
export function settledEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const missing = Object.entries(SETTINGS).filter(([name]) => env[name] === undefined);
  if (missing.length === 0) return undefined;
  const settled: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) settled[name] = value;
  for (const [name, value] of missing) settled[name] = String(value);
  return settled;
}
