/** Tests the garbage collector's ballast and the garbage collection of a thread, in the test's own thread. */
import { expect, test } from "bun:test";
import { collectGarbage, holdBallast } from "../../../actors/runtime/platform.ts";

const MEGABYTE = 1_024 * 1_024;

test("the reserved memory (ballast) of a thread uses no RAM, and is released by its last holder", async () => {
  const before = process.memoryUsage();
  const releases = [holdBallast(1_024 * MEGABYTE), holdBallast(1_024 * MEGABYTE)];
  const held = process.memoryUsage();
  expect(held.rss - before.rss).toBeLessThan(128 * MEGABYTE);
  if (!("Bun" in globalThis)) return;
  expect(Math.round((held.arrayBuffers - before.arrayBuffers) / MEGABYTE)).toBe(1_024);
  for (const [at, release] of releases.entries()) {
    release();
    release();
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
    const left = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    expect(left > 512 * MEGABYTE).toBe(at === 0);
  }
});

test("a requested garbage collection frees objects that a thread no longer references", async () => {
  const dropped = Array.from({ length: 100 }, () => new WeakRef(new Uint8Array(MEGABYTE)));
  // Waits one turn, because objects created in a turn live until its end.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  // Not all objects must be freed, because a value on the stack may look like an address and keep an object
  // alive.
  if ("Bun" in globalThis) expect(dropped.filter((one) => one.deref() !== undefined).length).toBeLessThan(50);
});
