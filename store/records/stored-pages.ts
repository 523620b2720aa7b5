/** Reads stored pages and the links between them. */

import type { MappedPage } from "../../machines/knowledge/screens/page-to-screen.ts";
import { linksOfPage } from "../../machines/knowledge/screens/stored-page-links.ts";
import type { LinkRecord, PageLink, PageRecord } from "../../machines/records/page-records.ts";
import type { JobId, KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { resultsLimits } from "../store-limits.ts";
import type { Slice, SliceRequest } from "./result-slice.ts";
import type { DoneKey, FrontierReader } from "./stored-frontier.ts";

/**
 * Fields of a page that tell its size without its long contents: the bytes of its document, and how many
 * links it has.
 */
export type PageSize = Pick<PageRecord, "id" | "url" | "bytes" | "internal_links" | "external_links">;

const MAPPED = [
  "knowledge_id",
  "website_id",
  "url",
  "media_type",
  "title",
  "headings",
  "controls",
  "structure",
  "links",
  "metadata",
  "fetched_at",
  "rendered_by",
  "role",
] as const satisfies readonly (keyof MappedPage)[];

/** The fields of a page that are read when its text is indexed for search. */
const SEARCH_FIELDS = [
  "knowledge_id",
  "url",
  "title",
  "headings",
  "content",
  "controls",
  "metadata",
] as const satisfies readonly (keyof PageRecord)[];

export type SearchedPage = Pick<PageRecord, "id" | (typeof SEARCH_FIELDS)[number]>;

/** The fields of a link that are shown in lists of links. */
export type LinkListing = Pick<LinkRecord, "from_url" | "to_url" | "kind" | "text">;

export class PageReader {
  readonly #database: Database;
  readonly #frontier: FrontierReader;

  constructor(database: Database, frontier: FrontierReader) {
    this.#database = database;
    this.#frontier = frontier;
  }

  async get(knowledgeId: KnowledgeId, key: UrlKey): Promise<PageRecord | undefined> {
    return (await this.getMany(knowledgeId, [key]))[0];
  }

  /** Returns the pages for the given keys, in no particular order. Unknown keys are left out. */
  async getMany(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly PageRecord[]> {
    if (keys.length === 0) return [];
    return await this.#database.rows<PageRecord>("SELECT * FROM $ids", { ids: pageIds(knowledgeId, keys) });
  }

  /** Returns the pages for the given keys without their long fields. Unknown keys are left out. */
  async sizes(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly PageSize[]> {
    return await this.#fields<PageSize>(knowledgeId, keys, [
      "url",
      "bytes",
      "internal_links",
      "external_links",
    ]);
  }

  /**
   * Returns the pages for the given keys, with the fields from which their screens are computed, but without
   * text. Unknown keys are left out.
   */
  async mapped(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly MappedPage[]> {
    return await this.#fields<MappedPage>(knowledgeId, keys, MAPPED);
  }

  /**
   * Returns the pages for the given keys, with the fields for search. Links are left out, because the links
   * of a long page take more space than its text.
   */
  async searched(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly SearchedPage[]> {
    return await this.#fields<SearchedPage>(knowledgeId, keys, SEARCH_FIELDS);
  }

  async #fields<Fields>(
    knowledgeId: KnowledgeId,
    keys: readonly UrlKey[],
    fields: readonly (keyof PageRecord)[],
  ): Promise<readonly Fields[]> {
    if (keys.length === 0) return [];
    const ids = pageIds(knowledgeId, keys);
    return await this.#database.rows<Fields>(`SELECT id, ${fields.join(", ")} FROM $ids WHERE id`, { ids });
  }

  async byUrl(knowledgeId: KnowledgeId, url: string): Promise<PageRecord | undefined> {
    const pages = await this.#database.rows<PageRecord>("SELECT * FROM page WHERE url = $url", { url });
    return pages.find((page) => page.knowledge_id === knowledgeId);
  }

  /**
   * Returns the URLs to which a stored page leads: its links in document order, and the related URLs that the
   * page declares.
   */
  async leadsOf(
    knowledgeId: KnowledgeId,
    key: UrlKey,
  ): Promise<{ readonly links: readonly PageLink[]; readonly relatives: readonly string[] }> {
    const row = await this.#database.row<Pick<PageRecord, "links" | "relatives">>(
      "SELECT links, relatives FROM $id",
      { id: record("page", [knowledgeId, key]) },
    );
    // The cast is safe: the crawl wrote this field as a JSON array of URLs.
    const relatives = row?.relatives === undefined ? [] : (JSON.parse(row.relatives) as string[]);
    return { links: row ? linksOfPage(row) : [], relatives };
  }

  /** Returns the links that leave a page, lead to it, or both, if the map already contains them as edges. */
  async links(
    knowledgeId: KnowledgeId,
    key: UrlKey,
    direction: "from" | "to" | "both",
  ): Promise<readonly LinkRecord[]> {
    const [from, to] = await Promise.all([
      direction === "to"
        ? []
        : this.#database.rows<LinkRecord>(
            "SELECT * OMIT id FROM links_to:[$knowledgeId, $key, NONE]..=[$knowledgeId, $key, ..]",
            { knowledgeId, key },
          ),
      direction === "from"
        ? []
        : this.#database.rows<LinkRecord>("SELECT * OMIT id FROM $id<-links_to", {
            id: record("page", [knowledgeId, key]),
          }),
    ]);
    // A link from the page to itself is both outgoing and incoming. It is removed from the incoming links, so
    // that it is returned once.
    return [...from, ...to.filter((link) => direction === "to" || link.in[1] !== key)];
  }

  /**
   * Returns the links of the pages that the exploration has read, in the order of `frontier.pages`. `limit` counts
   * pages and not links, so a cursor of `frontier.pages` also works here. The links come from the page rows,
   * because the edges may not be stored yet.
   */
  async linksOfJob(jobId: JobId, slice: SliceRequest): Promise<Slice<LinkListing>> {
    const { items, cursor } = await this.#frontier.doneKeys(jobId, slice);
    const pages = await this.#of<Pick<PageRecord, "id" | "url" | "links">>(items, "id, url, links");
    return {
      items: items.flatMap(({ key }) => {
        const page = pages.get(key);
        if (!page) return [];
        const { url: from_url } = page;
        return linksOfPage(page).map(({ url, kind, text }) => ({ from_url, to_url: url, kind, text }));
      }),
      cursor,
    };
  }

  /** Returns the numbers of distinct internal and external links on the pages that the exploration has read. */
  async countLinksOfJob(jobId: JobId): Promise<{ readonly internal: number; readonly external: number }> {
    const total = { internal: 0, external: 0 };
    let cursor: string | undefined;
    do {
      const slice = await this.#frontier.doneKeys(jobId, { limit: resultsLimits.linkSlice, cursor });
      const pages = await this.#of<Pick<PageRecord, "id" | "internal_links" | "external_links">>(
        slice.items,
        "id, internal_links, external_links",
      );
      for (const { internal_links, external_links } of pages.values()) {
        total.internal += internal_links;
        total.external += external_links;
      }
      cursor = slice.cursor ?? undefined;
    } while (cursor !== undefined);
    return total;
  }

  /** Returns the given fields of the pages that an exploration has read, by the key of the page. */
  async #of<Fields extends Pick<PageRecord, "id">>(
    items: readonly DoneKey[],
    fields: string,
  ): Promise<ReadonlyMap<UrlKey, Fields>> {
    const knowledgeId = items[0]?.knowledgeId;
    if (knowledgeId === undefined) return new Map();
    const ids = pageIds(
      knowledgeId,
      items.map(({ key }) => key),
    );
    const rows = await this.#database.rows<Fields>(`SELECT ${fields} FROM $ids WHERE id`, { ids });
    return new Map(rows.map((row) => [row.id[1], row]));
  }
}

function pageIds(knowledgeId: KnowledgeId, keys: readonly UrlKey[]) {
  return keys.map((key) => record("page", [knowledgeId, key]));
}
