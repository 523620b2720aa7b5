/** Scrolled boxes: which part of their content is visible, and which part can be scrolled to. */
import type { Pane, Rect, View } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import type { CachedElement } from "./cached-element.ts";

/** What is visible and reachable at a place in the tree. */
export interface Reach {
  /** The area that can be scrolled to. */
  readonly view: View;
  /** The visible part of the scrolled boxes around it; `undefined`: there are none. */
  readonly pane: Pane | undefined;
}

export interface ScrollPanes {
  /** Call before each walk. */
  begin(): void;
  /** Whether it is visible or can be scrolled to. */
  isReachable(element: Element, rect: Rect, sight: Reach): boolean;
  /** Reach inside an element; the same object where the element does not scroll. */
  reachInside(cached: CachedElement, overflow: string, sight: Reach): Reach;
}

/** Pixels: a smaller box is closed, whatever its scroll position. */
const OPEN = 8;
/** Elements that scroll with the viewport. */
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
    // The body scrolls the viewport where the document element does not.
    paged = page && getComputedStyle(page).overflowY === "visible" ? [page, body] : [page];
  },

  isReachable: (element, rect, { view }) =>
    geometry.isReachable(rect, view) || geometry.canScrollTo(element, rect),

  reachInside({ element }, overflow, sight) {
    const own = /^(auto|scroll)$/.test(overflow) && !paged.includes(element);
    // There may be thousands of boxes with `overflow: hidden`; their scroll position is read only for content
    // out of reach.
    if (!own) return sight;
    const view = geometry.viewInside(element, sight.view);
    const rect = element.getBoundingClientRect();
    const opens = rect.height >= OPEN && rect.width >= OPEN;
    const pane = opens ? paneOf(rect, sight.pane) : sight.pane;
    return view === sight.view && pane === sight.pane ? sight : { view, pane };
  },
};
