/**
 * Detects sections of one manual, such as `/guide/{name}` and `/reference/{name}`. The menu of a manual links
 * to all its pages, unlike the menu of an application, which links only to lists of items.
 */

import { type Group, stateOf } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";
import { COLLECTION_WORD } from "./pages-that-are-collection-items.ts";
import { ENOUGH_PAIRS } from "./same-screen-threshold.ts";
import { functionSegment } from "./site-function-of-page-group.ts";

/**
 * Whether two groups of pages are sections of one manual (MkDocs, mdBook, TypeDoc). Most pages of the site link
 * to each page of both groups. Manuals contain folders in folders, so the addresses may have different lengths.
 */
export function areSectionsOfManual(a: Group, b: Group): boolean {
  if (a.query.length > 0 || b.query.length > 0) return false;
  if (stateOf(a) !== stateOf(b) || functionSegment(a) !== functionSegment(b) || a.functions || b.functions)
    return false;
  if (a.members[0]?.address.host !== b.members[0]?.address.host) return false;
  return [a, b].every(isSection);
}

/**
 * Matches a word that may be the name of a folder in a manual, without numbers and ids: `guide`, `REST_APIs`.
 */
const FOLDER = /^\p{L}[\p{L}_-]*$/u;

function isSection(group: Group): boolean {
  const { path, members } = group;
  if (path.length < 2 || path.at(-1)?.value !== undefined || members.length < ENOUGH_PAIRS) return false;
  const { unlisted, folders } = placesOf(group);
  return unlisted === 0 && [...folders].every((word) => FOLDER.test(word) && !COLLECTION_WORD.test(word));
}

/**
 * Returns facts about the pages of a group: the names of the folders in their addresses, and the number of
 * pages to which no menu links.
 */
const placesOf = factOfPages(
  () => ({ unlisted: 0, folders: new Set<string>() }),
  (places, { site_wide, address: { path } }) => {
    if (!site_wide) places.unlisted += 1;
    for (const { masked } of path.slice(0, -1)) places.folders.add(masked);
  },
);
