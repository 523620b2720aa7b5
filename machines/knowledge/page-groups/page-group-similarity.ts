/**
 * Computes how similar the structure of two groups of pages is. Only a few representative pages of each group
 * are compared.
 */
import { coveredUpTo, type StructureSketch, similarity } from "../screens/page-feature-sketch.ts";
import type { Group, Member } from "./page-group.ts";
import type { Need } from "./same-screen-threshold.ts";

/** Maximum number of pages (instances) that represent a group when two groups are compared. */
const REPRESENTATIVES = 4;
/**
 * A page has a usable structure if it has at least this number of structural features. A page with fewer is
 * plain text without classes, forms or landmarks.
 */
const FEW_FEATURES = 10;

/**
 * Minimum share (0 to 1) of a page's structural features that another page must have, so that the first page counts
 * as a part of the other. For example, an empty list counts as a part of a list with rows (Miniflux, Redmine).
 */
const PART_SHARE = 0.9;

/**
 * Returns the mean similarity of representative pages of two groups. Two pages without structure have the
 * similarity 0, unless `needed` states that such pages count as similar.
 */
export function groupSimilarity(a: Group, b: Group, needed: Need): number {
  const all = representatives(a).flatMap((left) =>
    representatives(b).map((right) => memberSimilarity(left, right, needed)),
  );
  if (all.length === 0) return 0;
  // Rounding may make the mean of sixteen equal numbers smaller than each of them (0.3 becomes 0.29999999999999993).
  // Pages that just reach the required minimum would then not be merged.
  return Math.max(Math.min(...all), all.reduce((sum, one) => sum + one, 0) / all.length);
}

export function memberSimilarity(
  left: Member,
  right: Member,
  { least, plain, equal, bare, withoutData, parts }: Need,
): number {
  const [a, b] = [left.sketch, right.sketch];
  const areKnown = !left.unread && !right.unread;
  if (!a || !b) return (plain || (bare && areKnown)) && a === b ? 1 : 0;
  if (Math.max(a.length, b.length) < FEW_FEATURES && !plain)
    return equal && left.structure === right.structure ? 1 : 0;
  // Two pages count as similar if one has only structural features of the other. The similarity is then only `least`
  // (the minimum for a merge) and not 1. With 1, an empty list would connect pages of different kinds, because it has
  // only features that many kinds of pages have.
  if (parts && isPartOfOther(a, b)) return Math.max(least, similarity(a, b, left.weights, right.weights));
  if (!withoutData) return similarity(a, b, left.weights, right.weights);
  const rest = ({ sketch = [], weights, data }: Member) =>
    sketch.map((feature, at) => (data.has(feature) ? 0 : (weights[at] ?? 1)));
  return similarity(a, b, rest(left), rest(right));
}

/**
 * Whether nearly all features of one page are also features of the other page. The hashes of a sketch are
 * sorted, so one pass over both finds the common ones.
 */
function isPartOfOther(a: StructureSketch, b: StructureSketch): boolean {
  let [i, j, common] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] ?? 0, b[j] ?? 0];
    if (left === right) common += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return common >= PART_SHARE * visibleIn(b, a) || common >= PART_SHARE * visibleIn(a, b);
}

/**
 * Returns how many features of the sketch `sketch` can be looked up in the sketch `other`. A sketch contains
 * only the smallest hashes of its page, so larger hashes cannot be looked up in it.
 */
function visibleIn(other: StructureSketch, sketch: StructureSketch): number {
  const end = coveredUpTo(other);
  let count = sketch.length;
  while (count > 0 && (sketch[count - 1] ?? 0) > end) count -= 1;
  return count;
}

export function representatives({ members }: Group): readonly Member[] {
  if (members.length <= REPRESENTATIVES) return members;
  const step = members.length / REPRESENTATIVES;
  return Array.from({ length: REPRESENTATIVES }, (_, at) => members[Math.floor(at * step)]).filter(
    (member) => member !== undefined,
  );
}
