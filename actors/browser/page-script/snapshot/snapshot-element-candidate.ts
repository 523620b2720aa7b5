/**
 * An interactive element that a snapshot may report, and the facts that elements inherit from their ancestors
 * during a traversal of the document.
 */

import type { TextCollector } from "./join-texts-of-page-elements.ts";
import type { Reach } from "./scroll-container-extents.ts";
import type { FoundElement } from "./snapshot-element-records.ts";

export interface Candidate
  extends Omit<FoundElement, "text" | "contextLabel" | "rowLabel" | "isBackground">,
    TextCollector {
  readonly lines: boolean;
  readonly fallbackText: TextCollector;
  /**
   * Whether the element is interactive only because of a listener or the pointer cursor. Then the snapshot
   * may report an element inside of it instead.
   */
  readonly weak: boolean;
  readonly outer: Candidate | undefined;
  dropped: boolean;
  isBackground: boolean;
  contextLabel: string;
  rowLabel: string;
}

/**
 * Facts about the ancestors of an element in the traversal of the document. They are passed from parents to
 * children.
 */
export interface WalkContext extends Reach {
  readonly collectors: readonly TextCollector[];
  readonly parent: Candidate | undefined;
  readonly segment: number;
  readonly depth: number;
  readonly pointer: boolean;
  /**
   * Whether the element is inside of a list, table or menu whose items the snapshot reports. It is false for
   * the list, table or menu itself.
   */
  readonly ownItems: boolean;
  /**
   * Whether the element is only decoration: it is inside an interactive element and hidden from assistive
   * technology.
   */
  readonly decorative: boolean;
  /**
   * Whether the element is inside an `aria-hidden` subtree. It is then visible, but hidden from assistive
   * technology.
   */
  readonly ariaHidden: boolean;
  /** Whether scrolling cannot reach the element. The texts of such an element are not reported. */
  readonly unreachable: boolean;
  /**
   * Whether the element is in a control outside of an open modal dialog. The dialog makes such a control
   * inert.
   */
  readonly inInertControl: boolean;
  /** Whether the element is in a dialog, which may be open or closed. */
  readonly inDialog: boolean;
  /** Whether an ancestor of the element has a click listener. */
  readonly inClickListener: boolean;
  /** Whether the browser shows a text cursor when the pointer is over the element. */
  readonly underTextCursor: boolean;
  readonly level: number;
  readonly sort: string;
  /** The list item that contains the element, if a class marks this item as the list's current item. */
  readonly markedItem: Element | undefined;
}
