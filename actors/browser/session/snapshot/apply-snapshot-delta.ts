/**
 * Applies a delta (the changes that the page script reports) to an earlier snapshot of a frame. An element
 * that has not changed stays the same object, so that later code can detect changes by comparing references.
 */
import type { RawDelta, RawElement, RawSnapshot } from "../../page-script/snapshot/raw-frame-snapshot.ts";

/**
 * Returns the snapshot that results from a delta.
 *
 * @param before snapshot with the number `delta.since`. If the delta contains no changes, this object itself
 * is returned.
 */
export function applyDelta(delta: RawDelta, before: RawSnapshot | undefined): RawSnapshot {
  const { number: _, since, order, changed, paths, moved, shifted, segments, texts, ...rest } = delta;
  const known = since === 0 ? undefined : before;
  const elements = elementsOf(delta, before?.elements ?? [], known);
  const snapshot: RawSnapshot = {
    ...rest,
    scroll: isEqual(before?.scroll, rest.scroll) ? (before?.scroll ?? rest.scroll) : rest.scroll,
    elements,
    segments: segments ?? known?.segments ?? [],
    texts: texts ?? known?.texts ?? [],
  };
  return known && isSame(known, snapshot) ? known : snapshot;
}

function elementsOf(
  delta: RawDelta,
  before: readonly RawElement[],
  known: RawSnapshot | undefined,
): readonly RawElement[] {
  const { order, moved, shifted } = delta;
  const changed = changedElements(delta);
  if (known && !order && changed.length === 0 && moved.length === 0 && shifted.length === 0)
    return known.elements;
  const listed =
    known && !order && changed.length + moved.length === 0
      ? [...known.elements]
      : rebuild(delta, changed, before, known);
  for (const [from, count, dx, dy] of shifted) {
    for (let at = from; at < from + count; at++) {
      const earlier = listed[at];
      if (!earlier) continue;
      const [x, y, width, height] = earlier.box;
      listed[at] = { ...earlier, box: [x + dx, y + dy, width, height] };
    }
  }
  return listed;
}

/**
 * Returns the elements of the new snapshot in order: those of the earlier snapshot, with the changes of the
 * delta.
 */
function rebuild(
  { order, moved }: RawDelta,
  changed: readonly RawElement[],
  before: readonly RawElement[],
  known: RawSnapshot | undefined,
): RawElement[] {
  const elements = new Map(before.map((element) => [element.id, element]));
  for (const element of changed) {
    const earlier = elements.get(element.id);
    // If the reported element equals the element of the earlier snapshot, the earlier object is kept. Later
    // code then sees no change.
    if (!isEqual(earlier, element)) elements.set(element.id, element);
  }
  for (const [id, x, y, width, height, isVisible, covered] of moved) {
    const earlier = elements.get(id);
    if (!earlier) continue;
    const { coveredBy: _, ...rest } = earlier;
    elements.set(id, {
      ...rest,
      box: [x, y, width, height],
      inViewport: isVisible === 1,
      ...(covered === null ? {} : { coveredBy: covered }),
    });
  }
  return (order ?? known?.elements.map(({ id }) => id) ?? []).flatMap((id) => elements.get(id) ?? []);
}

/**
 * Returns the new and changed elements of the delta, with complete selectors and XPaths. The delta contains
 * only how each selector or XPath differs from that of the previous element.
 */
function changedElements({ changed, paths }: RawDelta): readonly RawElement[] {
  let [selector, xpath] = ["", ""];
  return changed.map((element, at) => {
    const [css = 0, rest = "", steps = 0, end = ""] = paths[at] ?? [];
    selector = selector.slice(0, css) + rest;
    xpath = xpath.slice(0, steps) + end;
    const { id, tag, type, action, ...others } = element;
    return { id, tag, type, action, selector, xpath, ...others };
  });
}

function isSame(left: RawSnapshot, right: RawSnapshot): boolean {
  if (left.elements !== right.elements) {
    const { length } = left.elements;
    if (length !== right.elements.length) return false;
    if (!left.elements.every((element, at) => element === right.elements[at])) return false;
  }
  return (
    left.segments === right.segments &&
    left.texts === right.texts &&
    left.closedHosts === right.closedHosts &&
    left.url === right.url &&
    left.title === right.title &&
    left.ready_state === right.ready_state &&
    isEqual(left.scroll, right.scroll) &&
    isEqual(left.frames, right.frames)
  );
}

const isEqual = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
