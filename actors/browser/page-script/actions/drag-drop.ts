/**
 * In the page: what is dragged, where to, and what came of it.
 *
 * Pages drag in two ways: the browser's own drag and drop, which begins with `dragstart`, and scripts that follow the
 * pointer. Sent as its own source. Neighbours: `../dragging.ts` moves the pointer,
 * `layouts.ts` knows how the page looked before.
 */

import { registry } from "../document-state.ts";
import { shadowRootsBelow, VISIBLE } from "../dom.ts";
import { geometry, identity } from "../world-parts.ts";
import { layoutDiff } from "./layout-diff.ts";

export interface DragOutcome {
  readonly alive: boolean;
  /** Its place among its siblings, or its parent, is another; or that of the row it is in. */
  readonly reordered: boolean;
  /** Pixels that its box moved by, within what scrolls. */
  readonly moved: readonly [number, number];
  readonly position: number;
  /** Events of dragging that were heard. */
  readonly events: readonly string[];
  /** Elements that came, went, or look otherwise than before: what stayed of it, not what happened on the way. */
  readonly changes: number;
}

/** Where something is dropped, in this frame's viewport; or what keeps it from that. */
export type DropPoint =
  | { readonly x: number; readonly y: number }
  | { readonly by: string }
  /** What is seen of it has this size, and the offset is none in it. */
  | { readonly width: number; readonly height: number };

export interface DropTarget {
  readonly where: "on" | "before" | "after";
  /** From the upper left of what is seen of it. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
  /** Something is being carried there: the point was found before, and moves with its element. */
  readonly dragging: boolean;
}

export interface DragDrop {
  /** The one element of a selector that is seen; how many there are otherwise. */
  findVisible(selector: string): { readonly id: number } | { readonly count: number } | "bad_selector";
  /** A point of an element that is seen and can be hit; it is scrolled into sight. `undefined`: nothing of it is seen. */
  dropPoint(id: number, aimed: DropTarget): DropPoint | undefined;
  watch(id: number): void;
  /** Whether the browser's own dragging began, and the page lets it go on. */
  isNativeDrag(): boolean;
  /** Whether one of these is drawn by a script, or not of this document: what is done in it shows in no element. */
  isOpaqueContent(ids: readonly number[]): boolean;
  outcome(id: number): DragOutcome;
}

interface Place {
  readonly element: Element;
  readonly parent: ParentNode | null;
  readonly siblings: readonly Element[];
}
/** Of a row that is dragged by a handle in it. */
const LEVELS = 6;
/** Pixels: of more that is seen nothing has to be scrolled. */
const ENOUGH = 24;
const DRAWN = "canvas,video,iframe,frame,embed,object";
/** Parts of what is seen, the nearest to the middle first. */
const PARTS = [0.5, 0.35, 0.65, 0.2, 0.8, 0.06, 0.94];
let heard: string[] = [];
let start: DragEvent | undefined;
let then: { readonly places: readonly Place[]; readonly left: number; readonly top: number } | undefined;
/** The part of the goal that it was aimed at. */
let chosen: { readonly id: number; readonly x: number; readonly y: number } | undefined;

const placesOf = (element: Element): readonly Place[] => {
  const places: Place[] = [];
  let up: Element | null = element;
  for (let level = 0; up && up !== document.body && level < LEVELS; level++, up = registry.parentOf(up)) {
    const { parentNode: parent } = up;
    places.push({ element: up, parent, siblings: parent ? [...parent.children] : [] });
  }
  return places;
};

/** Those that are still there stand in another order, or elsewhere. */
const isReordered = ({ element, parent, siblings }: Place, at: number): boolean => {
  if (!element.isConnected) return false;
  if (element.parentNode !== parent) return true;
  const now = parent ? [...parent.children] : [];
  if (at === 0 && now.indexOf(element) !== siblings.indexOf(element)) return true;
  const [before, after] = [new Set(siblings), new Set(now)];
  const left = siblings.filter((one) => after.has(one));
  return now.filter((one) => before.has(one)).some((one, place) => one !== left[place]);
};

