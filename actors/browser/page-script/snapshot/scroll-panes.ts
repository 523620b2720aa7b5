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

/** Pixels: a smaller box is closed, whatever its scroll position. */
const MIN_OPEN_SIZE = 8;
/** Elements that scroll with the viewport. */
let viewportScrollers: readonly (Element | null)[] = [];

const paneOf = ({ left, top, right, bottom }: Rect, pane: Pane | undefined): Pane => ({
  left: Math.max(left, pane?.left ?? 0),
  top: Math.max(top, pane?.top ?? 0),
  right: Math.min(right, pane?.right ?? innerWidth),
  bottom: Math.min(bottom, pane?.bottom ?? innerHeight),
});

/** Call before each walk. */
export function begin(): void {
  const { documentElement: page, body } = document;
  // The body scrolls the viewport where the document element does not.
  viewportScrollers = page && getComputedStyle(page).overflowY === "visible" ? [page, body] : [page];
}

/** Whether it is visible or can be scrolled to. */
export function isReachable(element: Element, rect: Rect, { view }: Reach): boolean {
  return geometry.isReachable(rect, view) || geometry.canScrollTo(element, rect);
}

/** Reach inside an element; the same object where the element does not scroll. */
export function reachInside({ element }: CachedElement, overflow: string, reach: Reach): Reach {
  const own = /^(auto|scroll)$/.test(overflow) && !viewportScrollers.includes(element);
  // There may be thousands of boxes with `overflow: hidden`; their scroll position is read only for content
  // out of reach.
  if (!own) return reach;
  const view = geometry.viewInside(element, reach.view);
  const rect = element.getBoundingClientRect();
  const opens = rect.height >= MIN_OPEN_SIZE && rect.width >= MIN_OPEN_SIZE;
  const pane = opens ? paneOf(rect, reach.pane) : reach.pane;
  return view === reach.view && pane === reach.pane ? reach : { view, pane };
}
