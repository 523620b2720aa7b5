/**
 * What a walk found that may be told, while it is gathered, and where it was found. Neighbours: `walker.ts` makes it,
 * `doubles.ts` says what of it is not told after all.
 */

import type { FoundElement } from "./recorder.ts";
import type { Reach } from "./scroll-panes.ts";
import type { TextCollector } from "./text-flow.ts";

export interface Candidate
  extends Omit<FoundElement, "text" | "contextLabel" | "isBackground">,
    TextCollector {
  readonly lines: boolean;
  readonly fallbackText: TextCollector;
  /** By its listeners or its cursor alone: what is in it may say it better. */
  readonly weak: boolean;
  readonly outer: Candidate | undefined;
  dropped: boolean;
  isBackground: boolean;
  contextLabel: string;
}

/** What is handed down the tree. */
export interface WalkContext extends Reach {
  readonly collectors: readonly TextCollector[];
  readonly parent: Candidate | undefined;
  readonly segment: number;
  readonly depth: number;
  readonly pointer: boolean;
  /** The parent passes its pointer on to its items. */
  readonly ownItems: boolean;
  /** Inside of something that is acted on, in a part that is only to be looked at. */
  readonly decorative: boolean;
  /** Inside of what only those are told who see it. */
  readonly ariaHidden: boolean;
  /** Out of sight: nothing in it is read. */
  readonly unreachable: boolean;
  /** Inside of what hears of clicks. */
  readonly inClickListener: boolean;
  /** Under a cursor for texts. */
  readonly underTextCursor: boolean;
  readonly level: number;
  readonly sort: string;
  /** The entry of a list, where a class marks it. */
  readonly markedItem: Element | undefined;
}
