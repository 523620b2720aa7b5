/**
 * The snapshot of one frame as plain data, as the page script returns it. Cairn then joins the snapshots of
 * all frames of a tab.
 */
import type { InteractionType, SegmentType } from "../../../../machines/session/page/page-snapshot.ts";

/**
 * If the page script finds that its last snapshot is still valid, the text that it passes to `console.timeStamp`
 * ends with this word.
 */
export const VALID_SNAPSHOT = " valid";

/** x, y, width and height of a box, in CSS pixels. */
export type RawBox = readonly [number, number, number, number];

/** An interactive element of the snapshot. A property that does not apply to the element is absent. */
export interface RawElement {
  /** The number by which the page script finds the element again. It is valid while the node exists. */
  readonly id: number;
  readonly tag: string;
  readonly type: string;
  readonly action: InteractionType;
  readonly selector: string;
  readonly xpath: string;
  readonly text?: string;
  /** The name of the element's icon, if no other text names the element. */
  readonly icon?: string;
  readonly value?: string;
  /** The text that a native select displays for its current value. */
  readonly valueLabel?: string;
  readonly placeholder?: string;
  readonly ariaLabel?: string;
  readonly role?: string;
  readonly disabled?: true;
  readonly hidden?: true;
  readonly required?: true;
  readonly checked?: boolean;
  /** Whether the checkbox is partly checked (`indeterminate` or `aria-checked=mixed`). */
  readonly mixed?: true;
  readonly selected?: boolean;
  /** The sort order of the column that this element heads. */
  readonly sorted?: string;
  /** Whether the page marks the element as the current one of several, such as the current menu entry. */
  readonly current?: true;
  readonly formId?: string;
  readonly formName?: string;
  readonly labels?: readonly string[];
  readonly contextLabel?: string;
  readonly rowLabel?: string;
  readonly options?: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /**
   * The box of the element, relative to the top left corner of the frame's document and independent of
   * scrolling.
   */
  readonly box: RawBox;
  /** Whether a part of the box is inside of the frame's viewport. */
  readonly inViewport: boolean;
  /** A short description of another element that covers this element completely, such as `div#overlay`. */
  readonly coveredBy?: string;
  /**
   * The element's segment (a region such as main or navigation), as an index in the frame's list of segments.
   * It is -1 for an element without a segment.
   */
  readonly segment: number;
  /** Two numbers: by how many pixels the element can be scrolled up, and by how many down. */
  readonly scrolls?: readonly [number, number];
}

export interface RawSegment {
  readonly type: SegmentType;
  readonly selector: string;
  readonly text: string;
  readonly depth: number;
}

export interface RawText {
  /** Position of the text in the snapshot: the number of reported elements that precede it. */
  readonly at: number;
  readonly text: string;
  /** Heading level from 1 to 6; 0 for other texts. */
  readonly level: number;
  /** True if all of the text belongs to controls that are inert because a modal dialog is open. */
  readonly isInert?: true;
}

export interface RawFrame {
  /**
   * Position of the frame in its parent's snapshot: the number of reported elements before the frame element.
   */
  readonly at: number;
  readonly frameId: string;
  readonly selector: string;
  /** The box of the frame's content, relative to the viewport of the frame that contains it. */
  readonly box: RawBox;
  /**
   * Scale at which the child frame is shown: number of pixels of the parent frame for one pixel of the child
   * frame.
   */
  readonly scale: number;
  readonly segment: number;
}

/** Address, title and scroll position of a page. */
export interface PageHead {
  readonly url: string;
  readonly title: string;
  readonly ready_state: string;
  readonly scroll: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly viewport_width: number;
    readonly viewport_height: number;
  };
}

export interface RawSnapshot extends PageHead {
  readonly elements: readonly RawElement[];
  readonly segments: readonly RawSegment[];
  readonly texts: readonly RawText[];
  readonly frames: readonly RawFrame[];
  /** Number of elements that may have a closed shadow root and were not checked yet. */
  readonly closedHosts: number;
}

/**
 * The new position of an element that has otherwise not changed. The items are: id, x, y, width, height,
 * whether it is in the viewport (0 or 1), and the covering element, if there is one.
 */
export type RawMove = readonly [number, number, number, number, number, number, string | null];

/**
 * A run of consecutive elements that have all moved by the same distance and have not changed otherwise. The
 * numbers are: index of the first element, number of elements, pixels to the right, pixels down.
 */
export type RawShift = readonly [number, number, number, number];

/**
 * The CSS path and the XPath of an element. Each path is given by two values: the number of leading
 * characters that it shares with the path of the previous element in `changed`, and its remaining characters.
 */
export type RawPaths = readonly [number, string, number, string];

export type RawElementFields = Omit<RawElement, "selector" | "xpath">;

/** A snapshot as it is sent: the differences from an earlier snapshot. */
export interface RawDelta extends PageHead {
  /**
   * The number of this snapshot. The next request sends this number as `since`, and its answer contains only
   * the differences from this snapshot.
   */
  readonly number: number;
  /** Number of the earlier snapshot to which the listed changes refer; 0 if this snapshot is complete. */
  readonly since: number;
  /**
   * Numbers of all elements of this snapshot, in order. Absent if they are the same as in the snapshot
   * `since`.
   */
  readonly order?: readonly number[];
  readonly changed: readonly RawElementFields[];
  /** Selectors and XPaths of the elements in `changed`, in the same order. */
  readonly paths: readonly RawPaths[];
  readonly moved: readonly RawMove[];
  readonly shifted: readonly RawShift[];
  readonly segments?: readonly RawSegment[];
  readonly texts?: readonly RawText[];
  readonly frames: readonly RawFrame[];
  readonly closedHosts: number;
}

export interface SnapshotOptions {
  /**
   * Number of the snapshot that Cairn already has, so that only the differences from it are sent. With 0, the
   * page script drops its caches and sends a complete snapshot.
   */
  readonly since: number;
  /** Whether the caller will see the snapshot, so that later actions compare elements with it. */
  readonly shown: boolean;
  /**
   * Whether styles or layout may have changed since the last snapshot, by Chromium's counts of style
   * recalculations and layouts.
   */
  readonly rendered: boolean;
  /**
   * Title of the `console.timeStamp` event with which Chromium sends its counts of style recalculations and
   * layouts. The page script triggers this event after it has checked for changes or has taken the snapshot.
   */
  readonly stamp: string;
}
