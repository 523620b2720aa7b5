/** Finds the elements of a selector, across shadow roots. */
import { registry } from "../document-state.ts";
import { shadowRootsBelow, VISIBLE } from "../dom.ts";
import { describer, fingerprints, identity } from "../world-parts.ts";

export interface SelectorMatches {
  /** The first of them, in document order. */
  readonly ids: readonly number[];
  readonly count: number;
}

export interface ElementSearch {
  /**
   * The visible elements of a selector, or the hidden ones when none is visible. ` >>> ` leads into a shadow root;
   * without it a selector applies to every shadow root.
   */
  bySelector(selector: string, most: number): SelectorMatches | "bad_selector";
  /** The only visible element of a selector, as an action finds it by itself, else the number of visible ones. */
  onlyOf(selector: string): { readonly id: number } | { readonly count: number } | "bad_selector";
}

function allOf(selector: string): readonly Element[] {
  const [first = "", ...inner] = selector.split(/\s*>>>\s*/);
  const roots = [document, ...shadowRootsBelow(document)];
  let found = roots.flatMap((root) => [...root.querySelectorAll(first)]);
  for (const step of inner)
    found = found.flatMap((host) => [...(registry.rootOf(host)?.querySelectorAll(step) ?? [])]);
  return [...new Set(found)];
}

/** The id of an element, which snapshots may not list. */
function idOf(element: Element): number {
  const id = registry.idOf(element);
  if (!fingerprints.get(id)) fingerprints.setUnlisted(id, describer.fingerprints()(element));
  return id;
}

export const elementSearch: ElementSearch = {
  bySelector(selector, most) {
    try {
      const all = allOf(selector);
      const visible = all.filter((element) => element.checkVisibility(VISIBLE));
      const found = visible.length > 0 ? visible : all;
      return { ids: found.slice(0, most).map(idOf), count: found.length };
    } catch {
      return "bad_selector";
    }
  },

  onlyOf(selector) {
    try {
      const visible = allOf(selector).filter((element) => element.checkVisibility(VISIBLE));
      const [only] = visible;
      return only && visible.length === 1 ? { id: identity.identify(only) } : { count: visible.length };
    } catch {
      return "bad_selector";
    }
  },
};
