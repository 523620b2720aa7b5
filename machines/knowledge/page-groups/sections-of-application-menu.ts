/**
 * Recognises sections to which the menu of an application leads, such as `/admin/reports/locked/` and
 * `/admin/reports/workflow/` of Wagtail. Their pages may be very similar, because they consist mostly of the frame
 * (header and menu).
 */

import { similarity } from "../screens/page-feature-sketch.ts";
import { titleParts } from "../screens/screen-name-from-title.ts";
import { EDITION } from "./fixed-address-endings.ts";
import type { Group, Member } from "./page-group.ts";
import { factOfPages } from "./page-group-fact-cache.ts";
import { ALIKE, ENOUGH_PAIRS, MANY_VALUES } from "./same-screen-threshold.ts";

/**
 * Maximum share (0 to 1) of a site's pages that are in a menu, if the menu is that of an application. Such a menu
 * lists sections, and most pages are items. The menu of a manual lists nearly all pages (MkDocs, mdBook).
 */
const MOST_LISTED = 0.5;

/**
 * Maximum number of pages in menus. Each of these pages is compared with every other one. If there are more,
 * no sections are recognised.
 */
const MOST_COMPARED = 300;

type Read = Pick<Member, "site_wide" | "address" | "sketch" | "screen_id" | "name">;

/** How a page is a section: only for its own object, or for several objects with the same word and title. */
export type SectionKind = NonNullable<Member["section"]>;

/**
 * Returns the pages that are sections of an application, by their ids. A menu leads to each of them, and only to
 * few pages that are similar to it: to fewer than six in its folder, and to fewer than three in any other
 * folder. A menu leads to more similar pages if they are content, such as a manual (MkDocs) or documents
 * (Plone), or things such as categories.
 */
export function sectionsOfMenu(pages: readonly Read[]): ReadonlyMap<string, SectionKind> {
  const listed = pages.filter(({ site_wide, address: { path } }) => site_wide && path.length > 1);
  if (listed.length >= MOST_LISTED * pages.length || listed.length > MOST_COMPARED) return new Map();
  const folders = [...Map.groupBy(listed, folderOf).values()];
  const isContent = (page: Read, own: readonly Read[]) =>
    folders.some((folder) => {
      const alike = folder.filter((other) => areAlike(page, other)).length;
      return alike >= (folder === own ? MANY_VALUES : ENOUGH_PAIRS);
    });
  const sections = folders.flatMap((own) => own.filter((page) => !isThing(page) && !isContent(page, own)));
  const found = new Map<string, SectionKind>(sections.map(({ screen_id }) => [screen_id, "own"]));
  if (sections.length < listed.length * MOSTLY_SECTIONS) return found;
  for (const { screen_id } of repeatedSections(listed, pages)) found.set(screen_id, "repeated");
  return found;
}

/**
 * Sections are recognised by their titles too only if at least this share (0 to 1) of the pages in menus are sections
 * by their structure. In a manual, the share is smaller, because its menus lead to content.
 */
const MOSTLY_SECTIONS = 0.5;

/**
 * Returns the pages of sections that several objects have: `/events/spring/quotas` and `/events/autumn/quotas` with the
 * title "Quotas" (pretix), or `/projects/crane/issues` and `/projects/ferry/issues` with the title "Issues" (Redmine).
 * The menu leads to the section of at least one object. Editions, such as versions and languages, are no objects.
 */
function repeatedSections(listed: readonly Read[], pages: readonly Read[]): readonly Read[] {
  const inMenu = new Set(listed.flatMap(keysOfSection));
  const byKey = new Map<string, Set<Read>>();
  for (const page of pages)
    for (const key of keysOfSection(page)) {
      if (!inMenu.has(key)) continue;
      const own = byKey.get(key);
      if (own) own.add(page);
      else byKey.set(key, new Set([page]));
    }
  return [...byKey.values()].flatMap((some) => {
    const addresses = new Set(
      [...some].map(({ address }) => address.path.map(({ value }) => value).join("/")),
    );
    return addresses.size > 1 ? [...some] : [];
  });
}

