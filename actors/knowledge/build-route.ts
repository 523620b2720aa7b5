/**
 * Builds a route between two screens as actions.
 * The atlas knows the hops and recently used steps; other steps are read with the rest of the answer.
 */
import type { Atlas } from "../../machines/knowledge/atlas.ts";
import { translateTransition } from "../../machines/knowledge/browser-actions.ts";
import type { BrowserUseAction } from "../../machines/knowledge/protocol.ts";
import type { RouteStep } from "../../machines/knowledge/recent-steps.ts";
import type { Hop, Pair } from "../../machines/knowledge/shortest-route.ts";
import type { KnowledgeId } from "../../machines/records.ts";

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

  /** The route with the fewest clicks; `undefined` without one. */
  static between(
    atlas: Atlas,
    from: string,
    to: string,
    avoid: readonly Pair[] = [],
  ): PlannedRoute | undefined {
    const hops = atlas.routes.route(from, to, avoid);
    return hops && new PlannedRoute(atlas, hops);
  }

  /** The route to the nearest of these screens. */
  static toNearest(
    atlas: Atlas,
    from: string,
    to: Iterable<string>,
    avoid: readonly Pair[] = [],
  ): PlannedRoute | undefined {
    const hops = atlas.routes.routeToNearest(from, to, avoid);
    return hops && new PlannedRoute(atlas, hops);
  }

  /** The screen that the route ends on; `undefined` for a route without a click. */
  get end(): string | undefined {
    return this.#hops.at(-1)?.to;
  }

  /** The stored pairs of the transitions that must be read. */
  get unread(): readonly (readonly [from: string, to: string])[] {
    return this.#unread.map(({ from, via }) => [this.#atlas.storedFrom(from, via), via]);
  }

  /**
   * @param steps the stored transitions of `unread`, in order
   * @returns `undefined` when a transition disappeared since the atlas was built
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
    for (const hop of this.#hops) {
      const step = this.#known.get(hop);
      const next = this.#atlas.get(hop.to);
      if (!step || !next) return undefined;
      const action = translateTransition({ ...step, in: [knowledgeId, hop.from] }, next, prefer);
      if (!action) return undefined;
      acts.push(action);
    }
    return { hops: this.#hops, actions: acts };
  }
}
