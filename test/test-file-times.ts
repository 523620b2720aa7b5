/**
 * The time that each test file took. `bun test` starts the slowest files first, so that no process works alone at
 * the end. `timings.json` contains the times for a machine without an earlier run.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Milliseconds by path, in the format of `bun test --timings`. */
interface FileTimes {
  readonly version: number;
  readonly files: Readonly<Record<string, number>>;
}

const HERE = join(import.meta.dir, "..");
/** The file in the repository with the times of all test files. */
const SHARED = join(HERE, "test/timings.json");
/** The file with the times that were measured on this machine. */
export const LOCAL_TIMES = join(HERE, ".cache/test-times.json");
/** Number of files in the table that a run prints. */
const ROWS = 10;

/** Copies the times of all test files for this machine, unless an earlier run has done so. */
export async function prepareLocalTimes(): Promise<void> {
  if (await Bun.file(LOCAL_TIMES).exists()) return;
  await mkdir(dirname(LOCAL_TIMES), { recursive: true });
  await Bun.write(LOCAL_TIMES, Bun.file(SHARED));
}

export async function readLocalTimes(): Promise<FileTimes["files"]> {
  const { files }: FileTimes = await Bun.file(LOCAL_TIMES).json();
  return files;
}

/**
 * Copies the times that were measured on this machine to the file in the repository. Files that no longer exist are
 * left out, because `bun test` never removes a time.
 */
export async function shareLocalTimes(existing: readonly string[]): Promise<void> {
  const { version, files }: FileTimes = await Bun.file(LOCAL_TIMES).json();
  const kept = Object.fromEntries(Object.entries(files).filter(([path]) => existing.includes(path)));
  await Bun.write(SHARED, `${JSON.stringify({ version, files: kept }, undefined, 2)}\n`);
}

/** Returns the sum of the times of these files, and the slowest files, one a line. */
export function slowestFiles(times: FileTimes["files"], files: readonly string[], rows = ROWS): string {
  const timed = files.map((path) => ({ path, time: times[path] ?? 0 })).sort((a, b) => b.time - a.time);
  const seconds = (time: number): string => (time / 1_000).toFixed(1).padStart(7);
  const sum = timed.reduce((total, { time }) => total + time, 0);
  return [
    `Seconds of the slowest files (all ${files.length} files together: ${seconds(sum).trim()}):`,
    ...timed.slice(0, rows).map(({ path, time }) => `${seconds(time)} ${path}`),
  ].join("\n");
}
