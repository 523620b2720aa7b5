/**
 * The steps of ways that were told lately, so that most of the next way need not be read.
 *
 * Ways of one map run together, and an agent asks for the rest of its way after each step of it. A screen whose
 * transitions change loses its steps here. Neighbour: `atlas.ts` keeps one for each map.
 */

import type { TransitionRecord } from "../records.ts";
import { knowledgeLimits } from "./limits.ts";

/** How one goes from a screen to the next. */
export type WayStep = Pick<TransitionRecord, "action" | "confidence">;

export class RecentSteps {
  /** By the screen they leave, in order of last use; then by the id under which the transition is stored. */
  readonly #from = new Map<string, Map<string, WayStep>>();
  #size = 0;
  #changes = 0;

  /** Grows with each `forget`: what was read before that may be old. */
  get changes(): number {
    return this.#changes;
  }

  get(from: string, via: string): WayStep | undefined {
    const steps = this.#from.get(from);
    const step = steps?.get(via);
    if (steps && step) this.#use(from, steps);
    return step;
  }

  /** `since`: `changes` when the step began to be read. One that may have changed meanwhile is not kept. */
  put(from: string, via: string, step: WayStep, since: number): void {
    if (since !== this.#changes) return;
    const steps = this.#from.get(from) ?? new Map<string, WayStep>();
    if (!steps.has(via)) this.#size += 1;
    steps.set(via, step);
    this.#use(from, steps);
    for (const [oldest, { size }] of this.#from) {
      if (this.#size <= knowledgeLimits.recentSteps) return;
      this.#from.delete(oldest);
      this.#size -= size;
    }
  }

  /** The transitions of this screen are others now. */
  forget(from: string): void {
    this.#changes += 1;
    this.#size -= this.#from.get(from)?.size ?? 0;
    this.#from.delete(from);
  }

  #use(from: string, steps: Map<string, WayStep>): void {
    this.#from.delete(from);
    this.#from.set(from, steps);
  }
}
