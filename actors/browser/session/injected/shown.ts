/**
 * In the page: what elements were when their caller was shown them, which acts hold them against.
 *
 * Looks that show nobody anything change nothing of it. Sent as its own source. Neighbours: `walker.ts` looks,
 * `identity.ts` asks.
 */
import type { Print } from "./describer.ts";

export interface WordsOf {
  readonly own: string;
  readonly around: string;
}

export interface Shown {
  /** After a look. */
  looked(prints: Map<number, Print>, shown: boolean): void;
  /** Somebody is shown the last look once more. */
  again(): void;
  /** Somebody is told of these elements as they were at the last look. */
  adopt(ids: readonly number[]): void;
  /** What tells these elements: as they were shown last, or are at the last look. */
  words(ids: readonly number[], now: boolean): readonly (WordsOf | null)[];
  /** What an element was when it was shown last; where it never was, when it was seen first. */
  printOf(id: number): Print | undefined;
}

export function makeShown(): Shown {
  let shown = new Map<number, Print>();
  let latest = shown;
  return {
    looked(prints, isShown) {
      latest = prints;
      if (isShown) shown = prints;
      else for (const [id, print] of prints) if (!shown.has(id)) shown.set(id, print);
    },
    again() {
      shown = latest;
    },
    adopt(ids) {
      for (const id of ids) {
        const print = latest.get(id);
        if (print) shown.set(id, print);
      }
    },
    words: (ids, now) =>
      ids.map((id) => {
        const print = (now ? latest : shown).get(id);
        return print ? { own: print.own, around: print.around.join("\n") } : null;
      }),
    printOf: (id) => shown.get(id),
  };
}
