/**
 * In the page: what boxes that are scrolled by themselves let be seen, and what can be brought back in them.
 *
 * Sent as its own source. Neighbours: `walker.ts` hands a sight down the tree, `geometry.ts` measures.
 */
import type { Geometry, Pane, View } from "./geometry.ts";
import type { Note } from "./note.ts";

/** Of what stands at a place of the tree. */
export interface Sight {
  /** From where on it can be scrolled to. */
  readonly view: View;
  /** What the boxes around it let be seen; `undefined`: there are none. */
  readonly pane: Pane | undefined;
}

export interface Panes {
  /** Before each walk. */
  begin(): void;
  /** Of what is in an element that may be scrolled; the same object where that changes nothing. */
  into(note: Note, overflow: string, sight: Sight): Sight;
}

export function makePanes(geometry: Geometry): Panes {
  /** Pixels: what is closed by its size alone shows nothing, however it is scrolled. */
  const OPEN = 8;
  /** What is scrolled with the viewport. */
  let paged: readonly (Element | null)[] = [];

  const paneOf = ({ left, top, right, bottom }: DOMRect, pane: Pane | undefined): Pane => ({
    left: Math.max(left, pane?.left ?? 0),
    top: Math.max(top, pane?.top ?? 0),
    right: Math.min(right, pane?.right ?? innerWidth),
    bottom: Math.min(bottom, pane?.bottom ?? innerHeight),
  });

  return {
    begin() {
      const { documentElement: page, body } = document;
      // The body hands its scrolling on to the viewport where the page itself has none.
      paged = page && getComputedStyle(page).overflowY === "visible" ? [page, body] : [page];
    },

    into({ element }, overflow, sight) {
      const own = /^(auto|scroll)$/.test(overflow) && !paged.includes(element);
      const rests = !own && element.scrollTop === 0 && element.scrollLeft === 0;
      const view = rests ? sight.view : geometry.inside(element, sight.view);
      let { pane } = sight;
      if (own) {
        const rect = element.getBoundingClientRect();
        if (rect.height >= OPEN && rect.width >= OPEN) pane = paneOf(rect, pane);
      }
      return view === sight.view && pane === sight.pane ? sight : { view, pane };
    },
  };
}
