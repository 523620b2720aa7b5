/** Whether an element is still the one that the caller has seen, and whether it may be acted on. */

import { registry } from "../document-state.ts";
import type { Fingerprint } from "../snapshot/describer.ts";
import { describer } from "../snapshot/describer.ts";
import { fingerprints } from "../snapshot/shown-fingerprints.ts";

export type Obstacle =
  /** The number was never assigned, or its node is gone. */
  | { readonly problem: "gone" }
  | { readonly problem: "changed"; readonly was: string; readonly is: string }
  | { readonly problem: "disabled" }
  | { readonly problem: "read_only" }
  /** Not a field that takes text. */
  | { readonly problem: "no_field" }
  | { readonly problem: "not_visible" }
  | { readonly problem: "moving" }
  | { readonly problem: "covered"; readonly by: string };

export interface Identity {
  /** The element of a number, if it is in the document. */
  find(id: number): Element | undefined;
  /** The obstacle that the element has changed since it was shown; `undefined`: it is the same. */
  obstacle(element: Element, id: number): Obstacle | undefined;
  /** Accepts the present text of an element, because the caller has typed it. Nothing else about it is accepted. */
  acceptText(element: Element, id: number): void;
  isDisabled(element: Element): boolean;
  /**
   * Assigns a negative number to an element that an action has found by itself. The number means the element
   * in its present state.
   * @param alone compare its own words only, because its surroundings change, as in virtualised lists
   */
  identify(element: Element, alone?: boolean): number;
}

/** Fingerprints of elements that an action has found, by their negative numbers. */
const found = new Map<number, Fingerprint>();
const alones = new Set<number>();
const TOLD_MOST = 120;

const changed = (element: Element, id: number): Obstacle | undefined => {
  const then = id < 0 ? found.get(id) : fingerprints.get(id);
  if (!then) return { problem: "gone" };
  const now = describer.fingerprints()(element);
  if (describer.isSame(then, now, false) || (id < 0 && alones.has(id) && then.own === now.own))
    return undefined;
  if (id >= 0 && fingerprints.isUnique(id) && describer.isSame(then, now, true)) return undefined;
  const words = (own: string): string => own.split("\n")[2] ?? "";
  const [was, is] = [words(then.own), words(now.own)];
  if (was !== is) return { problem: "changed", was: brief(was), is: brief(is) };
  const [before, after] = [then.context.join(" "), now.context.join(" ")];
  const [went, came] = [without(then.context, now.context), without(now.context, then.context)];
  // Of long surroundings only the differing words are reported.
  const differs = went !== "" && Math.max(before.length, after.length) > TOLD_MOST;
  return { problem: "changed", was: brief(differs ? went : before), is: brief(differs ? came : after) };
};

const without = (words: readonly string[], others: readonly string[]): string => {
  const known = new Set(others);
  return words.filter((word) => !known.has(word)).join(" ");
};

const brief = (text: string): string => (text.length > TOLD_MOST ? `${text.slice(0, TOLD_MOST - 1)}…` : text);

const edited = (element: Element, id: number): void => {
  const then = id < 0 ? found.get(id) : fingerprints.get(id);
  if (!then) return;
  const [, , words = ""] = describer.fingerprints()(element).own.split("\n");
  const own = then.own.split("\n").with(2, words).join("\n");
  if (id < 0) found.set(id, { ...then, own });
  else fingerprints.set(id, { ...then, own });
};

const isDisabled = (element: Element): boolean =>
  element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;

const lives = (id: number): Element | undefined => {
  const element = registry.element(Math.abs(id));
  return element?.isConnected ? element : undefined;
};

const meant = (element: Element, alone = false): number => {
  const id = -registry.idOf(element);
  found.set(id, describer.fingerprints()(element));
  if (alone) alones.add(id);
  else alones.delete(id);
  return id;
};

export const identity: Identity = {
  find: lives,
  obstacle: changed,
  acceptText: edited,
  isDisabled,
  identify: meant,
};
