/** Divides a list into parts, or takes a sample of it, because the store reads and writes a limited number at once. */

/** Divides a list into parts with at most `size` items. */
export function inParts<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}

/** Returns at most `most` entries of a list, evenly spread over it. */
export function evenly<Entry>(list: readonly Entry[], most: number): readonly Entry[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, at) => list[Math.floor((at * list.length) / most)]).filter(
    (entry) => entry !== undefined,
  );
}
