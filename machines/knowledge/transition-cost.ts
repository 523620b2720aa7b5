/** The cost of a transition in a route. A click costs about ten, and more the less often it has worked. */

/** Cost of a transition that always works. */
export const MIN_COST = 10;
/** Cost of a link that was seen but not used so far. */
export const USUAL_COST = 11;
export const MAX_COST = 100;
/** The confidence of a new transition counts as much as this number of outcomes. */
const PRIOR = 4;

/**
 * Returns the cost of a transition. It grows with the number of attempts that are expected until the
 * transition succeeds.
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
