/**
 * In the page: what boxes that are scrolled by themselves let be seen, and what can be brought back in them.
 *
 * Sent as its own source. Neighbours: `walker.ts` hands a sight down the tree, `geometry.ts` measures.
 */
import type { Pane, Rect, View } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import type { CachedElement } from "./cached-element.ts";

/** Of what stands at a place of the tree. */
export interface Reach {
  /** From where on it can be scrolled to. */
  readonly view: View;
  /** What the boxes around it let be seen; `undefined`: there are none. */
  readonly pane: Pane | undefined;
}

export interface ScrollPanes {
  /** Before each walk. */
  begin(): void;
  /** Whether it is seen, or can be scrolled to. */
  isReachable(element: Element, rect: Rect, sight: Reach): boolean;
  /** Of what is in an element that may be scrolled; the same object where that changes nothing. */
  reachInside(cached: CachedElement, overflow: string, sight: Reach): Reach;
}

/** Pixels: what is closed by its size alone shows nothing, however it is scrolled. */
const OPEN = 8;
/** What is scrolled with the viewport. */
let paged: readonly (Element | null)[] = [];

const paneOf = ({ left, top, right, bottom }: Rect, pane: Pane | undefined): Pane => ({
  left: Math.max(left, pane?.left ?? 0),
  top: Math.max(top, pane?.top ?? 0),
  right: Math.min(right, pane?.right ?? innerWidth),
  bottom: Math.min(bottom, pane?.bottom ?? innerHeight),
});

export const scrollPanes: ScrollPanes = {
  begin() {
    const { documentElement: page, body } = document;
    // The body hands its scrolling on to the viewport where the page itself has none.
    paged = page && getComputedStyle(page).overflowY === "visible" ? [page, body] : [page];
  },

  isReachable: (element, rect, { view }) =>
    geometry.isReachable(rect, view) || geometry.canScrollTo(element, rect),

  reachInside({ element }, overflow, sight) {
    const own = /^(auto|scroll)$/.test(overflow) && !paged.includes(element);
    // Of boxes that only scripts scroll there may be thousands: those are asked when something is out of reach.
    if (!own) return sight;
    const view = geometry.viewInside(element, sight.view);
    const rect = element.getBoundingClientRect();
    const opens = rect.height >= OPEN && rect.width >= OPEN;
    const pane = opens ? paneOf(rect, sight.pane) : sight.pane;
    return view === sight.view && pane === sight.pane ? sight : { view, pane };
  },
};
