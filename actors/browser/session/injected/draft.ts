/**
 * What a walk found that may be told, while it is gathered. Neighbours: `walker.ts` makes it, `doubles.ts` says what of
 * it is not told after all.
 */
import type { Gatherer } from "./flow.ts";
import type { Found } from "./recorder.ts";

export interface Draft extends Omit<Found, "text" | "around">, Gatherer {
  readonly lines: boolean;
  readonly aside: Gatherer;
  /** By its listeners or its cursor alone: what is in it may say it better. */
  readonly weak: boolean;
  readonly outer: Draft | undefined;
  dropped: boolean;
  ground: boolean;
  around: string;
}
