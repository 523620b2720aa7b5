/**
 * Detects sections of one manual, such as `/guide/{name}` and `/reference/{name}`. The menu of a manual links
 * to all its pages, unlike the menu of an application, which links only to lists of items.
 */
import { COLLECTION_WORD } from "./collections-of-items.ts";
import { factOfPages } from "./page-group-facts.ts";
import { ENOUGH_PAIRS, functionSegment, type Group, stateOf } from "./same-screen-threshold.ts";

/**
 * Whether two groups of pages are sections of one manual (MkDocs, mdBook). The addresses of the groups differ
 * in one folder and in the name of the page. Most pages of the site link to each page of both groups.
 */
export function areSectionsOfManual(a: Group, b: Group): boolean {
  if (a.path.length !== b.path.length || a.path.length < 2 || a.query.length > 0 || b.query.length > 0)
    return false;
  if (stateOf(a) !== stateOf(b) || functionSegment(a) !== functionSegment(b) || a.functions || b.functions)
    return false;
  if (a.members[0]?.address.host !== b.members[0]?.address.host) return false;
  const last = a.path.length - 1;
  const differing = a.path.flatMap(({ value }, at) =>
    value !== undefined && value === b.path[at]?.value ? [] : [at],
  );
  const [folder] = differing;
  if (differing.length !== 2 || folder === undefined || differing[1] !== last) return false;
  return [a, b].every((group) => isSection(group, folder));
}

function isSection(group: Group, folder: number): boolean {
  const { path, members } = group;
  if (path.at(-1)?.value !== undefined || members.length < ENOUGH_PAIRS) return false;
  const { unlisted, folders } = placesOf(group);
  if (unlisted > 0) return false;
  return [...(folders.get(folder) ?? [])].every(
    (word) => /^\p{L}[\p{L}-]*$/u.test(word) && !COLLECTION_WORD.test(word),
  );
}

/**
 * Returns facts about the pages of a group: the words at each position of their addresses, and the number of
 * pages to which no menu links.
 */
const placesOf = factOfPages(
  () => ({ unlisted: 0, folders: new Map<number, Set<string>>() }),
  (places, { site_wide, address: { path } }) => {
    if (!site_wide) places.unlisted += 1;
    for (const [at, { masked }] of path.entries())
      places.folders.set(at, (places.folders.get(at) ?? new Set()).add(masked));
  },
);