/**
 * Returns the keys of a page. Pages of one section for different objects have a common key, in which the segment of
 * the object is replaced by `*`. The object may be any segment between the first one, which is a fixed part of the
 * application, and the last one, which names the section.
 */
function keysOfSection({ address: { host, path, query }, name }: Read): readonly string[] {
  const [title] = titleParts(name ?? "");
  const last = path.at(-1)?.value ?? "";
  if (title === undefined || query.length > 0 || !WORD.test(last)) return [];
  return path.slice(1, -1).flatMap(({ value }, at) => {
    if (EDITION.test(value)) return [];
    const others = path.map((segment, own) => (own === at + 1 ? "*" : segment.value));
    return [[host, title, ...others].join("\n")];
  });
}

function isThing({ address: { path } }: Read): boolean {
  return FOLDER_OF_THINGS.test(path.at(-2)?.value ?? "");
}

function folderOf({ address: { host, path } }: Read): string {
  return [host, ...path.slice(0, -1).map(({ masked }) => masked)].join("/");
}

function areAlike({ sketch: a }: Read, { sketch: b }: Read): boolean {
  return a !== undefined && b !== undefined && similarity(a, b) >= ALIKE.items;
}

/**
 * Names of folders whose pages are things and no sections, even if a menu lists few of them: categories of a
 * shop (django-oscar, OpenCart), tags of a blog (WordPress, Ghost), forums (phpBB, Discourse), projects and
 * users (Redmine, GitLab). Some words count only in the plural, because `/team` and `/user` may also be the
 * pages of one's own team and account.
 */
const FOLDER_OF_THINGS =
  /^(?:categor(?:y|ies)|(?:tag|topic|author|collection|brand|department|forum|board|section)s?|(?:user|member|channel|project|group|team|label|product)s)$/i;

/** Matches a path segment that may be the name of a section: a word, without a number or an id. */
const WORD = /^(?:@@|\+)?\p{L}[\p{L}_-]*$/u;

/**
 * Whether two groups are sections of one menu. The menu leads to each of their pages, the last parts of their addresses
 * are different words, and they share no title.
 */
export function areSectionsOfMenu(a: Group, b: Group): boolean {
  if (a.path.length !== b.path.length || a.path.length < 2 || a.query.length + b.query.length > 0)
    return false;
  if (a.path.slice(0, -1).some(({ value }, at) => value !== b.path[at]?.value)) return false;
  const [last, other] = [a.path.at(-1)?.value, b.path.at(-1)?.value];
  if (last === other || ![last, other].every((value) => value !== undefined && WORD.test(value)))
    return false;
  const [own, others] = [menuTitles(a), menuTitles(b)];
  return (
    own.inMenu &&
    others.inMenu &&
    own.titles.size > 0 &&
    others.titles.size > 0 &&
    own.titles.isDisjointFrom(others.titles)
  );
}

/**
 * Whether one group is a section that several objects have, and the other group has another title and ends in another
 * word. The other pages may be items, or sections of one object only.
 */
export function isOtherThanRepeatedSection(a: Group, b: Group): boolean {
  if (a.path.at(-1)?.value === b.path.at(-1)?.value || a.query.length + b.query.length > 0) return false;
  const [own, others] = [menuTitles(a), menuTitles(b)];
  if (own.titles.size === 0 || others.titles.size === 0 || !own.titles.isDisjointFrom(others.titles))
    return false;
  return [own, others].some(({ isRepeated, titles }) => isRepeated && titles.size === 1);
}

const menuTitles = factOfPages(
  () => ({ inMenu: true, isRepeated: true, titles: new Set<string>() }),
  (fact, { name = "", section }) => {
    if (section === undefined) fact.inMenu = false;
    if (section !== "repeated") fact.isRepeated = false;
    const [first] = titleParts(name);
    if (first !== undefined) fact.titles.add(first);
  },
);
