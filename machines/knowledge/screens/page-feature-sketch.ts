/**
 * A sketch of a page's structure: a small sample of its structural features. Comparing two sketches estimates
 * how many features two pages have in common. A sketch keeps the smallest hashes of the features (bottom-k
 * sketch; Cohen and Kaplan 2007), so pages with few features are compared exactly.
 */

/**
 * Number of hashes in a sketch (a compact signature of a page's structure). With 96 hashes, the standard error
 * of a comparison is 0.05.
 */
const SIZE = 96;
/**
 * Number of bytes of a hash in a sketch (a compact signature of a page's structure). In the text form of a
 * sketch, each hash takes four characters of base64.
 */
const BYTES = 3;

export type StructureSketch = readonly number[];

/**
 * Separator in the text form of a sketch (a compact signature of a page's structure). Before it are the hashes
 * of the page's features, in ascending order. After it are the positions, in this order, of the hashes whose
 * features depend on the page's data.
 */
const DATA_MARK = ".";

/**
 * Returns the sketch (compact signature) of a set of features as text; empty without features.
 *
 * @param size maximum number of hashes; a shorter sketch is the beginning of a longer one
 * @param isData whether a feature depends on the page's data, as a column of a table does
 */
export function sketchOf(
  features: Iterable<string>,
  size: number = SIZE,
  isData: (feature: string) => boolean = () => false,
): string {
  const byHash = new Map<number, string>();
  for (const feature of features) byHash.set(hashOf(feature), feature);
  const smallest = Uint32Array.from(byHash.keys()).sort().subarray(0, size);
  let bytes = "";
  let data = "";
  for (const [at, hash] of smallest.entries()) {
    bytes += String.fromCharCode(hash >>> 16, (hash >>> 8) & 0xff, hash & 0xff);
    if (at < SIZE && isData(byHash.get(hash) ?? "")) data += String.fromCharCode(at);
  }
  return btoa(bytes) + (data === "" ? "" : DATA_MARK + btoa(data));
}

/**
 * Returns those hashes of a sketch (a page's compact signature) that stand for the page's data, such as the
 * columns of its tables.
 */
export function dataFeatures(text: string): ReadonlySet<number> {
  const [, positions = ""] = text.split(DATA_MARK);
  const hashes = parseSketch(text);
  return new Set([...atob(positions)].flatMap((letter) => hashes[letter.charCodeAt(0)] ?? []));
}

/** @param text a sketch (compact signature of a page's structure) as text, as `sketchOf` returns it */
export function parseSketch(text: string): StructureSketch {
  const bytes = atob(text.split(DATA_MARK, 1)[0] ?? "");
  const hashes: number[] = [];
  for (let at = 0; at + BYTES <= bytes.length; at += BYTES) {
    hashes.push((bytes.charCodeAt(at) << 16) | (bytes.charCodeAt(at + 1) << 8) | bytes.charCodeAt(at + 2));
  }
  return hashes;
}

/**
 * Returns the estimated share of common features among all features of both pages, from 0 to 1.
 *
 * @param weightsOfA for each feature of the first sketch, in order, its weight; all weights are 1 by default
 */
export function similarity(
  a: StructureSketch,
  b: StructureSketch,
  weightsOfA: readonly number[] = [],
  weightsOfB: readonly number[] = [],
): number {
  let [i, j, size, all, common] = [0, 0, 0, 0, 0];
  // Estimates the similarity from the `SIZE` smallest hashes that occur in either sketch. A sketch contains
  // only the smallest hashes of its page, so no conclusion is possible about larger hashes.
  while (size < SIZE && (i < a.length || j < b.length)) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    const weight = (left <= right ? weightsOfA[i] : weightsOfB[j]) ?? 1;
    size += 1;
    all += weight;
    if (left === right) common += weight;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return all === 0 ? 1 : common / all;
}

/**
 * Returns the highest hash that the sketch covers. A page lacks a feature if its hash is at most this value
 * and not in the sketch. About features with higher hashes, the sketch says nothing.
 */
export function coveredUpTo(sketch: StructureSketch): number {
  return sketch.length < SIZE ? Number.POSITIVE_INFINITY : (sketch.at(-1) ?? 0);
}

/**
 * Returns how many features only one of the two pages has. Both sketches must be complete, that is, contain
 * all features of their pages.
 */
export function difference(a: StructureSketch, b: StructureSketch): number {
  const others = new Set(b);
  const common = a.filter((hash) => others.has(hash)).length;
  return a.length + b.length - 2 * common;
}

/**
 * Shortens a sketch (a compact signature of a page's structure) to `SIZE` hashes, the size that is stored for a
 * screen.
 */
export function shortSketch(text: string): string {
  const [hashes = "", data] = text.split(DATA_MARK);
  return hashes.slice(0, (SIZE * BYTES * 4) / 3) + (data === undefined ? "" : DATA_MARK + data);
}

/** The FNV-1a hash with a finaliser, cut to 24 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0xffffff;
}
