/**
 * Detects that an application has not left its page when another client-side route was opened. A route with
 * unsaved values, such as the form of a new item, may ask "Are you sure you want to leave this page?" over the
 * form (Ember in Ghost, guards of Vue Router and React Router), while the address is that of the new route.
 */
import { urlKey } from "./normalise-url.ts";

export interface ShownPage {
  readonly url: string;
  readonly highlightedElements: readonly { readonly highlight_index: number }[];
}

/**
 * Whether a page still has all elements of the page before it, although another route of the document was
 * opened. A list that stays below a dialog with an address of its own is one too; loading it again changes
 * nothing.
 * @param url the address that was opened
 */
export function hasKeptPage(before: ShownPage | undefined, now: ShownPage, url: string): boolean {
  if (before === undefined || before.highlightedElements.length === 0) return false;
  if (!url.includes("#") || documentOf(before.url) !== documentOf(url)) return false;
  if (urlKey(before.url) === urlKey(url)) return false;
  // The index of an element stays the same for its whole life, and is never used for another element.
  const shown = new Set(now.highlightedElements.map(({ highlight_index }) => highlight_index));
  return before.highlightedElements.every(({ highlight_index }) => shown.has(highlight_index));
}

function documentOf(url: string): string {
  return url.replace(/#.*/s, "");
}
