/** Reads the output of `bun test`: the numbers of passed and failed tests, and the report of each failure. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * The numbers in the summary at the end. A run that ended with an error but without a failed test (a crash,
 * an error outside of tests) counts as one failure.
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

/** The files whose tests failed. An error outside of tests belongs to no file. */
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

/** The list of failed tests that bun repeats at the end. */
const LIST_AT_THE_END = /^\d+ tests? (failed|skipped):$/;

/**
 * Maximum characters of a failure's report that are printed. They suffice for the error and its origin,
 * without long logs.
 */
const MAX_REPORT = 6_000;

/** The output of each failed test, from the end of the previous test to its own line, in order. */
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
