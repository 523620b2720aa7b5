/**
 * How much each feature of a site's pages says about their screens. What all kinds of pages have (header, menu, footer)
 * says nothing, and what a single page has is most likely its content.
 */
import { coveredUpTo, type StructureSketch } from "./structure-sketch.ts";

/** A page with the kind of address that it has. */
export interface WeighedPage {
  readonly family: string;
  readonly sketch: StructureSketch | undefined;
}

/** Share of the kinds of addresses that have a feature of the site's frame. */
const FRAME_SHARE = 0.8;
/** Weight of a feature of the frame: pages that have nothing else are still alike. */
const FRAME_WEIGHT = 0.25;
/** Weight of a feature of one page. */
const SINGLE_WEIGHT = 0.5;
/** Kinds of addresses below which the frame and a template look the same. */
const FEW_FAMILIES = 3;

/** Weight of a feature that some pages of a screen have and others do not. */
const OPTIONAL_WEIGHT = 0.3;
/** Share of a screen's pages from which on a feature belongs to all of them, but for exceptions. */
const COMMON_SHARE = 0.9;
/** Pages of a screen from which its variation is learnt. */
const MANY_PAGES = 4;

/**
 * The weight of each feature, by its hash.
 *
 * @param optional what `optionalFeatures` returned
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
 * Features that vary inside a screen, and so depend on the content of its pages.
 *
 * @param screens pages that were found to be of one screen
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

/** Share of these pages that have each feature, among those whose sketch would hold it. */
function sharesIn(sketches: readonly StructureSketch[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const sketch of sketches)
    for (const feature of sketch) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const ends = sketches.map((sketch) => coveredUpTo(sketch)).sort((a, b) => a - b);
  return new Map(
    [...counts].map(([feature, count]) => [feature, count / (ends.length - countBelow(ends, feature))]),
  );
}

/** How many of the sorted numbers are below this one. */
function countBelow(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
