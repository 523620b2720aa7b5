/**
 * Elements that are called the same: of links that lead elsewhere the address says which is which, of others what stands
 * around them.
 *
 * Said with the element itself, so that a line depends on nothing else. Neighbour: `line.ts` tells either.
 */

import type { HighlightedElement } from "./analysis.ts";
import { sessionLimits } from "./limits.ts";
import { nameOf } from "./line.ts";

/** The same object for as long as the element stays the same. */
const marked = new WeakMap<HighlightedElement, HighlightedElement>();

/** Where there are many of them it takes up more than it tells: records and `query` have it all the same. */
export function withNamesakes(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  if (elements.length > sessionLimits.namesakesUpTo) return elements;
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
