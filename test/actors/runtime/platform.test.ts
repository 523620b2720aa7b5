/** What a thread is given, in the thread that runs the test. */
import { expect, test } from "bun:test";
import { collectGarbage, holdBallast } from "../../../actors/runtime/platform.ts";

const MEGABYTE = 1_024 * 1_024;

test("a thread's ballast takes no room, and is let go with the last work that holds it", async () => {
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

test("what a thread holds no longer is given back when it asks for that", async () => {
  const dropped = Array.from({ length: 100 }, () => new WeakRef(new Uint8Array(MEGABYTE)));
  await new Promise((resolve) => setTimeout(resolve)); // What was made in a turn lives to its end.
  collectGarbage();
  // Here and there something on the stack looks like an address.
  if ("Bun" in globalThis) expect(dropped.filter((one) => one.deref() !== undefined).length).toBeLessThan(50);
});
