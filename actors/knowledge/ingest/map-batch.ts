/**
 * Waiting pages to screens, with what they offer and where they lead: the first half of the intake.
 *
 * A page that was a screen before is replaced whole: its old edges and actions go in the same commit, and what
 * its transitions had proven is kept. Neighbours: `ingest.ts` calls it, `machines/knowledge/screen.ts` makes the rows.
 */
import { type Batch, emptyBatch, type SiteParts } from "../../../machines/knowledge/ingest-batch.ts";
import { knowledgeLimits } from "../../../machines/knowledge/limits.ts";
import { linkEdges, linksOfPage } from "../../../machines/knowledge/page-links.ts";
import { actionsOf, redirectOf, screenOf, transitionsOf } from "../../../machines/knowledge/page-screen.ts";
import { screenIdOf } from "../../../machines/knowledge/screen-id.ts";
import { screenName } from "../../../machines/knowledge/screen-name.ts";
import type {
  ActionRecord,
  IngestRecord,
  KnowledgeId,
  LinkRecord,
  OffersRecord,
  ScreenRecord,
  TransitionRecord,
} from "../../../machines/records.ts";
import type { MapSource } from "../map-source.ts";

/** As many of the waiting pages as fit one commit, the first in any case. */
export async function mapBatch(
  source: MapSource,
  knowledgeId: KnowledgeId,
  announced: readonly IngestRecord[],
  siteParts: ReadonlyMap<string, SiteParts>,
): Promise<Batch> {
  const waiting = await fitting(source, knowledgeId, announced);
  const redirects = waiting.filter((row) => row.id[2] !== row.page_key);
  const rows = waiting.filter((row) => row.id[2] === row.page_key);
  const pages = await source.pages.mapped(knowledgeId, [...new Set(rows.map((row) => row.page_key))]);
  const stored = new Set(pages.map((page) => page.id[1]));
  const ids = [...stored, ...redirects.map((row) => row.id[2])].map(screenIdOf);
  const old = await formerly(source, knowledgeId, ids);

  const screens: ScreenRecord[] = [];
  const actions: ActionRecord[] = [];
  const offers: OffersRecord[] = [];
  const transitions: TransitionRecord[] = [];
  const links: LinkRecord[] = [];
  for (const page of pages) {
    const leads = linksOfPage(page);
    const name = screenName(page, new Set(siteParts.get(page.website_id)?.parts));
    const screen = screenOf(page, name, leads, page.fetched_at);
    const offered = actionsOf(page);
    screens.push(screen);
    actions.push(...offered);
    for (const action of offered) offers.push({ in: screen.id, out: action.id });
    transitions.push(...transitionsOf(page, leads, old.proven));
    links.push(...linkEdges(page, leads));
  }
  const kept = new Set(actions.map((action) => action.action_id));
  const gone = rows.filter((row) => !stored.has(row.page_key));
  return {
    ...emptyBatch,
    // A page that was deleted meanwhile makes no screen, but the job that stored it must not wait for it.
    taken: [...redirects, ...gone].map((row) => row.id),
    searchable: countByJob(gone),
    websites: await websitesOf(source, waiting),
    mapped: rows.filter((row) => stored.has(row.page_key)).map((row) => row.id),
    screens,
    actions,
    offers,
    transitions: [
      ...transitions,
      ...redirects.map((row) => redirectOf(knowledgeId, row.id[2], row.page_key)),
    ],
    shows: [
      ...pages.map((page) => ({ in: page.id, out: [knowledgeId, screenIdOf(page.id[1])] as const })),
      ...redirects.map((row) => ({
        in: [knowledgeId, row.id[2]] as const,
        out: [knowledgeId, screenIdOf(row.page_key)] as const,
      })),
    ],
    links,
    relinked: pages.map((page) => page.id).filter(([, key]) => old.screens.has(screenIdOf(key))),
    replaced: old.edges,
    gone: old.actions.filter((action) => !kept.has(action.action_id)).map((action) => action.id),
  };
}

/** The first rows whose pages are not too much together. */
async function fitting(
  source: MapSource,
  knowledgeId: KnowledgeId,
  waiting: readonly IngestRecord[],
): Promise<readonly IngestRecord[]> {
  const keys = waiting.filter((row) => row.id[2] === row.page_key).map((row) => row.page_key);
  const sizes = new Map(
    (await source.pages.sizes(knowledgeId, [...new Set(keys)])).map((size) => [size.id[1], size]),
  );
  let links = 0;
  let bytes = 0;
  const over = waiting.findIndex((row) => {
    const size = row.id[2] === row.page_key ? sizes.get(row.page_key) : undefined;
    links += (size?.internal_links ?? 0) + (size?.external_links ?? 0);
    bytes += size?.bytes ?? 0;
    return links > knowledgeLimits.mapLinks || bytes > knowledgeLimits.mapBytes;
  });
  return over < 0 ? waiting : waiting.slice(0, Math.max(over, 1));
}

export function countByJob(rows: readonly IngestRecord[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row.job_id] = (counts[row.job_id] ?? 0) + 1;
  return counts;
}

/** The websites that these pages' explorations were of. */
async function websitesOf(source: MapSource, waiting: readonly IngestRecord[]) {
  const jobs = await Promise.all(
    [...new Set(waiting.map((row) => row.job_id))].map((id) => source.jobs.get(id)),
  );
  return Object.fromEntries(jobs.flatMap((job) => (job ? [[job.website_id, job.start_url]] : [])));
}

/** What these screens (or redirects) had before: nothing on a first exploration. */
async function formerly(source: MapSource, knowledgeId: KnowledgeId, screenIds: readonly string[]) {
  const screens = new Set(
    (await source.screens.getMany(knowledgeId, screenIds)).map((screen) => screen.screen_id),
  );
  const edges: ScreenRecord["id"][] = [];
  const actions: ActionRecord[] = [];
  const proven = new Map<string, TransitionRecord>();
  await Promise.all(
    screenIds.map(async (screenId) => {
      const former = await source.screens.transitionsFrom(knowledgeId, screenId);
      const offered = screens.has(screenId) ? await source.screens.actions(knowledgeId, screenId) : [];
      if (former.length > 0 || offered.length > 0) edges.push([knowledgeId, screenId]);
      actions.push(...offered);
      for (const transition of former) proven.set(`${transition.in[1]}\n${transition.out[1]}`, transition);
    }),
  );
  return { screens, edges, actions, proven };
}
