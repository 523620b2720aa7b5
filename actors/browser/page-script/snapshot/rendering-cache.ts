/**
 * In the page: what styles and layout decide of an element, read once and kept until either is done anew.
 *
 * To read it is most of what a look costs, and nothing in a page announces that it changed: who asks for a look knows
 * it from the browser's counts (`../sights.ts`). Sent as its own source. Neighbour: `walker.ts` reads while it walks.
 */

import type { Pane, Rect } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { OPAQUE, VISIBLE } from "../dom.ts";
import type { Note } from "./cached-element.ts";
import { icons } from "./icons.ts";

/** Of one element; `undefined` what was not asked for. */
export interface Reading {
  /** Of which styles, and of which layout it is. */
  styles: number;
  boxes: number;
  seen: boolean | undefined;
  clear: boolean | undefined;
  cursor: string | undefined;
  overflow: string | undefined;
  icons: boolean | undefined;
  display: string | undefined;
  padded: boolean | undefined;
  drawn: Drawn | undefined;
  rect: Rect | undefined;
  /** `null`: nothing lies over it. */
  over: Element | null | undefined;
}

/** What says what an element is for that has no words of its own. */
export interface Drawn {
  readonly written: string;
  readonly icon: string;
  /** Time of the last change of the element. */
  readonly of: number;
}

/** What may be another than at the look before. */
export interface Anew {
  readonly styles: boolean;
  readonly boxes: boolean;
}

export interface Readings {
  /** Before each look. */
  begin(anew: Anew): void;
  /** Rendered and visible. */
  seen(note: Note): boolean;
  /** And nothing around it makes it transparent. */
  clear(note: Note): boolean;
  /** The cursor over it says that it is clicked or dragged. */
  pointer(note: Note): boolean;
  /** The cursor over it says that it is written in. */
  writes(note: Note): boolean;
  overflow(note: Note): string;
  /** Its font is one of icons. */
  icons(note: Note): boolean;
  display(note: Note): string;
  /** There is room on its left or right, in a line of text. */
  padded(note: Note): boolean;
  /** Asked of what has no words. */
  drawn(note: Note): Drawn;
  /** In the viewport. */
  rect(note: Note): Rect;
  /** What lies over all of it, of what is seen through a pane where one is given. */
  over(note: Note, pane: Pane | undefined): Element | undefined;
}

/** Of a list of fonts the first is the one that is meant; those of icons have none before them. */
const ICON_FONT = /^[^,]*(?:icon|symbol)/i;
/** Fonts of a system, which have signs of their own beside letters and make pictures of no word. */
const SYSTEM_FONT = /^["']?(?:segoe ui|apple|noto|symbola?\b)/i;
let styles = 0;
let boxes = 0;

const styled = ({ read }: Note): Reading => {
  if (read.styles === styles) return read;
  read.styles = styles;
  read.seen = undefined;
  read.clear = undefined;
  read.cursor = undefined;
  read.overflow = undefined;
  read.icons = undefined;
  read.display = undefined;
  read.padded = undefined;
  read.drawn = undefined;
  return read;
};
const placed = ({ read }: Note): Reading => {
  if (read.boxes === boxes) return read;
  read.boxes = boxes;
  read.rect = undefined;
  read.over = undefined;
  return read;
};

const cursor = (note: Note): string => {
  const read = styled(note);
  read.cursor ??= note.style.cursor;
  return read.cursor;
};

export const readings: Readings = {
  begin(anew) {
    if (anew.styles) styles++;
    if (anew.boxes) boxes++;
  },
  seen(note) {
    const read = styled(note);
    read.seen ??= note.element.checkVisibility(VISIBLE);
    return read.seen;
  },
  clear(note) {
    const read = styled(note);
    read.clear ??= note.element.checkVisibility(OPAQUE);
    return read.clear;
  },
  pointer: (note) => /^(pointer|grab|move)$/.test(cursor(note)),
  writes: (note) => cursor(note) === "text",
  overflow(note) {
    const read = styled(note);
    read.overflow ??= note.style.overflowY;
    return read.overflow;
  },
  icons(note) {
    const read = styled(note);
    if (read.icons === undefined) {
      const { fontFamily } = note.style;
      read.icons = ICON_FONT.test(fontFamily) && !SYSTEM_FONT.test(fontFamily);
    }
    return read.icons;
  },
  display(note) {
    const read = styled(note);
    read.display ??= note.style.display;
    return read.display;
  },
  padded(note) {
    const read = styled(note);
    read.padded ??= note.style.marginInline !== "0px" || note.style.paddingInline !== "0px";
    return read.padded;
  },
  drawn(note) {
    const read = styled(note);
    if (read.drawn && read.drawn.of === note.touched) return read.drawn;
    const { element, touched } = note;
    read.drawn = { written: icons.written(element), icon: icons.of(element), of: touched };
    return read.drawn;
  },
  rect(note) {
    const read = placed(note);
    if (!read.rect) {
      // Read once: each getter of a browser's own object is a way out of the script.
      const { left, top, right, bottom, width, height } = geometry.boxOf(note.element);
      read.rect = { left, top, right, bottom, width, height };
    }
    return read.rect;
  },
  over(note, pane) {
    const read = placed(note);
    if (read.over === undefined) read.over = geometry.over(note.element, pane) ?? null;
    return read.over ?? undefined;
  },
};
