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
  update(all: Map<number, Fingerprint>, shown: boolean): void;
  /** The caller has now seen the latest snapshot. */
  showLatest(): void;
  /**
   * The caller has seen these elements and these texts as of the latest snapshot.
   * A unique element whose surroundings differ only by these texts is accepted as well, such as the button
   * below a field with a character counter. One of several alike may have become another, so it is not.
   */
  accept(ids: readonly number[], texts: readonly string[]): void;
  /** What identifies these elements: as they were shown, or as of the latest snapshot. */
  textsOf(ids: readonly number[], now: boolean): readonly (FingerprintTexts | null)[];
  /** The fingerprint when the element was shown last; if it never was, when it was first found. */
  get(id: number): Fingerprint | undefined;
  set(id: number, fingerprint: Fingerprint): void;
  /** The caller has seen an element that snapshots do not list; used where no snapshot lists it. */
  setUnlisted(id: number, fingerprint: Fingerprint): void;
  /** Whether it was the only one of its kind, both when it was shown and in the latest snapshot. */
  isUnique(id: number): boolean;
}

let shown = new Map<number, Fingerprint>();
let latest = shown;
/** Fingerprints of elements that no snapshot lists. */
const unlisted = new Map<number, Fingerprint>();

/** What several elements of one kind have in common: digits are replaced, since numbers only count them. */
const kindsOf = ({ own }: Fingerprint): ReadonlySet<string> => {
  const plain = own.replace(/\d+/g, "#");
  const [tag, role, words = ""] = plain.split("\n");
  return new Set(words === "" ? [plain] : [plain, `${tag}\n${role}\n${words}`]);
};

const aloneIn = (all: ReadonlyMap<number, Fingerprint>): ((fingerprint: Fingerprint) => boolean) => {
  const counts = new Map<string, number>();
  for (const fingerprint of all.values())
    for (const kind of kindsOf(fingerprint)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return (fingerprint) => [...kindsOf(fingerprint)].every((kind) => counts.get(kind) === 1);
};

/** Whether all added words belong to the texts. A text may be adjacent to other words without a space. */
const isExplained = (then: Fingerprint, now: Fingerprint, texts: readonly string[]): boolean => {
  const EXPLAINED = "\u0000";
  let around = now.context.join(" ");
  for (const text of texts) around = around.replaceAll(text, EXPLAINED);
  const wordsBefore = new Set(then.context);
  return around.split(" ").every((word) => {
    if (!word.includes(EXPLAINED)) return word === "" || wordsBefore.has(word);
    const rests = word.split(EXPLAINED).filter((rest) => rest !== "");
    return rests.every((rest) =>
      [...wordsBefore].some((other) => other.startsWith(rest) || other.endsWith(rest)),
    );
  });
};

export const fingerprints: Fingerprints = {
  update(taken, isShown) {
    latest = taken;
    if (isShown) shown = taken;
    else for (const [id, fingerprint] of taken) if (!shown.has(id)) shown.set(id, fingerprint);
  },
  showLatest() {
    shown = latest;
  },
  accept(ids, texts) {
    for (const id of ids) {
      const fingerprint = latest.get(id);
      if (fingerprint) shown.set(id, fingerprint);
    }
    if (texts.length === 0 || shown === latest) return;
    const known = texts.map(collapseSpaces).filter((text) => text !== "");
    known.sort((first, other) => other.length - first.length);
    // Checked for both snapshots: the last one left of several alike may now show another item.
    const [wasAlone, isAlone] = [aloneIn(shown), aloneIn(latest)];
    for (const [id, now] of latest) {
      const then = shown.get(id);
      if (!then || then.own !== now.own || then.context.join(" ") === now.context.join(" ")) continue;
      if (wasAlone(now) && isAlone(now) && isExplained(then, now, known)) shown.set(id, now);
    }
  },
  textsOf: (ids, now) =>
    ids.map((id) => {
      const fingerprint = (now ? latest : shown).get(id);
      return fingerprint ? { own: fingerprint.own, around: fingerprint.context.join("\n") } : null;
    }),
  get: (id) => shown.get(id) ?? unlisted.get(id),
  setUnlisted(id, fingerprint) {
    unlisted.set(id, fingerprint);
  },
  set(id, fingerprint) {
    shown.set(id, fingerprint);
  },
  isUnique(id) {
    const fingerprint = shown.get(id);
    return fingerprint !== undefined && aloneIn(shown)(fingerprint) && aloneIn(latest)(fingerprint);
  },
};
