/**
 * Renames screens when the parts that all titles of the site share are known. It runs when no page waits and
 * no crawl runs, so the names depend only on the pages. It runs again when the site has doubled in size.
 */
import type { Atlas, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import { type Batch, emptyBatch, type SiteParts } from "../../../machines/knowledge/ingest-batch.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { stateOfId } from "../../../machines/knowledge/page-states-to-instances.ts";
import { screenIdOf } from "../../../machines/knowledge/screen-id.ts";
import { isOnlySite, screenName, siteParts } from "../../../machines/knowledge/screen-name.ts";
import type { KnowledgeId, ScreenRecord } from "../../../machines/records.ts";
import type { MapSource } from "../map-store-interface.ts";

type Named = Batch["names"][number];

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
  for (const screen of atlas.screens()) {
    // A state of a page is named after the element that was pressed to reach it, so its name is kept.
    if (stateOfId(screen.screen_id) !== undefined) continue;
    const siblings = bySite.get(screen.website_id);
    if (siblings) siblings.push(screen);
    else bySite.set(screen.website_id, [screen]);
  }
  const names: Named[] = [];
  const decided: Record<string, SiteParts> = {};
  for (const [websiteId, screens] of bySite) {
    const before = known.get(websiteId);
    if (before && screens.length < 2 * before.screens) continue;
    const common = new Set([...(before?.parts ?? []), ...siteParts(screens.map((screen) => screen.name))]);
    decided[websiteId] = { parts: [...common], screens: screens.length };
    const unnamed: AtlasScreen[] = [];
    for (const screen of screens) {
      if (isOnlySite(screen.name, common)) unnamed.push(screen);
      else rename(screen, screenName({ url: screen.url, title: screen.name, headings: [] }, common));
    }
    // The title of each of these screens is only the name of the site, which distinguishes no screen. So the
    // names are computed from the pages, which also have headings.
    for (const some of chunks(unnamed, knowledgeLimits.mapBatch)) {
      const pages = await source.pages.mapped(knowledgeId, await keysOf(source, knowledgeId, some));
      for (const page of pages) {
        const screen = some.find((candidate) => candidate.screen_id === screenIdOf(page.id[1]));
        if (screen) rename(screen, screenName(page, common));
      }
    }
  }
  function rename(screen: AtlasScreen, name: string): void {
    if (name !== screen.name) names.push({ id: [knowledgeId, screen.screen_id], name });
  }
  const batches: Batch[] = chunks(names, knowledgeLimits.nameBatch).map((some) => ({
    ...emptyBatch,
    names: some,
  }));
  if (Object.keys(decided).length === 0) return batches;
  // The texts that all titles of a site share are stored in the last batch. A crash before that batch repeats
  // the whole renaming.
  return [...batches, { ...emptyBatch, site_parts: decided }];
}

async function keysOf(source: MapSource, knowledgeId: KnowledgeId, screens: readonly AtlasScreen[]) {
  const records: readonly ScreenRecord[] = await source.screens.getMany(
    knowledgeId,
    screens.map((screen) => screen.screen_id),
  );
  return records.map((record) => record.page_key);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}
