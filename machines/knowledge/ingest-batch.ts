/** One commit of a map's ingest: the rows derived from pages, and the rows they replace. */
import type { StoreWrite } from "../emitted.ts";
import type {
  AboutRecord,
  ActionRecord,
  ChunkRecord,
  IngestRecord,
  InstanceOfRecord,
  JobId,
  KnowledgeId,
  LinkRecord,
  OffersRecord,
  PageRecord,
  PageTextRecord,
  ScreenGroupRecord,
  ScreenRecord,
  ShowsRecord,
  SourceRecord,
  TaskRecord,
  TransitionRecord,
  WebsiteRecord,
} from "../records.ts";

/** The common parts of a website's titles, and the number of screens when they were computed. */
export interface SiteParts {
  readonly parts: readonly string[];
  readonly screens: number;
}

export interface Batch {
  /** Waiting rows that are finished. */
  readonly taken: readonly IngestRecord["id"][];
  /** Waiting rows whose page has become a screen and is not searchable yet. */
  readonly mapped: readonly IngestRecord["id"][];
  readonly screens: readonly ScreenRecord[];
  readonly shows: readonly ShowsRecord[];
  readonly actions: readonly ActionRecord[];
  readonly offers: readonly OffersRecord[];
  readonly transitions: readonly TransitionRecord[];
  /** Links between the pages of the screens. */
  readonly links: readonly LinkRecord[];
  /** Pages that were ingested again: their links are replaced. */
  readonly relinked: readonly PageRecord["id"][];
  /** Screens and redirects that were ingested again: their outgoing edges are replaced. */
  readonly replaced: readonly ScreenRecord["id"][];
  /** Actions that a replaced screen no longer offers. */
  readonly gone: readonly ActionRecord["id"][];
  /** Screens with a better name. */
  readonly names: readonly Pick<ScreenRecord, "id" | "name">[];
  /** Screens with several instances, new or changed. */
  readonly groups: readonly ScreenGroupRecord[];
  /** Groups that no longer exist. */
  readonly dissolved: readonly ScreenGroupRecord["id"][];
  /** Instances whose group is another one, or none. Their edges are replaced. */
  readonly regrouped: readonly ScreenRecord["id"][];
  readonly memberships: readonly InstanceOfRecord[];
  /** Screens of one instance with other indicators. */
  readonly signatures: readonly Pick<ScreenRecord, "id" | "state_signature">[];
  readonly texts: readonly PageTextRecord[];
  /** Searchable copies whose original no longer exists. */
  readonly staleTexts: readonly PageTextRecord["id"][];
  readonly staleChunks: readonly ChunkRecord["id"][];
  readonly staleTasks: readonly TaskRecord["id"][];
  /** Passages whose links to screens are replaced. */
  readonly relinkedChunks: readonly ChunkRecord["id"][];
  readonly about: readonly AboutRecord[];
  /** Documents that can be found now. */
  readonly indexed: readonly SourceRecord["id"][];
  /** Documents that no longer exist. */
  readonly forgotten: readonly SourceRecord["id"][];
  /** Number of pages that became searchable, by exploration. */
  readonly searchable: Readonly<Record<JobId, number>>;
  /** Addresses of the pages' websites, by id. */
  readonly websites: Readonly<Record<string, string>>;
  /** Newly computed common title parts, by website. */
  readonly site_parts: Readonly<Record<string, SiteParts>>;
}

export const emptyBatch: Batch = {
  taken: [],
  mapped: [],
  screens: [],
  shows: [],
  actions: [],
  offers: [],
  transitions: [],
  links: [],
  relinked: [],
  replaced: [],
  gone: [],
  names: [],
  groups: [],
  dissolved: [],
  regrouped: [],
  memberships: [],
  signatures: [],
  texts: [],
  staleTexts: [],
  staleChunks: [],
  staleTasks: [],
  relinkedChunks: [],
  about: [],
  indexed: [],
  forgotten: [],
  searchable: {},
  websites: {},
  site_parts: {},
};

/**
 * Splits a batch into parts of one commit each: a page may link to tens of thousands of others. Replaced rows
 * come first, edges in each part, and the marks that pages are ingested last, so that a crash in between
 * repeats the whole batch.
 *
 * @param most edges of one kind in a part
 */
export function partsOf(batch: Batch, most: number): readonly Batch[] {
  const { transitions, links } = batch;
  const parts = Math.ceil(Math.max(transitions.length, links.length) / most);
  if (parts <= 1) return [batch];
  const { replaced, relinked, gone, websites, screens, actions, shows, offers, ...last } = batch;
  const first = { replaced, relinked, gone, websites, screens, actions, shows, offers };
  return Array.from(
    { length: parts },
    (_, part): Batch => ({
      ...emptyBatch,
      ...(part === 0 ? first : {}),
      ...(part === parts - 1 ? last : {}),
      transitions: transitions.slice(part * most, (part + 1) * most),
      links: links.slice(part * most, (part + 1) * most),
    }),
  );
}

