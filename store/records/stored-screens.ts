/** Reads the screens of a map, their actions and the transitions between them. */
import type { InstanceTransition } from "../../machines/knowledge/map-drawing-graph.ts";
import type { RecognisableRecord } from "../../machines/knowledge/screens/screen-recognition.ts";
import type { RouteStep } from "../../machines/knowledge/transitions/map-route-step-cache.ts";
import type {
  ActionRecord,
  ContentType,
  ScreenGroupRecord,
  ScreenRecord,
  TransitionRecord,
} from "../../machines/records/map-records.ts";
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { storeLimits } from "../store-limits.ts";

/** Fields of a screen in the map's outline (its compact copy); the long fields are left out. */
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

export type GroupOutline = Pick<
  ScreenGroupRecord,
  "screen_id" | "website_id" | "name" | "url" | "example" | "url_patterns" | "templates" | "aliases"
>;

/**
 * A transition: the id of the screen where it starts, and its `edgeId`. Only these two fields are read,
 * because reading more fields takes twice as long.
 */
export type StoredEdge = readonly [from: string, via: string];

/** What a screen offers: transitions to other screens, and actions that lead to no other screen. */
export interface ScreenOffers {
  readonly transitions: readonly TransitionRecord[];
  readonly actions: readonly ActionRecord[];
}

const TRANSITIONS_OF_SCREEN = `SELECT *, id[2] AS via OMIT id
  FROM transition:[$knowledgeId, $screenId, NONE]..=[$knowledgeId, $screenId, ..]`;
const ACTIONS_OF_SCREEN = `SELECT *
  FROM (SELECT VALUE out FROM offers:[$knowledgeId, $screenId, NONE]..=[$knowledgeId, $screenId, ..])`;
// The fields are selected from record ids, which is faster than a SELECT statement.
const RECOGNISABLE = "RETURN $screens.{ screen_id, name, url, url_patterns, state_signature }";

