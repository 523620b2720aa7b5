/**
 * Computes the weight of each structural feature of a site's pages: how well the feature distinguishes the
 * site's screens. Features that all kinds of pages have (header, menu, footer) get a low weight. A feature of
 * a single page is probably content and also gets a low weight.
 */
import { coveredUpTo, type StructureSketch } from "./page-feature-sketch.ts";

/** A page, with the kind of its address, such as `/orders/{n}`. */
export interface WeighedPage {
  readonly family: string;
  readonly sketch: StructureSketch | undefined;
}

/**
 * A feature belongs to the site's frame (such as its menu) if at least this share (0 to 1) of pages have it.
 * The share is the mean over all kinds of addresses.
 */
const FRAME_SHARE = 0.8;
/**
 * Weight of a feature of the site's frame. It is above zero, so that pages without other features are still
 * similar.
 */
export const FRAME_WEIGHT = 0.25;
/** Weight of a feature that only one page of the site has. Such a feature is probably content. */
const SINGLE_WEIGHT = 0.5;
/**
 * Minimum number of kinds of addresses on a site, at which features of the site's frame (such as its header)
 * can be distinguished from features of a template.
 */
const FEW_FAMILIES = 3;

/** Weight of an optional feature: a feature that some pages of a screen have and others lack. */
const OPTIONAL_WEIGHT = 0.3;
/** A feature counts as common to all pages of a screen if at least this share (0 to 1) of the pages have it. */
const COMMON_SHARE = 0.9;
/** Minimum number of pages of a screen before Cairn derives which of the screen's features are optional. */
const MANY_PAGES = 4;

/**
 * Returns a function that gives the weight of a feature, by the feature's hash.
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
 * Returns the features that some pages of a screen have and others lack, because they depend on content.
 *
 * @param screens for each screen, the sketches (compact signatures) of its pages
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
 * Returns the features that the pages of a screen have in common. A small share of the pages may lack such a
 * feature.
 *
 * @param sketches the sketches (compact signatures) of the screen's pages
 */
export function commonFeatures(sketches: readonly StructureSketch[]): readonly number[] {
  return [...sharesIn(sketches)].flatMap(([feature, share]) => (share >= COMMON_SHARE ? [feature] : []));
}

/**
 * Returns for each feature the share of pages that have it. Pages whose sketch (compact signature) is too
 * short to contain the feature are left out.
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

/** Returns how many of the sorted values are smaller than `least`. */
function countBelow(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
