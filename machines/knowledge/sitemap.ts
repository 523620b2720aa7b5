/**
 * A whole map as a bounded answer: its topics, as a tree of data or as text.
 * Sections come before their pages, upper levels first. What does not fit is counted (`more`); a request with
 * the section's `path`, or with `cursor`, returns it.
 */
import type { AtlasScreen } from "./atlas.ts";
import { type Topic, topicsOf } from "./topic-tree.ts";

export interface SitemapRequest {
  /** The `path` of a section of an earlier answer: only that section. */
  readonly section?: string | undefined;
  /** Levels of sections. */
  readonly max_depth?: number | undefined;
  /** Sections and screens of one answer. */
  readonly limit: number;
  /** Entries of the requested section that earlier answers returned. */
  readonly skip: number;
}

export interface SitemapScreen {
  readonly screen_id: string;
  readonly title: string;
  readonly url: string;
  /** The first headings of the page. */
  readonly topics?: readonly string[];
}

export interface Section {
  readonly name: string;
  readonly path: string;
  /** Screens in this section and below, returned or not. */
  readonly pages: number;
  /** The page of the section itself comes first. */
  readonly screens: readonly SitemapScreen[];
  readonly children: readonly Section[];
  /** Screens in this section and below that did not fit. */
  readonly more: number;
}

export interface Sitemap {
  readonly pages: number;
  readonly sections: readonly Section[];
  /** Ids of the returned screens. */
  readonly urls: readonly string[];
  /** The next position in the requested section; `null` at its end. */
  readonly next: number | null;
}

interface Shown {
  readonly topic: Topic;
  readonly depth: number;
  readonly children: Shown[];
  screens: readonly AtlasScreen[];
}

/** `undefined`: the map has no such section. */
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
    urls: open.flatMap(({ screens: own }) => own.map((screen) => screen.screen_id)),
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
