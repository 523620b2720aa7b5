/**
 * Caches the steps of recent routes of one map. Agents request a new route after each step, and routes share
 * many steps, so most steps are read from this cache.
 */

import type { TransitionRecord } from "../../records/map-records.ts";
import { knowledgeLimits } from "../map-limits.ts";

/** The action that leads from one screen to the next. */
export type RouteStep = Pick<TransitionRecord, "action" | "confidence">;

export class RecentSteps {
  /**
   * Cached steps by their source screen, and then by the id of the stored transition. The least recently used
   * screen comes first.
   */
  readonly #from = new Map<string, Map<string, RouteStep>>();
  #size = 0;
  #changes = 0;

  /**
   * Number of calls of `forget`. A step that was read from the store before the last call may be out of date.
   */
  get changes(): number {
    return this.#changes;
  }

  get(from: string, via: string): RouteStep | undefined {
    const steps = this.#from.get(from);
    const step = steps?.get(via);
    if (steps && step) this.#use(from, steps);
    return step;
  }

  /**
   * Adds a step that was read from the store.
   *
   * @param since value of `changes` when the step was read; if `changes` has another value now, the step may
   * be out of date and is not added
   */
  put(from: string, via: string, step: RouteStep, since: number): void {
    if (since !== this.#changes) return;
    const steps = this.#from.get(from) ?? new Map<string, RouteStep>();
    if (!steps.has(via)) this.#size += 1;
    steps.set(via, step);
    this.#use(from, steps);
    for (const [oldest, { size }] of this.#from) {
      if (this.#size <= knowledgeLimits.recentSteps) return;
      this.#from.delete(oldest);
      this.#size -= size;
    }
  }

  /** Removes the cached steps that start at a screen, because the screen's transitions changed. */
  forget(from: string): void {
    this.#changes += 1;
    this.#size -= this.#from.get(from)?.size ?? 0;
    this.#from.delete(from);
  }

  #use(from: string, steps: Map<string, RouteStep>): void {
    this.#from.delete(from);
    this.#from.set(from, steps);
  }
}
