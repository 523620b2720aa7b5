/** Lists, summarises and deletes maps. */
import type { KnowledgeSummary } from "../../machines/knowledge/knowledge-protocol.ts";
import type { KnowledgeRecord, WebsiteRecord } from "../../machines/records/map-records.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { storeLimits } from "../store-limits.ts";
import { tablesOfMap } from "./database-table-fields.ts";

const COUNTED = [
  "page",
  "screen",
  "transition",
  "page_text",
  "screen_group",
  "instance_of",
  "source",
] as const;
/**
 * Kinds of searchable texts that are not texts of pages. Their keys start with the kind, as in `passage:…`.
 * The key of a page's text is the key of the page.
 */
const NO_PAGES = ["passage", "task", "screen"] as const;

export class MapReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns all maps in order of their ids. */
  async list(): Promise<readonly KnowledgeSummary[]> {
    const maps = await this.#database.rows<KnowledgeRecord>("SELECT * FROM knowledge");
    return await Promise.all(maps.map((map) => this.#summary(map)));
  }

  async get(knowledgeId: KnowledgeId): Promise<KnowledgeSummary | undefined> {
    const map = await this.#database.row<KnowledgeRecord>("SELECT * FROM $id", {
      id: record("knowledge", knowledgeId),
    });
    return map && (await this.#summary(map));
  }

  async websites(knowledgeId: KnowledgeId): Promise<readonly WebsiteRecord[]> {
    return await this.#database.rows<WebsiteRecord>(
      "SELECT * FROM website:[$knowledgeId, NONE]..=[$knowledgeId, ..]",
      { knowledgeId },
    );
  }

  /** Returns the websites of all maps. */
  async sites(): Promise<readonly Pick<WebsiteRecord, "knowledge_id" | "base_url">[]> {
    return await this.#database.rows("SELECT knowledge_id, base_url FROM website");
  }

  async #summary(map: KnowledgeRecord): Promise<KnowledgeSummary> {
    const [counts, websites] = await Promise.all([
      this.#database.each<{ count: number }>(
        [
          ...COUNTED.map((table) => `SELECT count() FROM ${table}:[$id, NONE]..=[$id, ..] GROUP ALL`),
          // A text that is no page (a passage, a task or a screen) has a key such as `task:login`: its kind, a
          // colon and a name. In ASCII, `;` directly follows `:`. So the keys from `task:` up to `task;` are
          // exactly those of this kind.
          ...NO_PAGES.map(
            (kind) => `SELECT count() FROM page_text:[$id, "${kind}:"]..[$id, "${kind};"] GROUP ALL`,
          ),
        ],
        { id: map.id },
      ),
      this.websites(map.id),
    ]);
    const [
      pages = 0,
      instances = 0,
      transitions = 0,
      texts = 0,
      groups = 0,
      grouped = 0,
      documents = 0,
      ...others
    ] = counts.map((rows) => rows[0]?.count ?? 0);
    return {
      knowledge_id: map.id,
      name: map.name,
      pages,
      // The screens of a map are its groups of pages (instances), and each page that belongs to no group.
      screens: instances - grouped + groups,
      transitions,
      searchable: others.reduce((rest, count) => rest - count, texts),
      documents,
      websites: websites.map(({ website_id, base_url }) => ({ website_id, base_url })),
      created_at: new Date(map.created_at).toISOString(),
      updated_at: new Date(map.updated_at).toISOString(),
    };
  }

  /**
   * Deletes every record of the map in batches; the map's own row is last. Returns false if there was nothing
   * to delete.
   */
  async delete(knowledgeId: KnowledgeId): Promise<boolean> {
    let removed = 0;
    for (const table of tablesOfMap) {
      removed += await removeAll(
        this.#database,
        `SELECT VALUE id FROM ${table}:[$knowledgeId, NONE]..=[$knowledgeId, ..] LIMIT $limit`,
        { knowledgeId },
      );
    }
    const own = await this.#database.rows<unknown>("DELETE $id RETURN BEFORE", {
      id: record("knowledge", knowledgeId),
    });
    return removed + own.length > 0;
  }
}

/**
 * Repeats a statement that deletes up to `$limit` rows until no row is left. Returns the number of deleted
 * rows.
 */
export async function removeAll(
  database: Database,
  selection: string,
  bindings: Readonly<Record<string, unknown>>,
  limit: number = storeLimits.batch,
): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await database.row<number>(
      `LET $ids = (${selection}); DELETE $ids RETURN NONE; RETURN [array::len($ids)]`,
      { ...bindings, limit },
    );
    total += removed ?? 0;
    if ((removed ?? 0) < limit) return total;
  }
}
