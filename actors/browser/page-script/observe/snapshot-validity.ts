/**
 * Checks whether the last snapshot of a document is still valid, in a fraction of the time that a new
 * snapshot takes. It checks for mutations, scroll positions and field values. Changes by styles alone are
 * found outside of the page, from the browser's counts of style recalculations and layouts.
 */

import type { View } from "../actionability/element-geometry.ts";
import { geometry } from "../actionability/element-geometry.ts";
import { registry } from "../page-script-document-state.ts";
import { describer } from "../snapshot/describe-element.ts";
import type { CachedElement } from "../snapshot/element-cache-entry.ts";
import * as elementStates from "../snapshot/element-state.ts";
import { elementCache } from "../snapshot/snapshot-element-cache.ts";
import type { Invalid } from "../snapshot/style-and-box-cache.ts";

export interface SnapshotInputs {
  /** Interactive elements in the last snapshot. */
  readonly elements: readonly { readonly cached: CachedElement }[];
  readonly frames: readonly Element[];
  /** The shadow roots that the last snapshot has visited. */
  readonly roots: readonly ShadowRoot[];
  /** Elements whose scroll positions are compared with those at the last snapshot. */
  readonly scrollers: readonly Element[];
  /**
   * Title, address and other facts about the page as one JSON text. It is compared with the text of the last
   * snapshot.
   */
  readonly head: string;
}

interface Kept {
  readonly inputs: SnapshotInputs;
  readonly time: number;
  readonly frames: readonly string[];
  readonly fields: readonly (readonly [element: Element, held: string])[];
  readonly scrolled: readonly (readonly [element: Element, top: number, left: number])[];
  readonly registryChanges: number;
}
let kept: Kept | undefined;
let last: { readonly view: View; readonly registryChanges: number; readonly relabelled: number } | undefined;

const frameBox = (element: Element): string =>
  element instanceof HTMLElement
    ? JSON.stringify([registry.frames.get(element), geometry.contentBox(element)])
    : "";

const isUnscrolled = ({ scrolled }: Kept): boolean =>
  scrolled.every(([element, top, left]) => element.scrollTop === top && element.scrollLeft === left);

/** Stores the page's state at the time of a snapshot. `isValid` compares the later state with it. */
export function remember(inputs: SnapshotInputs): void {
  const fields: (readonly [Element, string])[] = [];
  for (const { cached } of inputs.elements) {
    const { field, secret } = elementCache.traitsOf(cached);
    if (field && !secret && cached.tag !== "button") fields.push([cached.element, cached.value]);
  }
  const scrolled = inputs.scrollers.map(
    (element) => [element, element.scrollTop, element.scrollLeft] as const,
  );
  kept = {
    inputs,
    fields,
    scrolled,
    time: elementCache.now(),
    frames: inputs.frames.map(frameBox),
    registryChanges: registry.changeCount(),
  };
}

/**
 * Whether the last snapshot is still valid. Returns false if there is no snapshot, or if an element may have
 * a closed shadow root that was not checked.
 */
export function isValid(head: string): boolean {
  registry.collect();
  // Reading this box makes the browser apply pending changes of style and layout. Before that, the scroll
  // positions and the layout counts may be outdated.
  document.documentElement?.getBoundingClientRect();
  if (!kept || registry.suspectCount() > 0 || elementCache.now() !== kept.time) return false;
  const { inputs, fields, frames, registryChanges } = kept;
  return (
    registry.changeCount() === registryChanges &&
    inputs.head === head &&
    fields.every(([element, value]) => elementStates.comparableValue(element) === value) &&
    isUnscrolled(kept) &&
    inputs.frames.every((element, at) => frameBox(element) === frames[at])
  );
}

/**
 * Returns whether the next snapshot must read styles and layout again. Must be called exactly once before
 * each snapshot.
 *
 * @param rendered whether the browser has recalculated styles or layout since the last snapshot
 */
export function invalidated(rendered: boolean, view: View): Invalid {
  const changedElements = elementCache.takeChangedElements();
  const before = last;
  last = { view, registryChanges: registry.changeCount(), relabelled: describer.labelChanges };
  if (rendered || !changedElements || !before) return { styles: true, layout: true };
  // The browser postpones the styles of content that is not shown. Reading the box of a changed element makes
  // the browser compute its styles now. So Chromium's counts of style recalculations include the changed
  // element.
  for (const place of changedElements) place.getBoundingClientRect();
  const moved =
    view.x !== before.view.x ||
    view.y !== before.view.y ||
    view.width !== before.view.width ||
    view.height !== before.view.height ||
    last.registryChanges !== before.registryChanges ||
    last.relabelled !== before.relabelled ||
    !kept ||
    !isUnscrolled(kept);
  return { styles: false, layout: moved };
}
