/**
 * Merges a page with its default view: the same page at an address with one more word, such as `/settings`
 * and `/settings/info`.
 */

import { type Group, isVariable, type Member } from "./page-group.ts";
import { memberSimilarity } from "./page-group-similarity.ts";
import { need } from "./same-screen-threshold.ts";

/**
 * Minimum similarity of structure (0 to 1) between a page and its default view (the same page at a longer
 * address). It is nearly 1, because both show the same content; in Redmine and hgweb, it was 1.
 */
const SAME_PAGE = 0.95;

/**
 * A group is merged with the group of its default views if at least this share (0 to 1) of its pages have a
 * default view. It is not required for every page, because an exploration may not have read all default
 * views.
 */
const VIEW_SHARE = 0.5;

interface Placed {
  readonly group: Group;
  readonly page: Member;
}

/**
 * Merges each group of pages with the group of their default views, such as `/projects/town/settings` with
 * `/projects/town/settings/info` (Redmine). A default view is the only page below a page that has this page's
 * title and structure.
 *
 * @param isTitle whether a name may be the title of a screen, and is not the name of the whole site
 */
export function byDefaultViews(groups: readonly Group[], isTitle: (name: string) => boolean): Group[] {
  const below = pagesBelow(groups);
  const merged = new Set<Group>();
  for (const group of groups) {
    const pages = group.members.filter(isPlain);
    const counts = new Map<Group, number>();
    for (const page of pages) {
      if (!page.name || !isTitle(page.name)) continue;
      const view = defaultView(page, below.get(placeOf(page, page.address.path.length)) ?? []);
      if (view) counts.set(view, (counts.get(view) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (!most || most[0] === group || merged.has(most[0]) || most[1] < VIEW_SHARE * pages.length) continue;
    most[0].members.push(...group.members);
    merged.add(group);
  }
  return groups.filter((group) => !merged.has(group));
}

/**
 * Returns the pages whose last path segment is a word, and no number, date or id. The key is the address
 * without this segment.
 */
function pagesBelow(groups: readonly Group[]): ReadonlyMap<string, readonly Placed[]> {
  const below = new Map<string, Placed[]>();
  for (const group of groups) {
    for (const page of group.members) {
      const last = page.address.path.at(-1);
      if (!isPlain(page) || !last || isVariable(last.masked)) continue;
      const place = placeOf(page, page.address.path.length - 1);
      const found = below.get(place);
      if (found) found.push({ group, page });
      else below.set(place, [{ group, page }]);
    }
  }
  return below;
}

/**
 * Returns the group of the page's default view: the only page in `below` with the same title and structure.
 * Returns `undefined` if there is none or several.
 */
function defaultView(page: Member, below: readonly Placed[]): Group | undefined {
  const [view, another] = below.filter(
    ({ page: other }) => other.name === page.name && memberSimilarity(page, other, need("tree")) >= SAME_PAGE,
  );
  return another ? undefined : view?.group;
}

/** Whether a page is no state of another page, and its address has no query parameters. */
function isPlain({ state, address }: Member): boolean {
  return state === undefined && address.query.length === 0;
}

/** Returns the host and the first segments of an address as text. */
function placeOf({ address: { host, path } }: Member, segments: number): string {
  return [host, ...path.slice(0, segments).map(({ value }) => value)].join("\n");
}
