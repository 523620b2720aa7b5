/** Measures the heap of the current thread. */
import { heapStats } from "bun:jsc";

/** Collects the garbage of this thread, and then returns the size of its heap in bytes. */
export function heapBytes(): number {
  Bun.gc(true);
  Bun.gc(true);
  return heapStats().heapSize + heapStats().extraMemorySize;
}
