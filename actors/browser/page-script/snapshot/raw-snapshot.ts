/** Snapshot of one frame as the page script returns it: plain data. The driver joins the frames of a tab. */
import type { InteractionType, SegmentType } from "../../../../machines/session/page-snapshot.ts";

/** x, y, width, height in CSS pixels. */
export type RawBox = readonly [number, number, number, number];

/** One interactive element. An absent field does not apply to it. */
export interface RawElement {
  /** Number in the element registry; lasts as long as the node. */
  readonly id: number;
  readonly tag: string;
  readonly type: string;
  readonly action: InteractionType;
  readonly selector: string;
  readonly xpath: string;
  readonly text?: string;
  /** Name of its icon, where nothing else names the element. */
  readonly icon?: string;
  readonly value?: string;
  /** What a native select shows for its value. */
  readonly valueLabel?: string;
  readonly placeholder?: string;
  readonly ariaLabel?: string;
  readonly role?: string;
  readonly disabled?: true;
  readonly hidden?: true;
  readonly required?: true;
  readonly checked?: boolean;
  /** Partly checked. */
  readonly mixed?: true;
  readonly selected?: boolean;
  /** Sort order of the column that it heads. */
  readonly sorted?: string;
  /** Marked as the current one of several. */
  readonly current?: true;
  readonly formId?: string;
  readonly formName?: string;
  readonly labels?: readonly string[];
  readonly contextLabel?: string;
  readonly options?: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** Relative to the top left of the frame's document, independent of scrolling. */
  readonly box: RawBox;
  /** The box intersects the frame's viewport. */
  readonly inViewport: boolean;
  /** The element that covers all of it, such as `div#overlay`. */
  readonly coveredBy?: string;
  /** Index of its segment in the frame; -1: none. */
  readonly segment: number;
  /** Pixels by which it can be scrolled up and down. */
  readonly scrolls?: readonly [number, number];
}

export interface RawSegment {
  readonly type: SegmentType;
  readonly selector: string;
  readonly text: string;
  readonly depth: number;
}

export interface RawText {
  /** Number of elements before it. */
  readonly at: number;
  readonly text: string;
  /** 1 to 6 for headings, else 0. */
  readonly level: number;
}

/** A child frame. */
export interface RawFrame {
  /** Number of elements before it. */
  readonly at: number;
  readonly frameId: string;
  readonly selector: string;
  /** Box of its content, relative to the viewport of this frame. */
  readonly box: RawBox;
  /** Size of one pixel of the child frame in pixels of this frame. */
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

/** Everything that a frame reports. */
export interface RawSnapshot extends PageHead {
  readonly elements: readonly RawElement[];
  readonly segments: readonly RawSegment[];
  readonly texts: readonly RawText[];
  readonly frames: readonly RawFrame[];
  /** Number of elements that may have a closed shadow root which the driver has not looked into yet. */
  readonly closedHosts: number;
}

/** New position of an unchanged element: id, x, y, width, height, in viewport (0 or 1), covered by. */
export type RawMove = readonly [number, number, number, number, number, number, string | null];

/** A run of unchanged elements that moved alike: index of the first, count, x, y. */
export type RawShift = readonly [number, number, number, number];

/**
 * Paths of an element relative to the changed element before it: number of leading characters in common, the
 * rest; first for the selector, then for the XPath.
 */
export type RawPaths = readonly [number, string, number, string];

export type RawElementFields = Omit<RawElement, "selector" | "xpath">;

/** A snapshot as it is sent: the differences from a known one. */
export interface RawDelta extends PageHead {
  /** Number of this snapshot; the next request passes it as `since`. */
  readonly number: number;
  /** Number of the snapshot to which the delta applies; 0: it is complete. */
  readonly since: number;
  /** Ids of all elements in order; absent where they are unchanged. */
  readonly order?: readonly number[];
  readonly changed: readonly RawElementFields[];
  /** One for each entry of `changed`. */
  readonly paths: readonly RawPaths[];
  readonly moved: readonly RawMove[];
  readonly shifted: readonly RawShift[];
  readonly segments?: readonly RawSegment[];
  readonly texts?: readonly RawText[];
  readonly frames: readonly RawFrame[];
  readonly closedHosts: number;
}

export interface SnapshotOptions {
  /** Number of the snapshot that the driver knows; 0: none, and the page drops its caches as well. */
  readonly since: number;
  /** The caller will see the result, so later actions compare elements with this snapshot. */
  readonly shown: boolean;
  /** `false`: the browser has neither recalculated styles nor done layout since, as far as the driver knows. */
  readonly rendered: boolean;
}
