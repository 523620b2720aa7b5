/**
 * In the page: whether an element is still the one that was shown, and may be acted on.
 *
 * Sent as its own source. Neighbours: `walker.ts` keeps what was shown, `hands.ts` and `fields.ts` ask before they act.
 */
import type { Describer, Print } from "./describer.ts";
import type { Registry } from "./registry.ts";
import type { Walker } from "./walker.ts";

export type Hindrance =
  /** There was never such a number, or its node is gone. */
  | { readonly problem: "gone" }
  | { readonly problem: "changed"; readonly was: string; readonly is: string }
  | { readonly problem: "disabled" }
  /** It is nothing to type into. */
  | { readonly problem: "no_field" }
  | { readonly problem: "not_visible" }
  | { readonly problem: "moving" }
  | { readonly problem: "covered"; readonly by: string };

export interface Identity {
  /** The node, if it is on the page. */
  lives(id: number): Element | undefined;
  /** That it means something else than when it was shown. */
  changed(element: Element, id: number): Hindrance | undefined;
  isDisabled(element: Element): boolean;
  /**
   * A number, below 0, for an element that an act found by itself: it stands for what the element is at this moment,
   * not for what it was shown as.
   * @param alone by its own words: what is around it comes and goes, as in lists that hold only what is seen
   */
  meant(element: Element, alone?: boolean): number;
}

export function makeIdentity(registry: Registry, describer: Describer, walker: Walker): Identity {
  /** Of elements that were found by an act, whatever they were shown as before. */
  const found = new Map<number, Print>();
  const alones = new Set<number>();

  const changed = (element: Element, id: number): Hindrance | undefined => {
    const then = id < 0 ? found.get(id) : walker.printOf(id);
    if (!then) return { problem: "gone" };
    const now = describer.prints()(element);
    if (describer.same(then, now) || (id < 0 && alones.has(id) && then.own === now.own)) return undefined;
    const words = (own: string): string => own.split("\n")[2] ?? "";
    const [was, is] = [words(then.own), words(now.own)];
    if (was !== is) return { problem: "changed", was, is };
    return { problem: "changed", was: then.around.join(" "), is: now.around.join(" ") };
  };

  const isDisabled = (element: Element): boolean =>
    element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;

  const lives = (id: number): Element | undefined => {
    const element = registry.element(Math.abs(id));
    return element?.isConnected ? element : undefined;
  };

  const meant = (element: Element, alone = false): number => {
    const id = -registry.idOf(element);
    found.set(id, describer.prints()(element));
    if (alone) alones.add(id);
    else alones.delete(id);
    return id;
  };

  return { lives, changed, isDisabled, meant };
}
