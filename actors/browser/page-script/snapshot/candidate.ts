/** An element that the walk has found and may report, and the context that the walk passes down the tree. */

import type { FoundElement } from "./recorder.ts";
import type { Reach } from "./scroll-panes.ts";
import type { TextCollector } from "./text-flow.ts";

export interface Candidate
  extends Omit<FoundElement, "text" | "contextLabel" | "isBackground">,
    TextCollector {
  readonly lines: boolean;
  readonly fallbackText: TextCollector;
  /** Found by a listener or a cursor only: an element inside it may be the better one to report. */
  readonly weak: boolean;
  readonly outer: Candidate | undefined;
  dropped: boolean;
  isBackground: boolean;
  contextLabel: string;
}

/** What the walk passes down the tree. */
export interface WalkContext extends Reach {
  readonly collectors: readonly TextCollector[];
  readonly parent: Candidate | undefined;
  readonly segment: number;
  readonly depth: number;
  readonly pointer: boolean;
  /** Each item of the parent is interactive by itself. */
  readonly ownItems: boolean;
  /** Hidden from assistive technology, inside an interactive element. */
  readonly decorative: boolean;
  /** Inside an `aria-hidden` subtree: visible, but hidden from assistive technology. */
  readonly ariaHidden: boolean;
  /** Outside of the reachable area: texts in it are not reported. */
  readonly unreachable: boolean;
  /** Inside an element with a click listener. */
  readonly inClickListener: boolean;
  /** Under a text cursor. */
  readonly underTextCursor: boolean;
  readonly level: number;
  readonly sort: string;
  /** The list item that a class marks as current. */
  readonly markedItem: Element | undefined;
}
