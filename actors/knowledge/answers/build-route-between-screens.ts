/**
 * Builds a route between two screens as a list of actions. The sequence of screens comes from the atlas, the
 * in-memory index of a map. The actions between them come from the atlas if they were used recently, and
 * otherwise from the store.
 */

import { translateTransition } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import type { BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import type { RouteStep } from "../../../machines/knowledge/transitions/map-route-step-cache.ts";
import type {
  AvoidedTransitions,
  Hop,
  Pair,
} from "../../../machines/knowledge/transitions/shortest-route.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";

export interface Way {
  readonly hops: readonly Hop[];
  readonly actions: readonly BrowserUseAction[];
}

export class PlannedRoute {
  readonly #atlas: Atlas;
  readonly #hops: readonly Hop[];
  readonly #unread: readonly Hop[];
  readonly #known = new Map<Hop, RouteStep>();
  readonly #since: number;

  private constructor(atlas: Atlas, hops: readonly Hop[]) {
    this.#atlas = atlas;
    this.#hops = hops;
    this.#since = atlas.steps.changes;
    for (const hop of hops) {
      const step = atlas.steps.get(atlas.storedFrom(hop.from, hop.via), hop.via);
      if (step) this.#known.set(hop, step);
    }
    this.#unread = hops.filter((hop) => !this.#known.has(hop));
  }

  /** Returns the route with the fewest clicks, or `undefined` when there is no route. */
  static between(
    atlas: Atlas,
    from: string,
    to: string,
    avoid: readonly Pair[] = [],
    hidden?: AvoidedTransitions,
  ): PlannedRoute | undefined {
    const hops = atlas.routes.route(from, to, avoid, hidden);
    return hops && new PlannedRoute(atlas, hops);
  }

  /** Returns the shortest route to any of the screens in `to`. */
  static toNearest(
    atlas: Atlas,
    from: string,
    to: Iterable<string>,
    avoid: readonly Pair[] = [],
    hidden?: AvoidedTransitions,
  ): PlannedRoute | undefined {
    const hops = atlas.routes.routeToNearest(from, to, avoid, hidden);
    return hops && new PlannedRoute(atlas, hops);
  }

  /** Returns the route with the fewest clicks to a page that was never read. The last click is on a link to it. */
  static toUnread(
    atlas: Atlas,
    from: string,
    page: string,
    avoid: readonly Pair[] = [],
    hidden?: AvoidedTransitions,
  ): PlannedRoute | undefined {
    const hops = atlas.routes.routeToUnread(from, page, avoid, hidden);
    return hops && new PlannedRoute(atlas, hops);
  }

  /** The last screen of the route; `undefined` for a route without clicks. */
  get end(): string | undefined {
    return this.#hops.at(-1)?.to;
  }

  /** The transitions of the route that must be read from the store, as pairs of screen ids. */
  get unread(): readonly (readonly [from: string, to: string])[] {
    return this.#unread.map(({ from, via }) => [this.#atlas.storedFrom(from, via), via]);
  }

  /**
   * Returns the route as actions.
   *
   * @param steps the stored transitions for the pairs in `unread`, in the same order
   * @returns `undefined` when one of these transitions is no longer in the store
   */
  describe(
    knowledgeId: KnowledgeId,
    steps: readonly (RouteStep | undefined)[],
    prefer: "click" | "url",
  ): Way | undefined {
    for (const [at, hop] of this.#unread.entries()) {
      const step = steps[at];
      if (!step) return undefined;
      this.#known.set(hop, step);
      this.#atlas.steps.put(this.#atlas.storedFrom(hop.from, hop.via), hop.via, step, this.#since);
    }
    const acts: BrowserUseAction[] = [];
    for (const [at, hop] of this.#hops.entries()) {
      const step = this.#known.get(hop);
      const next = this.#atlas.get(hop.to);
      // All pages of a route must be on the map, except the last one: it may be a page that was never read.
      if (!step || (!next && at < this.#hops.length - 1)) return undefined;
      const action = translateTransition({ ...step, in: [knowledgeId, hop.from] }, next, prefer);
      if (!action) return undefined;
      acts.push(action);
    }
    return { hops: this.#hops, actions: acts };
  }
}
