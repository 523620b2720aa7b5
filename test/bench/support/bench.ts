/** What a bench module exports as `bench`, and what running it answers. */

export interface Bench {
  /** One line for `--help`. */
  readonly about: string;
  /** Whether it measures against the packages of `test/bench/package.json`. */
  readonly needsPeers?: boolean;
  /** @param options what follows the bench's name on the command line */
  run(options: readonly string[]): Promise<Report>;
}

export interface Report {
  readonly bench: string;
  /** How it was measured: machine, runs, sizes. */
  readonly conditions: Readonly<Record<string, string | number>>;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  /** The median of the runs. */
  readonly figure: number;
  readonly unit: string;
  /** All runs, in order. */
  readonly runs?: readonly number[];
  readonly target?: Target;
}

/** A figure is held against a number: its own, or that of a peer measured in the same run. */
export interface Target {
  readonly sense: "at least" | "at most";
  readonly value: number;
  /** Where the number comes from, such as "1/4 of the floor". */
  readonly says: string;
}

export function met({ figure, target }: Row): boolean | undefined {
  if (!target) return undefined;
  return target.sense === "at least" ? figure >= target.value : figure <= target.value;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  if (upper === undefined) throw new Error("the median of nothing");
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? upper)) / 2 : upper;
}
