/**
 * Creates the two overviews ("site maps") of a map: by topics (the main screens with their headings), and by
 * functions (what users can do). The screens come from the atlas, the in-memory index of the map; headings
 * and actions are read from the store in a few long reads.
 */

import type { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import type { QueryAnswer, QuestionParams } from "../../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { headingsOf, screenOfAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import {
  functionKinds,
  kindTitles,
  SiteFunctions,
} from "../../../machines/knowledge/site-map/site-functions-list.ts";
import { functionalText, semanticText } from "../../../machines/knowledge/site-map/site-map-text.ts";
import { type Section, semanticSitemap } from "../../../machines/knowledge/site-map/site-map-tree.ts";
import type { OpenMap } from "./recognise-screen.ts";

/** Number of screens in one query to the store. */
const AT_ONCE = 500;

export async function semanticAnswer(
  map: OpenMap,
  { section, max_depth, limit, cursor, format }: QuestionParams<"sitemap_semantic">,
): Promise<QueryAnswer> {
  const sitemap = semanticSitemap(map.atlas.screens(), {
    section,
    max_depth,
    limit,
    skip: Number(cursor ?? 0),
  });
  if (!sitemap) {
    const error = `This map has no section ${section}. Ask without one for the sections there are.`;
    return { success: false, data: null, error };
  }
  const { pages, sections, screenIds, next } = sitemap;
  const about = {
    pages,
    screens: map.atlas.screenIds().length,
    ...(section === undefined ? {} : { section }),
    next_cursor: next === null ? null : String(next),
  };
  if (format === "text") return found({ ...about, text: semanticText(sections) });
  const topics = await topicsOf(map, screenIds);
  const repeated = section === undefined ? { repeated: repeatedScreens(map.atlas, limit) } : {};
  return found({ ...about, ...repeated, sections: sections.map((one) => withTopics(one, topics)) });
}

/**
 * Returns the screens that have several pages (instances), sorted by their number of pages. Most pages of a
 * site belong to such screens.
 */
function repeatedScreens(atlas: Atlas, limit: number) {
  return atlas
    .groups()
    .map(({ screen_id, name, templates, url }) => ({
      screen_id,
      name,
      template: templates[0] ?? "",
      instances: atlas.members(screen_id).size,
      example: url,
    }))
    .sort((a, b) => b.instances - a.instances || (a.screen_id < b.screen_id ? -1 : 1))
    .slice(0, limit);
}

/** Returns the first headings on the page of each screen. They name the topics of the screen. */
async function topicsOf({ knowledgeId, source }: OpenMap, ids: readonly string[]) {
  const topics = new Map<string, readonly string[]>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const record of await source.screens.getMany(knowledgeId, ids.slice(from, from + AT_ONCE))) {
      topics.set(record.screen_id, headingsOf(record).slice(0, knowledgeLimits.sitemapTopics));
    }
  }
  return topics;
}

function withTopics(section: Section, topics: ReadonlyMap<string, readonly string[]>): Section {
  return {
    ...section,
    screens: section.screens.map((screen) => ({ ...screen, topics: topics.get(screen.screen_id) ?? [] })),
    children: section.children.map((child) => withTopics(child, topics)),
  };
}

export async function functionalAnswer(
  map: OpenMap,
  { kind, limit, cursor, format }: QuestionParams<"sitemap_functional">,
): Promise<QueryAnswer> {
  const { atlas } = map;
  const { functions, complete } = await functionsOf(map);
  const wanted = functions.list().filter((one) => kind === undefined || one.kind === kind);
  const skip = Number(cursor ?? 0);
  const shown = wanted.slice(skip, skip + limit);
  const next = skip + shown.length;
  const about = {
    screens: atlas.screenIds().length,
    functions: wanted.length,
    // `complete` is false when the map has so many actions that only a part of them was read.
    complete,
    next_cursor: next < wanted.length ? String(next) : null,
  };
  if (format === "text") {
    return found({ ...about, text: functionalText(shown, (id) => nameOf(atlas, id), about.screens) });
  }
  const groups = functionKinds.flatMap((name) => {
    const own = shown.filter((one) => one.kind === name);
    return own.length === 0 ? [] : [{ kind: name, name: kindTitles[name], functions: own }];
  });
  return found({ ...about, groups });
}

function nameOf(atlas: Atlas, screenId: string): string | undefined {
  return (atlas.group(screenId) ?? atlas.get(screenId))?.name;
}

async function functionsOf({ knowledgeId, source, atlas }: OpenMap) {
  const functions = new SiteFunctions();
  const ids = [...atlas.screens()].map((screen) => screen.screen_id).sort();
  let looked = 0;
  for await (const actions of source.screens.offered(knowledgeId, ids)) {
    for (const [screenId, own] of Map.groupBy(actions, (action) => screenOfAction(action.action_id))) {
      // While a page is being ingested, its actions may be stored before its screen. Such actions are
      // skipped.
      if (atlas.get(screenId)) functions.add(atlas.screenIdOf(screenId), own);
    }
    looked += actions.length;
    if (looked >= knowledgeLimits.sitemapActions) return { functions, complete: false };
  }
  return { functions, complete: true };
}

function found(data: Record<string, unknown>): QueryAnswer {
  return { success: true, data, error: null };
}
