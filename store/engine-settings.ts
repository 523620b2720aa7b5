/**
 * The memory of the database in this process.
 *
 * SurrealDB sizes RocksDB for a machine of its own: on 24 GB it lets 1 GB of written rows and 11 GB of read blocks
 * stay in memory. It reads its settings from the environment of the process and nowhere else, as the native library
 * sees it; Bun keeps `process.env` apart from that one, so the values are set in the C library itself. Neighbour:
 * `connection.ts` calls this before it opens a database.
 *
 * Measured in one process that stores pages of 60 kB with 30 edges and 3 kB of searchable text each: a resident peak
 * of 291 MB after 1,000 pages and 294 MB after 1,500; without this 372 MB after 1,000, and growing. With 60 kB of
 * searchable text a page it was 1,034 MB after 500 without this.
 */
import { limits } from "../machines/limits.ts";

const { writeBuffer, writeBuffers, blockCache } = limits.store.engine;

const SETTINGS: Readonly<Record<string, number>> = {
  SURREAL_ROCKSDB_WRITE_BUFFER_SIZE: writeBuffer,
  SURREAL_ROCKSDB_MAX_WRITE_BUFFER_NUMBER: writeBuffers,
  // Each full buffer goes to disk by itself: waiting for a second one would leave no room to write into.
  SURREAL_ROCKSDB_MIN_WRITE_BUFFER_NUMBER_TO_MERGE: 1,
  SURREAL_ROCKSDB_BLOCK_CACHE_SIZE: blockCache,
};

/** Where the C library is, by platform; the first that can be opened is it. */
const LIBRARIES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
  darwin: ["libSystem.B.dylib"],
};

/** Sets what the environment does not say already. Works before the first database of the process is opened. */
export async function settleEngine(): Promise<void> {
  const missing = Object.entries(SETTINGS).filter(([name]) => process.env[name] === undefined);
  if (missing.length === 0) return;
  // What is told here stays told to child processes, and makes a second call do nothing.
  for (const [name, value] of missing) process.env[name] = String(value);
  const setenv = await nativeSetenv();
  for (const [name, value] of missing) setenv?.(name, String(value));
}

async function nativeSetenv(): Promise<((name: string, value: string) => void) | undefined> {
  // Elsewhere (Node.js) `process.env` is the environment of the process.
  if (process.versions.bun === undefined) return undefined;
  const { dlopen, FFIType } = await import("bun:ffi");
  const text = (value: string) => Buffer.from(`${value}\0`);
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      const { symbols } = dlopen(library, {
        setenv: { args: [FFIType.ptr, FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
      });
      return (name, value) => {
        symbols.setenv(text(name), text(value), 0);
      };
    } catch {
      // Another C library; without any, the database works with the sizes it chooses by itself.
    }
  }
  return undefined;
}
