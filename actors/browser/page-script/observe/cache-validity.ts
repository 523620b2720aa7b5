/**
 * In the page: whether anything that a look told can have changed since, at a fraction of a look.
 *
 * Notes hear of nodes, attributes and texts; scrolling and what fields hold, which nobody announces, is read again.
 * What styles and layout alone change shows in neither: who asks counts the browser's style recalculations and layouts
 * as well (see `../sights.ts`), after the question, which has the pending ones done. Sent as its own source. Neighbour:
 * `walker.ts` hands over what it told.
 */

import type { View } from "../actionability/geometry.ts";
import { geometry } from "../actionability/geometry.ts";
import { registry } from "../document-state.ts";
import type { CachedElement } from "../snapshot/cached-element.ts";
import { describer } from "../snapshot/describer.ts";
import { elementCache } from "../snapshot/element-cache.ts";
import { elementStates } from "../snapshot/element-state.ts";
import type { Invalid } from "../snapshot/rendering-cache.ts";

export interface SnapshotInputs {
  /** The elements that were told. */
  readonly elements: readonly { readonly cached: CachedElement }[];
  readonly frames: readonly Element[];
  /** All shadow roots that were walked. */
  readonly roots: readonly ShadowRoot[];
  /** What may be scrolled, and shows something of what was told elsewhere then. */
  readonly scrollers: readonly Element[];
  /** The head of the page, as text. */
  readonly head: string;
}

export interface CacheValidity {
  /** From now on it is asked whether this is still so. */
  remember(sight: SnapshotInputs): void;
  /** False also when nothing was kept, or something may hide a closed root. */
  isValid(head: string): boolean;
  /**
   * What of earlier readings no longer holds; asked once for each look.
   * @param drawn the browser has done styles or layout since
   */
  invalidated(drawn: boolean, view: View): Invalid;
}

interface Kept {
  readonly sight: SnapshotInputs;
  readonly time: number;
  readonly frames: readonly string[];
  readonly fields: readonly (readonly [element: Element, held: string])[];
  readonly scrolled: readonly (readonly [element: Element, top: number, left: number])[];
  readonly heard: number;
}
let kept: Kept | undefined;
let last: { readonly view: View; readonly heard: number; readonly relabelled: number } | undefined;

const frameBox = (element: Element): string =>
  element instanceof HTMLElement
    ? JSON.stringify([registry.frames.get(element), geometry.contentBox(element)])
    : "";

const rests = ({ scrolled }: Kept): boolean =>
  scrolled.every(([element, top, left]) => element.scrollTop === top && element.scrollLeft === left);

export const cacheValidity: CacheValidity = {
  remember(sight) {
    const fields: (readonly [Element, string])[] = [];
    for (const { cached } of sight.elements) {
      const { field, secret } = elementCache.traitsOf(cached);
      if (field && !secret && cached.tag !== "button") fields.push([cached.element, cached.value]);
    }
    const scrolled = sight.scrollers.map(
      (element) => [element, element.scrollTop, element.scrollLeft] as const,
    );
    kept = {
      sight,
      fields,
      scrolled,
      time: elementCache.now(),
      frames: sight.frames.map(frameBox),
      heard: registry.changeCount(),
    };
  },

  isValid(head) {
    registry.collect();
    // Has pending styles and layout done, also where nothing was told.
    document.documentElement?.getBoundingClientRect();
    if (!kept || registry.suspectCount() > 0 || elementCache.now() !== kept.time) return false;
    const { sight, fields, frames, heard } = kept;
    return (
      registry.changeCount() === heard &&
      sight.head === head &&
      fields.every(([element, value]) => elementStates.comparableValue(element) === value) &&
      rests(kept) &&
      sight.frames.every((element, at) => frameBox(element) === frames[at])
    );
  },

  invalidated(drawn, view) {
    const places = elementCache.takeChangedElements();
    const before = last;
    last = { view, heard: registry.changeCount(), relabelled: describer.labelChanges };
    if (drawn || !places || !before) return { styles: true, layout: true };
    // Of what the browser does not show it puts off the styles until somebody asks, and counts them then.
    for (const place of places) place.getBoundingClientRect();
    const moved =
      view.x !== before.view.x ||
      view.y !== before.view.y ||
      view.width !== before.view.width ||
      view.height !== before.view.height ||
      last.heard !== before.heard ||
      last.relabelled !== before.relabelled ||
      !kept ||
      !rests(kept);
    return { styles: false, layout: moved };
  },
};
