/**
 * Reads from what `bun test` printed how many tests passed and failed, and why those that failed did.
 */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * The numbers of the summary at the end. A run that ended badly without naming a failure (a crash, an error
 * outside any test) counts as one failure, so that it cannot pass for a good one.
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

/** The files whose tests failed. Of an error outside any test it is not known whose it was: then it is of none. */
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

/** The list of names that bun prints once more at the end. */
const LIST_AT_THE_END = /^\d+ tests? (failed|skipped):$/;

/** Characters kept of one failure: the error and where it came from, not all that a server said beside it. */
const TOLD_OF_A_FAILURE = 6_000;

/** What was printed of each failure, from the test before it to its own line, in the order they failed. */
export function failuresOf(report: string): readonly string[] {
  const failures: string[] = [];
  let told: string[] = [];
  for (const line of withoutColours(report).split("\n")) {
    if (LIST_AT_THE_END.test(line)) break;
    const outcome = /^\((pass|fail|skip|todo)\) /.exec(line)?.[1];
    if (outcome === "fail") failures.push(`${told.join("\n").slice(0, TOLD_OF_A_FAILURE)}\n${line}`.trim());
    if (outcome !== undefined || /^\S+\.test\.ts:$/.test(line)) told = [];
    else told.push(line);
  }
  return failures;
}

function withoutColours(report: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
  return report.replace(/\u001b\[[0-9;]*m/g, "");
}
