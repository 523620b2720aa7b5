/**
 * Recognises elements in closed menus and dialogs that the page does not really hide. Instead, the page makes
 * them transparent, shrinks them to nothing, or moves them out of the window.
 */
import { geometry } from "../actionability/element-geometry.ts";
import type { CachedElement } from "./element-cache-entry.ts";
import type { Reach } from "./scroll-container-extents.ts";
import * as scrollContainers from "./scroll-container-extents.ts";
import * as renderingCache from "./style-and-box-cache.ts";

/**
 * Returns the layer (an element with a fixed position) that contains the element; `undefined` if there is
 * none.
 */
const layerOf = (element: Element): Element | undefined => {
  for (let up: Element | null = element; up; up = geometry.renderedParent(up))
    if (getComputedStyle(up).position === "fixed") return up;
  return undefined;
};

const isOutsideOfWindow = (element: Element): boolean => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
};

/**
 * Whether the page has moved the element to a place that cannot be scrolled to. Pages do this with closed menus.
 */
export function isUnreachable(cached: CachedElement, reach: Reach): boolean {
  const rect = renderingCache.rect(cached);
  return rect.width > 1 && rect.height > 1 && !scrollContainers.isReachable(cached.element, rect, reach);
}

/** Whether an element in a dialog has no size, or is at a position that scrolling cannot reach. */
const isMovedAway = (cached: CachedElement, reach: Reach): boolean => {
  if (renderingCache.display(cached) === "contents") return false;
  const rect = renderingCache.rect(cached);
  if (rect.width === 0 && rect.height === 0) return true;
  if (isUnreachable(cached, reach)) return true;
  if (rect.width <= 1 || rect.height <= 1) return false;
  if (rect.left < innerWidth && rect.top < innerHeight) return false;
  // In an open dialog, some texts may be outside of the window until the user scrolls. Only a dialog that is
  // completely outside of the window counts as closed.
  const layer = layerOf(cached.element);
  return layer !== undefined && isOutsideOfWindow(layer);
};

/**
 * Whether the text of an element belongs to a closed dialog. Transparent text counts as closed only in a
 * dialog or in a layer above the page, because many pages fade texts in when a user scrolls.
 *
 * @param inDialog whether the element is in a dialog, by role or tag
 */
export function isInClosedDialog(cached: CachedElement, inDialog: boolean, reach: Reach): boolean {
  if (!renderingCache.isOpaque(cached)) return inDialog || layerOf(cached.element) !== undefined;
  return inDialog && isMovedAway(cached, reach);
}
