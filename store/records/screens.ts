/** Reads a map's screens, their actions and the transitions between them. */
import type { RouteStep } from "../../machines/knowledge/recent-steps.ts";
import type { RecognisableRecord } from "../../machines/knowledge/recognition.ts";
import type {
  ActionRecord,
  ContentType,
  KnowledgeId,
  ScreenRecord,
  TransitionRecord,
  UrlKey,
} from "../../machines/records.ts";
import { type Database, record } from "../connection/database.ts";
import { storeLimits } from "../limits.ts";
import { cursorAfter, placeOf, type Slice, type SliceRequest } from "./slice.ts";

export interface ScreenFilter {
  readonly contentType?: ContentType | undefined;
  readonly actionableOnly?: boolean | undefined;
  readonly websiteId?: string | undefined;
}

/** Fields of a screen in outlines; the long fields are left out. */
export type ScreenOutline = Pick<
  ScreenRecord,
  "screen_id" | "website_id" | "name" | "url" | "content_type" | "is_actionable" | "url_patterns" | "trail"
>;

type OutlineRow = readonly [
  string,
  string,
  string,
  string,
  ContentType,
  boolean,
  readonly string[],
  string | null,
];

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

  /** The existing screens among these ids, in no particular order. */
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

  /**
   * The data of a route in one request: the existing screens in no particular order, and the step of each
   * (from, to) pair, `undefined` where no transition exists.
   */
  async routeData(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
    pairs: readonly (readonly [string, string])[],
  ): Promise<{
    readonly screens: readonly RecognisableRecord[];
    readonly steps: readonly (RouteStep | undefined)[];
  }> {
    if (screenIds.length + pairs.length === 0) return { screens: [], steps: [] };
    // One request costs as much as ten records, and naming the fields of records costs less than a SELECT of
    // them.
    const [screens, steps] = await this.#database.rows<readonly unknown[]>(
      `RETURN [
        $screens.{ screen_id, name, url, url_patterns, state_signature },
        $transitions.{ action, confidence }
      ]`,
      {
        screens: screenIds.map((id) => record("screen", [knowledgeId, id])),
        transitions: pairs.map(([from, to]) => record("transition", [knowledgeId, from, to])),
      },
    );
    // Records of this shape, `undefined` for a record that does not exist.
    const found = (screens ?? []) as readonly (RecognisableRecord | undefined)[];
    return {
      screens: found.filter((screen) => screen !== undefined),
      steps: (steps ?? []) as readonly (RouteStep | undefined)[],
    };
  }

  /** All screens of the map as outlines, in order of their ids. */
  async outlines(knowledgeId: KnowledgeId): Promise<readonly ScreenOutline[]> {
    const rows = await this.#database.rows<OutlineRow>(
      `SELECT VALUE [screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail]
       FROM screen:[$knowledgeId, NONE]..=[$knowledgeId, ..]`,
      { knowledgeId },
    );
    return rows.map(
      ([screen_id, website_id, name, url, content_type, is_actionable, url_patterns, trail]) => ({
        screen_id,
        website_id,
        name,
        url,
        content_type,
        is_actionable,
        url_patterns,
        // Screens stored before the trail existed have none.
        trail: trail ?? "",
      }),
    );
  }

  /**
   * Every (from, to) pair of screen ids, in slices; the next slice is read while the caller uses the last
   * one.
   *
   * @param screenIds the map's screens in the order of `outlines`; they are the bounds of the slices
   */
  async *adjacency(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
  ): AsyncIterable<readonly (readonly [string, string])[]> {
    const cuts = screenIds.filter((_, at) => at > 0 && at % storeLimits.adjacencySlice === 0);
    const slice = async (at: number) => {
      const [after, before] = [cuts[at - 1], cuts[at]];
      const from = after === undefined ? "[$knowledgeId, NONE].." : "[$knowledgeId, $after]..";
      const to = before === undefined ? "=[$knowledgeId, ..]" : "[$knowledgeId, $before]";
      return await this.#database.rows<readonly [string, string]>(
        `SELECT VALUE [id[1], id[2]] FROM transition:${from}${to}`,
        { knowledgeId, after, before },
      );
    };
    let next = slice(0);
    for (let at = 0; at <= cuts.length; at++) {
      const pairs = await next;
      if (at < cuts.length) {
        next = slice(at + 1);
        // The error is reported when `next` is awaited; a caller that stops earlier does not need it.
        next.catch(() => {});
      }
      if (pairs.length > 0) yield pairs;
    }
  }

  /**
   * All actions of the map in slices; the actions of one screen are in one slice.
   *
   * @param screenIds as for `adjacency`
   */
  async *offered(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
  ): AsyncIterable<readonly ActionRecord[]> {
    const { actionSlice } = storeLimits;
    // An action's id begins with the id of its screen.
    const cuts = screenIds.filter((_, at) => at > 0 && at % actionSlice === 0);
    for (let at = 0; at <= cuts.length; at++) {
      const [after, before] = [cuts[at - 1], cuts[at]];
      const from = after === undefined ? "[$knowledgeId, NONE].." : "[$knowledgeId, $after]..";
      const to = before === undefined ? "=[$knowledgeId, ..]" : "[$knowledgeId, $before]";
      yield await this.#database.rows<ActionRecord>(`SELECT * FROM action:${from}${to}`, {
        knowledgeId,
        after,
        before,
      });
    }
  }

  async actions(knowledgeId: KnowledgeId, screenId: string): Promise<readonly ActionRecord[]> {
    return await this.#database.rows<ActionRecord>(
      `SELECT * FROM (SELECT VALUE out FROM offers:[$knowledgeId, $screenId, NONE]..=[$knowledgeId, $screenId, ..])`,
      { knowledgeId, screenId },
    );
  }
}
