/** Reads the output of `bun test`: the numbers of passed and failed tests, and the report of each failure. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Returns the numbers of the summary at the end of the output. A run without failed tests that ended with an
 * error, such as a crash, counts as one failure.
 */
export function tallyOf(report: string, exitCode: number): Tally {
  const plain = withoutColours(report);
  const last = (word: string): number => {
    const found = [...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}s?$`, "gm"))].at(-1);
    return Number(found?.[1] ?? 0);
  };
  const passed = last("pass");
  const failed = last("fail") + last("error");
  const wrong = exitCode !== 0 || passed + failed === 0;
  return { passed, failed: wrong ? Math.max(failed, 1) : failed };
}

/** Returns the files with failed tests. An error outside of tests belongs to no file. */
export function failedFiles(report: string): readonly string[] {
  const files = new Set<string>();
  let file: string | undefined;
  for (const line of withoutColours(report).split("\n")) {
    if (LIST_AT_THE_END.test(line)) break;
    file = /^(\S+\.test\.ts):$/.exec(line)?.[1] ?? file;
    if (file !== undefined && line.startsWith("(fail) ")) files.add(file);
  }
  return [...files];
}

/** Matches the heading of the list in which bun repeats all failed tests at the end. */
const LIST_AT_THE_END = /^\d+ tests? (failed|skipped):$/;

/**
 * Maximum number of characters that are printed of a failure's report. They contain the error and its origin,
 * but not a long log.
 */
const MAX_REPORT = 6_000;

/**
 * Returns the output of each failed test, in order. The output starts after the previous test and ends with
 * the test's own line.
 */
export function failuresOf(report: string): readonly string[] {
  const failures: string[] = [];
  let output: string[] = [];
  for (const line of withoutColours(report).split("\n")) {
    if (LIST_AT_THE_END.test(line)) break;
    const outcome = /^\((pass|fail|skip|todo)\) /.exec(line)?.[1];
    if (outcome === "fail") failures.push(`${output.join("\n").slice(0, MAX_REPORT)}\n${line}`.trim());
    if (outcome !== undefined || /^\S+\.test\.ts:$/.test(line)) output = [];
    else output.push(line);
  }
  return failures;
}

function withoutColours(report: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
  return report.replace(/\u001b\[[0-9;]*m/g, "");
}
