/**
 * The verdict of a test run. Failed files may run a second time, one at a time. A test that then passes is
 * unsteady, which is a defect: `npm test` lists it, and `npm run test:full` fails.
 */
import type { Tally } from "./test-output-parser.ts";

/** Maximum number of failed files that run again. If more files fail, chance is not the cause. */
const MAX_REPEATED_FILES = 2;

export interface FirstRun extends Tally {
  readonly failedFiles: readonly string[];
  /**
   * The reports of failed tests. If an error occurred outside of tests, there are fewer reports than the
   * number `failed`.
   */
  readonly failures: readonly string[];
}

/**
 * Returns the test files to run again. The list is empty in two cases: the report of a failure is missing, or
 * too many files failed for chance to be the cause.
 */
export function filesToRepeat(first: FirstRun): readonly string[] {
  const attributed = first.failures.length === first.failed;
  return attributed && first.failedFiles.length <= MAX_REPEATED_FILES ? first.failedFiles : [];
}

export interface Verdict extends Tally {
  readonly unsteady: readonly string[];
}

/**
 * @param repeat the result of the second run, in which only the files from `filesToRepeat` ran; `undefined`
 * if no file ran again
 */
export function verdictOf(first: FirstRun, repeat: Tally | undefined, isFull: boolean): Verdict {
  if (!repeat || repeat.failed > 0) return { passed: first.passed, failed: first.failed, unsteady: [] };
  const unsteady = first.failedFiles;
  return isFull
    ? { passed: first.passed, failed: first.failed, unsteady }
    : { passed: first.passed + first.failed, failed: 0, unsteady };
}
