/** What a thread is given, in the thread that runs the test. */
import { expect, test } from "bun:test";
import { collectGarbage, holdBallast } from "../../../actors/runtime/platform.ts";

const MEGABYTE = 1_024 * 1_024;

test("a thread's ballast takes no room", () => {
  const before = process.memoryUsage().rss;
  holdBallast(1_024 * MEGABYTE);
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * MEGABYTE);
});

test("what a thread holds no longer is given back when it asks for that", async () => {
  const dropped = Array.from({ length: 100 }, () => new WeakRef(new Uint8Array(MEGABYTE)));
  await new Promise((resolve) => setTimeout(resolve)); // What was made in a turn lives to its end.
  collectGarbage();
  // Here and there something on the stack looks like an address.
  if ("Bun" in globalThis) expect(dropped.filter((one) => one.deref() !== undefined).length).toBeLessThan(50);
});
