/**
 * Decides whether pages are items of a collection, such as the pages of tags (`/tags/{name}`), or pages of
 * another kind in the same folder.
 */
import { type Group, isVariable } from "./page-group.ts";

/**
 * Words for folders in which sites list items of one kind, such as tags and authors of posts. Such folders are no
 * sections of a manual, even if a menu links to each item.
 */
export const COLLECTION_WORD =
  /^(?:tags?|categor(?:y|ies)|authors?|archives?|topics?|labels?|keywords?|series|collections?|groups?|users?|members?)$/i;

/**
 * Words for folders in which blogs list the posts with one tag or by one author. Unlike `users` and `groups`, they
 * contain no functions of an administration.
 */
export const ARCHIVE_WORD = /^(?:tags?|categor(?:y|ies)|authors?|keywords?|series)$/i;

/**
 * Whether one group contains the pages of a collection, and the other group contains other pages in the same
 * folder. Examples are `/blog/tag/{name}` and `/blog/2031.html`.
 */
export function differInCollection(a: Group, b: Group): boolean {
  const [{ path: longer }, { path: shorter }] = a.path.length > b.path.length ? [a, b] : [b, a];
  const folder = shorter.length - 1;
  return (
    longer.length === shorter.length + 1 &&
    folder > 0 &&
    COLLECTION_WORD.test(longer[folder]?.value ?? "") &&
    isVariable(longer.at(-1)?.value) &&
    isVariable(shorter.at(-1)?.value) &&
    shorter.slice(0, folder).every(({ value }, at) => value !== undefined && value === longer[at]?.value)
  );
}
