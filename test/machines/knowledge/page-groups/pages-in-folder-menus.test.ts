/** Tests which pages of a folder belong to the folder's own menu, such as the sections of an event. */
import { expect, test } from "bun:test";
import { pagesInFolderMenus } from "../../../../machines/knowledge/page-groups/pages-in-folder-menus.ts";

const SECTIONS = ["items", "quotas", "vouchers", "discounts"];

const pageAt = (path: string) => ({ screen_id: path, url: `https://shop.example${path}` });

/** Returns the pages of one event: four sections, and six orders to which only the list of orders links. */
const eventPages = (event: string) => [
  pageAt(`/event/${event}/`),
  ...SECTIONS.map((section) => pageAt(`/event/${event}/${section}/`)),
  ...[1, 2, 3, 4, 5, 6].map((order) => pageAt(`/event/${event}/orders/${order}/`)),
];

/** Counts links of a site in which each page of an event links to the sections of this event. */
function countMenuLinks(sources: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const event = source.split("/")[2] ?? "";
    for (const section of SECTIONS) {
      const entry = `/event/${event}/${section}/`;
      if (entry !== source) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    }
  }
  return counts;
}

test("the sections of each event (/event/jazz/…) count as pages in a menu of their folder, although few pages of the site link to them", () => {
  const pages = ["jazz", "pottery", "slam"].flatMap(eventPages);
  const found = pagesInFolderMenus(pages, countMenuLinks);
  expect([...found].sort()).toEqual(
    ["jazz", "pottery", "slam"].flatMap((event) =>
      [...SECTIONS].sort().map((section) => `/event/${event}/${section}/`),
    ),
  );
});

test("a folder with few pages has no menu of its own", () => {
  expect(pagesInFolderMenus(eventPages("jazz").slice(0, 7), countMenuLinks).size).toBe(0);
});

test("a folder at the root has no menu of its own, because its pages may be those of a manual", () => {
  const pages = Array.from({ length: 10 }, (_, at) => pageAt(`/docs/${at}`));
  const linked = new Map(pages.map(({ screen_id }) => [screen_id, 9]));
  expect(pagesInFolderMenus(pages, () => linked).size).toBe(0);
});
