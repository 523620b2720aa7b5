/**
 * The refine loop evaluates a plan and improves it. It stops when the plan is good enough, or when a round
 * brings no improvement. The first plan accepts only elements with nearly the wanted name, and a refinement
 * also accepts similar names.
 */

import type { PlanRequest } from "./imperative-steps.ts";
import { dialogueLimits } from "./limits.ts";
import { type PlanResult, planOffline, readOrders } from "./offline-planner.ts";
import { evaluatePlan } from "./plan-evaluation.ts";
import type { Feedback, PlanStep, Refinement } from "./plan-schemas.ts";
import { MIN_MATCH } from "./target-match.ts";

export interface RefinedPlan extends PlanResult {
  readonly iterations: readonly Refinement[];
  readonly score: number;
}

/**
 * Minimum scores at which an element may be chosen as the target of a step. The first value is for the first
 * plan, and each further value is for one refinement.
 */
const STRICTNESS = [0.9, MIN_MATCH] as const;

export function planRefined(request: PlanRequest): RefinedPlan {
  const parts = readOrders(request.task, request.answers, request.elements).length;
  const made = (accept: number): Scored => {
    const result = planOffline({ ...request, accept });
    return { result, feedback: evaluatePlan({ ...result, elements: request.elements, parts }) };
  };
  let best = made(STRICTNESS[0]);
  const iterations: Refinement[] = [];
  for (const accept of STRICTNESS.slice(1)) {
    if (best.feedback.score >= dialogueLimits.goodScore && best.result.questions.length === 0) break;
    const next = made(accept);
    iterations.push(refinement(iterations.length + 1, best, next));
    const isBetter = next.feedback.score > best.feedback.score;
    // If the scores are equal, the later plan is used. Its questions offer more options, because it accepts
    // lower scores.
    if (next.feedback.score >= best.feedback.score) best = next;
    if (!isBetter) break;
  }
  return { ...best.result, iterations, score: best.feedback.score };
}

interface Scored {
  readonly result: PlanResult;
  readonly feedback: Feedback;
}

export function refinement(iteration: number, before: Scored, after: Scored): Refinement {
  return {
    iteration,
    previousScore: before.feedback.score,
    score: Math.max(before.feedback.score, after.feedback.score),
    issues: [...before.feedback.issues],
    improvements: newSteps(before.result.plan.steps, after.result.plan.steps),
  };
}

export function newSteps(before: readonly PlanStep[], after: readonly PlanStep[]): string[] {
  const known = new Set(before.map(({ description }) => description));
  return after.flatMap(({ description }) => (known.has(description) ? [] : [`Added: ${description}`]));
}
