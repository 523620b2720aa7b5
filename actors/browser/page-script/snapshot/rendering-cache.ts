/**
 * In the page: what styles and layout decide of an element, read once and kept until either is done anew.
 *
 * To read it is most of what a look costs, and nothing in a page announces that it changed: who asks for a look knows
 * it from the browser's counts (`../sights.ts`). Sent as its own source. Neighbour: `walker.ts` reads while it walks.
 */

import type { Pane, Rect } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { OPAQUE, VISIBLE } from "../dom.ts";
import type { CachedElement } from "./cached-element.ts";
import { icons } from "./icons.ts";

/** Of one element; `undefined` what was not asked for. */
export interface Rendering {
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
  drawn: Visual | undefined;
  rect: Rect | undefined;
  /** `null`: nothing lies over it. */
  over: Element | null | undefined;
}

/** What says what an element is for that has no words of its own. */
export interface Visual {
  readonly generatedText: string;
  readonly icon: string;
  /** Time of the last change of the element. */
  readonly changedAt: number;
}

/** What may be another than at the look before. */
export interface Invalid {
  readonly styles: boolean;
  readonly layout: boolean;
}

export interface RenderingCache {
  /** Before each look. */
  begin(anew: Invalid): void;
  /** Rendered and visible. */
  isVisible(cached: CachedElement): boolean;
  /** And nothing around it makes it transparent. */
  isOpaque(cached: CachedElement): boolean;
  /** The cursor over it says that it is clicked or dragged. */
  hasPointerCursor(cached: CachedElement): boolean;
  /** The cursor over it says that it is written in. */
  hasTextCursor(cached: CachedElement): boolean;
  overflow(cached: CachedElement): string;
  /** Its font is one of icons. */
  hasIconFont(cached: CachedElement): boolean;
  display(cached: CachedElement): string;
  /** There is room on its left or right, in a line of text. */
  isPadded(cached: CachedElement): boolean;
  /** Asked of what has no words. */
  visual(cached: CachedElement): Visual;
  /** In the viewport. */
  rect(cached: CachedElement): Rect;
  /** What lies over all of it, of what is seen through a pane where one is given. */
  coveredBy(cached: CachedElement, pane: Pane | undefined): Element | undefined;
}

/** Of a list of fonts the first is the one that is meant; those of icons have none before them. */
const ICON_FONT = /^[^,]*(?:icon|symbol)/i;
/** Fonts of a system, which have signs of their own beside letters and make pictures of no word. */
const SYSTEM_FONT = /^["']?(?:segoe ui|apple|noto|symbola?\b)/i;
let styles = 0;
let boxes = 0;

const styled = ({ reading: read }: CachedElement): Rendering => {
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
const placed = ({ reading: read }: CachedElement): Rendering => {
  if (read.boxes === boxes) return read;
  read.boxes = boxes;
  read.rect = undefined;
  read.over = undefined;
  return read;
};

const cursor = (cached: CachedElement): string => {
  const read = styled(cached);
  read.cursor ??= cached.style.cursor;
  return read.cursor;
};

export const renderingCache: RenderingCache = {
  begin(anew) {
    if (anew.styles) styles++;
    if (anew.layout) boxes++;
  },
  isVisible(cached) {
    const read = styled(cached);
    read.seen ??= cached.element.checkVisibility(VISIBLE);
    return read.seen;
  },
  isOpaque(cached) {
    const read = styled(cached);
    read.clear ??= cached.element.checkVisibility(OPAQUE);
    return read.clear;
  },
  hasPointerCursor: (cached) => /^(pointer|grab|move)$/.test(cursor(cached)),
  hasTextCursor: (cached) => cursor(cached) === "text",
  overflow(cached) {
    const read = styled(cached);
    read.overflow ??= cached.style.overflowY;
    return read.overflow;
  },
  hasIconFont(cached) {
    const read = styled(cached);
    if (read.icons === undefined) {
      const { fontFamily } = cached.style;
      read.icons = ICON_FONT.test(fontFamily) && !SYSTEM_FONT.test(fontFamily);
    }
    return read.icons;
  },
  display(cached) {
    const read = styled(cached);
    read.display ??= cached.style.display;
    return read.display;
  },
  isPadded(cached) {
    const read = styled(cached);
    read.padded ??= cached.style.marginInline !== "0px" || cached.style.paddingInline !== "0px";
    return read.padded;
  },
  visual(cached) {
    const read = styled(cached);
    if (read.drawn && read.drawn.changedAt === cached.touched) return read.drawn;
    const { element, touched } = cached;
    read.drawn = {
      generatedText: icons.generatedText(element),
      icon: icons.nameOf(element),
      changedAt: touched,
    };
    return read.drawn;
  },
  rect(cached) {
    const read = placed(cached);
    if (!read.rect) {
      // Read once: each getter of a browser's own object is a way out of the script.
      const { left, top, right, bottom, width, height } = geometry.boxOf(cached.element);
      read.rect = { left, top, right, bottom, width, height };
    }
    return read.rect;
  },
  coveredBy(cached, pane) {
    const read = placed(cached);
    if (read.over === undefined) read.over = geometry.coveredBy(cached.element, pane) ?? null;
    return read.over ?? undefined;
  },
};
