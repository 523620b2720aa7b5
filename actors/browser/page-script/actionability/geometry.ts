/**
 * In the page: where elements are, what lies on top of them, and how they are called.
 *
 * Sent as its own source. Neighbours: `walker.ts` lists what is seen, `hands.ts` looks for a place to click.
 */

import { registry } from "../document-state.ts";
import { VISIBLE } from "../dom.ts";
import { describer } from "../snapshot/describer.ts";
import type { RawBox } from "../snapshot/raw-snapshot.ts";

/** A box in the viewport; `DOMRect`s are some, and slower to read. */
export type Rect = Readonly<Pick<DOMRect, "left" | "top" | "right" | "bottom" | "width" | "height">>;

export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of the viewport. */
export interface Pane {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Geometry {
  /** The element at a point, through shadow roots. */
  hitTest(x: number, y: number): Element | undefined;
  /** What it is drawn in, across slots and shadow roots. */
  renderedParent(element: Element): Element | null;
  /** Whether what is in it is drawn: it has a box, or leaves that to what is around it. */
  isDrawn(element: Element | null): boolean;
  /** Whether one is the other or in it, through shadow roots and slots. */
  within(node: Element | undefined, element: Element): boolean;
  /** Whether what was hit is the element, within it, or a label of it. */
  hits(hit: Element | undefined, element: Element): boolean;
  /** Points of an element in the viewport, and in the pane where it meets that, the best first. */
  points(element: Element, pane?: Pane): readonly (readonly [number, number])[];
  /** Its box; that of what is in it when it has none of its own. */
  boxOf(element: Element): DOMRect;
  /** What is seen of the document now, from its top left. Dear: asked for once, not for each element. */
  view(): View;
  /** Reached by scrolling, and larger than what hides things from eyes only. */
  isReachable(rect: Rect, view: View): boolean;
  /** The view of what is in an element: the further on that is scrolled, the further back lies what is reached in it. */
  viewInside(element: Element, view: View): View;
  /** `shows` of an element, however what is around it is scrolled. */
  canScrollTo(element: Element, rect?: Rect): boolean;
  /** At least a pixel of it. */
  overlaps(rect: Rect, pane: Pane): boolean;
  /** A box of no size around it shows nothing of it. */
  isClipped(element: Element): boolean;
  /** A label of it that is seen: it works for the element. */
  visibleLabel(element: Element): Element | undefined;
  /** What lies over all of it, or all that the pane shows of it; `undefined` when a point of it can be hit. */
  coveredBy(element: Element, pane?: Pane): Element | undefined;
  /** An element in a few characters, such as `div#overlay`. */
  brief(element: Element): string;
  /** Where the content of a frame's element is, in pixels of this frame. */
  contentBox(element: HTMLElement): { readonly box: RawBox; readonly scale: number };
}

/** A text that a component was given is hit as the component; it stands in the slot that shows it. */
const slotAt = (host: Element, root: ShadowRoot, x: number, y: number): Element | undefined => {
  for (const text of host.childNodes) {
    if (!(text instanceof Text) || !/\S/.test(text.data)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const drawn = [...range.getClientRects()].some(
      ({ left, top: upper, right, bottom }) => left <= x && x <= right && upper <= y && y <= bottom,
    );
    if (!drawn) continue;
    // Of a closed root the text itself does not say.
    return [...root.querySelectorAll("slot")].find((slot) => slot.assignedNodes().includes(text));
  }
  return undefined;
};

const top = (x: number, y: number): Element | undefined => {
  let hit = document.elementFromPoint(x, y) ?? undefined;
  for (;;) {
    const root: ShadowRoot | null = hit ? registry.rootOf(hit) : null;
    if (!hit || !root) return hit;
    const inner: Element | undefined = root.elementFromPoint(x, y) ?? undefined;
    if (!inner || inner === hit) return slotAt(hit, root, x, y) ?? hit;
    hit = inner;
  }
};

const above = (element: Element): Element | null => element.assignedSlot ?? registry.parentOf(element);

const isDrawn = (element: Element | null): boolean => {
  for (let up = element; up; up = above(up)) {
    if (up.checkVisibility()) return true;
    if (getComputedStyle(up).display !== "contents") return false;
  }
  return true;
};

const within = (node: Element | undefined, element: Element): boolean => {
  for (let up: Element | null = node ?? null; up; up = registry.parentOf(up)) {
    if (up === element) return true;
    // What a page puts into a slot is within what is around the slot as well.
    if (up.assignedSlot && within(up.assignedSlot, element)) return true;
  }
  return false;
};

/** Of entries in entries, as trees and menus have them, the inner one is meant where it is hit. */
const isOther = (hit: Element | undefined, element: Element): boolean => {
  const role = describer.nestedRole(element);
  if (role === undefined) return false;
  for (let up: Element | null = hit ?? null; up && up !== element; up = above(up))
    if (up.getAttribute("role") === role) return true;
  return false;
};

const meets = (hit: Element | undefined, element: Element): boolean =>
  (within(hit, element) && !isOther(hit, element)) ||
  describer.labelsOf(element).some((label) => within(hit, label));

/** Of an entry that holds others what lies above them. */
const ownLine = (element: Element): DOMRect | undefined => {
  const role = describer.nestedRole(element);
  const inner = role === undefined ? null : element.querySelector(`[role=${role}]`);
  if (!inner) return undefined;
  const [{ left, top, width }, first] = [element.getBoundingClientRect(), inner.getBoundingClientRect()];
  return first.top - top > 4 ? new DOMRect(left, top, width, first.top - top) : undefined;
};

const points = (element: Element, pane?: Pane): readonly (readonly [number, number])[] => {
  const found: (readonly [number, number])[] = [];
  const rects = [...element.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  if (rects.length === 0) rects.push(boxOf(element));
  const own = ownLine(element);
  if (own) rects.unshift(own);
  for (const rect of rects.slice(0, 3)) {
    const within = pane && isIn(rect, pane) ? pane : undefined;
    const left = Math.max(rect.left, 0, within?.left ?? 0);
    const right = Math.min(rect.right, innerWidth, within?.right ?? Infinity);
    const upper = Math.max(rect.top, 0, within?.top ?? 0);
    const lower = Math.min(rect.bottom, innerHeight, within?.bottom ?? Infinity);
    if (right - left < 1 || lower - upper < 1) continue;
    const [x, y, dx, dy] = [(left + right) / 2, (upper + lower) / 2, (right - left) / 4, (lower - upper) / 4];
    found.push([x, y], [x - dx, y - dy], [x + dx, y + dy], [x - dx, y + dy], [x + dx, y - dy]);
  }
  return found;
};

const boxOf = (element: Element): DOMRect => {
  const own = element.getBoundingClientRect();
  if (own.width > 0 && own.height > 0) return own;
  let [left, upper, right, lower] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (parent: Element, levels: number): void => {
    for (const child of parent.children) {
      const rect = child.getBoundingClientRect();
      if (rect.width > 0 && rect.height > 0) {
        left = Math.min(left, rect.left);
        upper = Math.min(upper, rect.top);
        right = Math.max(right, rect.right);
        lower = Math.max(lower, rect.bottom);
      } else if (levels > 0) include(child, levels - 1);
    }
  };
  include(element, 2);
  return right > left ? new DOMRect(left, upper, right - left, lower - upper) : own;
};

const view = (): View => ({ x: scrollX, y: scrollY, width: innerWidth, height: innerHeight });

const shows = ({ width, height, right, bottom }: Rect, { x, y }: View): boolean =>
  width > 1 && height > 1 && right + x > 0 && bottom + y > 0;

const inside = (element: Element, seen: View): View => {
  // How far the page itself is scrolled, the view knows.
  if (element === document.scrollingElement) return seen;
  const { scrollLeft, scrollTop, scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  let [back, up] = [scrollLeft, scrollTop];
  // Some begin at their other end: a chat with its newest message, and what is written from right to left.
  const wide = scrollLeft <= 0 && scrollWidth > clientWidth;
  if (wide || (scrollTop <= 0 && scrollHeight > clientHeight)) {
    const { direction, flexDirection, overflowX, overflowY } = getComputedStyle(element);
    if (overflowX !== "visible" && (direction === "rtl" || flexDirection === "row-reverse"))
      back = scrollWidth - clientWidth + scrollLeft;
    if (overflowY !== "visible" && flexDirection === "column-reverse")
      up = scrollHeight - clientHeight + scrollTop;
  }
  return back > 0 || up > 0 ? { ...seen, x: seen.x + Math.max(0, back), y: seen.y + Math.max(0, up) } : seen;
};

const reaches = (element: Element, rect = boxOf(element)): boolean => {
  if (rect.width <= 1 || rect.height <= 1) return false;
  let seen = view();
  if (shows(rect, seen)) return true;
  for (let up = above(element); up; up = above(up)) seen = inside(up, seen);
  return shows(rect, seen);
};

const isIn = (rect: Rect, { left, top: upper, right, bottom }: Pane): boolean =>
  Math.min(rect.right, right) - Math.max(rect.left, left) >= 1 &&
  Math.min(rect.bottom, bottom) - Math.max(rect.top, upper) >= 1;

const isClipped = (element: Element): boolean => {
  let up: Element | null = element;
  for (let level = 0; up && level < 3; level++, up = above(up)) {
    const { width, height } = up.getBoundingClientRect();
    if ((width <= 1 || height <= 1) && getComputedStyle(up).overflow !== "visible") return true;
  }
  return false;
};

const labelSeen = (element: Element): Element | undefined =>
  describer.labelsOf(element).find((label) => label.checkVisibility(VISIBLE) && reaches(label));

const brief = (element: Element): string => {
  const own = element.getAttribute("id") ?? "";
  const id = own === "" ? "" : `#${own}`;
  const [name] = element.classList;
  return `${element.localName}${id}${id === "" && name ? `.${name}` : ""}`;
};

const over = (element: Element, pane?: Pane): Element | undefined => {
  let first: Element | undefined;
  for (const [x, y] of points(element, pane)) {
    const hit = top(x, y);
    if (meets(hit, element)) return undefined;
    first ??= hit;
  }
  return first;
};

const contentOf = (element: HTMLElement): { readonly box: RawBox; readonly scale: number } => {
  const rect = element.getBoundingClientRect();
  const scale = element.offsetWidth > 0 ? rect.width / element.offsetWidth : 1;
  const style = getComputedStyle(element);
  const left = rect.left + (element.clientLeft + Number.parseFloat(style.paddingLeft)) * scale;
  const upper = rect.top + (element.clientTop + Number.parseFloat(style.paddingTop)) * scale;
  return { box: [left, upper, element.clientWidth * scale, element.clientHeight * scale], scale };
};

export const geometry: Geometry = {
  hitTest: top,
  renderedParent: above,
  isDrawn,
  within,
  hits: meets,
  isClipped,
  points,
  boxOf,
  view,
  isReachable: shows,
  viewInside: inside,
  canScrollTo: reaches,
  overlaps: isIn,
  visibleLabel: labelSeen,
  coveredBy: over,
  brief,
  contentBox: contentOf,
};
