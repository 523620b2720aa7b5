/**
 * Detects that an application still shows its page after another client-side route was opened. If the page has
 * unsaved values, such as those of the form for a new item, a dialog over it may ask "Are you sure you want to leave
 * this page?", while the address is already that of the new route (Ember in Ghost, guards of Vue Router and React
 * Router).
 */
import { urlKey } from "./normalise-url.ts";

export interface ShownPage {
  readonly url: string;
  readonly highlightedElements: readonly { readonly highlight_index: number }[];
}

/**
 * Whether the page `now` still has all elements of the page `before`, although another route of the document
 * was opened. This is also so if the route only opens a dialog over a list. Such a page is loaded again
 * without need, which changes nothing.
 *
 * @param url the address that was opened
 */
export function hasKeptPage(before: ShownPage | undefined, now: ShownPage, url: string): boolean {
  if (before === undefined || before.highlightedElements.length === 0) return false;
  if (!url.includes("#") || documentOf(before.url) !== documentOf(url)) return false;
  if (urlKey(before.url) === urlKey(url)) return false;
  // An index is never used for another element, so equal indexes show that the elements are still the same.
  const shown = new Set(now.highlightedElements.map(({ highlight_index }) => highlight_index));
  return before.highlightedElements.every(({ highlight_index }) => shown.has(highlight_index));
}

function documentOf(url: string): string {
  return url.replace(/#.*/s, "");
}
