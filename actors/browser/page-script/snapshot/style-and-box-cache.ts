/**
 * Caches styles and boxes of elements. Reading them is most of the cost of a snapshot. They stay valid until
 * the browser has recalculated styles or done layout.
 */

import type { Pane, Rect } from "../actionability/element-geometry.ts";
import { geometry } from "../actionability/element-geometry.ts";
import { OPAQUE, VISIBLE } from "../shadow-dom.ts";
import type { CachedElement, Cursor, Flow, Rendering, Visual } from "./element-cache-entry.ts";
import * as icons from "./icon-names.ts";

/** What may have changed since the previous snapshot: computed styles, boxes, or both. */
export interface Invalid {
  readonly styles: boolean;
  readonly layout: boolean;
}

/** Matches a list of fonts that begins with an icon font. */
const ICON_FONT = /^[^,]*(?:icon|symbol)/i;
/**
 * Matches system fonts whose names resemble those of icon fonts. They contain symbols, but do not draw words
 * as icons.
 */
const SYSTEM_FONT = /^["']?(?:segoe ui|apple|noto|symbola?\b)/i;
/** Matches those values of the CSS property `display` with which an element does not begin a new line. */
const INLINE = /^(inline|ruby)/;
let styles = 0;
let boxes = 0;

const styled = ({ reading: read }: CachedElement): Rendering => {
  if (read.styles === styles) return read;
  read.styles = styles;
  read.seen = undefined;
  read.clear = undefined;
  read.cursor = undefined;
  read.overflow = undefined;
  read.icons = undefined;
  read.display = undefined;
  read.flow = undefined;
  read.padded = undefined;
  read.drawn = undefined;
  return read;
};
const placed = ({ reading: read }: CachedElement): Rendering => {
  if (read.boxes === boxes) return read;
  read.boxes = boxes;
  read.rect = undefined;
  read.over = undefined;
  return read;
};

/** Returns the computed style of an element. It is a live object of the browser, so it is always current. */
export function styleOf(cached: CachedElement): CSSStyleDeclaration {
  cached.style ??= getComputedStyle(cached.element);
  return cached.style;
}

const cursorOf = (cursor: string): Cursor => {
  if (cursor === "text") return "text";
  return cursor === "pointer" || cursor === "grab" || cursor === "move" ? "pointer" : "other";
};

const cursor = (cached: CachedElement): Cursor => {
  const read = styled(cached);
  read.cursor ??= cursorOf(styleOf(cached).cursor);
  return read.cursor;
};

/** Must be called before each snapshot. It invalidates cached styles, boxes or both. */
export function begin(invalid: Invalid): void {
  if (invalid.styles) styles++;
  if (invalid.layout) boxes++;
}

/** Whether the element is rendered and its `visibility` is not `hidden`. */
export function isVisible(cached: CachedElement): boolean {
  const read = styled(cached);
  read.seen ??= cached.element.checkVisibility(VISIBLE);
  return read.seen;
}

/** Whether the element is visible, and neither it nor an ancestor has `opacity: 0`. */
export function isOpaque(cached: CachedElement): boolean {
  const read = styled(cached);
  if (read.clear === undefined) {
    read.clear = cached.element.checkVisibility(OPAQUE);
    // `checkVisibility(OPAQUE)` is true only for a visible element. So `isVisible` need not ask the browser again.
    if (read.clear) read.seen = true;
  }
  return read.clear;
}

/** Whether the cursor over the element has the shape for clicking or dragging. */
export function hasPointerCursor(cached: CachedElement): boolean {
  return cursor(cached) === "pointer";
}

/** Whether the cursor over the element is a text cursor. */
export function hasTextCursor(cached: CachedElement): boolean {
  return cursor(cached) === "text";
}

export function overflow(cached: CachedElement): string {
  const read = styled(cached);
  read.overflow ??= styleOf(cached).overflowY;
  return read.overflow;
}

/** Whether a list of fonts begins with an icon font. */
export const isIconFont = (fontFamily: string): boolean =>
  ICON_FONT.test(fontFamily) && !SYSTEM_FONT.test(fontFamily);

/** Whether the font of the element draws icons. */
export function hasIconFont(cached: CachedElement): boolean {
  const read = styled(cached);
  if (read.icons === undefined) {
    read.icons = isIconFont(styleOf(cached).fontFamily);
  }
  return read.icons;
}

export function display(cached: CachedElement): string {
  const read = styled(cached);
  read.display ??= styleOf(cached).display;
  return read.display;
}

const flowOfDisplay = (display: string): Flow => {
  if (display === "inline") return "inline";
  if (display === "contents") return "none";
  return INLINE.test(display) ? "word" : "line";
};

export function flow(cached: CachedElement): Flow {
  const read = styled(cached);
  read.flow ??= flowOfDisplay(display(cached));
  return read.flow;
}

/** Whether an inline element has horizontal margin or padding, which separates words. */
export function isPadded(cached: CachedElement): boolean {
  const read = styled(cached);
  if (read.padded === undefined) {
    const style = styleOf(cached);
    read.padded = style.marginInline !== "0px" || style.paddingInline !== "0px";
  }
  return read.padded;
}

/** Returns what an element without text shows instead: its icon, and the text that CSS generates. */
export function visual(cached: CachedElement): Visual {
  const read = styled(cached);
  if (read.drawn && read.drawn.changedAt === cached.touched) return read.drawn;
  const { element, touched } = cached;
  read.drawn = {
    generatedText: icons.generatedText(element),
    icon: icons.nameOf(element),
    changedAt: touched,
  };
  return read.drawn;
}

/** Returns the box of the element, relative to the viewport. */
export function rect(cached: CachedElement): Rect {
  const read = placed(cached);
  read.rect ??= geometry.copiedBoxOf(cached.element);
  return read.rect;
}

/**
 * Returns the element that covers this element completely.
 *
 * @param pane the visible part of the scroll containers around the element; only the part of the element
 * inside of this pane must be covered
 */
export function coveredBy(cached: CachedElement, pane: Pane | undefined): Element | undefined {
  const read = placed(cached);
  if (read.over === undefined) read.over = geometry.coveredBy(cached.element, pane) ?? null;
  return read.over ?? undefined;
}
