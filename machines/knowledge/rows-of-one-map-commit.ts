/**
 * The content of one commit to a map: rows of screens that are made from stored pages, and the rows that they
 * replace.
 */
import type { StoreWrite } from "../machine-emissions.ts";
import type { IngestRecord } from "../records/exploration-records.ts";
import type {
  AboutRecord,
  ChunkRecord,
  SourceRecord,
  TaskRecord,
} from "../records/ingested-document-records.ts";
import type {
  ActionRecord,
  InstanceOfRecord,
  OffersRecord,
  ScreenGroupRecord,
  ScreenRecord,
  ShowsRecord,
  TransitionRecord,
  WebsiteRecord,
} from "../records/map-records.ts";
import type { LinkRecord, PageRecord } from "../records/page-records.ts";
import type { JobId, KnowledgeId } from "../records/record-ids.ts";
import type { PageTextRecord } from "../records/search-text-records.ts";

/**
 * The parts of page titles that all pages of a website share, such as the site's name. `screens` is the
 * number of screens whose titles were compared.
 */
export interface SiteParts {
  readonly parts: readonly string[];
  /**
   * Headings that more than half of the pages without a title of their own have, such as the heading of a
   * side bar. Such a heading is not used as the name of a page.
   */
  readonly headings?: readonly string[];
  /** Maps the URL key (`urlKey`) of each page in the site's menu to the page's name in the menu. */
  readonly menu?: Readonly<Record<string, string>>;
  readonly screens: number;
}

export interface Batch {
  /** Queue rows of pages whose ingest is complete. */
  readonly taken: readonly IngestRecord["id"][];
  /** Queue rows of pages that have become screens but are not searchable yet. */
  readonly mapped: readonly IngestRecord["id"][];
  readonly screens: readonly ScreenRecord[];
  readonly shows: readonly ShowsRecord[];
  readonly actions: readonly ActionRecord[];
  readonly offers: readonly OffersRecord[];
  readonly transitions: readonly TransitionRecord[];
  /** Links between the pages that become screens in this batch. */
  readonly links: readonly LinkRecord[];
  /** Pages that were ingested again (added to the map again after a new reading). Their links are replaced. */
  readonly relinked: readonly PageRecord["id"][];
  /** Screens and redirects that were ingested again. Their transitions to other screens are replaced. */
  readonly replaced: readonly ScreenRecord["id"][];
  /** Actions that a screen no longer has after its page was read again. The batch removes them. */
  readonly gone: readonly ActionRecord["id"][];
  /** New names for screens that already have a name. */
  readonly names: readonly Pick<ScreenRecord, "id" | "name">[];
  /** New and changed screen groups. A screen group is a screen that consists of several pages (instances). */
  readonly groups: readonly ScreenGroupRecord[];
  /** Ids of screen groups that no longer exist. The batch removes their rows. */
  readonly dissolved: readonly ScreenGroupRecord["id"][];
  /** Instances (pages or states) that moved to another group or out of a group. Their edges are replaced. */
  readonly regrouped: readonly ScreenRecord["id"][];
  readonly memberships: readonly InstanceOfRecord[];
  /** Single-page screens whose recognition texts (indicators) have changed, with the new texts. */
  readonly signatures: readonly Pick<ScreenRecord, "id" | "state_signature">[];
  readonly texts: readonly PageTextRecord[];
  /** Searchable texts that are removed, because their page, passage or task no longer exists. */
  readonly staleTexts: readonly PageTextRecord["id"][];
  readonly staleChunks: readonly ChunkRecord["id"][];
  readonly staleTasks: readonly TaskRecord["id"][];
  /** Passages of documents whose links to screens this batch replaces. */
  readonly relinkedChunks: readonly ChunkRecord["id"][];
  readonly about: readonly AboutRecord[];
  /** Documents that this batch makes searchable. */
  readonly indexed: readonly SourceRecord["id"][];
  /** Ids of removed documents. The batch removes their rows. */
  readonly forgotten: readonly SourceRecord["id"][];
  /** For the id of each exploration, the number of its pages that became searchable. */
  readonly searchable: Readonly<Record<JobId, number>>;
  /** For the id of each website in the batch, the website's address. */
  readonly websites: Readonly<Record<string, string>>;
  /**
   * For each website: the parts that the titles of all its pages share. It contains only websites whose
   * titles were compared again in this batch.
   */
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
 * Splits a batch into parts, one for each commit, because a page may have tens of thousands of links. The
 * first part removes the replaced rows. Only the last part marks the pages as ingested, so after a crash the
 * whole batch is written again.
 *
 * @param most maximum number of edges of one kind in a part
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
 * Converts a batch to database writes. An old row is removed before the row that replaces it is written.
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
  writes.push(...textWrites(texts));
  if (mapped.length > 0) {
    writes.push({ op: "merge", table: "ingest", rows: mapped.map((id) => ({ id, phase: "index" })) });
  }
  if (taken.length > 0) writes.push({ op: "remove", table: "ingest", ids: taken });
  writes.push({ op: "merge", table: "knowledge", rows: [{ id: knowledgeId, updated_at: at }] });
  return writes;
}

/** Returns the writes that make texts searchable. */
export function textWrites(texts: readonly PageTextRecord[]): readonly StoreWrite[] {
  if (texts.length === 0) return [];
  return [
    { op: "put", table: "page_text", rows: texts },
    // The embedding vector of a changed text is removed, because it was computed from the earlier text.
    { op: "remove", table: "text_vector", ids: texts.map(({ id }) => id) },
  ];
}

/**
 * Returns the writes of a batch of documents. Links from passages to screens are removed before new links are
 * written.
 */
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
