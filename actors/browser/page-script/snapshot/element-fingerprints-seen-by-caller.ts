/**
 * Stores for each element the fingerprint (the texts by which it is recognised) that it had when the caller
 * last saw it. Actions compare elements with these fingerprints. Snapshots that the caller does not see leave
 * the fingerprints unchanged.
 */
import { collapseSpaces } from "../shadow-dom.ts";
import type { Fingerprint } from "./describe-element.ts";

export interface FingerprintTexts {
  readonly own: string;
  readonly around: string;
}

export interface Fingerprints {
  /**
   * Stores the fingerprints (the texts by which elements are recognised) of all elements in a snapshot.
   *
   * @param shown whether the caller gets this snapshot
   */
  update(all: Map<number, Fingerprint>, shown: boolean): void;
  /** Marks all elements of the latest snapshot as known to the caller, in their state of this snapshot. */
  showLatest(): void;
  /**
   * Stores the fingerprints that the given elements have in the latest snapshot as those that the caller has seen.
   * The same is done for any other element that is similar to no other element of the page, if only texts in
   * `texts` were added around it. So the next action does not treat these texts as a change of the element.
   *
   * @param texts texts that the caller has seen outside of elements, such as a character counter
   */
  accept(ids: readonly number[], texts: readonly string[]): void;
  /**
   * Returns the texts by which actions recognise each of the elements.
   *
   * @param now true for the texts in the newest snapshot, false for those in the snapshot that the caller has
   * seen
   */
  textsOf(ids: readonly number[], now: boolean): readonly (FingerprintTexts | null)[];
  /**
   * Returns the fingerprint (texts for recognition) of an element at the time when the caller last saw it. If
   * the caller has never seen it, returns the first known fingerprint.
   */
  get(id: number): Fingerprint | undefined;
  set(id: number, fingerprint: Fingerprint): void;
  /**
   * Stores the fingerprint (texts for recognition) of an element that the caller has seen outside of a
   * snapshot. It is used until a snapshot lists the element.
   */
  setUnlisted(id: number, fingerprint: Fingerprint): void;
  /**
   * Whether no other element is similar to the element, that is, has the same tag, role and text, apart from
   * digits. This must hold in the snapshot that the caller saw and in the latest snapshot.
   */
  isUnique(id: number): boolean;
}

let shown = new Map<number, Fingerprint>();
let latest = shown;
/**
 * Fingerprints (texts for recognition) of elements that the caller has seen, although no snapshot lists them.
 */
const unlisted = new Map<number, Fingerprint>();

/**
 * Returns keys that are built from an element's tag, role and text. Elements with a common key are similar.
 * Digits are replaced by `#`, because similar elements often differ only in a number.
 */
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

/**
 * Whether all words that were added around an element belong to `texts`, which the caller has seen. An added
 * text may follow an older word without a space: "Title" becomes "Title5/80" when the counter "5/80" was
 * added.
 */
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
    // A changed text around an element is accepted only if the element is the only one of its kind, in the
    // caller's snapshot and in the latest. If several similar elements were there before, the one that is
    // left may show another item.
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
