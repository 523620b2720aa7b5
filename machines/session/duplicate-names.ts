/**
 * Marks elements with duplicate names: links by their address, other elements by their context.
 * The mark is stored with the element, so that a line depends on nothing else.
 */

import { nameOf } from "./element-line.ts";
import { sessionLimits } from "./limits.ts";
import type { HighlightedElement } from "./page-snapshot.ts";

/** Returns the same object while the element stays the same, for the caches. */
const marked = new WeakMap<HighlightedElement, HighlightedElement>();

/** On large pages the context would take more tokens than it saves. Records and `query` still have it. */
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
