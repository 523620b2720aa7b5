/**
 * In the page: where elements are, what lies on top of them, and how they are called.
 *
 * Sent as its own source. Neighbours: `walker.ts` lists what is seen, `hands.ts` looks for a place to click.
 */
import type { Describer } from "./describer.ts";
import type { RawBox } from "./raw.ts";
import type { Registry } from "./registry.ts";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Geometry {
  /** The element at a point, through shadow roots. */
  top(x: number, y: number): Element | undefined;
  /** What it is drawn in, across slots and shadow roots. */
  above(element: Element): Element | null;
  /** Whether what is in it is drawn: it has a box, or leaves that to what is around it. */
  isDrawn(element: Element | null): boolean;
  /** Whether one is the other or in it, through shadow roots and slots. */
  within(node: Element | undefined, element: Element): boolean;
  /** Whether what was hit is the element, within it, or a label of it. */
  meets(hit: Element | undefined, element: Element): boolean;
  /** Points of an element in the viewport, the best first. */
  points(element: Element): readonly (readonly [number, number])[];
  /** Its box; that of what is in it when it has none of its own. */
  boxOf(element: Element): DOMRect;
  /** What is seen of the document now, from its top left. Dear: asked for once, not for each element. */
  view(): View;
  /** Reached by scrolling, and larger than what hides things from eyes only. */
  shows(rect: DOMRect, view: View): boolean;
  /** A label of it that is seen: it works for the element. */
  labelSeen(element: Element): Element | undefined;
  /** What lies over all of it; `undefined` when a point of it can be hit. */
  over(element: Element): Element | undefined;
  /** An element in a few characters, such as `div#overlay`. */
  brief(element: Element): string;
  /** Where the content of a frame's element is, in pixels of this frame. */
  contentOf(element: HTMLElement): { readonly box: RawBox; readonly scale: number };
}

export function makeGeometry(registry: Registry, describer: Describer): Geometry {
  const SEEN = { visibilityProperty: true } as const;

  const top = (x: number, y: number): Element | undefined => {
    let hit = document.elementFromPoint(x, y) ?? undefined;
    for (;;) {
      const root: ShadowRoot | null = hit ? registry.rootOf(hit) : null;
      const inner: Element | undefined = root?.elementFromPoint(x, y) ?? undefined;
      if (!inner || inner === hit) return hit;
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

  const meets = (hit: Element | undefined, element: Element): boolean =>
    within(hit, element) || describer.labelsOf(element).some((label) => within(hit, label));

  const points = (element: Element): readonly (readonly [number, number])[] => {
    const found: (readonly [number, number])[] = [];
    const rects = [...element.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (rects.length === 0) rects.push(boxOf(element));
    for (const rect of rects.slice(0, 3)) {
      const left = Math.max(rect.left, 0);
      const right = Math.min(rect.right, innerWidth);
      const upper = Math.max(rect.top, 0);
      const lower = Math.min(rect.bottom, innerHeight);
      if (right - left < 1 || lower - upper < 1) continue;
      const [x, y, dx, dy] = [
        (left + right) / 2,
        (upper + lower) / 2,
        (right - left) / 4,
        (lower - upper) / 4,
      ];
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

  const shows = ({ width, height, right, bottom }: DOMRect, { x, y }: View): boolean =>
    width > 1 && height > 1 && right + x > 0 && bottom + y > 0;

  const labelSeen = (element: Element): Element | undefined => {
    const labels = describer.labelsOf(element);
    if (labels.length === 0) return undefined;
    const seen = view();
    return labels.find((label) => label.checkVisibility(SEEN) && shows(label.getBoundingClientRect(), seen));
  };

  const brief = (element: Element): string => {
    const own = element.getAttribute("id") ?? "";
    const id = own === "" ? "" : `#${own}`;
    const [name] = element.classList;
    return `${element.localName}${id}${id === "" && name ? `.${name}` : ""}`;
  };

  const over = (element: Element): Element | undefined => {
    let first: Element | undefined;
    for (const [x, y] of points(element)) {
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

  return {
    top,
    above,
    isDrawn,
    within,
    meets,
    points,
    boxOf,
    view,
    shows,
    labelSeen,
    over,
    brief,
    contentOf,
  };
}
