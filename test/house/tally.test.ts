/**
 * The last line of `npm test` tells the truth, also about runs that ended badly.
 */
import { expect, test } from "bun:test";
import { tallyOf } from "../tally.ts";

const summary = (pass: number, fail: number) =>
  ` ${pass} pass\n ${fail} fail\n 12 expect() calls\nRan them.\n`;

test("passes and failures are read from the summary, colours or not", () => {
  expect(tallyOf(summary(12, 0), 0)).toEqual({ passed: 12, failed: 0 });
  expect(tallyOf(summary(12, 3), 1)).toEqual({ passed: 12, failed: 3 });
  expect(tallyOf("\u001b[32m 12 pass\u001b[0m\n\u001b[31m 1 fail\u001b[0m\n", 1)).toEqual({
    passed: 12,
    failed: 1,
  });
});

test("an error outside any test is a failure", () => {
  expect(tallyOf(" 12 pass\n 0 fail\n 1 error\n", 1)).toEqual({ passed: 12, failed: 1 });
});

test("a run that ended badly, or ran nothing, is never a good one", () => {
  expect(tallyOf("panic: it crashed", 132)).toEqual({ passed: 0, failed: 1 });
  expect(tallyOf(summary(12, 0), 1)).toEqual({ passed: 12, failed: 1 });
  expect(tallyOf("", 0)).toEqual({ passed: 0, failed: 1 });
});

test("what a test itself printed before does not count", () => {
  expect(tallyOf(`${summary(99, 9)}${summary(2, 0)}`, 0)).toEqual({ passed: 2, failed: 0 });
});
