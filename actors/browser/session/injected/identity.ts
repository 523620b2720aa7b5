/**
 * In the page: whether an element is still the one that was shown, and may be acted on.
 *
 * Sent as its own source. Neighbours: `walker.ts` keeps what was shown, `hands.ts` and `fields.ts` ask before they act.
 */
import type { Describer } from "./describer.ts";
import type { Registry } from "./registry.ts";
import type { Walker } from "./walker.ts";

export type Hindrance =
  /** There was never such a number, or its node is gone. */
  | { readonly problem: "gone" }
  | { readonly problem: "changed"; readonly was: string; readonly is: string }
  | { readonly problem: "disabled" }
  | { readonly problem: "not_visible" }
  | { readonly problem: "moving" }
  | { readonly problem: "covered"; readonly by: string };

export interface Identity {
  /** The node, if it is on the page. */
  lives(id: number): Element | undefined;
  /** That it means something else than when it was shown. */
  changed(element: Element, id: number): Hindrance | undefined;
  isDisabled(element: Element): boolean;
}

export function makeIdentity(registry: Registry, describer: Describer, walker: Walker): Identity {
  const changed = (element: Element, id: number): Hindrance | undefined => {
    const then = walker.printOf(id);
    if (!then) return { problem: "gone" };
    const now = describer.prints()(element);
    if (describer.same(then, now)) return undefined;
    const words = (own: string): string => own.split("\n")[2] ?? "";
    const [was, is] = [words(then.own), words(now.own)];
    if (was !== is) return { problem: "changed", was, is };
    return { problem: "changed", was: then.around.join(" "), is: now.around.join(" ") };
  };

  const isDisabled = (element: Element): boolean =>
    element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;

  const lives = (id: number): Element | undefined => {
    const element = registry.element(id);
    return element?.isConnected ? element : undefined;
  };

  return { lives, changed, isDisabled };
}