/**
 * The order matters: replaced rows are removed before their replacements are written.
 *
 * @param freshWebsites websites of the batch that the map does not have yet
 */
export function batchWrites(
  knowledgeId: KnowledgeId,
  batch: Batch,
  freshWebsites: readonly string[],
  at: number,
): readonly StoreWrite[] {
  const writes: StoreWrite[] = [];
  const websites: readonly WebsiteRecord[] = freshWebsites.map((website_id) => ({
    id: [knowledgeId, website_id],
    knowledge_id: knowledgeId,
    website_id,
    base_url: batch.websites[website_id] ?? "",
  }));
  if (websites.length > 0) writes.push({ op: "put", table: "website", rows: websites });
  const { replaced, relinked, gone, screens, actions, shows, offers, transitions, links } = batch;
  const { names, texts, mapped, taken, groups, dissolved, regrouped, memberships, signatures } = batch;
  if (relinked.length > 0) writes.push({ op: "unrelate", edge: "links_to", from: relinked });

  if (replaced.length > 0) {
    writes.push({ op: "unrelate", edge: "transition", from: replaced });
    writes.push({ op: "unrelate", edge: "offers", from: replaced });
  }
  if (gone.length > 0) writes.push({ op: "remove", table: "action", ids: gone });
  if (screens.length > 0) writes.push({ op: "put", table: "screen", rows: screens });
  if (actions.length > 0) writes.push({ op: "put", table: "action", rows: actions });
  if (shows.length > 0) writes.push({ op: "relate", edge: "shows", rows: shows });
  if (offers.length > 0) writes.push({ op: "relate", edge: "offers", rows: offers });
  if (transitions.length > 0) writes.push({ op: "relate", edge: "transition", rows: transitions });
  if (links.length > 0) writes.push({ op: "relate", edge: "links_to", rows: links });
  if (regrouped.length > 0) writes.push({ op: "unrelate", edge: "instance_of", from: regrouped });
  if (dissolved.length > 0) writes.push({ op: "remove", table: "screen_group", ids: dissolved });
  if (groups.length > 0) writes.push({ op: "put", table: "screen_group", rows: groups });
  if (memberships.length > 0) writes.push({ op: "relate", edge: "instance_of", rows: memberships });
  if (signatures.length > 0) writes.push({ op: "merge", table: "screen", rows: signatures });
  if (names.length > 0) writes.push({ op: "merge", table: "screen", rows: names });
  writes.push(...documentBatchWrites(batch));
  if (texts.length > 0) {
    writes.push({ op: "put", table: "page_text", rows: texts });
    // The vector of the text before is wrong now.
    writes.push({ op: "remove", table: "text_vector", ids: texts.map(({ id }) => id) });
  }
  if (mapped.length > 0) {
    writes.push({ op: "merge", table: "ingest", rows: mapped.map((id) => ({ id, phase: "index" })) });
  }
  if (taken.length > 0) writes.push({ op: "remove", table: "ingest", ids: taken });
  writes.push({ op: "merge", table: "knowledge", rows: [{ id: knowledgeId, updated_at: at }] });
  return writes;
}

/** Passages go with their links, before what replaces them is written. */
function documentBatchWrites(batch: Batch): readonly StoreWrite[] {
  const { staleTexts, staleChunks, staleTasks, relinkedChunks, about, indexed, forgotten } = batch;
  const writes: StoreWrite[] = [];
  const unlinked = [...staleChunks, ...relinkedChunks];
  if (unlinked.length > 0) writes.push({ op: "unrelate", edge: "about", from: unlinked });
  if (staleTexts.length > 0) {
    writes.push({ op: "remove", table: "page_text", ids: staleTexts });
    writes.push({ op: "remove", table: "text_vector", ids: staleTexts });
  }
  if (staleChunks.length > 0) writes.push({ op: "remove", table: "chunk", ids: staleChunks });
  if (staleTasks.length > 0) writes.push({ op: "remove", table: "task", ids: staleTasks });
  if (about.length > 0) writes.push({ op: "relate", edge: "about", rows: about });
  if (indexed.length > 0)
    writes.push({
      op: "merge",
      table: "source",
      rows: indexed.map((id) => ({ id, status: "ready" as const })),
    });
  if (forgotten.length > 0) writes.push({ op: "remove", table: "source", ids: forgotten });
  return writes;
}
