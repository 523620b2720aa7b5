/**
 * Converts waiting pages to screens with actions and transitions. This is the first half of the ingest. A
 * page that is on the map already is replaced completely in one commit, but the counts of its transitions are
 * kept.
 */

import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { rowsAfterReading, rowsLeft } from "../../../machines/knowledge/account-roles-that-see-controls.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import {
  type Batch,
  emptyBatch,
  type SiteParts,
} from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import { isKeptByLinks } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import {
  actionsOf,
  isRedirect,
  redirectOf,
  screenOf,
  transitionsOf,
} from "../../../machines/knowledge/screens/page-to-screen.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { screenName } from "../../../machines/knowledge/screens/screen-name-from-title.ts";
import { linkEdges, linksOfPage } from "../../../machines/knowledge/screens/stored-page-links.ts";
import type { IngestRecord, JobRecord } from "../../../machines/records/exploration-records.ts";
import type {
  ActionRecord,
  OffersRecord,
  ScreenRecord,
  TransitionRecord,
} from "../../../machines/records/map-records.ts";
import type { LinkRecord } from "../../../machines/records/page-records.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { MapSource } from "../map-store-interface.ts";

/** Converts waiting pages to screens: as many pages as fit into one commit, and at least one. */
export async function mapBatch(
  source: MapSource,
  knowledgeId: KnowledgeId,
  announced: readonly IngestRecord[],
  siteParts: ReadonlyMap<string, SiteParts>,
): Promise<Batch> {
  const waiting = await fittingRows(source, knowledgeId, announced);
  const redirected = waiting.filter((row) => row.id[2] !== row.page_key);
  const rows = waiting.filter((row) => row.id[2] === row.page_key);
  const pages = await source.pages.mapped(knowledgeId, [...new Set(rows.map((row) => row.page_key))]);
  const stored = new Set(pages.map((page) => page.id[1]));
  const ids = [...new Set([...stored, ...redirected.map((row) => row.id[2])].map(screenIdOf))];
  const old = await existingRows(source, knowledgeId, ids);
  const jobs = await jobsOf(source, waiting);
  // Most maps have no roles. For these maps, the roles are not queried.
  const hasRoles = [...jobs.values(), ...pages].some(({ role }) => role !== undefined);
  const known = hasRoles ? await source.jobs.rolesOf(knowledgeId) : [];

  const screens: ScreenRecord[] = [];
  const actions: ActionRecord[] = [];
  const offers: OffersRecord[] = [];
  const transitions: TransitionRecord[] = [];
  const links: LinkRecord[] = [];
  for (const page of pages) {
    const leads = linksOfPage(page);
    const site = siteParts.get(page.website_id);
    const entry = site?.menu?.[urlKey(page.url)];
    const link = entry === undefined ? undefined : { text: entry, isInMenu: true };
    const name = screenName(page, new Set(site?.parts), { headings: new Set(site?.headings), link });
    const screen = screenOf(page, name, leads, page.fetched_at);
    const reading = { role: page.role, known };
    const { screen_id } = screen;
    const offered = rowsAfterReading(reading, old.actionsOf(screen_id), byActionId(actionsOf(page)));
    screens.push(screen);
    actions.push(...offered);
    for (const action of offered) offers.push({ in: screen.id, out: action.id });
    const leading = byVia(transitionsOf(page, leads, old.proven));
    // A link may lead to the same screen as a stored transition from a press or an import. The link then
    // replaces this transition and takes over its roles. A stored redirect is removed, because its address
    // now shows a page.
    const former = old
      .leaving(screen_id)
      .filter((one) => (isKeptByLinks(one) ? leading.has(viaOf(one)) : !isRedirect(one)));
    transitions.push(...rowsAfterReading(reading, byVia(former), leading));
    links.push(...linkEdges(page, leads));
  }
  const redirects: IngestRecord[] = [];
  for (const row of redirected) {
    const screenId = screenIdOf(row.id[2]);
    const reading = { role: jobs.get(row.job_id)?.role, known };
    const [former, offered] = [old.leaving(screenId), old.actionsOf(screenId)];
    // An application may redirect an account that may not see a page. If accounts with roles have read this
    // page, it is kept, because it may still exist for another role.
    const isForOthers =
      reading.role !== undefined || [...former, ...offered.values()].some(({ roles }) => roles !== undefined);
    if (!isForOthers || !old.screens.has(screenId)) {
      redirects.push(row);
      continue;
    }
    const read = former.filter((one) => !isKeptByLinks(one) && !isRedirect(one));
    transitions.push(...read.flatMap((one) => rowsLeft(reading, one)));
    for (const action of [...offered.values()].flatMap((one) => rowsLeft(reading, one))) {
      actions.push(action);
      offers.push({ in: [knowledgeId, screenId], out: action.id });
    }
  }
  // Transitions that come from presses or imports are kept, unless a link of the page leads to the same
  // screen.
  const seen = new Set(transitions.map(keyOf));
  const pressed = ids.flatMap(old.leaving).filter((one) => isKeptByLinks(one) && !seen.has(keyOf(one)));
  const kept = new Set(actions.map((action) => action.action_id));
  const gone = rows.filter((row) => !stored.has(row.page_key));
  return {
    ...emptyBatch,
    // A page that was deleted before its ingest becomes no screen. Its row in the list of waiting pages is
    // removed anyway: an exploration counts as searchable only when none of its pages waits.
    taken: [...redirected, ...gone].map((row) => row.id),
    searchable: countByJob(gone),
    websites: websitesOf(jobs, pages),
    mapped: rows.filter((row) => stored.has(row.page_key)).map((row) => row.id),
    screens,
    actions,
    offers,
    transitions: [
      ...transitions,
      ...pressed,
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
    gone: [...old.actions.values()]
      .flatMap((former) => [...former.values()])
      .filter((action) => !kept.has(action.action_id))
      .map((action) => action.id),
  };
}

/** Returns rows from the start of `waiting`: as many as fit into one commit, and at least one. */
async function fittingRows(
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

/** Returns the explorations that read these pages, by id. A deleted exploration is left out. */
async function jobsOf(
  source: MapSource,
  waiting: readonly IngestRecord[],
): Promise<ReadonlyMap<string, JobRecord>> {
  const ids = [...new Set(waiting.map((row) => row.job_id))];
  const jobs = await Promise.all(ids.map((id) => source.jobs.get(id)));
  return new Map(jobs.flatMap((job) => (job ? [[job.id, job]] : [])));
}

/** Returns the addresses of the websites to which these pages belong, by website id. */
function websitesOf(
  jobs: ReadonlyMap<string, JobRecord>,
  pages: readonly { readonly website_id: string; readonly url: string }[],
) {
  return {
    ...Object.fromEntries(pages.map(({ website_id, url }) => [website_id, new URL("/", url).href])),
    ...Object.fromEntries([...jobs.values()].map((job) => [job.website_id, job.start_url])),
  };
}

function byActionId(actions: readonly ActionRecord[]): ReadonlyMap<string, ActionRecord> {
  return new Map(actions.map((action) => [action.action_id, action]));
}

function byVia(transitions: readonly TransitionRecord[]): ReadonlyMap<string, TransitionRecord> {
  return new Map(transitions.map((transition) => [viaOf(transition), transition]));
}

/** Returns the part of a transition's id that distinguishes it from other transitions of the same screen. */
function viaOf({ via, out }: TransitionRecord): string {
  return via ?? out[1];
}

/** Returns a key that identifies a transition among those of all screens. */
function keyOf(transition: TransitionRecord): string {
  return `${transition.in[1]}\n${viaOf(transition)}`;
}

/**
 * Returns the stored actions and transitions that start at these screens or redirects. The result is empty
 * when the site is explored for the first time.
 */
async function existingRows(source: MapSource, knowledgeId: KnowledgeId, screenIds: readonly string[]) {
  const screens = new Set(
    (await source.screens.getMany(knowledgeId, screenIds)).map((screen) => screen.screen_id),
  );
  const edges: ScreenRecord["id"][] = [];
  /** For each screen of this batch: its actions, by their ids. */
  const actions = new Map<string, ReadonlyMap<string, ActionRecord>>();
  const transitions = new Map<string, readonly TransitionRecord[]>();
  const proven = new Map<string, TransitionRecord>();
  const stored = await source.screens.transitionsFromEach(knowledgeId, screenIds);
  await Promise.all(
    screenIds.map(async (screenId, at) => {
      const former = (stored[at] ?? []).map((transition) => withIds(transition, knowledgeId));
      const offered = screens.has(screenId) ? await source.screens.actions(knowledgeId, screenId) : [];
      if (former.length > 0 || offered.length > 0) edges.push([knowledgeId, screenId]);
      actions.set(screenId, byActionId(offered));
      transitions.set(screenId, former);
      for (const transition of former) proven.set(keyOf(transition), transition);
    }),
  );
  return {
    screens,
    edges,
    actions,
    proven,
    actionsOf: (screenId: string) => actions.get(screenId) ?? new Map<string, ActionRecord>(),
    /** Returns the transitions that start at a screen. */
    leaving: (screenId: string) => transitions.get(screenId) ?? [],
  };
}

/**
 * Converts the ends of a stored transition (`in` and `out`) to pairs of map id and screen id, as writes need
 * them.
 */
function withIds(transition: TransitionRecord, knowledgeId: KnowledgeId): TransitionRecord {
  const { in: from, out: to } = transition;
  return { ...transition, in: [knowledgeId, from[1]], out: [knowledgeId, to[1]] };
}
