/**
 * Distinguishes elements with the same name: links by their address, other elements by the words around them. These
 * words are stored in each element, so that its text line can be built without the other elements of the page.
 */

import { sessionLimits } from "../session-limits.ts";
import { nameOf } from "./element-line.ts";
import type { HighlightedElement } from "./page-snapshot.ts";

/**
 * Maps each marked element to its copy with the mark for a duplicate name. An unchanged element always gets
 * the same copy, because caches use elements as keys.
 */
const marked = new WeakMap<HighlightedElement, HighlightedElement>();

/**
 * Marks elements whose names are not unique. The text line of a marked element also contains words from
 * around the element. On large pages no element is marked, because these words would cost more tokens than
 * they save.
 */
export function markDuplicateNames(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  if (elements.length > sessionLimits.duplicateNamesUpTo) return elements;
  const leads = new Map<string, Set<string>>();
  for (const element of elements) {
    const { href } = element.attributes;
    if (element.tagName !== "a" || href === undefined) continue;
    const name = nameOf(element);
    leads.set(name, (leads.get(name) ?? new Set()).add(href));
  }
  return elements.map((element) => {
    const name = nameOf(element);
    const leadsElsewhere = element.tagName === "a" && (leads.get(name)?.size ?? 0) > 1;
    if (!leadsElsewhere && (element.around === undefined || name === "")) return element;
    const mark = marked.get(element) ?? { ...element, namesake: true };
    marked.set(element, mark);
    return mark;
  });
}
