/** What a thread is given, in the thread that runs the test. */
import { expect, test } from "bun:test";
import { holdBallast } from "../../../actors/runtime/platform.ts";

const MEGABYTE = 1_024 * 1_024;

test("a thread's ballast takes no room", () => {
  const before = process.memoryUsage().rss;
  holdBallast(1_024 * MEGABYTE);
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * MEGABYTE);
});
