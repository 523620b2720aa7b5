/**
 * Caches the text lines of elements as long as the element objects exist, because most of a page stays the
 * same between snapshots.
 */

import { elementLine } from "./element-line.ts";
import type { Box, HighlightedElement } from "./page-snapshot.ts";

interface Written {
  readonly url: string;
  readonly line: string;
}

const lines = new WeakMap<HighlightedElement, Written>();

/** Returns the text line of an element. The line is built by `elementLine` at the first call and cached. */
export function lineOf(element: HighlightedElement, url: string): string {
  const known = lines.get(element);
  if (known?.url === url) return known.line;
  const line = elementLine(element, url);
  lines.set(element, { url, line });
  return line;
}

/**
 * Returns a copy of the element with another position. Element lines contain no position, so the copy keeps
 * the cached line.
 */
export function withBox(element: HighlightedElement, box: Box, in_viewport: boolean): HighlightedElement {
  const moved = { ...element, box, in_viewport };
  const written = lines.get(element);
  if (written) lines.set(moved, written);
  return moved;
}
