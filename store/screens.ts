/** Reads a map's screens, what they offer, and the transitions between them. */
import { limits } from "../machines/limits.ts";
import type {
  ActionRecord,
  ContentType,
  KnowledgeId,
  ScreenRecord,
  TransitionRecord,
  UrlKey,
} from "../machines/records.ts";
import { type Database, record } from "./database.ts";
import { cursorAfter, placeOf, type Slice, type SliceRequest } from "./slice.ts";

export interface ScreenFilter {
  readonly contentType?: ContentType | undefined;
  readonly actionableOnly?: boolean | undefined;
  readonly websiteId?: string | undefined;
}

export type ScreenStatistics = {
  readonly web_ui_screens: number;
  readonly documentation_screens: number;
  readonly actionable_screens: number;
  readonly non_actionable_screens: number;
};

export class ScreenReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(knowledgeId: KnowledgeId, screenId: string): Promise<ScreenRecord | undefined> {
    return (await this.getMany(knowledgeId, [screenId]))[0];
  }

  /** The screens that are there, in no order that counts. */
  async getMany(knowledgeId: KnowledgeId, screenIds: readonly string[]): Promise<readonly ScreenRecord[]> {
    if (screenIds.length === 0) return [];
    return await this.#database.rows<ScreenRecord>("SELECT * FROM $ids", {
      ids: screenIds.map((id) => record("screen", [knowledgeId, id])),
    });
  }

  async byPageKey(knowledgeId: KnowledgeId, key: UrlKey): Promise<ScreenRecord | undefined> {
    return (await this.byPageKeys(knowledgeId, [key]))[0];
  }

  async byPageKeys(knowledgeId: KnowledgeId, keys: readonly UrlKey[]): Promise<readonly ScreenRecord[]> {
    if (keys.length === 0) return [];
    return await this.#database.rows<ScreenRecord>(
      `RETURN array::flatten($keys.map(|$key|
        (SELECT * FROM screen WHERE knowledge_id = $knowledgeId AND page_key = $key)))`,
      { knowledgeId, keys },
    );
  }

  async byUrl(knowledgeId: KnowledgeId, url: string): Promise<ScreenRecord | undefined> {
    const screens = await this.#database.rows<ScreenRecord>("SELECT * FROM screen WHERE url = $url", { url });
    return screens.find((screen) => screen.knowledge_id === knowledgeId);
  }

  /** In order of their ids. */
  async list(
    knowledgeId: KnowledgeId,
    filter: ScreenFilter,
    slice: SliceRequest,
  ): Promise<Slice<ScreenRecord>> {
    const { limit } = slice;
    const after = slice.cursor === undefined ? undefined : placeOf(slice.cursor, 1)[0];
    const conditions = [
      ...(filter.contentType === undefined ? [] : ["content_type = $contentType"]),
      ...(filter.actionableOnly ? ["is_actionable = true"] : []),
      ...(filter.websiteId === undefined ? [] : ["website_id = $websiteId"]),
    ];
    const from = after === undefined ? "[$knowledgeId, NONE].." : "[$knowledgeId, $after]>..";
    const screens = await this.#database.rows<ScreenRecord>(
      `SELECT * FROM screen:${from}=[$knowledgeId, ..]
       ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""} LIMIT $limit`,
      { knowledgeId, after, limit, contentType: filter.contentType, websiteId: filter.websiteId },
    );
    const last = screens.at(-1);
    return { items: screens, cursor: last && screens.length >= limit ? cursorAfter([last.screen_id]) : null };
  }

  async statistics(knowledgeId: KnowledgeId): Promise<ScreenStatistics> {
    const groups = await this.#database.rows<{
      content_type: ContentType;
      is_actionable: boolean;
      count: number;
    }>(
      `SELECT content_type, is_actionable, count() FROM screen:[$knowledgeId, NONE]..=[$knowledgeId, ..]
       GROUP BY content_type, is_actionable`,
      { knowledgeId },
    );
    const total = (matches: (group: (typeof groups)[number]) => boolean) =>
      groups.filter(matches).reduce((sum, { count }) => sum + count, 0);
    return {
      web_ui_screens: total(({ content_type }) => content_type === "web_ui"),
      documentation_screens: total(({ content_type }) => content_type === "documentation"),
      actionable_screens: total(({ is_actionable }) => is_actionable),
      non_actionable_screens: total(({ is_actionable }) => !is_actionable),
    };
  }

  async transitionsFrom(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]> {
    return await this.#database.rows<TransitionRecord>(
      "SELECT * OMIT id FROM transition:[$knowledgeId, $screenId, NONE]..=[$knowledgeId, $screenId, ..]",
      { knowledgeId, screenId },
    );
  }

  async transitionsTo(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]> {
    return await this.#database.rows<TransitionRecord>("SELECT * OMIT id FROM $id<-transition", {
      id: record("screen", [knowledgeId, screenId]),
    });
  }

  async transition(
    knowledgeId: KnowledgeId,
    from: string,
    to: string,
  ): Promise<TransitionRecord | undefined> {
    return await this.#database.row<TransitionRecord>("SELECT * OMIT id FROM $id", {
      id: record("transition", [knowledgeId, from, to]),
    });
  }

  /** Every (from, to) pair of screen ids, in batches. */
  async *adjacency(knowledgeId: KnowledgeId): AsyncIterable<readonly (readonly [string, string])[]> {
    const limit = limits.store.adjacencyBatch;
    let after: readonly [string, string, string] | undefined;
    for (;;) {
      const from = after ? "[$after[0], $after[1], $after[2]]>.." : "[$knowledgeId, NONE]..";
      const ids = await this.#database.rows<{ id: readonly [string, string, string] }>(
        `SELECT id FROM transition:${from}=[$knowledgeId, ..] LIMIT $limit`,
        { knowledgeId, after, limit },
      );
      if (ids.length > 0) yield ids.map(({ id: [, source, target] }) => [source, target] as const);
      after = ids.at(-1)?.id;
      if (ids.length < limit) return;
    }
  }

  async actions(knowledgeId: KnowledgeId, screenId: string): Promise<readonly ActionRecord[]> {
    return await this.#database.rows<ActionRecord>(
      `SELECT * FROM (SELECT VALUE out FROM offers:[$knowledgeId, $screenId, NONE]..=[$knowledgeId, $screenId, ..])`,
      { knowledgeId, screenId },
    );
  }
}
