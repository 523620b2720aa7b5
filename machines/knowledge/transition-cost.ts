/** What a transition costs in a route: about ten for a click, more the less often it has worked. */

/** Cost of a transition that always works. */
export const MIN_COST = 10;
/** Cost of a link that was seen and not taken so far. */
export const USUAL_COST = 11;
export const MAX_COST = 100;
/** Outcomes that the confidence of a new transition counts for. */
const PRIOR = 4;

/** The expected number of tries, as a cost. */
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
