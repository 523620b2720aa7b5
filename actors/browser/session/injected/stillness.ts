/**
 * In the page: whether anything that a look told can have changed since, at a fraction of a look.
 *
 * Nodes, attributes and texts are observed; boxes, scrolling and what fields hold, which nobody announces, are read
 * again. What styles alone change shows in neither: who asks counts the browser's style recalculations as well (see
 * `../sights.ts`), after the question, which has the pending ones done. Sent as its own source. Neighbour: `walker.ts`
 * hands over what it told.
 */
import type { Geometry } from "./geometry.ts";
import type { Registry } from "./registry.ts";

/** One element as it was told. */
export interface Told {
  readonly element: Element;
  /** Whose box was told: the element's, or that of a label. */
  readonly boxed: Element;
  readonly rect: DOMRect;
}

export interface Sight {
  readonly told: readonly Told[];
  readonly frames: readonly Element[];
  /** All shadow roots that were walked. */
  readonly roots: readonly ShadowRoot[];
  /** The head of the page, as text. */
  readonly head: string;
}

export interface Stillness {
  /** From now on it is asked whether this is still so. */
  keep(sight: Sight): void;
  /** False also when nothing was kept, or something may hide a closed root. */
  still(head: string): boolean;
}

export function makeStillness(registry: Registry, geometry: Geometry): Stillness {
  interface Kept {
    readonly sight: Sight;
    readonly frames: readonly string[];
    readonly fields: readonly (readonly [element: Element, held: string])[];
    readonly scrolled: readonly (readonly [element: Element, top: number, left: number])[];
    readonly heard: number;
  }
  let kept: Kept | undefined;

  // The first change says enough: what follows costs the page nothing.
  const forget = (): void => {
    kept = undefined;
    observer.disconnect();
  };
  const observer = new MutationObserver(forget);
  document.addEventListener("scroll", forget, { capture: true, passive: true });

  const held = (element: Element): string | undefined => {
    if (element instanceof HTMLInputElement)
      return registry.isSecret(element) ? undefined : `${element.checked}${element.value}`;
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (!(element instanceof HTMLSelectElement)) return undefined;
    return [...element.selectedOptions].map(({ index }) => index).join();
  };
  const frameBox = (element: Element): string =>
    element instanceof HTMLElement
      ? JSON.stringify([registry.frames.get(element), geometry.contentOf(element)])
      : "";

  return {
    keep(sight) {
      observer.disconnect();
      const watched = { attributes: true, characterData: true, childList: true, subtree: true };
      for (const root of [document, ...sight.roots]) observer.observe(root, watched);
      const fields: (readonly [Element, string])[] = [];
      const scrolled: (readonly [Element, number, number])[] = [];
      for (const { element } of sight.told) {
        const value = held(element);
        if (value !== undefined) fields.push([element, value]);
        const { scrollTop, scrollLeft } = element;
        if (scrollTop !== 0 || scrollLeft !== 0 || element.scrollHeight > element.clientHeight)
          scrolled.push([element, scrollTop, scrollLeft]);
      }
      kept = { sight, fields, scrolled, frames: sight.frames.map(frameBox), heard: registry.heard() };
    },

    still(head) {
      registry.gather();
      // Has pending styles and layout done, also where nothing was told.
      document.documentElement?.getBoundingClientRect();
      if (observer.takeRecords().length > 0) forget();
      if (!kept || registry.waiting() > 0) return false;
      const { sight, fields, scrolled, frames, heard } = kept;
      return (
        registry.heard() === heard &&
        sight.head === head &&
        sight.told.every(({ boxed, rect }) => {
          const now = geometry.boxOf(boxed);
          return (
            now.left === rect.left &&
            now.top === rect.top &&
            now.width === rect.width &&
            now.height === rect.height
          );
        }) &&
        fields.every(([element, value]) => held(element) === value) &&
        scrolled.every(([element, top, left]) => element.scrollTop === top && element.scrollLeft === left) &&
        sight.frames.every((element, at) => frameBox(element) === frames[at])
      );
    },
  };
}