export class ScreenReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(knowledgeId: KnowledgeId, screenId: string): Promise<ScreenRecord | undefined> {
    return (await this.getMany(knowledgeId, [screenId]))[0];
  }

  /** Returns the screens for the given ids, in no particular order. Unknown ids are left out. */
  async getMany(knowledgeId: KnowledgeId, screenIds: readonly string[]): Promise<readonly ScreenRecord[]> {
    if (screenIds.length === 0) return [];
    return await this.#database.rows<ScreenRecord>("SELECT * FROM $ids", {
      ids: screenIds.map((id) => record("screen", [knowledgeId, id])),
    });
  }

  /**
   * Returns the fields by which screens are recognised. Each id belongs to a screen group, or to an instance
   * without a group.
   */
  async recognisable(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
  ): Promise<readonly RecognisableRecord[]> {
    return (await this.routeData(knowledgeId, screenIds, [])).screens;
  }

  /** Returns the screen groups for the given ids, in no particular order. Unknown ids are left out. */
  async groupsOf(knowledgeId: KnowledgeId, ids: readonly string[]): Promise<readonly ScreenGroupRecord[]> {
    if (ids.length === 0) return [];
    return await this.#database.rows<ScreenGroupRecord>("SELECT * FROM $ids", {
      ids: ids.map((id) => record("screen_group", [knowledgeId, id])),
    });
  }

  /** Returns all screen groups of the map, in order of their ids. */
  async groups(knowledgeId: KnowledgeId): Promise<readonly GroupOutline[]> {
    return await this.#database.rows<GroupOutline>(
      `SELECT screen_id, website_id, name, url, example, url_patterns, templates, aliases
       FROM screen_group:[$knowledgeId, NONE]..=[$knowledgeId, ..]`,
      { knowledgeId },
    );
  }

  /** Returns a pair of instance id and screen group id for each instance that belongs to a screen group. */
  async memberships(knowledgeId: KnowledgeId): Promise<readonly (readonly [string, string])[]> {
    return await this.#database.rows<readonly [string, string]>(
      "SELECT VALUE [id[1], id[2]] FROM instance_of:[$knowledgeId, NONE]..=[$knowledgeId, ..]",
      { knowledgeId },
    );
  }

  /** Returns a pair `[instance id, structure]` for each instance whose page structure is stored. */
  async structures(knowledgeId: KnowledgeId): Promise<readonly (readonly [string, string])[]> {
    return await this.#database.rows<readonly [string, string]>(
      `SELECT VALUE [screen_id, structure] FROM screen:[$knowledgeId, NONE]..=[$knowledgeId, ..]
       WHERE structure != NONE`,
      { knowledgeId },
    );
  }

  /**
   * Some states show only a part of a page or of another state, such as an open section. Returns a pair of
   * ids for each of them: the id of the state, and the id of that page or other state.
   */
  async parts(knowledgeId: KnowledgeId): Promise<readonly (readonly [string, string])[]> {
    return await this.#database.rows<readonly [string, string]>(
      `SELECT VALUE [screen_id, part_of] FROM screen:[$knowledgeId, NONE]..=[$knowledgeId, ..]
       WHERE part_of != NONE`,
      { knowledgeId },
    );
  }

  /**
   * Returns the transitions whose action contains `word` (in lower case). Each consists of the id of its
   * source screen, its `edgeId`, and its action as JSON.
   */
  async linksWith(
    knowledgeId: KnowledgeId,
    word: string,
    limit: number,
  ): Promise<readonly (readonly [from: string, via: string, action: string])[]> {
    return await this.#database.rows<readonly [string, string, string]>(
      `SELECT VALUE [id[1], id[2], action] FROM transition:[$knowledgeId, NONE]..=[$knowledgeId, ..]
       WHERE string::contains(string::lowercase(action), $word) LIMIT $limit`,
      { knowledgeId, word, limit },
    );
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

  async transitionsFrom(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]> {
    return await this.#database.rows<TransitionRecord>(TRANSITIONS_OF_SCREEN, { knowledgeId, screenId });
  }

  /** Reads the transitions from several screens in one request. Returns a list for each screen, in order. */
  async transitionsFromEach(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
  ): Promise<readonly (readonly TransitionRecord[])[]> {
    return await this.#database.each<TransitionRecord>(
      screenIds.map((_, at) => TRANSITIONS_OF_SCREEN.replaceAll("$screenId", `$screenId${at}`)),
      { knowledgeId, ...Object.fromEntries(screenIds.map((id, at) => [`screenId${at}`, id])) },
    );
  }

  /**
   * Returns the transitions whose causing element is unknown. Redirects are left out, because the server
   * causes them.
   */
  async withoutAction(knowledgeId: KnowledgeId, limit: number): Promise<readonly TransitionRecord[]> {
    return await this.#database.rows<TransitionRecord>(
      `SELECT * OMIT id FROM transition:[$knowledgeId, NONE]..=[$knowledgeId, ..]
       WHERE string::contains(action, $targetless) AND !string::contains(action, $redirect) LIMIT $limit`,
      { knowledgeId, limit, targetless: '"target":null', redirect: '"action_type":"redirect"' },
    );
  }

  /**
   * Returns the transitions that only accounts of some roles have. Each is returned as the id of the screen
   * that it leaves, its `edgeId` and the roles.
   */
  async roleBound(
    knowledgeId: KnowledgeId,
  ): Promise<readonly (readonly [from: string, via: string, roles: readonly string[]])[]> {
    return await this.#database.rows(
      `SELECT VALUE [id[1], id[2], roles] FROM transition:[$knowledgeId, NONE]..=[$knowledgeId, ..]
       WHERE roles != NONE`,
      { knowledgeId },
    );
  }

  async transitionsTo(knowledgeId: KnowledgeId, screenId: string): Promise<readonly TransitionRecord[]> {
    return await this.#database.rows<TransitionRecord>(
      "SELECT *, id[2] AS via OMIT id FROM $id<-transition",
      {
        id: record("screen", [knowledgeId, screenId]),
      },
    );
  }

  /**
   * Reads all rows of a route in one request: the screens with the given ids, in no particular order, and the
   * transition of each (from, to) pair. A missing transition is `undefined`.
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
    // All data is read in one request, because a request costs as much as reading ten records. Selecting
    // fields from record ids is faster than a SELECT statement.
    const [screens, steps] = await this.#database.rows<readonly unknown[]>(
      `RETURN [
        $screens.{ screen_id, name, url, url_patterns, state_signature },
        $transitions.{ action, confidence }
      ]`,
      {
        screens: screenIds.flatMap((id) => screenRecords(knowledgeId, id)),
        transitions: pairs.map(([from, to]) => record("transition", [knowledgeId, from, to])),
      },
    );
    return {
      screens: recognisableRecords(screens),
      steps: (steps ?? []) as readonly (RouteStep | undefined)[],
    };
  }

  /** Returns all screens of the map in short form (as outlines), in order of their ids. */
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
        // A screen that was stored before the field `trail` existed is read with an empty trail.
        trail: trail ?? "",
      }),
    );
  }

  /**
   * Yields slices of all transitions. Each transition is a pair: the id of the screen where it starts, and its
   * `edgeId`. While the caller processes a slice, the next one is read from the database.
   *
   * @param screenIds ids of the map's screens, in the order in which `outlines` returns them
   */
  async *adjacency(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
  ): AsyncIterable<readonly StoredEdge[]> {
    const cuts = screenIds.filter((_, at) => at > 0 && at % storeLimits.adjacencySlice === 0);
    const slice = async (at: number) => {
      const [after, before] = [cuts[at - 1], cuts[at]];
      const from = after === undefined ? "[$knowledgeId, NONE].." : "[$knowledgeId, $after]..";
      const to = before === undefined ? "=[$knowledgeId, ..]" : "[$knowledgeId, $before]";
      return await this.#database.rows<StoredEdge>(
        `SELECT VALUE [id[1], id[2]] FROM transition:${from}${to}`,
        { knowledgeId, after, before },
      );
    };
    let next = slice(0);
    for (let at = 0; at <= cuts.length; at++) {
      const pairs = await next;
      if (at < cuts.length) {
        next = slice(at + 1);
        // If reading the next slice fails, `await next` in the loop throws the error. If the caller stops
        // before that, nothing awaits `next`, and this handler prevents an unhandled rejection.
        next.catch(() => {});
      }
      if (pairs.length > 0) yield pairs;
    }
  }

  /** Returns all transitions of the map without their actions, in order of the ids. */
  async transitionHeads(knowledgeId: KnowledgeId): Promise<readonly InstanceTransition[]> {
    const rows = await this.#database.rows<readonly [string, string, number, number, boolean]>(
      `SELECT VALUE [id[1], id[2], successes, failures, inferred]
       FROM transition:[$knowledgeId, NONE]..=[$knowledgeId, ..]`,
      { knowledgeId },
    );
    return rows.map(([from, to, successes, failures, inferred]) => ({
      from,
      to,
      successes,
      failures,
      inferred,
    }));
  }

  /**
   * Yields the actions of a map in slices. All actions of one screen are in the same slice.
   *
   * @param screenIds ids of the map's screens, in the order of `outlines`
   */
  async *offered(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
  ): AsyncIterable<readonly ActionRecord[]> {
    const { actionSlice } = storeLimits;
    // The id of an action starts with the id of its screen. So a range of screen ids selects the actions of
    // these screens.
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

  /**
   * Returns the forms of a map, each as the action that submits it. The actions that fill in the fields are left out.
   */
  async forms(knowledgeId: KnowledgeId): Promise<readonly ActionRecord[]> {
    return await this.#database.rows<ActionRecord>(
      `SELECT * FROM action:[$knowledgeId, NONE]..=[$knowledgeId, ..] WHERE action_type = "submit_form"`,
      { knowledgeId },
    );
  }

  async actions(knowledgeId: KnowledgeId, screenId: string): Promise<readonly ActionRecord[]> {
    return await this.#database.rows<ActionRecord>(ACTIONS_OF_SCREEN, { knowledgeId, screenId });
  }

  /** Reads the transitions and the actions of a screen in one request. */
  async offers(knowledgeId: KnowledgeId, screenId: string): Promise<ScreenOffers> {
    const statements = [TRANSITIONS_OF_SCREEN, ACTIONS_OF_SCREEN];
    const [transitions, actions] = await this.#database.each<unknown>(statements, { knowledgeId, screenId });
    return offersOf(transitions, actions);
  }

  /**
   * Returns the results of `recognisable` for the given screens and of `offers` for one screen. Both are read
   * in one request, because a request costs as much as reading ten records.
   */
  async recognisableAndOffers(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
    screenId: string,
  ): Promise<{ readonly screens: readonly RecognisableRecord[]; readonly offers: ScreenOffers }> {
    const statements = [RECOGNISABLE, TRANSITIONS_OF_SCREEN, ACTIONS_OF_SCREEN];
    const [screens, transitions, actions] = await this.#database.each<unknown>(statements, {
      knowledgeId,
      screenId,
      screens: screenIds.flatMap((id) => screenRecords(knowledgeId, id)),
    });
    return { screens: recognisableRecords(screens), offers: offersOf(transitions, actions) };
  }
}

/**
 * Returns the record ids for the id of a screen. The id may belong to a screen or to a screen group, but never
 * to both, so both tables are read.
 */
function screenRecords(knowledgeId: KnowledgeId, id: string) {
  return [record("screen", [knowledgeId, id]), record("screen_group", [knowledgeId, id])];
}

function recognisableRecords(rows: readonly unknown[] = []): readonly RecognisableRecord[] {
  // The cast is safe: the records have this shape, or are `undefined` if they do not exist.
  const found = rows as readonly (RecognisableRecord | undefined)[];
  return found.filter((screen) => screen?.screen_id !== undefined) as readonly RecognisableRecord[];
}

function offersOf(transitions: readonly unknown[] = [], actions: readonly unknown[] = []): ScreenOffers {
  // The casts are safe: the database schema guarantees the shapes of transitions and actions.
  return {
    transitions: transitions as readonly TransitionRecord[],
    actions: actions as readonly ActionRecord[],
  };
}
