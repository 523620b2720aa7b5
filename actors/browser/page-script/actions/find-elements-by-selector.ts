/** Finds the elements that a selector matches, including elements inside of shadow roots. */
import { registry } from "../page-script-document-state.ts";
import { collapseSpaces, shadowRootsBelow, VISIBLE } from "../shadow-dom.ts";
import { describer, fingerprints, geometry, identity } from "../world-bundle-modules-for-actions-bundle.ts";
import { isMovedAway, revealingControl } from "./control-that-reveals-element.ts";

export interface SelectorMatches {
  /**
   * Numbers of the first matching elements, in document order. By such a number, the page script finds the
   * element again.
   */
  readonly ids: readonly number[];
  readonly count: number;
}

export interface ElementSearch {
  /**
   * Returns the visible elements that a selector matches, or the hidden ones when none is visible. ` >>> ` in
   * a selector enters a shadow root. Without it, the selector is applied in every shadow root.
   *
   * @param text the whole text of the elements; null if any text fits
   */
  bySelector(selector: string, most: number, text: string | null): SelectorMatches | "bad_selector";
  /** Returns the visible element that a selector matches. If it matches none or several, returns how many. */
  onlyOf(selector: string): { readonly id: number } | { readonly count: number } | "bad_selector";
  /**
   * Finds the visible control that shows a hidden element, such as the tab of a panel or the entry of a menu
   * bar. Returns `null` if there is no such control, or if the selector matches no element or several.
   */
  revealing(selector: string): { readonly id: number; readonly byPointer: boolean } | null;
}

function allOf(selector: string): readonly Element[] {
  const [first = "", ...inner] = selector.split(/\s*>>>\s*/);
  const roots = [document, ...shadowRootsBelow(document)];
  let found = roots.flatMap((root) => [...root.querySelectorAll(first)]);
  for (const step of inner)
    found = found.flatMap((host) => [...(registry.rootOf(host)?.querySelectorAll(step) ?? [])]);
  return [...new Set(found)];
}

/**
 * Returns the number by which the page script finds an element again. An element that no snapshot contains
 * gets a number too. Its fingerprint (texts for recognition) is stored at each search, because a list may
 * have reused the element for another row.
 */
function idOf(element: Element): number {
  const id = registry.idOf(element);
  fingerprints.setUnlisted(id, describer.fingerprints()(element));
  return id;
}

export const elementSearch: ElementSearch = {
  bySelector(selector, most, text) {
    try {
      const all = allOf(selector).filter(
        (element) => text === null || collapseSpaces(element.textContent ?? "") === text,
      );
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

  revealing(selector) {
    let matches: readonly Element[];
    try {
      matches = allOf(selector);
    } catch {
      // The selector is not valid, so it matches no element.
      return null;
    }
    const [only] = matches;
    if (!only || matches.length > 1) return null;
    if (only.checkVisibility(VISIBLE) && !geometry.isClipped(only) && !isMovedAway(only)) return null;
    const found = revealingControl(only);
    return found ? { id: idOf(found.control), byPointer: found.byPointer } : null;
  },
};
