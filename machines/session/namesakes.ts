/**
 * Links that are called the same and lead elsewhere: among them an address says which is which.
 *
 * Said with the element itself, so that a line depends on nothing else. Neighbour: `line.ts` tells the address.
 */
import { limits } from "../limits.ts";
import type { HighlightedElement } from "./analysis.ts";
import { nameOf } from "./line.ts";

/** The same object for as long as the element stays the same. */
const marked = new WeakMap<HighlightedElement, HighlightedElement>();

/** Where there are many of them the addresses take up more than they tell. */
export function withNamesakes(elements: readonly HighlightedElement[]): readonly HighlightedElement[] {
  if (elements.length > limits.session.namesakesUpTo) return elements;
  const leads = new Map<string, Set<string>>();
  for (const element of elements) {
    const { href } = element.attributes;
    if (element.tagName !== "a" || href === undefined) continue;
    const name = nameOf(element);
    leads.set(name, (leads.get(name) ?? new Set()).add(href));
  }
  return elements.map((element) => {
    if (element.tagName !== "a" || (leads.get(nameOf(element))?.size ?? 0) < 2) return element;
    const mark = marked.get(element) ?? { ...element, namesake: true };
    marked.set(element, mark);
    return mark;
  });
}
