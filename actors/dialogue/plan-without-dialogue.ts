/**
 * Makes and refines plans without a dialogue. These are queries: they store nothing and do nothing on the
 * page.
 */
import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import type { PreviewRequest, RefineRequest } from "../../machines/dialogue/dialogue-protocol.ts";
import { evaluatePlan } from "../../machines/dialogue/plan/evaluate-plan-by-criteria.ts";
import type { Plan, Question, Refinement } from "../../machines/dialogue/plan/plan-schemas.ts";
import { readOrders } from "../../machines/dialogue/planner/plan-by-imperatives.ts";
import { newSteps, planRefined } from "../../machines/dialogue/planner/plan-refine-loop.ts";
import type { QueryScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";
import { wordVectors } from "./load-word-vectors.ts";
import { makePlan } from "./make-plan.ts";
import { checked, PlanQuestions } from "./plan-by-model.ts";
import type { Planning, PlanSources } from "./planning-input.ts";

type Services = Pick<QueryScope<CairnServices, unknown>, "services">;

/** Time limit in milliseconds for all model calls of one preview (a plan without a dialogue). */
const WITHIN = 55_000;

export interface Preview {
  readonly plan: Plan;
  readonly questions: readonly Question[];
}

export async function previewPlan(request: PreviewRequest, scope: Services): Promise<Preview> {
  const { plan, questions } = await makePlan(planningOf(request, 1), sourcesOf(request, scope));
  return { plan, questions };
}

export interface Refined {
  readonly plan: Plan;
  readonly iterations: readonly Refinement[];
  readonly score: number;
}

/**
 * Improves the caller's plan: Cairn checks the plan, and a model changes the plan by the results. Without a
 * model, the task is planned again.
 */
export async function refinePlan(request: RefineRequest, scope: Services): Promise<Refined> {
  const planning = planningOf(request, request.plan.version + 1);
  const sources = sourcesOf(request, scope);
  const { elements } = planning;
  const parts = Math.max(1, readOrders(request.task, {}, elements).length);
  let best: Preview = { plan: request.plan, questions: [] };
  let feedback = evaluatePlan({ ...best, elements, parts });
  const iterations: Refinement[] = [];
  const asking = new PlanQuestions(planning, sources);
  for (let iteration = 1; iteration <= dialogueLimits.refinements; iteration++) {
    const given = iteration === 1 ? request.feedback : undefined;
    if (feedback.score >= dialogueLimits.goodScore && given === undefined) break;
    const wish = {
      issues: given?.issues ?? feedback.issues,
      suggestions: given?.suggestions ?? feedback.suggestions,
    };
    const answer = await asking.refine(best.plan, wish);
    const next: Preview = answer
      ? checked(answer, planning)
      : planRefined({ ...planning, vectors: await wordVectors() });
    const score = evaluatePlan({ ...next, elements, parts });
    const improvements = newSteps(best.plan.steps, next.plan.steps);
    iterations.push({
      iteration,
      previousScore: feedback.score,
      score: score.score,
      issues: [...wish.issues],
      improvements,
    });
    // A change that the caller has requested is accepted when the plan's score rises or stays equal. A change
    // that only the model suggests is accepted only when the score rises.
    if (score.score < feedback.score || (score.score === feedback.score && given === undefined)) break;
    best = next;
    feedback = score;
    if (!answer) break;
  }
  return { plan: best.plan, iterations, score: feedback.score };
}

function planningOf({ task, elements, pageUrl, title }: PreviewRequest, version: number): Planning {
  return {
    id: `preview-${version}`,
    version,
    task,
    answers: {},
    asked: {},
    done: [],
    elements,
    pageUrl,
    title,
  };
}

function sourcesOf(
  { knowledge_id, dom_summary, pageUrl }: PreviewRequest,
  { services }: Services,
): PlanSources {
  const { models, actors } = services;
  const signal = AbortSignal.timeout(WITHIN);
  if (knowledge_id === null) return { models, signal };
  return {
    models,
    signal,
    map: {
      position: async () => ({ url: pageUrl, dom_summary }),
      ask: (question) => actors.query("knowledge", knowledge_id, "agent", question),
    },
  };
}
