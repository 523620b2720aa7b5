/**
 * Gives the screens of a site better names, once it is known which parts of a title occur on every page of
 * the site. Screens are renamed only while no page waits and no crawl runs. They are renamed again when the
 * site has doubled in size.
 */

import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { Atlas, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import {
  type Batch,
  emptyBatch,
  type SiteParts,
} from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import {
  pageOfState,
  STATE_NAME_SEPARATOR,
  stateOfId,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { MappedPage } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import {
  isOnlySite,
  type LinkToName,
  type NameByLinks,
  type NamedPage,
  namesByLinks,
  screenName,
  sharedHeadings,
  siteParts,
  tidy,
  titleParts,
  titlesOfFolders,
} from "../../../machines/knowledge/screens/screen-name-from-title.ts";
import { linksOfPage } from "../../../machines/knowledge/screens/stored-page-links.ts";
import type { ScreenRecord } from "../../../machines/records/map-records.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { MapSource } from "../map-store-interface.ts";
import { evenly, inParts } from "./array-batches-and-samples.ts";

type Named = Batch["names"][number];

/**
 * Maximum number of screens with one title that are named by their headings instead. A crawl creates few such
 * screens, because each worker gives a common title to only one rendered page.
 */
const MAX_PAGES_OF_TITLE = 16;
/**
 * Number of pages whose links are read to find a name for pages without a title. The menu of a site is on
 * each of its pages, so a few pages suffice.
 */
const PAGES_WITH_MENU = 20;
/** Number of pages of a site whose headings are compared, to find those that most pages have. */
const PAGES_OF_SAMPLE = 20;
/**
 * States of several pages may be named after a heading that none of these pages contains. If it is used for
 * at least this number of pages, it is the heading of a menu, such as "Manage" of Keycloak.
 */
const PAGES_WITH_HEADING_OF_MENU = 2;
/** Maximum number of entries of a site's menu that are kept. The map's actor stores them in its state. */
const MAX_MENU_ENTRIES = 200;

/** The texts of a stored page from which its name may be taken. */
interface TextsOfPage {
  readonly headings: readonly string[];
  readonly title: string;
  /** Whether the title has a part that the site's titles do not share. */
  readonly hasTitle: boolean;
}

/**
 * Returns the changes that rename screens, as batches that are committed one by one. The list is empty when
 * no name changes.
 */
export async function nameBatches(
  source: MapSource,
  knowledgeId: KnowledgeId,
  atlas: Atlas,
  known: ReadonlyMap<string, SiteParts>,
): Promise<readonly Batch[]> {
  const bySite = new Map<string, AtlasScreen[]>();
  const states: AtlasScreen[] = [];
  for (const screen of atlas.screens()) {
    // A state of a page, such as an open dialog, is named after the pressed element, so it does not get the
    // name of a page.
    if (stateOfId(screen.screen_id) !== undefined) {
      states.push(screen);
      continue;
    }
    const siblings = bySite.get(screen.website_id);
    if (siblings) siblings.push(screen);
    else bySite.set(screen.website_id, [screen]);
  }
  const names: Named[] = [];
  const newNames = new Map<string, string>();
  const decided: Record<string, SiteParts> = {};
  for (const [websiteId, screens] of bySite) {
    const before = known.get(websiteId);
    if (before && screens.length < 2 * before.screens) {
      const [parts, headings] = [new Set(before.parts), new Set(before.headings)];
      await renameByHeading(screens, parts, headings);
      await renameStates(websiteId, parts, headings);
      continue;
    }
    const common = new Set([
      ...(before?.parts ?? []),
      ...siteParts(screens.map((screen) => screen.name)),
      ...titlesOfFolders(screens.map(({ url, name }) => ({ url, title: name }))),
    ]);
    const unnamed: AtlasScreen[] = [];
    for (const screen of screens) {
      if (isOnlySite(screen.name, common)) unnamed.push(screen);
      else rename(screen, screenName({ url: screen.url, title: screen.name, headings: [] }, common));
    }
    // The title of each of these screens is only the name of the site, which distinguishes none of them. So
    // they are named by the headings of their pages, or by the texts of links to them.
    const pages: { readonly screen: AtlasScreen; readonly page: NamedPage }[] = [];
    const menus: (readonly LinkToName[])[] = [];
    for (const some of inParts(unnamed, knowledgeLimits.mapBatch)) {
      for (const [screen, page] of await pagesOf(some)) {
        if (pages.length < PAGES_WITH_MENU)
          menus.push(linksOfPage(page).map(({ url, text }) => ({ url: urlKey(url), text })));
        const { url, title, headings } = page;
        pages.push({ screen, page: { url, title, headings } });
      }
    }
    // `pages` contains only pages without a usable title. A heading such as "Add new…" in the toolbar of
    // Plone may be on few of them, but on most pages of the site. So the headings of a sample of all pages
    // are compared too.
    const sample = (await pagesOf(evenly(screens, PAGES_OF_SAMPLE))).map(([, page]) => page);
    const shared = new Set([
      ...(before?.headings ?? []),
      ...sharedHeadings(pages.map(({ page }) => page)),
      ...sharedHeadings(sample),
    ]);
    const links = namesByLinks(menus);
    for (const { screen, page } of pages)
      rename(screen, screenName(page, common, { headings: shared, link: links.get(urlKey(page.url)) }));
    await renameByHeading(screens, common, shared);
    await renameStates(websiteId, common, shared);
    const menu = menuWith(before?.menu, links);
    decided[websiteId] = { parts: [...common], headings: [...shared], menu, screens: screens.length };
  }
  function rename(screen: AtlasScreen, name: string): void {
    if (name === nameNow(screen)) return;
    newNames.set(screen.screen_id, name);
    names.push({ id: [knowledgeId, screen.screen_id], name });
  }
  function nameNow(screen: AtlasScreen): string {
    return newNames.get(screen.screen_id) ?? screen.name;
  }
  /** Returns the screens with the stored page of each. */
  async function pagesOf(screens: readonly AtlasScreen[]): Promise<readonly [AtlasScreen, MappedPage][]> {
    const byId = new Map(screens.map((screen) => [screen.screen_id, screen]));
    const pages = await source.pages.mapped(knowledgeId, await keysOf(source, knowledgeId, screens));
    return pages.flatMap((page) => {
      const screen = byId.get(screenIdOf(page.id[1]));
      return screen ? [[screen, page] as [AtlasScreen, MappedPage]] : [];
    });
  }
  /**
   * Returns the headings and the title of each rendered page that has headings or a title of its own, by the id of
   * its screen.
   */
  async function textsOf(
    screens: readonly AtlasScreen[],
    common: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, TextsOfPage>> {
    const found = new Map<string, TextsOfPage>();
    for (const some of inParts([...new Set(screens)], knowledgeLimits.mapBatch))
      for (const [{ screen_id }, { title, headings, rendered_by }] of await pagesOf(some)) {
        const hasTitle = !isOnlySite(title, common);
        if (rendered_by !== "browser" || (headings.length === 0 && !hasTitle)) continue;
        found.set(screen_id, { headings: headings.map(tidy), title, hasTitle });
      }
    return found;
  }
  /**
   * Renames rendered pages that share a title. The new name of a page is its heading, if no other page with
   * this title has the same heading. Many applications have one title for all pages.
   */
  async function renameByHeading(
    screens: readonly AtlasScreen[],
    common: ReadonlySet<string>,
    shared: ReadonlySet<string>,
  ) {
    const byName = Map.groupBy(screens, nameNow);
    for (const [name, same] of byName) {
      if (same.length < 2 || same.length > MAX_PAGES_OF_TITLE) continue;
      // A title that equals one of the page's headings belongs to this page. All headings are compared,
      // because the first one may belong to a hidden dialog.
      const isOwnTitle = ({ headings }: MappedPage): boolean =>
        !shared.has(name) && headings.some((text) => tidy(text) === name);
      const rendered = (await pagesOf(same)).filter(
        ([, page]) => page.rendered_by === "browser" && !isOwnTitle(page),
      );
      const headings = rendered.map(([, page]) =>
        screenName({ ...page, title: "", url: "" }, common, { headings: shared }),
      );
      for (const [index, [screen]] of rendered.entries()) {
        const heading = headings[index] ?? "";
        if (heading !== "" && heading !== name && headings.filter((text) => text === heading).length === 1)
          rename(screen, heading);
      }
    }
  }
  /**
   * Replaces the start of a state's name by the name of its page: "Acme: Search" becomes "Orders: Search". The
   * start is replaced if it is a title that the site's pages share, the complete title of the page, or a heading of
   * a page with a title of its own. It is also replaced if states of several pages start with it, but the stored
   * texts of the page do not: it may be the heading of a menu, or a title that a page has only while it is opened.
   */
  async function renameStates(
    websiteId: string,
    common: ReadonlySet<string>,
    shared: ReadonlySet<string>,
  ): Promise<void> {
    const named = states.flatMap((state) => {
      const page = atlas.get(pageOfState(state.screen_id));
      const colon = state.name.indexOf(STATE_NAME_SEPARATOR);
      const start = state.name.slice(0, Math.max(0, colon));
      return state.website_id !== websiteId || !page || colon < 0 || start === nameNow(page)
        ? []
        : [{ state, page, colon, start }];
    });
    const pagesWith = new Map<string, Set<string>>();
    for (const { start, page } of named)
      pagesWith.set(start, (pagesWith.get(start) ?? new Set()).add(page.screen_id));
    const texts = await textsOf(
      named.map(({ page }) => page),
      common,
    );
    for (const { state, page, colon, start } of named) {
      const own = texts.get(page.screen_id);
      const isOfOthers =
        (pagesWith.get(start)?.size ?? 0) >= PAGES_WITH_HEADING_OF_MENU &&
        own !== undefined &&
        [...own.headings, tidy(own.title), ...titleParts(own.title)].every((text) => !text.startsWith(start));
      const isOfPart = own?.hasTitle === true && own.headings.includes(start);
      const isWhole = screenName({ url: "", title: start, headings: [] }, common) === nameNow(page);
      if (!shared.has(start) && !isOnlySite(start, common) && !isOfOthers && !isOfPart && !isWhole) continue;
      const rest = state.name.slice(colon + STATE_NAME_SEPARATOR.length);
      const prefix = nameNow(page) + STATE_NAME_SEPARATOR;
      // If the state was named after the complete title of its page, the rest of its name already starts with
      // the page's name.
      rename(state, rest.startsWith(prefix) ? rest : prefix + rest);
    }
  }
  const batches: Batch[] = inParts(names, knowledgeLimits.nameBatch).map((some) => ({
    ...emptyBatch,
    names: some,
  }));
  if (Object.keys(decided).length === 0) return batches;
  // The last batch stores `site_parts`, the texts that all titles of a site share. If a crash prevents the
  // last batch, all names are computed and stored again.
  return [...batches, { ...emptyBatch, site_parts: decided }];
}

/**
 * Returns the known names of menu entries, together with the names of those given links that are in the site's
 * menu.
 */
function menuWith(
  known: SiteParts["menu"],
  links: ReadonlyMap<string, NameByLinks>,
): Readonly<Record<string, string>> {
  const entries = [...links].flatMap(([key, { text, isInMenu }]) => (isInMenu ? [[key, text] as const] : []));
  const all = new Map([...Object.entries(known ?? {}), ...entries]);
  return Object.fromEntries([...all].slice(0, MAX_MENU_ENTRIES));
}

async function keysOf(source: MapSource, knowledgeId: KnowledgeId, screens: readonly AtlasScreen[]) {
  const records: readonly ScreenRecord[] = await source.screens.getMany(
    knowledgeId,
    screens.map((screen) => screen.screen_id),
  );
  return records.map((record) => record.page_key);
}
