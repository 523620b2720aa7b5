/** Reads stored pages and the links between them. */
import { limits } from "../machines/limits.ts";
import type { JobId, KnowledgeId, LinkRecord, PageRecord, UrlKey } from "../machines/records.ts";
import { type Database, record } from "./database.ts";
import type { FrontierReader } from "./frontier.ts";
import type { Slice, SliceRequest } from "./slice.ts";

/** What a list of links shows of an edge; how to find the link on its page is left out. */
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

  /** The pages that are there, in no order that counts. */
  async getMany(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly PageRecord[]> {
    if (keys.length === 0) return [];
    return await this.#database.rows<PageRecord>("SELECT * FROM $ids", { ids: pageIds(knowledgeId, keys) });
  }

  async byUrl(knowledgeId: KnowledgeId, url: string): Promise<PageRecord | undefined> {
    const pages = await this.#database.rows<PageRecord>("SELECT * FROM page WHERE url = $url", { url });
    return pages.find((page) => page.knowledge_id === knowledgeId);
  }

  /** Which of these keys are stored pages. */
  async exists(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<ReadonlySet<UrlKey>> {
    if (keys.length === 0) return new Set();
    const rows = await this.#database.rows<{ id: readonly [string, UrlKey] }>(
      "SELECT id FROM $ids WHERE id",
      {
        ids: pageIds(knowledgeId, keys),
      },
    );
    return new Set(rows.map(({ id }) => id[1]));
  }

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
    // A page that links to itself would be told twice.
    return [...from, ...to.filter((link) => direction === "to" || link.in[1] !== key)];
  }

  /**
   * Links that leave the job's done pages, by the pages' depth and order of discovery. `limit` counts pages, and the cursor is that of
   * `frontier.pages`: the same slice of both speaks of the same pages.
   */
  async linksOfJob(jobId: JobId, slice: SliceRequest): Promise<Slice<LinkListing>> {
    const { items, cursor } = await this.#frontier.doneKeys(jobId, slice);
    const knowledgeId = items[0]?.knowledgeId;
    if (knowledgeId === undefined) return { items: [], cursor };
    const links = await this.#database.each<LinkListing>(
      items.map((_, at) => `SELECT from_url, to_url, kind, text FROM ${linksFrom(at)}`),
      { knowledgeId, keys: items.map(({ key }) => key) },
    );
    return { items: links.flat(), cursor };
  }

  /** Distinct pairs of pages that the job's done pages link. */
  async countLinksOfJob(jobId: JobId): Promise<{ readonly internal: number; readonly external: number }> {
    const total = { internal: 0, external: 0 };
    let cursor: string | undefined;
    do {
      const slice = await this.#frontier.doneKeys(jobId, { limit: limits.results.linkSlice, cursor });
      const kinds = await this.#database.each<{ kind: LinkRecord["kind"]; count: number }>(
        slice.items.map((_, at) => `SELECT kind, count() FROM ${linksFrom(at)} GROUP BY kind`),
        { knowledgeId: slice.items[0]?.knowledgeId, keys: slice.items.map(({ key }) => key) },
      );
      for (const { kind, count } of kinds.flat()) total[kind] += count;
      cursor = slice.cursor ?? undefined;
    } while (cursor !== undefined);
    return total;
  }
}

/** The edges that leave the page whose key stands at this place of `$keys`. */
function linksFrom(at: number): string {
  return `links_to:[$knowledgeId, $keys[${at}], NONE]..=[$knowledgeId, $keys[${at}], ..]`;
}

function pageIds(knowledgeId: KnowledgeId, keys: readonly UrlKey[]) {
  return keys.map((key) => record("page", [knowledgeId, key]));
}
