/** The interface that every bench module implements, and the format of the report that it returns. */

export interface Bench {
  /** Description of the bench in one line, for `--help`. */
  readonly about: string;
  /** Whether the bench needs the packages of `test/bench/package.json`. */
  readonly needsPeers?: boolean;
  /** @param options the arguments after the name of the bench */
  run(options: readonly string[]): Promise<Report>;
}

export interface Report {
  readonly bench: string;
  /**
   * The conditions under which the figures were measured, such as the machine, the number of runs and the
   * sizes of the data.
   */
  readonly conditions: Readonly<Record<string, string | number>>;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  /** Median of the figures of all runs. */
  readonly figure: number;
  readonly unit: string;
  /** The figure that each run has measured, in the order of the runs. */
  readonly runs?: readonly number[];
  readonly target?: Target;
}

/**
 * The limit that a figure must meet: a fixed number, or a multiple of a reference figure. The reference
 * figure was measured in the same run, for a compared tool or for the floor (the least possible work).
 */
export interface Target {
  readonly bound: "at least" | "at most";
  readonly value: number;
  /**
   * How the value of the limit was computed, such as "1/4 of the floor". The floor is the cost of the least
   * possible work.
   */
  readonly label: string;
}

/** Units of figures that are never zero. Zero in one of these units shows that the measurement has failed. */
const NEVER_ZERO = new Set(["ns", "µs", "ms", "s", "bytes", "KB", "MB", "GB", "tokens"]);

/**
 * Whether a measurement can have this value. The value must be finite and not negative. It must be above zero
 * if its unit is in `NEVER_ZERO` or is a rate.
 */
function isPossible(figure: number, unit: string): boolean {
  if (!Number.isFinite(figure) || figure < 0) return false;
  return figure > 0 || !(NEVER_ZERO.has(unit) || unit.endsWith("/s"));
}

export type Verdict = "met" | "NOT MET" | "invalid" | "";

/**
 * Judges a row of the report. A row with an impossible figure is `invalid`, whatever its target. A row is also
 * invalid if its target was computed from an impossible figure.
 */
export function verdictOf({ figure, unit, target }: Row): Verdict {
  if (!isPossible(figure, unit)) return "invalid";
  if (!target) return "";
  if (!Number.isFinite(target.value) || target.value < 0) return "invalid";
  return (target.bound === "at least" ? figure >= target.value : figure <= target.value) ? "met" : "NOT MET";
}

/**
 * Returns the rows of a bench report about one subject, such as a page. If the measurement fails, returns an
 * invalid row, so that the bench continues.
 */
export async function rowsOf(subject: string, work: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await work();
  } catch (error) {
    console.log(`  ${subject} failed: ${String(error).slice(0, 500)}`);
    return [{ name: `${subject}: failed`, figure: Number.NaN, unit: "" }];
  }
}

/** Makes a row whose figure is the median of several runs. */
export function row(name: string, unit: string, runs: readonly number[]): Row {
  return { name, figure: median(runs), unit, runs };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  if (upper === undefined) throw new Error("the median of nothing");
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? upper)) / 2 : upper;
}
