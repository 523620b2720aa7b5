/**
 * A map as an answer of limited size: a tree of topics, as data or as text. Upper levels come first, and
 * sections before their pages. `more` counts omitted entries, which a request with `path` or `cursor` returns.
 */
import type { AtlasScreen } from "../in-memory-map.ts";
import { topicsOf } from "./screen-topic-tree.ts";
import type { Topic } from "./topic-tree-node.ts";

export interface SitemapRequest {
  /**
   * The `path` of a section from an earlier answer. If it is given, the answer contains only that section.
   */
  readonly section?: string | undefined;
  /** Maximum depth of sections in the answer. */
  readonly max_depth?: number | undefined;
  /** Maximum number of sections and screens in the answer together. */
  readonly limit: number;
  /** Number of entries of the section that were already in earlier answers. */
  readonly skip: number;
}

export interface SitemapScreen {
  readonly screen_id: string;
  readonly title: string;
  readonly url: string;
  /** The first headings of the page that shows this screen. */
  readonly topics?: readonly string[];
}

export interface Section {
  readonly name: string;
  readonly path: string;
  /** Number of screens in this section and its subsections, including omitted ones. */
  readonly pages: number;
  /** The section's screens. The page of the section itself comes first. */
  readonly screens: readonly SitemapScreen[];
  readonly children: readonly Section[];
  /** Number of screens in this section and its subsections that are not listed. */
  readonly more: number;
}

export interface Sitemap {
  readonly pages: number;
  readonly sections: readonly Section[];
  /** Ids of the screens in the answer. */
  readonly screenIds: readonly string[];
  /** The position at which the next request continues in the section; `null` at the end of the section. */
  readonly next: number | null;
}

interface Shown {
  readonly topic: Topic;
  readonly depth: number;
  readonly children: Shown[];
  screens: readonly AtlasScreen[];
}

/** Returns the site map by topics; `undefined` if the map has no section with the requested path. */
export function semanticSitemap(
  screens: Iterable<AtlasScreen>,
  request: SitemapRequest,
): Sitemap | undefined {
  const { section, max_depth: deepest = Number.POSITIVE_INFINITY, limit, skip } = request;
  const all = topicsOf(screens);
  const pages = all.reduce((sum, topic) => sum + topic.pages, 0);
  const whole: Topic = { name: "", path: "", pages, index: undefined, screens: [], children: all };
  const asked = section === undefined ? whole : findTopic(all, section);
  if (!asked) return undefined;
  const root = shown(asked, 0);
  const open = [root];
  let room = limit;
  for (const here of open) {
    if (here.depth >= deepest) continue;
    const first = here === root ? skip : 0;
    const children = here.topic.children.slice(first, first + room);
    here.children.push(...children.map((topic) => shown(topic, here.depth + 1)));
    open.push(...here.children);
    room -= children.length;
  }
  for (const here of open) {
    const first = here === root ? Math.max(0, skip - asked.children.length) : 0;
    here.screens = screensOf(here.topic).slice(first, first + room);
    room -= here.screens.length;
  }
  const next = skip + (deepest > 0 ? root.children.length : asked.children.length) + root.screens.length;
  return {
    pages: asked.pages,
    sections: section === undefined ? root.children.map(sectionOf) : [sectionOf(root)],
    screenIds: open.flatMap(({ screens: own }) => own.map((screen) => screen.screen_id)),
    next: next < asked.children.length + screensOf(asked).length ? next : null,
  };
}

function shown(topic: Topic, depth: number): Shown {
  return { topic, depth, children: [], screens: [] };
}

function screensOf({ index, screens }: Topic): readonly AtlasScreen[] {
  return index ? [index, ...screens] : screens;
}

function findTopic(topics: readonly Topic[], path: string): Topic | undefined {
  const wanted = path.replace(/\/$/, "");
  for (const topic of topics) {
    if (topic.path.replace(/\/$/, "") === wanted) return topic;
    const below = findTopic(topic.children, path);
    if (below) return below;
  }
  return undefined;
}

function sectionOf({ topic, children, screens }: Shown): Section {
  const below = children.map(sectionOf);
  const shown = screens.length + below.reduce((sum, section) => sum + section.pages - section.more, 0);
  return {
    name: topic.name,
    path: topic.path,
    pages: topic.pages,
    screens: screens.map(({ screen_id, name, url }) => ({ screen_id, title: name, url })),
    children: below,
    more: topic.pages - shown,
  };
}
