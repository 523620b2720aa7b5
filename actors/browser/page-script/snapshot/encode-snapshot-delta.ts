/**
 * Encodes the elements of a snapshot as differences from an earlier snapshot, which the receiver outside of
 * the page has stored.
 */

import type { RawDelta, RawElement, RawMove, RawPaths, RawText } from "./raw-frame-snapshot.ts";
import type { FoundElement, SnapshotTime } from "./snapshot-element-records.ts";
import { recorder } from "./snapshot-element-records.ts";

/**
 * An earlier snapshot, which is stored outside of the page. The page sends only the differences between it
 * and the new snapshot.
 */
export interface KnownSnapshot {
  readonly number: number;
  /** The numbers of all elements in the snapshot, in the order of the page. */
  readonly ids: readonly number[];
}

const sameOrder = (first: readonly number[], other: readonly number[]): boolean =>
  first.length === other.length && first.every((id, at) => id === other[at]);

/** Returns the length of the common prefix of two texts. */
const shared = (first: string, other: string): number => {
  const most = Math.min(first.length, other.length);
  let at = 0;
  while (at < most && first.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
};

/**
 * Encodes the paths of elements. Each path is sent as the length of the prefix that it shares with the
 * previous element's path, followed by the remaining characters. Paths are most of the data, and neighbouring
 * elements have similar paths.
 */
const pathsOf = (changed: readonly RawElement[]): readonly RawPaths[] => {
  let before = { selector: "", xpath: "" };
  return changed.map(({ selector, xpath }) => {
    const [css, step] = [shared(before.selector, selector), shared(before.xpath, xpath)];
    before = { selector, xpath };
    return [css, selector.slice(css), step, xpath.slice(step)];
  });
};

/**
 * Whether two snapshots contain the same texts in the same order, and each text stands before the same
 * element.
 */
export function sameTexts(first: readonly RawText[], other: readonly RawText[]): boolean {
  return (
    first.length === other.length &&
    first.every(({ at, text, level, isInert }, index) => {
      const line = other[index];
      return line?.text === text && line.at === at && line.level === level && line.isInert === isInert;
    })
  );
}

/**
 * Encodes the elements as differences to an earlier snapshot, or completely when there is no earlier
 * snapshot.
 */
export function encode(
  found: readonly FoundElement[],
  time: SnapshotTime,
  known: KnownSnapshot | undefined,
): Pick<RawDelta, "changed" | "paths" | "moved" | "shifted"> & {
  readonly ids: readonly number[];
  readonly order?: readonly number[];
} {
  const changed: RawElement[] = [];
  const moved: RawMove[] = [];
  const shifts: { readonly at: number; count: number; readonly dx: number; readonly dy: number }[] = [];
  const ids: number[] = [];
  for (const first of found) {
    const { id } = first.cached;
    const record = recorder.record(first, time);
    ids.push(id);
    if (!known || record.change === "full" || record.previousSnapshot !== known.number)
      changed.push(recorder.complete(record));
    else if (record.change === "moved") {
      const { x, y, width, height, inViewport, coveredBy } = record;
      moved.push([id, x, y, width, height, inViewport ? 1 : 0, coveredBy ?? null]);
    } else if (record.change === "shifted") {
      const { dx, dy } = record;
      const run = shifts.at(-1);
      if (run && run.at + run.count === ids.length - 1 && run.dx === dx && run.dy === dy) run.count++;
      else shifts.push({ at: ids.length - 1, count: 1, dx, dy });
    }
  }
  return {
    ids,
    ...(known && sameOrder(known.ids, ids) ? {} : { order: ids }),
    changed: changed.map(({ selector: _, xpath: __, ...rest }) => rest),
    paths: pathsOf(changed),
    moved,
    shifted: shifts.map(({ at, count, dx, dy }) => [at, count, dx, dy]),
  };
}
