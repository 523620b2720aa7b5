/**
 * Fingerprints of elements as the caller has seen them. Actions compare elements with them; snapshots that
 * the caller does not see change nothing here.
 */
import { collapseSpaces } from "../dom.ts";
import type { Fingerprint } from "./describer.ts";

export interface FingerprintTexts {
  readonly own: string;
  readonly around: string;
}

export interface Fingerprints {
  /** Call after a snapshot, with the fingerprints of its elements. */
  update(prints: Map<number, Fingerprint>, shown: boolean): void;
  /** The caller has now seen the latest snapshot. */
  showLatest(): void;
  /**
   * The caller has been told about these elements and these texts as of the latest snapshot.
   * A unique element whose surroundings differ only by these texts is accepted as well, such as the button
   * below a field with a character counter. One of several alike may have become another, so it is not.
   */
  accept(ids: readonly number[], texts: readonly string[]): void;
  /** What identifies these elements: as they were shown, or as of the latest snapshot. */
  textsOf(ids: readonly number[], now: boolean): readonly (FingerprintTexts | null)[];
  /** The fingerprint when the element was shown last; if it never was, when it was first found. */
  get(id: number): Fingerprint | undefined;
  set(id: number, print: Fingerprint): void;
  /** The caller has been told about an element that snapshots do not list; used where no snapshot lists it. */
  setUnlisted(id: number, print: Fingerprint): void;
  /** Whether it was the only one of its kind, both when it was shown and in the latest snapshot. */
  isUnique(id: number): boolean;
}

let shownPrints = new Map<number, Fingerprint>();
let latest = shownPrints;
/** Fingerprints of elements that no snapshot lists. */
const pointed = new Map<number, Fingerprint>();

/** What several elements of one kind have in common: digits are replaced, since numbers only count them. */
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

/** Whether all added words belong to the texts. A text may be adjacent to other words without a space. */
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
    // Checked for both snapshots: the last one left of several alike may now show another item.
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
