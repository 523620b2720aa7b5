/**
 * Computes how much each feature of a site's pages shows about their screens. Features of all kinds of pages
 * (header, menu, footer) show nothing, and a feature of a single page is probably its content.
 */
import { coveredUpTo, type StructureSketch } from "./structure-sketch.ts";

/** A page, with the kind of its address. */
export interface WeighedPage {
  readonly family: string;
  readonly sketch: StructureSketch | undefined;
}

/**
 * A feature belongs to the site's frame (such as its menu) if at least this share of the kinds of addresses
 * has it.
 */
const FRAME_SHARE = 0.8;
/**
 * Weight of a feature of the site's frame. It is above zero, so that pages without other features are still
 * similar.
 */
const FRAME_WEIGHT = 0.25;
/** Weight of a feature that only one page has. */
const SINGLE_WEIGHT = 0.5;
/**
 * On a site with fewer kinds of addresses than this, features of the site's frame cannot be distinguished
 * from those of a template.
 */
const FEW_FAMILIES = 3;

/** Weight of an optional feature: some pages of a screen have it and others lack it. */
const OPTIONAL_WEIGHT = 0.3;
/**
 * A feature belongs to all pages of a screen, except for single ones, if at least this share of them has it.
 */
const COMMON_SHARE = 0.9;
/** Minimum number of pages of a screen from which its variation is learned. */
const MANY_PAGES = 4;

/**
 * Returns the weight of each feature, by its hash.
 *
 * @param optional the result of `optionalFeatures`
 */
export function siteWeights(
  pages: readonly WeighedPage[],
  optional: ReadonlySet<number> = new Set(),
): (feature: number) => number {
  const families = [...Map.groupBy(pages, ({ family }) => family).values()]
    .map((some) => some.flatMap(({ sketch }) => (sketch ? [sketch] : [])))
    .filter((some) => some.length > 0);
  const counts = new Map<number, number>();
  const shares = new Map<number, number>();
  for (const sketches of families) {
    for (const sketch of sketches)
      for (const feature of sketch) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    for (const [feature, share] of sharesIn(sketches)) {
      shares.set(feature, (shares.get(feature) ?? 0) + share / families.length);
    }
  }
  return (feature) => {
    if (families.length >= FEW_FAMILIES && (shares.get(feature) ?? 0) >= FRAME_SHARE) return FRAME_WEIGHT;
    if (optional.has(feature)) return OPTIONAL_WEIGHT;
    return (counts.get(feature) ?? 0) <= 1 ? SINGLE_WEIGHT : 1;
  };
}

/**
 * Features that vary inside a screen, because they depend on the content of its pages.
 *
 * @param screens for each screen, the sketches of its pages
 */
export function optionalFeatures(screens: readonly (readonly StructureSketch[])[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const sketches of screens) {
    if (sketches.length < MANY_PAGES) continue;
    for (const [feature, share] of sharesIn(sketches)) {
      if (share > 1 - COMMON_SHARE && share < COMMON_SHARE) found.add(feature);
    }
  }
  return found;
}

/**
 * The share of the given pages that have each feature. Only pages whose sketch is long enough to contain the
 * feature are counted.
 */
function sharesIn(sketches: readonly StructureSketch[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const sketch of sketches)
    for (const feature of sketch) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const ends = sketches.map((sketch) => coveredUpTo(sketch)).sort((a, b) => a - b);
  return new Map(
    [...counts].map(([feature, count]) => [feature, count / (ends.length - countBelow(ends, feature))]),
  );
}

/** How many of the sorted numbers are smaller than the given one. */
function countBelow(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
