/**
 * Arranges the screens of a map in a tree of topics for each host. A page is placed by its breadcrumbs, or
 * else by the path of its address. A folder with only one subfolder is merged with it, and a section with one
 * page is omitted.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import type { Crumb } from "../../records/page-records.ts";
import type { AtlasScreen } from "../in-memory-map.ts";
import type { Topic } from "./topic-tree-node.ts";
import { groupByQuery, type QueryPage } from "./topics-by-query-parameter.ts";

/**
 * Maximum number of breadcrumb levels that become levels of the tree. Deeper pages are placed at the last
 * level.
 */
const MOST_CRUMBS = 8;
/** File extensions that state how a page is made and not what it is about. They are removed from names. */
const PAGE_ENDING = /\.(?:x?html?|php\d?|aspx?|jspx?|cgi)$/i;

/** Matches a file that servers return for the address of its folder, such as index.html. */
const INDEX_FILE = /\/(?:index|default|home)\.[A-Za-z]+$/;

interface Growing {
  readonly name: string;
  /** The address of the section without a trailing slash, which identifies the section. */
  readonly key: string;
  index: AtlasScreen | undefined;
  readonly screens: AtlasScreen[];
  /** Pages of this section whose addresses have query parameters, such as `/books?category=new`. */
  readonly asked: QueryPage[];
  readonly children: Growing[];
}

interface Placed {
  readonly screen: AtlasScreen;
  readonly url: URL;
  readonly site: Site;
}

/**
 * The sections of one host as a tree. A section that is found below two parents stays below the first one.
 */
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

  /** Returns the section for a path. Missing sections on the path are created. */
  atPath(pathname: string): Growing {
    let here = this.top;
    let key = this.#origin;
    for (const segment of pathname.split("/").filter((part) => part !== "")) {
      key += `/${segment}`;
      here = this.below(here, key, percentDecoded(segment).replace(PAGE_ENDING, "") || segment);
    }
    return here;
  }
}

function growing(name: string, key: string): Growing {
  return { name, key, index: undefined, screens: [], asked: [], children: [] };
}

/** Builds one tree of topics for each host. The trees are sorted by host. */
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
  // Pages with breadcrumbs are placed first. Their breadcrumbs create the sections in which the other pages
  // are placed.
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
    // A breadcrumb may lead to the page itself. It is skipped, because a page cannot be below itself.
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
  // The cast is safe: the map wrote the trail (breadcrumbs) as JSON of `Crumb`s.
  return trail === "" ? [] : (JSON.parse(trail) as Crumb[]);
}

/** Returns the key of an address. Addresses that differ only in a trailing slash have the same key. */
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
  // A folder whose only content is one subfolder becomes one section together with it, as in `en/latest`.
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

/**
 * Compares texts so that "item-2" comes before "item-10". The result does not depend on the machine's locale.
 */
function inOrder(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
