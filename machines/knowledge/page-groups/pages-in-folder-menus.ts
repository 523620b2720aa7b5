/**
 * Finds the pages to which the menu of their folder leads. The back office of an event (pretix, pretalx) has
 * such a menu: each page below `/event/jazz/` links to `/event/jazz/items/`, and other pages of the site do not.
 */

/**
 * Minimum number of pages in a folder that may have a menu of its own. In a smaller folder, most pages may
 * link to an item by chance.
 */
const FOLDER_PAGES = 8;

/**
 * Minimum number of segments in the path of a folder that may have a menu of its own. A folder with one
 * segment, such as `/docs/`, often has the menu of a manual. The pages in such a menu may all be one screen,
 * so they are not found here.
 */
const FOLDER_SEGMENTS = 2;

interface Page {
  readonly screen_id: string;
  readonly url: string;
}

/**
 * Returns the ids of the pages to which more than half of the pages in their folder link.
 *
 * @param countLinks returns for each page how many of the given pages link to it
 */
export function pagesInFolderMenus(
  pages: readonly Page[],
  countLinks: (sources: readonly string[]) => ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const inFolder = new Map<string, { readonly all: string[]; readonly entries: string[] }>();
  for (const { screen_id, url } of pages) {
    if (!URL.canParse(url)) continue;
    const { host, pathname } = new URL(url);
    const path = pathname.split("/").filter((segment) => segment !== "");
    for (let length = FOLDER_SEGMENTS; length <= path.length; length++) {
      const folder = [host, ...path.slice(0, length)].join("/");
      const { all, entries } = inFolder.get(folder) ?? { all: [], entries: [] };
      all.push(screen_id);
      if (path.length === length + 1) entries.push(screen_id);
      inFolder.set(folder, { all, entries });
    }
  }
  for (const { all, entries } of inFolder.values()) {
    if (all.length < FOLDER_PAGES || entries.length === 0) continue;
    const linking = countLinks(all);
    for (const id of entries) if ((linking.get(id) ?? 0) > all.length / 2) found.add(id);
  }
  return found;
}
