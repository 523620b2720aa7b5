/**
 * Finds points for drag and drop and reports its effects. It supports native drag events, and pages whose
 * scripts follow the pointer.
 */

import { registry } from "../page-script-document-state.ts";
import { geometry, identity } from "../world-bundle-modules-for-actions-bundle.ts";
import * as layoutDiff from "./layout-diff-of-drag.ts";

export interface DragOutcome {
  readonly alive: boolean;
  /**
   * True if the drag has moved the element, or its row, to another parent or to another position among its
   * siblings.
   */
  readonly reordered: boolean;
  /**
   * Number of CSS pixels, to the right and down, by which the drag has moved the element. Scrolling does not
   * count.
   */
  readonly moved: readonly [number, number];
  readonly position: number;
  /** Names of the drag events that were dispatched to the page during the drag. */
  readonly events: readonly string[];
  /** Number of elements that the drag has changed permanently in style, size or attributes. */
  readonly changes: number;
}

/**
 * Where to drop: a point (`x`, `y`) of the viewport, or the reason why the drop is impossible. `by` is a
 * description of an element that covers the drop target. `width` and `height` are the size of the visible part of
 * the drop target, if the offset that the caller gave is outside of it.
 */
export type DropPoint =
  | { readonly x: number; readonly y: number }
  | { readonly by: string }
  /**
   * The offset that the caller gave is outside of the visible part of the drop target. These are the width and
   * height of this part.
   */
  | { readonly width: number; readonly height: number };

export interface DropTarget {
  readonly where: "on" | "before" | "after";
  /** The drop point, relative to the upper left corner of the drop target's visible part. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
  /**
   * True while a drag is running. The drop point was chosen before the drag, and does not change until the
   * drag ends.
   */
  readonly dragging: boolean;
}

export interface DragDrop {
  /**
   * Scrolls an element into view, and returns a visible point of it. Returns `undefined` when no part of it
   * is visible.
   */
  dropPoint(id: number, aimed: DropTarget): DropPoint | undefined;
  watch(id: number): void;
  /** Whether the drag is a native drag of the browser that the page has not cancelled. */
  isNativeDrag(): boolean;
  /**
   * Whether one of the elements is a canvas or contains another document, as a frame does. The effect of a
   * drag there cannot be seen in the DOM of this document.
   */
  isOpaqueContent(ids: readonly number[]): boolean;
  outcome(id: number): DragOutcome;
}

interface Place {
  readonly element: Element;
  readonly parent: ParentNode | null;
  readonly siblings: readonly Element[];
}
/** Maximum number of ancestors of a drag handle that are searched for the row which it drags. */
const MAX_ROW_LEVELS = 6;
/**
 * Minimum number of visible pixels of an element's width and height for a drag. When fewer are visible, the
 * element is scrolled into view first.
 */
const ENOUGH_VISIBLE = 24;
/** Selector of elements whose content is outside of this document's tree, such as canvases and frames. */
const OPAQUE_CONTENT = "canvas,video,iframe,frame,embed,object";
/**
 * Possible drop points, as shares (0 to 1) of the width and height of the drop target's visible part. They are
 * tried in this order, the middle first, until a point is found that is not covered.
 */
const SHARES_TO_TRY = [0.5, 0.35, 0.65, 0.2, 0.8, 0.06, 0.94];
/**
 * The drop point as a share of the target's width or height (0 to 1): for a drop onto the target, before it,
 * and after it.
 */
const SHARE_OF = { on: 0.5, before: 0.15, after: 0.85 } as const;
let dispatched: string[] = [];
let start: DragEvent | undefined;
let atStart: { readonly places: readonly Place[]; readonly left: number; readonly top: number } | undefined;
/**
 * The drop point on the target, as shares of the target's width and height. It is chosen before the drag and
 * kept until its end.
 */
let chosen: { readonly id: number; readonly x: number; readonly y: number } | undefined;

const placesOf = (element: Element): readonly Place[] => {
  const places: Place[] = [];
  let up: Element | null = element;
  for (
    let level = 0;
    up && up !== document.body && level < MAX_ROW_LEVELS;
    level++, up = registry.parentOf(up)
  ) {
    const { parentNode: parent } = up;
    places.push({ element: up, parent, siblings: parent ? [...parent.children] : [] });
  }
  return places;
};

/**
 * Whether the drag has moved an element to another parent, or changed its order among its siblings. An
 * element that no longer exists does not count.
 */
const isReordered = ({ element, parent, siblings }: Place, at: number): boolean => {
  if (!element.isConnected) return false;
  if (element.parentNode !== parent) return true;
  const now = parent ? [...parent.children] : [];
  if (at === 0 && now.indexOf(element) !== siblings.indexOf(element)) return true;
  const [before, after] = [new Set(siblings), new Set(now)];
  const left = siblings.filter((element) => after.has(element));
  return now.filter((element) => before.has(element)).some((element, place) => element !== left[place]);
};

