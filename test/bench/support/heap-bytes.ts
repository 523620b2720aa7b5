/** Measures the heap of the current thread. */
import { heapStats } from "bun:jsc";

/** Returns the number of heap bytes of this thread after garbage collection. */
export function heapBytes(): number {
  Bun.gc(true);
  Bun.gc(true);
  return heapStats().heapSize + heapStats().extraMemorySize;
}
