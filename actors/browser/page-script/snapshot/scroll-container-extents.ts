/**
 * Computes for scroll containers which part of their content is visible, and which part can be scrolled to.
 */
import type { Pane, Rect, View } from "../actionability/element-geometry.ts";
import { geometry } from "../actionability/element-geometry.ts";
import type { CachedElement } from "./element-cache-entry.ts";
import * as renderingCache from "./style-and-box-cache.ts";

/**
 * The visible areas for the content of an element. `pane`: the area that is visible now. `view`: the area
 * that scrolling can make visible.
 */
export interface Reach {
  /** The area of the document that scrolling can reach. */
  readonly view: View;
  /**
   * The visible part of the scroll containers around the element. It is `undefined` when no scroll container
   * is around it.
   */
  readonly pane: Pane | undefined;
  /**
   * Whether the content is in a box without height that clips it. Sections that open with a transition are
   * such boxes while they are closed (`max-height: 0` of CoreUI and pretalx, `height: 0` of
   * react-animate-height).
   */
  readonly folded: boolean;
}

/**
 * Minimum width and height in pixels of a scroll container that hides content outside of its box. A smaller
 * container is probably collapsed, so its box is ignored.
 */
const MIN_OPEN_SIZE = 8;
/** Maximum height in pixels of a folded box. A folded box may still show a border. */
const MAX_FOLDED_HEIGHT = 1;
/** Elements that scroll the viewport: the document element, and sometimes the body. */
let viewportScrollers: readonly (Element | null)[] = [];

const paneOf = ({ left, top, right, bottom }: Rect, pane: Pane | undefined): Pane => ({
  left: Math.max(left, pane?.left ?? 0),
  top: Math.max(top, pane?.top ?? 0),
  right: Math.min(right, pane?.right ?? innerWidth),
  bottom: Math.min(bottom, pane?.bottom ?? innerHeight),
});

/** Must be called before each traversal of the document. It determines which elements scroll the viewport. */
export function begin(): void {
  const { documentElement: page, body } = document;
  // When the document element has `overflow: visible`, the viewport takes the body's `overflow` instead.
  // Scrolling the body then scrolls the viewport.
  viewportScrollers = page && getComputedStyle(page).overflowY === "visible" ? [page, body] : [page];
}

/** Whether the element is visible, or scrolling can make it visible. */
export function isReachable(element: Element, rect: Rect, { view }: Reach): boolean {
  return geometry.isReachable(rect, view) || geometry.canScrollTo(element, rect);
}

/**
 * Returns the visible part (`pane`) of an element's content, and the part that scrolling can show (`view`).
 * An element that is no scroll container has the parts of its parent.
 *
 * @param reach the parts of the parent
 */
export function reachInside(cached: CachedElement, overflow: string, reach: Reach): Reach {
  const { element } = cached;
  const own = /^(auto|scroll)$/.test(overflow) && !viewportScrollers.includes(element);
  // Scripts can also scroll a box with `overflow: hidden`. Reading the scroll positions of thousands of such
  // boxes is slow, so `isReachable` reads them, and only for elements that seem to be out of reach.
  const folded = reach.folded || (overflow === "hidden" && isFolded(element, renderingCache.display(cached)));
  if (!own) return folded === reach.folded ? reach : { ...reach, folded };
  const view = geometry.viewInside(element, reach.view);
  const rect = element.getBoundingClientRect();
  const opens = rect.height >= MIN_OPEN_SIZE && rect.width >= MIN_OPEN_SIZE;
  const pane = opens ? paneOf(rect, reach.pane) : reach.pane;
  const isSame = view === reach.view && pane === reach.pane && folded === reach.folded;
  return isSame ? reach : { view, pane, folded };
}

/**
 * Whether a box with clipped content has no height. Inline boxes do not count, because they clip nothing and
 * never have a `clientHeight`.
 */
export function isFolded(element: Element, display: string): boolean {
  return element.clientHeight <= MAX_FOLDED_HEIGHT && !/^(?:inline|contents)$/.test(display);
}
