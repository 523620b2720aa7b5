/**
 * Reads how many tests passed and failed from what `bun test` printed.
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
  const plain = report.replace(/\u001b\[[0-9;]*m/g, "");
  const last = (word: string): number => {
    const found = [...plain.matchAll(new RegExp(`^\\s*(\\d+) ${word}s?$`, "gm"))].at(-1);
    return Number(found?.[1] ?? 0);
  };
  const passed = last("pass");
  const failed = last("fail") + last("error");
  const wrong = exitCode !== 0 || passed + failed === 0;
  return { passed, failed: wrong ? Math.max(failed, 1) : failed };
}
