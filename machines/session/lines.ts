/**
 * The lines of elements, kept for as long as the elements are: most of a page is told many times, and stays the same.
 *
 * Neighbours: `line.ts` writes a line, `answer.ts` puts lines together.
 */
import type { Box, HighlightedElement } from "./analysis.ts";
import { elementLine } from "./line.ts";

interface Written {
  readonly url: string;
  readonly line: string;
}

const lines = new WeakMap<HighlightedElement, Written>();

/** See `elementLine`. */
export function lineOf(element: HighlightedElement, url: string): string {
  const known = lines.get(element);
  if (known?.url === url) return known.line;
  const line = elementLine(element, url);
  lines.set(element, { url, line });
  return line;
}

/** The same element elsewhere: no line says where it is. */
export function elsewhere(element: HighlightedElement, box: Box, in_viewport: boolean): HighlightedElement {
  const moved = { ...element, box, in_viewport };
  const written = lines.get(element);
  if (written) lines.set(moved, written);
  return moved;
}
