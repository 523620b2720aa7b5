/**
 * Exports a map as the parts of its file (machines/knowledge/formats/map-file-schema.ts), read from the store in
 * slices.
 */
import { screenOfAction } from "../../machines/knowledge/screens/page-to-screen.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import type { Store } from "../../store/index.ts";

/** Number of screens that are read from the store at once. */
const AT_ONCE = 500;

export class MapExport {
  readonly #store: Store;
  readonly #knowledgeId: KnowledgeId;
  readonly #ids: readonly string[];

  private constructor(store: Store, knowledgeId: KnowledgeId, ids: readonly string[]) {
    this.#store = store;
    this.#knowledgeId = knowledgeId;
    this.#ids = ids;
  }

  static async open(store: Store, knowledgeId: KnowledgeId): Promise<MapExport> {
    const ids = (await store.screens.outlines(knowledgeId)).map(({ screen_id }) => screen_id);
    return new MapExport(store, knowledgeId, ids);
  }

  async *screens(): AsyncGenerator<unknown> {
    for (let from = 0; from < this.#ids.length; from += AT_ONCE) {
      const records = await this.#store.screens.getMany(
        this.#knowledgeId,
        this.#ids.slice(from, from + AT_ONCE),
      );
      for (const {
        screen_id,
        website_id,
        name,
        url,
        content_type,
        is_actionable,
        url_patterns,
        state_signature,
        trail,
        structure,
        part_of,
      } of records) {
        yield {
          screen_id,
          website_id,
          name,
          url,
          content_type,
          is_actionable,
          url_patterns,
          // The map wrote `state_signature` and `breadcrumbs` as JSON, so they can be parsed.
          state_signature: JSON.parse(state_signature),
          breadcrumbs: trail ? JSON.parse(trail) : [],
          ...(structure === undefined ? {} : { structure }),
          ...(part_of === undefined ? {} : { part_of }),
        };
      }
    }
  }

  async *actions(): AsyncGenerator<unknown> {
    for await (const actions of this.#store.screens.offered(this.#knowledgeId, this.#ids)) {
      for (const { action_id, action_type, name, target, parameters, roles } of actions) {
        const screen_id = screenOfAction(action_id);
        yield {
          screen_id,
          action_id,
          action_type,
          name,
          target: target === "" ? null : JSON.parse(target),
          ...(parameters ? { parameters: JSON.parse(parameters) } : {}),
          ...(roles ? { roles } : {}),
        };
      }
    }
  }

  async *transitions(): AsyncGenerator<unknown> {
    for (const id of this.#ids) {
      for (const transition of await this.#store.screens.transitionsFrom(this.#knowledgeId, id)) {
        const { out, via, action, source, seen_at, ...counts } = transition;
        const { successes, failures, inferred, confidence } = counts;
        yield {
          from: id,
          to: out[1],
          ...(via === undefined || via === out[1] ? {} : { via }),
          action: JSON.parse(action), // The map has written the action as JSON, so it can be parsed.
          successes,
          failures,
          inferred,
          confidence,
          ...(source ? { source } : {}),
          ...(seen_at ? { seen_at } : {}),
          ...(counts.roles ? { roles: counts.roles } : {}),
        };
      }
    }
  }
}
