/**
 * The verdict of a test run. A failed file may run a second time alone; if it passes then, it is unsteady,
 * which is a defect. `npm test` lists it, `npm run test:full` fails.
 */
import type { Tally } from "./tally.ts";

/** Largest number of failed files that run again: more failures are no coincidence. */
export const MAX_REPEATED_FILES = 2;

export interface FirstRun extends Tally {
  readonly failedFiles: readonly string[];
  /** The reports of failed tests. Fewer than `failed` when something failed outside any test. */
  readonly failures: readonly string[];
}

/** The files to run again; none when the failures cannot be coincidence. */
export function filesToRepeat(first: FirstRun): readonly string[] {
  const attributed = first.failures.length === first.failed;
  return attributed && first.failedFiles.length <= MAX_REPEATED_FILES ? first.failedFiles : [];
}

export interface Verdict extends Tally {
  readonly unsteady: readonly string[];
}

/** @param repeat the run of `filesToRepeat`, if there were any */
export function verdictOf(first: FirstRun, repeat: Tally | undefined, isFull: boolean): Verdict {
  if (!repeat || repeat.failed > 0) return { passed: first.passed, failed: first.failed, unsteady: [] };
  const unsteady = first.failedFiles;
  return isFull
    ? { passed: first.passed, failed: first.failed, unsteady }
    : { passed: first.passed + first.failed, failed: 0, unsteady };
}
