/**
 * In the page: what is dragged, where to, and what came of it.
 *
 * Pages drag in two ways: the browser's own drag and drop, which begins with `dragstart`, and scripts that follow the
 * pointer. Sent as its own source. Neighbour: `../dragging.ts` moves the pointer.
 */
import type { Geometry } from "./geometry.ts";
import type { Identity } from "./identity.ts";
import type { Registry } from "./registry.ts";

export interface DragOutcome {
  readonly alive: boolean;
  /** Its place among its siblings, or its parent, is another. */
  readonly reordered: boolean;
  /** Pixels that its box moved by. */
  readonly moved: readonly [number, number];
  readonly position: number;
  /** Events of dragging that were heard. */
  readonly heard: readonly string[];
  readonly changes: number;
}

export interface Drags {
  /** The one element of a selector that is seen; how many there are otherwise. */
  select(selector: string): { readonly id: number } | { readonly count: number } | "bad_selector";
  /** A point of an element, in this frame's viewport; it is scrolled into it. */
  point(id: number, where: "on" | "before" | "after"): { readonly x: number; readonly y: number } | undefined;
  watch(id: number): void;
  /** Whether the browser's own dragging began, and the page lets it go on. */
  began(): boolean;
  outcome(id: number): DragOutcome;
}

export function makeDrags(registry: Registry, geometry: Geometry, identity: Identity): Drags {
  interface Place {
    readonly parent: Node | null;
    readonly position: number;
    readonly box: DOMRect;
  }
  let heard: string[] = [];
  let start: DragEvent | undefined;
  let then: Place | undefined;
  let changes = 0;
  let watching: MutationObserver | undefined;

  const placeOf = (element: Element): Place => {
    const { parentNode: parent } = element;
    const position = parent ? [...parent.children].indexOf(element) : -1;
    return { parent, position, box: geometry.boxOf(element) };
  };

  for (const name of ["dragstart", "dragenter", "dragover", "drop", "dragend"]) {
    addEventListener(
      name,
      (event) => {
        if (!heard.includes(name)) heard.push(name);
        if (name === "dragstart" && event instanceof DragEvent) start = event;
      },
      true,
    );
  }

  function* all(root: Document | ShadowRoot, selector: string): Generator<Element> {
    yield* root.querySelectorAll(selector);
    for (const element of root.querySelectorAll("*")) {
      const inner = registry.rootOf(element);
      if (inner) yield* all(inner, selector);
    }
  }

  return {
    select(selector) {
      try {
        const seen = [...all(document, selector)].filter((element) =>
          element.checkVisibility({ visibilityProperty: true }),
        );
        const [only] = seen;
        return only && seen.length === 1 ? { id: identity.meant(only) } : { count: seen.length };
      } catch {
        return "bad_selector";
      }
    },

    point(id, where) {
      const element = identity.lives(id);
      if (!element) return undefined;
      const middle = (): DOMRect => geometry.boxOf(element);
      const seen = ({ left, top, right, bottom }: DOMRect): boolean =>
        (left + right) / 2 > 0 &&
        (left + right) / 2 < innerWidth &&
        (top + bottom) / 2 > 0 &&
        (top + bottom) / 2 < innerHeight;
      if (!seen(middle()))
        element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      const { left, top, width, height } = middle();
      // What stands beside each other is passed sideways.
      const next = element.nextElementSibling ?? element.previousElementSibling;
      const beside = next !== null && Math.abs(geometry.boxOf(next).top - top) < height / 2;
      const part = where === "on" ? 0.5 : where === "before" ? 0.15 : 0.85;
      return {
        x: left + width * (beside ? part : 0.5),
        y: top + height * (beside ? 0.5 : part),
      };
    },

    watch(id) {
      heard = [];
      start = undefined;
      changes = 0;
      const element = identity.lives(id);
      then = element && placeOf(element);
      watching?.disconnect();
      watching = new MutationObserver((records) => {
        changes += records.length;
      });
      watching.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    },

    began: () => start !== undefined && !start.defaultPrevented,

    outcome(id) {
      for (const _ of watching?.takeRecords() ?? []) changes++;
      watching?.disconnect();
      const element = identity.lives(id);
      const now = element && placeOf(element);
      return {
        alive: element !== undefined,
        reordered: now !== undefined && (now.parent !== then?.parent || now.position !== then?.position),
        moved: [
          Math.round((now?.box.left ?? 0) - (now && then ? then.box.left : 0)),
          Math.round((now?.box.top ?? 0) - (now && then ? then.box.top : 0)),
        ],
        position: now?.position ?? -1,
        heard,
        changes,
      };
    },
  };
}
