/**
 * The screens of a map by topic: one tree for each host, from breadcrumbs and addresses.
 * A page with breadcrumbs stands where they say, any other where its path says. A section has the name of its own
 * page; folders with one subfolder are merged, sections with one page are omitted.
 */
import type { Crumb } from "../records.ts";
import type { AtlasScreen } from "./atlas.ts";
import { groupByQuery, type QueryPage } from "./query-topics.ts";

/** A section of a site: a topic, a folder, or a group of pages of one script. */
export interface Topic {
  readonly name: string;
  /** Its address, else one composed of its parent's and its name. Unique. */
  readonly path: string;
  /** Screens in this section and below. */
  readonly pages: number;
  /** The page of the section itself. */
  readonly index: AtlasScreen | undefined;
  /** Other pages without a section of their own. */
  readonly screens: readonly AtlasScreen[];
  readonly children: readonly Topic[];
}

/** Maximum breadcrumb levels; deeper pages stand at the last level. */
const MOST_CRUMBS = 8;
/** File extensions that say how a page is made, not what it is about. */
const PAGE_ENDING = /\.(?:x?html?|php\d?|aspx?|jspx?|cgi)$/i;

/** A file that servers return for its folder. */
const INDEX_FILE = /\/(?:index|default|home)\.[A-Za-z]+$/;

interface Growing {
  readonly name: string;
  /** The address without a trailing slash, which identifies a section. */
  readonly key: string;
  index: AtlasScreen | undefined;
  readonly screens: AtlasScreen[];
  /** Pages of this path with a query. */
  readonly asked: QueryPage[];
  readonly children: Growing[];
}

interface Placed {
  readonly screen: AtlasScreen;
  readonly url: URL;
  readonly site: Site;
}

/** The sections of a host. A section that two paths lead to stands where the first of them leads. */
class Site {
  readonly top: Growing;
  readonly #origin: string;
  readonly #sections = new Map<string, Growing>();

  constructor({ origin, host }: URL) {
    this.#origin = origin;
    this.top = growing(host, origin);
    this.#sections.set(origin, this.top);
  }

  find(key: string): Growing | undefined {
    return this.#sections.get(key);
  }

  below(parent: Growing, key: string, name: string): Growing {
    const known = this.#sections.get(key);
    if (known) return known;
    const made = growing(name, key);
    parent.children.push(made);
    this.#sections.set(key, made);
    return made;
  }

  /** The section of a path; creates it with its ancestors. */
  atPath(pathname: string): Growing {
    let here = this.top;
    let key = this.#origin;
    for (const segment of pathname.split("/").filter((part) => part !== "")) {
      key += `/${segment}`;
      here = this.below(here, key, decoded(segment).replace(PAGE_ENDING, "") || segment);
    }
    return here;
  }
}

function growing(name: string, key: string): Growing {
  return { name, key, index: undefined, screens: [], asked: [], children: [] };
}

/** One tree for each host, ordered by address. */
export function topicsOf(screens: Iterable<AtlasScreen>): readonly Topic[] {
  const sites = new Map<string, Site>();
  const placed: Placed[] = [];
  for (const screen of screens) {
    const url = URL.parse(screen.url);
    if (!url) continue;
    const site = sites.get(url.origin) ?? new Site(url);
    sites.set(url.origin, site);
    placed.push({ screen, url, site });
  }
  placed.sort((a, b) => inOrder(a.screen.url, b.screen.url));
  // Breadcrumbs first, so that other pages find the sections they created.
  const homes = new Map<AtlasScreen, Growing>();
  for (const one of placed) {
    const home = homeByTrail(one);
    if (home) homes.set(one.screen, home);
  }
  for (const one of placed) if (!homes.has(one.screen)) homes.set(one.screen, homeByAddress(one));
  for (const { screen, url, site } of placed) {
    const own =
      site.find(keyOf(url)) ?? (INDEX_FILE.test(url.href) ? site.find(keyOf(new URL(".", url))) : undefined);
    const home = homes.get(screen) ?? site.top;
    if (own && !own.index) own.index = screen;
    else if (url.search !== "" && home.key === keyOf(url).slice(0, -url.search.length))
      home.asked.push({ screen, parameters: new Map(url.searchParams) });
    else home.screens.push(screen);
  }
  return [...sites.values()].map(({ top }) => finished(top)).sort((a, b) => inOrder(a.path, b.path));
}

function homeByTrail({ screen, url, site }: Placed): Growing | undefined {
  let home: Growing | undefined;
  for (const { name, url: written } of crumbsOf(screen).slice(0, MOST_CRUMBS)) {
    const to = written === null ? undefined : URL.parse(written);
    if (to && to.origin !== url.origin) continue;
    const above = home ?? site.top;
    const key = to ? keyOf(to) : `${above.key}#${name.toLowerCase().replace(/\s+/gu, "-")}`;
    // All pages are below the start page, but not the start page itself.
    if (key === keyOf(url)) continue;
    home = key === site.top.key ? above : site.below(above, key, name);
  }
  return home;
}

function homeByAddress({ url, site }: Placed): Growing {
  const { pathname, search } = url;
  if (search !== "" || pathname.endsWith("/")) return site.atPath(pathname);
  return site.atPath(pathname.slice(0, pathname.lastIndexOf("/")));
}

function crumbsOf({ trail }: AtlasScreen): readonly Crumb[] {
  // This kind wrote it as JSON of `Crumb`s.
  return trail === "" ? [] : (JSON.parse(trail) as Crumb[]);
}

/** Pages that differ only in a trailing slash have one key. */
function keyOf({ origin, pathname, search }: URL): string {
  return origin + pathname.replace(/\/$/, "") + search;
}

function finished({ name, key, index, screens, asked, children }: Growing, top = true): Topic {
  const parts = groupByQuery(asked, key);
  const own = index ?? parts.index;
  const below = [...children.map((child) => finished(child, false)), ...parts.children];
  const kept: Topic[] = [];
  const here = [...screens, ...parts.screens];
  if (own && parts.index && own !== parts.index) here.push(parts.index);
  for (const topic of below) {
    const only = topic.pages === 1 && topic.children.length === 0;
    if (only) here.push(...(topic.index ? [topic.index] : topic.screens));
    else if (topic.pages > 0) kept.push(topic);
  }
  const [next] = kept;
  // Merges a folder with its only subfolder: `en/latest`.
  if (!top && !own && here.length === 0 && kept.length === 1 && next) {
    return next.index ? next : { ...next, name: `${name}/${next.name}` };
  }
  return {
    name: top || !own ? name : own.name,
    path: top ? `${key}/` : key,
    pages: here.length + (own ? 1 : 0) + kept.reduce((sum, topic) => sum + topic.pages, 0),
    index: own,
    screens: here.sort((a, b) => inOrder(a.url, b.url)),
    children: kept.sort((a, b) => inOrder(a.path, b.path)),
  };
}

const collator = new Intl.Collator("en", { numeric: true });

/** "item-2" before "item-10"; independent of the machine's locale. */
function inOrder(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken escape stays as it is.
    return text;
  }
}
