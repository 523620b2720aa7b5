/**
 * Tests how `npm test` reads the output of `bun test`: the numbers of tests and the reports of failures, even
 * after a crash.
 */
import { expect, test } from "bun:test";
import { failedFiles, failuresOf, tallyOf } from "../test-output-parser.ts";

const summary = (pass: number, fail: number) =>
  ` ${pass} pass\n ${fail} fail\n 12 expect() calls\nRan them.\n`;

test("the numbers of passed and failed tests are read from the summary, with or without colours", () => {
  expect(tallyOf(summary(12, 0), 0)).toEqual({ passed: 12, failed: 0 });
  expect(tallyOf(summary(12, 3), 1)).toEqual({ passed: 12, failed: 3 });
  expect(tallyOf("\u001b[32m 12 pass\u001b[0m\n\u001b[31m 1 fail\u001b[0m\n", 1)).toEqual({
    passed: 12,
    failed: 1,
  });
});

test("an error outside of any test counts as a failure", () => {
  expect(tallyOf(" 12 pass\n 0 fail\n 1 error\n", 1)).toEqual({ passed: 12, failed: 1 });
});

test("a test run that crashed or ran no test never counts as passed", () => {
  expect(tallyOf("panic: it crashed", 132)).toEqual({ passed: 0, failed: 1 });
  expect(tallyOf(summary(12, 0), 1)).toEqual({ passed: 12, failed: 1 });
  expect(tallyOf("", 0)).toEqual({ passed: 0, failed: 1 });
});

test("numbers of tests are read from the last summary, and a summary that a test prints is ignored", () => {
  expect(tallyOf(`${summary(99, 9)}${summary(2, 0)}`, 0)).toEqual({ passed: 2, failed: 0 });
});

test("the report of a failed test contains the output since the previous test, and no output of passed tests", () => {
  const report = [
    "test/a.test.ts:",
    "(pass) it holds [1ms]",
    "3 | expect(1).toBe(2)",
    "error: they differ",
    "\u001b[31m(fail) it breaks [2ms]\u001b[0m",
    "test/b.test.ts:",
    "what it said",
    "(pass) it holds, too [1ms]",
    "(fail) it breaks at once [0ms]",
    "2 tests failed:",
    "(fail) it breaks [2ms]",
    "(fail) it breaks at once [0ms]",
    summary(2, 2),
  ].join("\n");
  expect(failedFiles(report)).toEqual(["test/a.test.ts", "test/b.test.ts"]);
  expect(failuresOf(report)).toEqual([
    "3 | expect(1).toBe(2)\nerror: they differ\n(fail) it breaks [2ms]",
    "(fail) it breaks at once [0ms]",
  ]);
});
