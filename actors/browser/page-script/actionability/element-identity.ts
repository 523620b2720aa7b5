/**
 * In the page: whether an element is still the one that was shown, and may be acted on.
 *
 * Sent as its own source. Neighbours: `fingerprints.ts` keeps what was shown, `hands.ts` and `fields.ts` ask before they act.
 */

import { registry } from "../document-state.ts";
import type { Fingerprint } from "../snapshot/describer.ts";
import { describer } from "../snapshot/describer.ts";
import { fingerprints } from "../snapshot/shown-fingerprints.ts";

export type Obstacle =
  /** There was never such a number, or its node is gone. */
  | { readonly problem: "gone" }
  | { readonly problem: "changed"; readonly was: string; readonly is: string }
  | { readonly problem: "disabled" }
  | { readonly problem: "read_only" }
  /** It is nothing to type into. */
  | { readonly problem: "no_field" }
  | { readonly problem: "not_visible" }
  | { readonly problem: "moving" }
  | { readonly problem: "covered"; readonly by: string };

export interface Identity {
  /** The node, if it is on the page. */
  find(id: number): Element | undefined;
  /** That it means something else than when it was fingerprints. */
  obstacle(element: Element, id: number): Obstacle | undefined;
  /** Its words were typed by who means it: they are those of what was shown from now on, and nothing else is. */
  acceptText(element: Element, id: number): void;
  isDisabled(element: Element): boolean;
  /**
   * A number, below 0, for an element that an act found by itself: it stands for what the element is at this moment,
   * not for what it was shown as.
   * @param alone by its own words: what is around it comes and goes, as in lists that hold only what is seen
   */
  identify(element: Element, alone?: boolean): number;
}

/** Of elements that were found by an act, whatever they were shown as before. */
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
  // Of much that is around it only what differs says something.
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
