/** Combines several rankings into one by reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009). */

/**
 * The constant k of reciprocal rank fusion: an item at rank r gets the score 1 / (k + r). With a larger k,
 * the rank of an item matters less.
 */
const K = 60;

/** Combines the rankings and returns their items with the combined scores, best first. */
export function fused<Item>(
  rankings: readonly (readonly Item[])[],
  keyOf: (item: Item) => string,
): readonly { readonly item: Item; readonly score: number }[] {
  const scores = new Map<string, { item: Item; score: number }>();
  for (const ranking of rankings) {
    for (const [at, item] of ranking.entries()) {
      const key = keyOf(item);
      const known = scores.get(key) ?? { item, score: 0 };
      known.score += 1 / (K + at + 1);
      scores.set(key, known);
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score);
}
