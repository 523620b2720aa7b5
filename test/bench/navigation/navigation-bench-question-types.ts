/**
 * The types of the questions that the navigation bench asks, and a seeded random generator for the bench. The
 * same seed creates the same content.
 */
import { randomFrom } from "../../support/seeded-random.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Question {
  readonly id: string;
  readonly prompt: string;
  /**
   * The page on which the run starts: `index`, `board:<id>`, `thread:<id>` or `page:<id>`. The script that
   * loads the content into a site writes the addresses of these pages.
   */
  readonly seed: string;
  /** Ids of the threads or pages that contain the answer to the question. */
  readonly expected: readonly string[];
  readonly request: Readonly<Record<string, unknown>>;
}

export interface Choose {
  of<T>(values: readonly T[]): T;
  /** Returns a random whole number from `from` to `to`, inclusive. */
  number(from: number, to: number): number;
}

/** Makes the same choices for the same seed. */
export function chooser(seed: number): Choose {
  const next = randomFrom(seed);
  return {
    of: (values) => {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error("a choice of nothing");
      return value;
    },
    number: (from, to) => from + Math.floor(next() * (to - from + 1)),
  };
}
