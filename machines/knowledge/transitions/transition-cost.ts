/**
 * Computes the cost of a transition in a route. A click that always worked costs about ten; a click that
 * often failed costs more.
 */

/** Cost, in the choice of routes, of a transition that always works. */
export const MIN_COST = 10;
/** Cost of a link in routes if it was seen but never used. */
export const USUAL_COST = 11;
export const MAX_COST = 100;
/**
 * Weight of a transition's initial confidence when its success rate is computed: the initial confidence
 * counts as much as this number of observed uses.
 */
const PRIOR = 4;

/**
 * Returns the cost of a transition. The cost is proportional to the expected number of attempts until it
 * succeeds.
 */
export function transitionCost({
  successes,
  failures,
  confidence,
}: {
  readonly successes: number;
  readonly failures: number;
  readonly confidence: number;
}): number {
  const works = (successes + PRIOR * confidence) / (successes + failures + PRIOR);
  return Math.min(Math.max(Math.round(MIN_COST / Math.max(works, 0.01)), MIN_COST), MAX_COST);
}
