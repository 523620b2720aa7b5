/** Tests the list of the slowest test files that a run of all tests prints. */
import { expect, test } from "bun:test";
import { slowestFiles } from "../test-file-times.ts";

test("the list of the slowest test files starts with the slowest file of this run, and states the total time of all files of this run", () => {
  const times = { "a.test.ts": 500, "b.test.ts": 12_040, "c.test.ts": 3_000, "earlier.test.ts": 90_000 };
  expect(slowestFiles(times, ["a.test.ts", "b.test.ts", "c.test.ts", "new.test.ts"], 2)).toBe(
    [
      "Seconds of the slowest files (all 4 files together: 15.5):",
      "   12.0 b.test.ts",
      "    3.0 c.test.ts",
    ].join("\n"),
  );
});
