/**
 * Tests the garbage collection of a thread, and its ballast: reserved memory that makes the collector run
 * less often. Both are tested in the test's own thread.
 */
import { expect, test } from "bun:test";
import { collectGarbage, holdBallast } from "../../../actors/runtime/platform.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";

const MEGABYTE = 1_024 * 1_024;

test.if(isFull)(
  "the reserved memory (ballast) of a thread uses no RAM, and is released when its last user releases it",
  async () => {
    // Releases the buffers of earlier tests in this process, so that they are not released while this test
    // counts buffers.
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
    const before = process.memoryUsage();
    const releases = [holdBallast(1_024 * MEGABYTE), holdBallast(1_024 * MEGABYTE)];
    const held = process.memoryUsage();
    expect(held.rss - before.rss).toBeLessThan(128 * MEGABYTE);
    if (!("Bun" in globalThis)) return;
    expect(Math.abs((held.arrayBuffers - before.arrayBuffers) / MEGABYTE - 1_024)).toBeLessThan(64);
    for (const [at, release] of releases.entries()) {
      release();
      release();
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve));
      collectGarbage();
      const left = process.memoryUsage().arrayBuffers - before.arrayBuffers;
      expect(left > 512 * MEGABYTE).toBe(at === 0);
    }
  },
);

test("a requested garbage collection frees objects that a thread no longer references", async () => {
  const dropped = Array.from({ length: 100 }, () => new WeakRef(new Uint8Array(MEGABYTE)));
  // Objects live at least until the end of the event-loop turn in which they were created, so one turn is
  // awaited.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  // A few objects may survive, because the garbage collector treats every value on the stack that looks like
  // a pointer as a reference.
  if ("Bun" in globalThis) expect(dropped.filter((one) => one.deref() !== undefined).length).toBeLessThan(50);
});
