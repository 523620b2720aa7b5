/** Encodes the elements of a snapshot as differences from a snapshot that the driver knows. */
import type { RawDelta, RawElement, RawMove, RawPaths, RawText } from "./raw-snapshot.ts";
import type { FoundElement, SnapshotTime } from "./recorder.ts";
import { recorder } from "./recorder.ts";

/** A snapshot that the driver has. */
export interface KnownSnapshot {
  readonly number: number;
  /** Ids of its elements in order. */
  readonly ids: readonly number[];
}

export interface DeltaEncoder {
  sameTexts(one: readonly RawText[], other: readonly RawText[]): boolean;
  encode(
    found: readonly FoundElement[],
    looked: SnapshotTime,
    known: KnownSnapshot | undefined,
  ): Pick<RawDelta, "changed" | "paths" | "moved" | "shifted"> & {
    readonly ids: readonly number[];
    readonly order?: readonly number[];
  };
}

const sameOrder = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/** Length of the common prefix of two texts. */
const shared = (one: string, other: string): number => {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
};

/** Paths are most of the data, and mostly start like the path of the element before. */
const pathsOf = (told: readonly RawElement[]): readonly RawPaths[] => {
  let before = { selector: "", xpath: "" };
  return told.map(({ selector, xpath }) => {
    const [css, step] = [shared(before.selector, selector), shared(before.xpath, xpath)];
    before = { selector, xpath };
    return [css, selector.slice(css), step, xpath.slice(step)];
  });
};

export const deltaEncoder: DeltaEncoder = {
  sameTexts: (one, other) =>
    one.length === other.length &&
    one.every(({ at, text, level }, index) => {
      const line = other[index];
      return line?.text === text && line.at === at && line.level === level;
    }),

  encode(found, looked, known) {
    const told: RawElement[] = [];
    const placed: RawMove[] = [];
    const shifts: { readonly at: number; count: number; readonly dx: number; readonly dy: number }[] = [];
    const ids: number[] = [];
    for (const one of found) {
      const { id } = one.cached;
      const now = recorder.record(one, looked);
      ids.push(id);
      if (!known || now.change === "anew" || now.previousSnapshot !== known.number)
        told.push(recorder.complete(now));
      else if (now.change === "placed") {
        const { x, y, width, height, inViewport: seen, coveredBy: covered } = now;
        placed.push([id, x, y, width, height, seen ? 1 : 0, covered ?? null]);
      } else if (now.change === "shifted") {
        const { dx, dy } = now;
        const run = shifts.at(-1);
        if (run && run.at + run.count === ids.length - 1 && run.dx === dx && run.dy === dy) run.count++;
        else shifts.push({ at: ids.length - 1, count: 1, dx, dy });
      }
    }
    return {
      ids,
      ...(known && sameOrder(known.ids, ids) ? {} : { order: ids }),
      changed: told.map(({ selector: _, xpath: __, ...rest }) => rest),
      paths: pathsOf(told),
      moved: placed,
      shifted: shifts.map(({ at, count, dx, dy }) => [at, count, dx, dy]),
    };
  },
};
