/**
 * Computes the weight of each structural feature of a site's pages: how well the feature distinguishes the
 * site's screens. Features that all kinds of pages have (header, menu, footer) get a low weight. A feature of
 * a single page is probably content and also gets a low weight.
 */
import { coveredUpTo, type StructureSketch } from "../screens/page-feature-sketch.ts";

export interface WeighedPage {
  /** The kind of the page's address: its folder, the number of its segments and the names of its parameters. */
  readonly family: string;
  /**
   * The kind of the page's address without its parameters: its folder and the number of its segments.
   */
  readonly place: string;
  readonly sketch: StructureSketch | undefined;
}

/**
 * A feature belongs to the site's frame, such as its menu, if at least this share (0 to 1) of the pages have
 * it. The share is computed for each kind of address (`WeighedPage.family`), and the mean of these shares counts.
 */
const FRAME_SHARE = 0.8;
/**
 * Weight of a structural feature of the site's frame, such as its header. It is above zero, because otherwise pages
 * that have only such features would have no similarity.
 */
export const FRAME_WEIGHT = 0.25;
/**
 * Weight of a structural feature that only a single page of the site has. It is low, because such a feature is
 * probably content.
 */
const SINGLE_WEIGHT = 0.5;
/**
 * The frame of a site, such as its header, is determined only if the site has at least this number of kinds
 * of addresses. On a smaller site, a template may occur on all kinds of addresses, as the frame does.
 */
const FEW_FAMILIES = 3;
/**
 * A feature belongs to the core of the site's frame, such as its header, if at least this share (0 to 1) of
 * the pages have it. The share is the mean over the kinds of addresses without parameters
 * (`WeighedPage.place`). With 0.5, one folder with half of these kinds would determine the frame of a small
 * site.
 */
const CORE_SHARE = 0.6;
/**
 * A page has the site's frame if it has at least this share (0 to 1) of the features in the frame's core (features
 * that most pages have, `CORE_SHARE`). Pages of other parts of a site have fewer: the API manual of a MediaWiki site
 * has 0.15 of them, and Django's administration on a Mezzanine site has none.
 */
const OWN_CORE_SHARE = 0.5;

/** Weight of an optional feature: a structural feature that some pages of a screen have and others lack. */
const OPTIONAL_WEIGHT = 0.3;
/**
 * A structural feature counts as common to all pages of a screen if at least this share (0 to 1) of the pages have
 * it.
 */
const COMMON_SHARE = 0.9;
/** Minimum number of pages of a screen before Cairn derives which structural features of the screen are optional. */
const MANY_PAGES = 4;

/**
 * Returns a function from the hash of a structural feature to the feature's weight.
 *
 * @param optional the result of `optionalFeatures`
 */
export function siteWeights(
  pages: readonly WeighedPage[],
  optional: ReadonlySet<number> = new Set(),
): (feature: number) => number {
  const counts = new Map<number, number>();
  for (const { sketch = [] } of pages)
    for (const feature of sketch) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const families = withMainFrame(placesOf(pages)).flatMap(({ families: own }) => own);
  const shares = meanShares(families);
  return (feature) => {
    if (families.length >= FEW_FAMILIES && (shares.get(feature) ?? 0) >= FRAME_SHARE) return FRAME_WEIGHT;
    if (optional.has(feature)) return OPTIONAL_WEIGHT;
    return (counts.get(feature) ?? 0) <= 1 ? SINGLE_WEIGHT : 1;
  };
}

/** For each structural feature: the share (0 to 1) of the pages that have it. */
type FeatureShares = ReadonlyMap<number, number>;

/** The pages with the same `WeighedPage.place`: their addresses differ only in names and parameters. */
interface Place {
  /**
   * One entry for each combination of URL parameters. It contains for each structural feature the share of the pages
   * with these parameters that have the feature.
   */
  readonly families: readonly FeatureShares[];
  readonly shares: FeatureShares;
  /**
   * A sketch contains only the lowest feature hashes of its page. This is the highest hash up to which at
   * least one sketch is complete. For features with higher hashes, it is unknown which pages have them.
   */
  readonly end: number;
}

function placesOf(pages: readonly WeighedPage[]): readonly Place[] {
  return [...Map.groupBy(pages, ({ place }) => place).values()].flatMap((some) => {
    const sketches = [...Map.groupBy(some, ({ family }) => family).values()]
      .map((own) => own.flatMap(({ sketch }) => (sketch ? [sketch] : [])))
      .filter((own) => own.length > 0);
    if (sketches.length === 0) return [];
    const families = sketches.map(sharesIn);
    return [{ families, shares: meanShares(families), end: Math.max(...sketches.flat().map(coveredUpTo)) }];
  });
}

/**
 * Returns the places (kinds of addresses without parameters) whose pages have the site's main frame, such as
 * its header. A path such as MediaWiki's `/api.php` may occur with dozens of parameter combinations, but it
 * counts as one place.
 */
function withMainFrame(places: readonly Place[]): readonly Place[] {
  const means = meanShares(places.map(({ shares }) => shares));
  const core = [...means].flatMap(([feature, share]) => (share >= CORE_SHARE ? [feature] : []));
  return places.filter(({ shares, end }) => {
    const visible = core.filter((feature) => feature <= end);
    const own = visible.filter((feature) => (shares.get(feature) ?? 0) >= OWN_CORE_SHARE);
    return own.length >= OWN_CORE_SHARE * visible.length;
  });
}

/**
 * Returns the mean share of each structural feature over the given sets of pages. In a set without the feature, its
 * share counts as 0.
 */
function meanShares(all: readonly FeatureShares[]): FeatureShares {
  const means = new Map<number, number>();
  for (const shares of all)
    for (const [feature, share] of shares) means.set(feature, (means.get(feature) ?? 0) + share / all.length);
  return means;
}

/**
 * Returns the features that only some pages of the same screen have. Such features depend on content.
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
 * Returns the features that nearly all pages of a screen have.
 *
 * @param sketches the sketches (compact signatures) of the screen's pages
 */
export function commonFeatures(sketches: readonly StructureSketch[]): readonly number[] {
  return [...sharesIn(sketches)].flatMap(([feature, share]) => (share >= COMMON_SHARE ? [feature] : []));
}

/**
 * Returns, for each feature, the share of the pages that have it. A page whose sketch (compact signature) is
 * too short to contain a feature is not counted for this feature.
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

function countBelow(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
