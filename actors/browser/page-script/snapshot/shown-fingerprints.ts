/**
 * In the page: what elements were when their caller was shown them, which acts hold them against.
 *
 * Looks that show nobody anything change nothing of it. Sent as its own source. Neighbours: `walker.ts` looks,
 * `identity.ts` asks.
 */
import { collapseSpaces } from "../dom.ts";
import type { Fingerprint } from "./describer.ts";

export interface FingerprintTexts {
  readonly own: string;
  readonly around: string;
}

export interface Fingerprints {
  /** After a look. */
  update(prints: Map<number, Fingerprint>, shown: boolean): void;
  /** Somebody is shown the last look once more. */
  showLatest(): void;
  /**
   * Somebody is told of these elements as they were at the last look, and of these texts. What is the only one of its
   * kind and differs from what it was in nothing but those texts around it is meant as it is now, too: the button below
   * a field that counts its letters. Of several alike another one may stand there now.
   */
  accept(ids: readonly number[], texts: readonly string[]): void;
  /** What tells these elements: as they were shown last, or are at the last look. */
  textsOf(ids: readonly number[], now: boolean): readonly (FingerprintTexts | null)[];
  /** What an element was when it was shown last; where it never was, when it was seen first. */
  get(id: number): Fingerprint | undefined;
  set(id: number, print: Fingerprint): void;
  /** Somebody is told of an element that looks do not tell: it is held against this where no look ever does. */
  setUnlisted(id: number, print: Fingerprint): void;
  /** Whether there was nothing else of its kind when it was shown, nor at the last look. */
  isUnique(id: number): boolean;
}

let shownPrints = new Map<number, Fingerprint>();
let latest = shownPrints;
/** What no look tells, as it was when somebody was told of it. */
const pointed = new Map<number, Fingerprint>();

/** What several things of one kind have in common: numbers tell them apart by their place only. */
const kindsOf = ({ own }: Fingerprint): ReadonlySet<string> => {
  const plain = own.replace(/\d+/g, "#");
  const [tag, role, words = ""] = plain.split("\n");
  return new Set(words === "" ? [plain] : [plain, `${tag}\n${role}\n${words}`]);
};

const aloneIn = (prints: ReadonlyMap<number, Fingerprint>): ((print: Fingerprint) => boolean) => {
  const counts = new Map<string, number>();
  for (const print of prints.values())
    for (const kind of kindsOf(print)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return (print) => [...kindsOf(print)].every((kind) => counts.get(kind) === 1);
};

/** Whether all words that came are of the texts, which may stand against others without a blank. */
const isExplained = (then: Fingerprint, now: Fingerprint, texts: readonly string[]): boolean => {
  const TOLD = "\u0000";
  let around = now.context.join(" ");
  for (const text of texts) around = around.replaceAll(text, TOLD);
  const were = new Set(then.context);
  return around.split(" ").every((word) => {
    if (!word.includes(TOLD)) return word === "" || were.has(word);
    const rests = word.split(TOLD).filter((rest) => rest !== "");
    return rests.every((rest) => [...were].some((other) => other.startsWith(rest) || other.endsWith(rest)));
  });
};

export const fingerprints: Fingerprints = {
  update(seen, isShown) {
    latest = seen;
    if (isShown) shownPrints = seen;
    else for (const [id, print] of seen) if (!shownPrints.has(id)) shownPrints.set(id, print);
  },
  showLatest() {
    shownPrints = latest;
  },
  accept(ids, texts) {
    for (const id of ids) {
      const print = latest.get(id);
      if (print) shownPrints.set(id, print);
    }
    if (texts.length === 0 || shownPrints === latest) return;
    const told = texts.map(collapseSpaces).filter((text) => text !== "");
    told.sort((one, other) => other.length - one.length);
    // Also before: what is left of several alike may show another of them now.
    const [wasAlone, isAlone] = [aloneIn(shownPrints), aloneIn(latest)];
    for (const [id, now] of latest) {
      const then = shownPrints.get(id);
      if (!then || then.own !== now.own || then.context.join(" ") === now.context.join(" ")) continue;
      if (wasAlone(now) && isAlone(now) && isExplained(then, now, told)) shownPrints.set(id, now);
    }
  },
  textsOf: (ids, now) =>
    ids.map((id) => {
      const print = (now ? latest : shownPrints).get(id);
      return print ? { own: print.own, around: print.context.join("\n") } : null;
    }),
  get: (id) => shownPrints.get(id) ?? pointed.get(id),
  setUnlisted(id, print) {
    pointed.set(id, print);
  },
  set(id, print) {
    shownPrints.set(id, print);
  },
  isUnique(id) {
    const print = shownPrints.get(id);
    return print !== undefined && aloneIn(shownPrints)(print) && aloneIn(latest)(print);
  },
};
