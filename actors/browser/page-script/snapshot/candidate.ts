/**
 * What a walk found that may be told, while it is gathered, and where it was found. Neighbours: `walker.ts` makes it,
 * `doubles.ts` says what of it is not told after all.
 */

import type { Found } from "./recorder.ts";
import type { Sight } from "./scroll-panes.ts";
import type { Gatherer } from "./text-flow.ts";

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

/** What is handed down the tree. */
export interface Place extends Sight {
  readonly gatherers: readonly Gatherer[];
  readonly interactive: Draft | undefined;
  readonly segment: number;
  readonly depth: number;
  readonly pointer: boolean;
  /** The parent passes its pointer on to its items. */
  readonly items: boolean;
  /** Inside of something that is acted on, in a part that is only to be looked at. */
  readonly muted: boolean;
  /** Inside of what only those are told who see it. */
  readonly away: boolean;
  /** Out of sight: nothing in it is read. */
  readonly lost: boolean;
  /** Inside of what hears of clicks. */
  readonly heard: boolean;
  /** Under a cursor for texts. */
  readonly written: boolean;
  readonly level: number;
  readonly sort: string;
  /** The entry of a list, where a class marks it. */
  readonly marked: Element | undefined;
}
