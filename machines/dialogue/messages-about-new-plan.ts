/** Builds the messages about a new plan: one for each round of refinement, and one for the confidence. */

import type { PlanOutput } from "./dialogue-context.ts";
import { dialogueLimits } from "./dialogue-limits.ts";
import { routeOf } from "./plan/plan-confidence.ts";
import type { Plan, Recommendation } from "./plan/plan-schemas.ts";

const RECOMMENDATIONS = { approve: "proceed", announce: "assume_announce", clarify: "ask" } as const;

/**
 * Returns the recommendation that follows from the plan's confidence alone. A high risk does not change it,
 * because a plan with a high-risk step always needs approval.
 */
export function recommendationOf({ confidence }: Plan): Recommendation {
  return RECOMMENDATIONS[routeOf(confidence.overall, false)];
}

export function messagesOfPlan({ plan, iterations }: PlanOutput): readonly {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}[] {
  const refined = iterations.map(({ iteration, previousScore, score, improvements, issues }) => ({
    type: "selfRefineUpdate",
    payload: {
      iteration,
      maxIterations: dialogueLimits.refinements,
      previousScore,
      newScore: score,
      improvements,
      issues,
    },
  }));
  const { source, fallback } = plan;
  const { overall, breakdown } = plan.confidence;
  const report = {
    overall,
    breakdown,
    recommendation: recommendationOf(plan),
    source,
    ...(fallback === undefined ? {} : { fallback }),
  };
  return [...refined, { type: "confidenceReport", payload: report }];
}
