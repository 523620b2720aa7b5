/**
 * Checks whether an element is the same as in the snapshot that the caller has seen. If it is not, no action
 * may use it.
 */

import { registry } from "../page-script-document-state.ts";
import type { Fingerprint } from "../snapshot/describe-element.ts";
import { describer } from "../snapshot/describe-element.ts";
import { fingerprints } from "../snapshot/element-fingerprints-seen-by-caller.ts";

export type Obstacle =
  /** No element has this number: the number was never assigned, or its element no longer exists. */
  | { readonly problem: "gone" }
  | { readonly problem: "changed"; readonly was: string; readonly is: string }
  | { readonly problem: "disabled" }
  | { readonly problem: "read_only" }
  /** The element is not a field into which text can be typed. */
  | { readonly problem: "no_field" }
  | { readonly problem: "not_visible" }
  | { readonly problem: "moving" }
  | { readonly problem: "covered"; readonly by: string };

export interface Identity {
  /** Returns the element with this number, if the element is in the document. */
  find(id: number): Element | undefined;
  /**
   * Returns how the element has changed since a snapshot reported it, or `undefined` when it has not changed.
   */
  obstacle(element: Element, id: number): Obstacle | undefined;
  /**
   * Updates the stored text of an element that the caller knows. The caller has typed this text, so later
   * actions must not treat it as a change of the element.
   */
  acceptText(element: Element, id: number): void;
  /**
   * Stores the element's current fingerprint (texts for recognition) as the one that the caller knows. Needed
   * when the action itself has changed a text of the element or around it, such as the number beside a
   * slider.
   */
  acceptSurroundings(element: Element, id: number): void;
  isDisabled(element: Element): boolean;
  /**
   * Gives an element that is in no snapshot a negative number, and stores the element's current fingerprint
   * (texts for recognition). Elements of snapshots have positive numbers.
   *
   * @param alone whether later checks compare only the element's own words. In a virtualised list, for
   * example, the text around an element changes.
   */
  identify(element: Element, alone?: boolean): number;
}

/**
 * Fingerprints (texts for recognition) of elements that are in no snapshot, by number. These numbers are
 * negative, so that they differ from the numbers in snapshots.
 */
const identified = new Map<number, Fingerprint>();
const comparedAlone = new Set<number>();
/** Maximum number of characters of text that an error about a changed element quotes. */
const MAX_WORDS_LENGTH = 120;

const obstacle = (element: Element, id: number): Obstacle | undefined => {
  const then = id < 0 ? identified.get(id) : fingerprints.get(id);
  if (!then) return { problem: "gone" };
  const now = describer.fingerprints()(element);
  if (describer.isSame(then, now, false) || (id < 0 && comparedAlone.has(id) && then.own === now.own))
    return undefined;
  if (id >= 0 && fingerprints.isUnique(id) && describer.isSame(then, now, true)) return undefined;
  const words = (own: string): string => own.split("\n")[2] ?? "";
  const [was, is] = [words(then.own), words(now.own)];
  if (was !== is) return { problem: "changed", was: brief(was), is: brief(is) };
  const [before, after] = [then.context.join(" "), now.context.join(" ")];
  if (before === after) {
    const [named, isNamed] = [namingOf(then), namingOf(now)];
    return {
      problem: "changed",
      was: brief(without(named, isNamed, ", ")),
      is: brief(without(isNamed, named, ", ")),
    };
  }
  const [went, came] = [without(then.context, now.context), without(now.context, then.context)];
  // If the texts are long, only the words that differ are reported.
  const differs = went !== "" && Math.max(before.length, after.length) > MAX_WORDS_LENGTH;
  return { problem: "changed", was: brief(differs ? went : before), is: brief(differs ? came : after) };
};

/**
 * Returns the identifying attributes of an element and its containers, and the element's placeholder and
 * title.
 */
const namingOf = ({ own, hints }: Fingerprint): readonly string[] => {
  const [_tag, _role, _words, ...attributes] = own.split("\n");
  return [...attributes, ...hints.filter((hint) => hint !== "")];
};

/** Returns the texts of the first list that are missing in the list `others`, joined to one text. */
const without = (texts: readonly string[], others: readonly string[], separator = " "): string => {
  const known = new Set(others);
  return texts.filter((text) => !known.has(text)).join(separator);
};

const brief = (text: string): string =>
  text.length > MAX_WORDS_LENGTH ? `${text.slice(0, MAX_WORDS_LENGTH - 1)}…` : text;

const acceptText = (element: Element, id: number): void => {
  const then = id < 0 ? identified.get(id) : fingerprints.get(id);
  if (!then) return;
  const [, , words = ""] = describer.fingerprints()(element).own.split("\n");
  const own = then.own.split("\n").with(2, words).join("\n");
  if (id < 0) identified.set(id, { ...then, own });
  else fingerprints.set(id, { ...then, own });
};

const acceptSurroundings = (element: Element, id: number): void => {
  const now = describer.fingerprints()(element);
  if (id < 0) identified.set(id, now);
  else fingerprints.set(id, now);
};

const isDisabled = (element: Element): boolean =>
  element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;

const find = (id: number): Element | undefined => {
  const element = registry.element(Math.abs(id));
  return element?.isConnected ? element : undefined;
};

const identify = (element: Element, alone = false): number => {
  const id = -registry.idOf(element);
  identified.set(id, describer.fingerprints()(element));
  if (alone) comparedAlone.add(id);
  else comparedAlone.delete(id);
  return id;
};

export const identity: Identity = {
  find,
  obstacle,
  acceptText,
  acceptSurroundings,
  isDisabled,
  identify,
};