for (const name of ["dragstart", "dragenter", "dragover", "drop", "dragend"]) {
  addEventListener(
    name,
    (event) => {
      if (!dispatched.includes(name)) dispatched.push(name);
      if (name === "dragstart" && event instanceof DragEvent) start = event;
    },
    true,
  );
}

export const dragDrop: DragDrop = {
  dropPoint(id, { where, at, dragging: held }) {
    const element = identity.find(id);
    if (!element) return undefined;
    // If the target and its sibling are in one row, "before" means left of the target and "after" means right
    // of it. Otherwise, "before" means above the target and "after" means below it.
    const whole = geometry.boxOf(element);
    const next = element.nextElementSibling ?? element.previousElementSibling;
    const isInSameRow = next !== null && Math.abs(geometry.boxOf(next).top - whole.top) < whole.height / 2;
    const share = SHARE_OF[where];
    /**
     * Returns the ideal point for the drop. A drop near an edge of the target means "before" or "after" the
     * target; a drop in its middle means "on" the target.
     */
    const ideal = (): readonly [number, number] => {
      const { left, top, width, height } = geometry.boxOf(element);
      return [left + width * (isInSameRow ? share : 0.5), top + height * (isInSameRow ? 0.5 : share)];
    };
    const isIn = ([x, y]: readonly [number, number], part: DOMRect): boolean =>
      x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
    const suffices = (part: DOMRect | undefined): boolean =>
      part !== undefined &&
      part.width >= Math.min(ENOUGH_VISIBLE, whole.width) &&
      part.height >= Math.min(ENOUGH_VISIBLE, whole.height) &&
      (where === "on" || isIn(ideal(), part));
    if (!suffices(layoutDiff.visibleBox(element)))
      element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const part = layoutDiff.visibleBox(element);
    if (!part) return undefined;
    const { left, top, width, height } = part;
    if (held && chosen?.id === id) return { x: left + width * chosen.x, y: top + height * chosen.y };
    if (at && (at.x < 0 || at.y < 0 || at.x > width || at.y > height))
      return { width: Math.round(width), height: Math.round(height) };
    const best: readonly [number, number] = at
      ? [left + at.x, top + at.y]
      : where !== "on" || isIn(ideal(), part)
        ? ideal()
        : [left + width / 2, top + height / 2];
    const [x, y] = [
      Math.min(Math.max(best[0], left), left + width),
      Math.min(Math.max(best[1], top), top + height),
    ];
    const across = SHARES_TO_TRY.map((number) => left + width * number);
    const down = SHARES_TO_TRY.map((number) => top + height * number);
    const others: (readonly [number, number])[] = at
      ? []
      : where === "on"
        ? across.flatMap((number) => down.map((other) => [number, other] as const))
        : isInSameRow
          ? down.map((number) => [x, number] as const)
          : across.map((number) => [number, y] as const);
    const hits = ([number, other]: readonly [number, number]): boolean =>
      geometry.within(geometry.hitTest(number, other), element);
    let found = [[x, y] as const, ...others].find(hits);
    if (!found) {
      const hit = geometry.hitTest(x, y);
      const source = atStart?.places[0]?.element;
      // A hit test at the tried points never returned the target. The first point is used anyway in two
      // cases: the element there contains the target, or it is the dragged element, which may cover the
      // target.
      const lets = hit && (geometry.within(element, hit) || (source && geometry.within(hit, source)));
      if (!lets) return { by: hit ? geometry.brief(hit) : "nothing" };
      found = [x, y];
    }
    chosen = { id, x: (found[0] - left) / width, y: (found[1] - top) / height };
    return { x: found[0], y: found[1] };
  },

  watch(id) {
    dispatched = [];
    start = undefined;
    const element = identity.find(id);
    atStart = element && { places: placesOf(element), ...layoutDiff.scrolledOffset(element) };
    layoutDiff.remember();
  },

  isNativeDrag: () => start !== undefined && !start.defaultPrevented,

  isOpaqueContent: (ids) =>
    ids.some((id) => {
      const element = identity.find(id);
      return element?.matches(OPAQUE_CONTENT) || element?.querySelector(OPAQUE_CONTENT);
    }),

  outcome(id) {
    const element = identity.find(id);
    const now = element && layoutDiff.scrolledOffset(element);
    const row = atStart?.places.find(isReordered)?.element ?? element;
    return {
      alive: element !== undefined,
      reordered: atStart?.places.some(isReordered) ?? false,
      moved: [
        Math.round(now && atStart ? now.left - atStart.left : 0),
        Math.round(now && atStart ? now.top - atStart.top : 0),
      ],
      position: row?.parentNode ? [...row.parentNode.children].indexOf(row) : -1,
      events: dispatched,
      changes: layoutDiff.count(),
    };
  },
};
