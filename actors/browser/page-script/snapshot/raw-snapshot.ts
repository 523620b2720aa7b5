/**
 * What the code in a frame answers: plain data, of one frame, before frames are put together.
 *
 * Neighbours: `walker.ts` makes it in the page, `../looking.ts` reads it outside.
 */
import type { InteractionType, SegmentType } from "../../../../machines/session/page-snapshot.ts";

/** CSS pixels: x, y, width, height. */
export type RawBox = readonly [number, number, number, number];

/** One interactive element; absent fields do not apply to it. */
export interface RawElement {
  /** Lives as long as the node: see `registry.ts`. */
  readonly id: number;
  readonly tag: string;
  readonly type: string;
  readonly action: InteractionType;
  readonly selector: string;
  readonly xpath: string;
  readonly text?: string;
  /** What its picture is called, where nothing else names it. */
  readonly icon?: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly ariaLabel?: string;
  readonly role?: string;
  readonly disabled?: true;
  readonly hidden?: true;
  readonly required?: true;
  readonly checked?: boolean;
  /** Ticked in part. */
  readonly mixed?: true;
  readonly selected?: boolean;
  /** Of the column that it heads. */
  readonly sorted?: string;
  /** The one of several alike that is marked. */
  readonly current?: true;
  readonly formId?: string;
  readonly formName?: string;
  readonly labels?: readonly string[];
  readonly contextLabel?: string;
  readonly options?: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** From the top left of the frame's document, however it is scrolled. */
  readonly box: RawBox;
  /** Its box meets the frame's viewport. */
  readonly inViewport: boolean;
  /** What lies over all of it, such as `div#overlay`. */
  readonly coveredBy?: string;
  /** Number of its segment in the frame; -1: none. */
  readonly segment: number;
  /** How far it can be scrolled up and down, in pixels. */
  readonly scrolls?: readonly [number, number];
}

export interface RawSegment {
  readonly type: SegmentType;
  readonly selector: string;
  readonly text: string;
  readonly depth: number;
}

export interface RawText {
  /** How many elements come before it. */
  readonly at: number;
  readonly text: string;
  /** 1 to 6 for headings. */
  readonly level: number;
}

/** A frame inside this one. */
export interface RawFrame {
  /** How many elements come before it. */
  readonly at: number;
  readonly frameId: string;
  readonly selector: string;
  /** Of its content, from the top left of the viewport of this frame. */
  readonly box: RawBox;
  /** What a pixel inside counts outside, when it is scaled. */
  readonly scale: number;
  readonly segment: number;
}

/** The head of a page. */
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

/** Everything that is seen in a frame. */
export interface RawSnapshot extends PageHead {
  readonly elements: readonly RawElement[];
  readonly segments: readonly RawSegment[];
  readonly texts: readonly RawText[];
  readonly frames: readonly RawFrame[];
  /** Elements that may hold a closed shadow root nobody has looked into yet. */
  readonly closedHosts: number;
}

/** Where an element is that is otherwise as it was: id, box, seen (0, 1), covered. */
export type RawMove = readonly [number, number, number, number, number, number, string | null];

/** So many elements, from one of the order on, that are otherwise as they were: at, how many, by x, by y. */
export type RawShift = readonly [number, number, number, number];

/**
 * Where an element is found, beside the one that is told before it: so many characters of that one's selector, what
 * follows them, and the same of its XPath.
 */
export type RawPaths = readonly [number, string, number, string];

export type RawElementFields = Omit<RawElement, "selector" | "xpath">;

/** A look as it is sent: what differs from one that is known. */
export interface RawDelta extends PageHead {
  /** By which who looks next says what is known. */
  readonly number: number;
  /** The look that this is to be put on; 0: it is complete. */
  readonly since: number;
  /** All elements in their order, by id; absent where they are those of before. */
  readonly order?: readonly number[];
  readonly changed: readonly RawElementFields[];
  /** Of those that are told. */
  readonly paths: readonly RawPaths[];
  readonly moved: readonly RawMove[];
  readonly shifted: readonly RawShift[];
  readonly segments?: readonly RawSegment[];
  readonly texts?: readonly RawText[];
  readonly frames: readonly RawFrame[];
  readonly closedHosts: number;
}

export interface SnapshotOptions {
  /** Number of the look that is known; 0: nothing is, and nothing is taken for known in the page either. */
  readonly since: number;
  /** Somebody is told, and means by an element what it is now. */
  readonly shown: boolean;
  /** False: the browser has done no styles and no layout since, as far as is known. */
  readonly rendered: boolean;
}
