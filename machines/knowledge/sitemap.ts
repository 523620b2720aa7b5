/**
 * A whole map as a bounded answer: its topics, as a tree of data or as text.
 *
 * Sections come before the pages in them, the upper ones first; what has no room is counted (`more`), and is asked
 * for with the section's `path`, or the rest of one section with `cursor`. Pure; `topics.ts` makes the tree,
 * `actors/knowledge/query.ts` reads what it shows.
 */
import type { AtlasScreen } from "./atlas.ts";
import { type Topic, topicsOf } from "./topics.ts";

export interface SitemapRequest {
  /** The `path` of a section of an earlier answer: that one alone. */
  readonly section?: string | undefined;
  /** Levels of sections. */
  readonly max_depth?: number | undefined;
  /** Sections and screens of one answer. */
  readonly limit: number;
  /** Entries of the asked section (or of the top) that were told before. */
  readonly skip: number;
}

export interface SitemapScreen {
  readonly screen_id: string;
  readonly title: string;
  readonly url: string;
  /** What the page is about: its first headings. */
  readonly topics?: readonly string[];
}

export interface Section {
  readonly name: string;
  readonly path: string;
  /** Screens here and below, told or not. */
  readonly pages: number;
  /** The section's own page first. */
  readonly screens: readonly SitemapScreen[];
  readonly children: readonly Section[];
  /** Screens here and below that this answer has no room for. */
  readonly more: number;
}

export interface Sitemap {
  readonly pages: number;
  readonly sections: readonly Section[];
  /** Ids of the screens that are told. */
  readonly told: readonly string[];
  /** Where to go on with the asked section; `null` when all its own entries are told. */
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
    told: open.flatMap(({ screens: own }) => own.map((screen) => screen.screen_id)),
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
  const told = screens.length + below.reduce((sum, section) => sum + section.pages - section.more, 0);
  return {
    name: topic.name,
    path: topic.path,
    pages: topic.pages,
    screens: screens.map(({ screen_id, name, url }) => ({ screen_id, title: name, url })),
    children: below,
    more: topic.pages - told,
  };
}
