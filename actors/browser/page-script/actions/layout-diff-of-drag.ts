/** Records the layout of the page before and after a drag, and counts the differences that remain. */

import { registry } from "../page-script-document-state.ts";
import { VISIBLE } from "../shadow-dom.ts";
import { geometry } from "../world-bundle-modules-for-actions-bundle.ts";

interface ElementLayout {
  /** Horizontal position of the element in its parent, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Size, states, text and value of the element, joined to one text for comparison. */
  readonly rest: string;
}
/**
 * ARIA attributes that a drag may change. An element in which one of them has changed is counted as changed.
 */
const STATE_ATTRIBUTES = ["aria-valuenow", "aria-checked", "aria-selected", "aria-expanded"];
/** Tags of elements that have no layout, so that they are not compared. */
const INVISIBLE_TAGS = new Set("html head meta link title script style template noscript".split(" "));
let remembered = new WeakMap<Element, ElementLayout>();
let rememberedElements: readonly WeakRef<Element>[] = [];

const wordsOf = (element: Element): string => {
  let words = "";
  for (const node of element.childNodes) if (node instanceof Text) words += node.data;
  return words.trim();
};

const heldBy = (element: Element): string =>
  element instanceof HTMLInputElement
    ? `${element.value}${element.checked}`
    : element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
      ? element.value
      : "";

const collect = (
  root: Document | ShadowRoot,
  layouts: Map<Element, ElementLayout>,
): Map<Element, ElementLayout> => {
  for (const element of root.querySelectorAll("*")) {
    if (INVISIBLE_TAGS.has(element.localName)) continue;
    const { left, top, width, height } = element.getBoundingClientRect();
    // Elements with a width or height of one pixel or less are not compared. Pages use them only for
    // assistive technology.
    if (width > 1 && height > 1 && element.checkVisibility(VISIBLE)) {
      const parent = element.parentElement;
      const around = parent?.getBoundingClientRect();
      // The position is relative to the parent's content, so that it stays the same when the parent scrolls.
      // For this, the parent's scroll position is added. The page's scrolling element is an exception,
      // because its own box moves when it scrolls.
      const scroller = parent === document.scrollingElement ? null : parent;
      const states = STATE_ATTRIBUTES.map((name) => element.getAttribute(name) ?? "").join();
      layouts.set(element, {
        x: Math.round(left - (around?.left ?? 0) + (scroller?.scrollLeft ?? 0)),
        y: Math.round(top - (around?.top ?? 0) + (scroller?.scrollTop ?? 0)),
        rest: `${Math.round(width)}x${Math.round(height)} ${states} ${wordsOf(element)} ${heldBy(element)}`,
      });
    }
    const inner = registry.rootOf(element);
    if (inner) collect(inner, layouts);
  }
  return layouts;
};

/** Whether an element stays at its place in the window when the page is scrolled. */
const stays = (element: Element): boolean => /fixed|sticky/.test(getComputedStyle(element).position);

/** Returns the part of an element's box that is not cut off by the window or a scroll container. */
export function visibleBox(element: Element): DOMRect | undefined {
  let { left, top, right, bottom } = geometry.boxOf(element);
  const cut = (by: DOMRect): void => {
    [left, right] = [Math.max(left, by.left), Math.min(right, by.right)];
    [top, bottom] = [Math.max(top, by.top), Math.min(bottom, by.bottom)];
  };
  let inner = element;
  for (
    let up = geometry.renderedParent(element);
    up && up !== document.body;
    up = geometry.renderedParent(up)
  ) {
    if (getComputedStyle(inner).position === "fixed") break;
    const { overflowX, overflowY, display } = getComputedStyle(up);
    if (display !== "contents" && `${overflowX}${overflowY}` !== "visiblevisible")
      cut(up.getBoundingClientRect());
    inner = up;
  }
  cut(new DOMRect(0, 0, innerWidth, innerHeight));
  return right - left >= 1 && bottom - top >= 1
    ? new DOMRect(left, top, right - left, bottom - top)
    : undefined;
}

/**
 * Returns the position of an element inside of the scroll containers around it. The position does not change
 * when a container is scrolled.
 */
export function scrolledOffset(element: Element): { readonly left: number; readonly top: number } {
  let { left, top } = geometry.boxOf(element);
  for (let up: Element | null = element; up; up = geometry.renderedParent(up)) {
    if (getComputedStyle(up).position === "fixed") return { left, top };
    const around = geometry.renderedParent(up);
    left += around?.scrollLeft ?? 0;
    top += around?.scrollTop ?? 0;
  }
  return { left, top };
}

/** Stores the current layout of the page, with which `count` compares a later layout. */
export function remember(): void {
  const layouts = collect(document, new Map());
  remembered = new WeakMap(layouts);
  rememberedElements = [...layouts.keys()].map((element) => new WeakRef(element));
}

/**
 * Compares the page's layout with the one that `remember` recorded. Returns the number of elements that were
 * added, removed, moved or changed.
 */
export function count(): number {
  const now = collect(document, new Map());
  let count = 0;
  for (const [element, { x, y, rest }] of now) {
    const then = remembered.get(element);
    if (!then || then.rest !== rest) count++;
    else if (Math.abs(then.x - x) + Math.abs(then.y - y) > 1 && !stays(element)) count++;
  }
  const gone = rememberedElements.filter((reference) => {
    const element = reference.deref();
    return !element || !now.has(element);
  });
  return count + gone.length;
}