for (const name of ["dragstart", "dragenter", "dragover", "drop", "dragend"]) {
  addEventListener(
    name,
    (event) => {
      if (!heard.includes(name)) heard.push(name);
      if (name === "dragstart" && event instanceof DragEvent) start = event;
    },
    true,
  );
}

export const dragDrop: DragDrop = {
  findVisible(selector) {
    try {
      const seen = [document, ...shadowRootsBelow(document)]
        .flatMap((root) => [...root.querySelectorAll(selector)])
        .filter((element) => element.checkVisibility(VISIBLE));
      const [only] = seen;
      return only && seen.length === 1 ? { id: identity.identify(only) } : { count: seen.length };
    } catch {
      return "bad_selector";
    }
  },

  dropPoint(id, { where, at, dragging: held }) {
    const element = identity.find(id);
    if (!element) return undefined;
    // What stands beside each other is passed sideways.
    const whole = geometry.boxOf(element);
    const next = element.nextElementSibling ?? element.previousElementSibling;
    const beside = next !== null && Math.abs(geometry.boxOf(next).top - whole.top) < whole.height / 2;
    const share = where === "on" ? 0.5 : where === "before" ? 0.15 : 0.85;
    /** The point of a list is one of the whole box: what lies before and after its middle means something else. */
    const ideal = (): readonly [number, number] => {
      const { left, top, width, height } = geometry.boxOf(element);
      return [left + width * (beside ? share : 0.5), top + height * (beside ? 0.5 : share)];
    };
    const isIn = ([x, y]: readonly [number, number], part: DOMRect): boolean =>
      x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
    const suffices = (part: DOMRect | undefined): boolean =>
      part !== undefined &&
      part.width >= Math.min(ENOUGH, whole.width) &&
      part.height >= Math.min(ENOUGH, whole.height) &&
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
    const across = PARTS.map((one) => left + width * one);
    const down = PARTS.map((one) => top + height * one);
    const others: (readonly [number, number])[] = at
      ? []
      : where === "on"
        ? across.flatMap((one) => down.map((other) => [one, other] as const))
        : beside
          ? down.map((one) => [x, one] as const)
          : across.map((one) => [one, y] as const);
    const hits = ([one, other]: readonly [number, number]): boolean =>
      geometry.within(geometry.hitTest(one, other), element);
    let found = [[x, y] as const, ...others].find(hits);
    if (!found) {
      const hit = geometry.hitTest(x, y);
      const source = then?.places[0]?.element;
      // It lets the pointer through to what it is in; or what is dragged lies on it.
      const lets = hit && (geometry.within(element, hit) || (source && geometry.within(hit, source)));
      if (!lets) return { by: hit ? geometry.brief(hit) : "nothing" };
      found = [x, y];
    }
    chosen = { id, x: (found[0] - left) / width, y: (found[1] - top) / height };
    return { x: found[0], y: found[1] };
  },

  watch(id) {
    heard = [];
    start = undefined;
    const element = identity.find(id);
    then = element && { places: placesOf(element), ...layoutDiff.scrolledOffset(element) };
    layoutDiff.remember();
  },

  isNativeDrag: () => start !== undefined && !start.defaultPrevented,

  isOpaqueContent: (ids) =>
    ids.some((id) => {
      const element = identity.find(id);
      return element?.matches(DRAWN) || element?.querySelector(DRAWN);
    }),

  outcome(id) {
    const element = identity.find(id);
    const now = element && layoutDiff.scrolledOffset(element);
    const row = then?.places.find(isReordered)?.element ?? element;
    return {
      alive: element !== undefined,
      reordered: then?.places.some(isReordered) ?? false,
      moved: [
        Math.round(now && then ? now.left - then.left : 0),
        Math.round(now && then ? now.top - then.top : 0),
      ],
      position: row?.parentNode ? [...row.parentNode.children].indexOf(row) : -1,
      events: heard,
      changes: layoutDiff.count(),
    };
  },
};
