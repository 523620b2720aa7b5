/** Computes boxes, hit tests and reachability of elements, across shadow roots and slots. */

import { registry } from "../page-script-document-state.ts";
import { VISIBLE } from "../shadow-dom.ts";
import { describer } from "../snapshot/describe-element.ts";
import type { RawBox } from "../snapshot/raw-frame-snapshot.ts";

/** A box relative to the viewport. A `DOMRect` also has these fields, but is slower to read. */
export type Rect = Readonly<Pick<DOMRect, "left" | "top" | "right" | "bottom" | "width" | "height">>;

export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangular part of the viewport, such as the visible part of a scroll container. */
export interface Pane {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Geometry {
  /**
   * Returns the topmost element at a point of the viewport. An element inside of shadow roots is found too.
   */
  hitTest(x: number, y: number): Element | undefined;
  /** Returns the parent in the rendered tree, across slots and shadow roots. */
  renderedParent(element: Element): Element | null;
  /** Whether the browser renders the element, or at least its children, as with `display: contents`. */
  isDrawn(element: Element | null): boolean;
  /**
   * Whether a node is the element itself or is inside of it. Content of a shadow root or of a slot counts as
   * inside of the shadow host.
   */
  within(node: Element | undefined, element: Element): boolean;
  /**
   * Whether a click at the place of a hit test operates the element. This is the case when the hit element is
   * the element itself, is inside of it, or is a label of it.
   */
  hits(hit: Element | undefined, element: Element): boolean;
  /**
   * Returns the points at which an element may be clicked, the best one first. All are in the viewport.
   * Points inside of `pane`, the visible part of the surrounding scroll containers, are preferred.
   */
  points(element: Element, pane?: Pane): readonly (readonly [number, number])[];
  /** Returns the box of an element. For an element without a box, it returns the box of its children. */
  boxOf(element: Element): DOMRect;
  /**
   * Returns the box of an element as a plain object; for an element without a box, the box of its children.
   * Each access to a field of a `DOMRect` is a slow call into the browser, so this function reads only four
   * fields, and computes the others.
   */
  copiedBoxOf(element: Element): Rect;
  /**
   * Returns the scroll position and the size of the window. Reading them is slow, so it should be done once
   * for each snapshot.
   */
  view(): View;
  /**
   * Whether scrolling can show the element's box, and the box is large enough to be seen. Pages use tiny
   * boxes for texts that only screen readers read.
   */
  isReachable(rect: Rect, view: View): boolean;
  /**
   * Returns the area that scrolling can show inside of a scroll container. It is `view`, extended to the left and up by
   * the container's scroll position, because scrolling back shows this content again.
   *
   * @param element the scroll container
   * @param view the area that scrolling can show around the container
   */
  viewInside(element: Element, view: View): View;
  /**
   * Whether the element can be scrolled into view, by scrolling the page and all scroll containers around it.
   */
  canScrollTo(element: Element, rect?: Rect): boolean;
  /** Whether two boxes overlap by at least a pixel. */
  overlaps(rect: Rect, pane: Pane): boolean;
  /** Whether an ancestor of the element has no size and hides everything that it contains. */
  isClipped(element: Element): boolean;
  /**
   * Whether a page has clipped the element away for everyone but screen readers: by a box without size, or by
   * the CSS properties `clip` and `clip-path`.
   */
  isVisuallyHidden(element: Element): boolean;
  /** Returns a visible label whose click operates the element. */
  visibleLabel(element: Element): Element | undefined;
  /**
   * Returns the element that covers another element at all of its click points. Returns `undefined` when at
   * least one click point is free.
   * @param pane the visible part of the scroll containers around the element; click points outside of it are
   * not checked
   */
  coveredBy(element: Element, pane?: Pane): Element | undefined;
  /** Returns a short description of an element for messages, such as `div#overlay`. */
  brief(element: Element): string;
  /**
   * Returns the content box of a frame element in pixels of the document that contains it, and the scale of
   * the content.
   */
  contentBox(element: HTMLElement): { readonly box: RawBox; readonly scale: number };
}

/**
 * A tree or menu entry has a line of its own above its nested entries. If this line is higher than this
 * number of pixels, the entry is clicked there. Otherwise the entry is clicked like any other element.
 */
const MIN_OWN_LINE = 4;
/**
 * Maximum number of lines of an inline element on which click points are tried. An inline element may break
 * into many lines.
 */
const MAX_RECTS = 3;
/** Number of levels of descendants that are searched for boxes, if an element has no box of its own. */
const CHILD_LEVELS = 2;
/** Maximum number of ancestors of an element that are checked for clipping the element. */
const CLIPPING_LEVELS = 3;

/**
 * For slotted text, a hit test returns the shadow host. This function returns the slot that shows the text at
 * the point.
 */
const slotAt = (host: Element, root: ShadowRoot, x: number, y: number): Element | undefined => {
  for (const text of host.childNodes) {
    if (!(text instanceof Text) || !/\S/.test(text.data)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const drawn = [...range.getClientRects()].some(
      ({ left, top: upper, right, bottom }) => left <= x && x <= right && upper <= y && y <= bottom,
    );
    if (!drawn) continue;
    // `assignedSlot` is null for a text that is assigned to a closed shadow root. So the slots of the root
    // are searched for the text.
    return [...root.querySelectorAll("slot")].find((slot) => slot.assignedNodes().includes(text));
  }
  return undefined;
};

const hitTest = (x: number, y: number): Element | undefined => {
  let hit = document.elementFromPoint(x, y) ?? undefined;
  for (;;) {
    const root: ShadowRoot | null = hit ? registry.rootOf(hit) : null;
    if (!hit || !root) return hit;
    const inner: Element | undefined = root.elementFromPoint(x, y) ?? undefined;
    if (!inner || inner === hit) return slotAt(hit, root, x, y) ?? hit;
    hit = inner;
  }
};

const renderedParent = (element: Element): Element | null =>
  element.assignedSlot ?? registry.parentOf(element);

const isDrawn = (element: Element | null): boolean => {
  for (let up = element; up; up = renderedParent(up)) {
    if (up.checkVisibility()) return true;
    if (getComputedStyle(up).display !== "contents") return false;
  }
  return true;
};

const within = (node: Element | undefined, element: Element): boolean => {
  for (let up: Element | null = node ?? null; up; up = registry.parentOf(up)) {
    if (up === element) return true;
    // A slotted element is inside of its host. It also counts as inside of the elements that contain its
    // slot.
    if (up.assignedSlot && within(up.assignedSlot, element)) return true;
  }
  return false;
};

/**
 * Whether the hit element is in an entry that is nested in the given entry of a tree or menu, such as a file in a
 * folder. A click there would operate the nested entry. The result is false if the nested entry has the same text
 * as the given one: it then only draws the given entry, as an item of Polymer does in a link.
 */
const isOther = (hit: Element | undefined, element: Element): boolean => {
  const role = describer.nestedRole(element);
  if (role === undefined) return false;
  for (let up: Element | null = hit ?? null; up && up !== element; up = renderedParent(up))
    if (up.getAttribute("role") === role) return textOf(up) === "" || textOf(up) !== textOf(element);
  return false;
};

const textOf = ({ textContent }: Element): string => (textContent ?? "").replace(/\s+/g, "");

/**
 * Selector of fields that only show what was chosen in a list. The list opens by a click on the element
 * around the field.
 */
const SHOWING_FIELD = "input[readonly],[role=combobox]";
const FIELD = "input:not([type=hidden]),select,textarea,[role=combobox]";

/**
 * Some fields only show a choice and have `pointer-events: none`, so a click on them reaches an element
 * around them. Returns whether `hit` is such an element: it is clickable, and `element` is the only field in
 * it.
 */
const takesClicksOf = (element: Element, hit: Element): boolean => {
  if (!element.matches(SHOWING_FIELD) || getComputedStyle(element).pointerEvents !== "none") return false;
  if (hit === document.body || !hit.contains(element) || hit.querySelectorAll(FIELD).length > 1) return false;
  return registry.hasClickListener(hit) || getComputedStyle(hit).cursor === "pointer";
};

/**
 * Returns the labels whose click operates the element. A label that the browser connects to another element
 * is left out, as may happen if several elements have the same id.
 */
const operatingLabels = (element: Element): readonly Element[] =>
  describer.labelsOf(element).filter((label) => {
    const control = label instanceof HTMLLabelElement ? label.control : null;
    return control === null || control === element;
  });

const hits = (hit: Element | undefined, element: Element): boolean =>
  (within(hit, element) && !isOther(hit, element)) ||
  (hit !== undefined && takesClicksOf(element, hit)) ||
  operatingLabels(element).some((label) => within(hit, label));

/** Returns the box of a tree or menu entry without the entries that are nested in it. */
const ownLine = (element: Element): DOMRect | undefined => {
  const role = describer.nestedRole(element);
  const inner = role === undefined ? null : element.querySelector(`[role=${role}]`);
  if (!inner) return undefined;
  const [{ left, top, width }, first] = [element.getBoundingClientRect(), inner.getBoundingClientRect()];
  return first.top - top > MIN_OWN_LINE ? new DOMRect(left, top, width, first.top - top) : undefined;
};

const points = (element: Element, pane?: Pane): readonly (readonly [number, number])[] => {
  const found: (readonly [number, number])[] = [];
  const rects = [...element.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  if (rects.length === 0) rects.push(boxOf(element));
  const own = ownLine(element);
  if (own) rects.unshift(own);
  for (const rect of rects.slice(0, MAX_RECTS)) {
    const within = pane && overlaps(rect, pane) ? pane : undefined;
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
  return own.width > 0 && own.height > 0 ? own : (boxOfChildren(element) ?? own);
};

const copiedBoxOf = (element: Element): Rect => {
  const own = element.getBoundingClientRect();
  const { x: left, y: top, width, height } = own;
  if (width > 0 && height > 0) return { left, top, right: left + width, bottom: top + height, width, height };
  const box = boxOfChildren(element) ?? own;
  return {
    left: box.left,
    top: box.top,
    right: box.right,
    bottom: box.bottom,
    width: box.width,
    height: box.height,
  };
};

/** Returns the box around the children of an element without a box of its own, if they have boxes. */
const boxOfChildren = (element: Element): DOMRect | undefined => {
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
  include(element, CHILD_LEVELS);
  return right > left ? new DOMRect(left, upper, right - left, lower - upper) : undefined;
};

const view = (): View => ({ x: scrollX, y: scrollY, width: innerWidth, height: innerHeight });

const isReachable = ({ width, height, right, bottom }: Rect, { x, y }: View): boolean =>
  width > 1 && height > 1 && right + x > 0 && bottom + y > 0;

const viewInside = (element: Element, seen: View): View => {
  // `seen` is the area around the element that scrolling can show. It already includes the scroll position of
  // the page itself, so nothing is added for the page.
  if (element === document.scrollingElement) return seen;
  const { scrollLeft, scrollTop, scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  let [back, up] = [scrollLeft, scrollTop];
  // Content with right-to-left text or `column-reverse` is at scroll position 0 when its right or lower end
  // is visible. Other positions are negative. They are converted to the distance from the left or upper end.
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

const canScrollTo = (element: Element, rect = boxOf(element)): boolean => {
  if (rect.width <= 1 || rect.height <= 1) return false;
  let seen = view();
  if (isReachable(rect, seen)) return true;
  for (let up = renderedParent(element); up; up = renderedParent(up)) seen = viewInside(up, seen);
  return isReachable(rect, seen);
};

const overlaps = (rect: Rect, { left, top: upper, right, bottom }: Pane): boolean =>
  Math.min(rect.right, right) - Math.max(rect.left, left) >= 1 &&
  Math.min(rect.bottom, bottom) - Math.max(rect.top, upper) >= 1;

const isClipped = (element: Element): boolean => {
  let up: Element | null = element;
  for (let level = 0; up && level < CLIPPING_LEVELS; level++, up = renderedParent(up)) {
    const { width, height } = up.getBoundingClientRect();
    if ((width <= 1 || height <= 1) && getComputedStyle(up).overflow !== "visible") return true;
  }
  return false;
};

/** Matches the value of `clip-path` that leaves nothing of an element visible. */
const EMPTY_CLIP_PATH = /^inset\((?:[5-9]\d|100)(?:\.\d+)?%\)/;

/** Whether the CSS property `clip` leaves at most one pixel of an element visible: `rect(1px, 1px, 1px, 1px)`. */
const isEmptyClip = ({ clip, position }: CSSStyleDeclaration): boolean => {
  if (!/^(absolute|fixed)$/.test(position) || !clip.startsWith("rect")) return false;
  const edges = [...clip.matchAll(/-?[\d.]+px|auto/g)].map(([edge]) => Number.parseFloat(edge));
  const [upper = Number.NaN, right = Number.NaN, lower = Number.NaN, left = Number.NaN] = edges;
  return right - left <= 1 || lower - upper <= 1;
};

const isVisuallyHidden = (element: Element): boolean => {
  if (isClipped(element)) return true;
  let up: Element | null = element;
  for (let level = 0; up && level < CLIPPING_LEVELS; level++, up = renderedParent(up)) {
    const style = getComputedStyle(up);
    if (EMPTY_CLIP_PATH.test(style.clipPath) || isEmptyClip(style)) return true;
  }
  return false;
};

const visibleLabel = (element: Element): Element | undefined =>
  operatingLabels(element).find((label) => label.checkVisibility(VISIBLE) && canScrollTo(label));

const brief = (element: Element): string => {
  const own = element.getAttribute("id") ?? "";
  const id = own === "" ? "" : `#${own}`;
  const [name] = element.classList;
  return `${element.localName}${id}${id === "" && name ? `.${name}` : ""}`;
};

const coveredBy = (element: Element, pane?: Pane): Element | undefined => {
  let first: Element | undefined;
  for (const [x, y] of points(element, pane)) {
    const hit = hitTest(x, y);
    if (hits(hit, element)) return undefined;
    first ??= hit;
  }
  return first;
};

const contentBox = (element: HTMLElement): { readonly box: RawBox; readonly scale: number } => {
  const rect = element.getBoundingClientRect();
  const scale = element.offsetWidth > 0 ? rect.width / element.offsetWidth : 1;
  const style = getComputedStyle(element);
  const left = rect.left + (element.clientLeft + Number.parseFloat(style.paddingLeft)) * scale;
  const upper = rect.top + (element.clientTop + Number.parseFloat(style.paddingTop)) * scale;
  return { box: [left, upper, element.clientWidth * scale, element.clientHeight * scale], scale };
};

export const geometry: Geometry = {
  hitTest,
  renderedParent,
  isDrawn,
  within,
  hits,
  isClipped,
  isVisuallyHidden,
  points,
  boxOf,
  copiedBoxOf,
  view,
  isReachable,
  viewInside,
  canScrollTo,
  overlaps,
  visibleLabel,
  coveredBy,
  brief,
  contentBox,
};
