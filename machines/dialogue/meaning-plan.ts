/**
 * Plans a task by the meaning of its words on the page, when the order of its words fits no known imperative. It
 * returns a plan only if one assignment of the clauses to elements is clearly the best.
 */
import { withDependencies } from "./build-plan-step.ts";
import { confidenceOf, intentClarity } from "./confidence.ts";
import { found, type PlanRequest, type Resolved, resolveTarget } from "./imperative-steps.ts";
import { type ReadClause, readJointly } from "./joint-reading.ts";
import { unusedValues } from "./named-values.ts";
import type { PlanResult } from "./offline-planner.ts";
import type { Order } from "./task-imperatives.ts";
import { withoutQuotes } from "./task-parts.ts";

/** Minimum score of each clause, from 0 to 1. */
const MIN_CLAUSE = 0.6;
/** Minimum difference to the score of the second-best assignment. Below it, the task is ambiguous. */
const MIN_MARGIN = 0.04;

function orderOf({ text, reading: { kind, value, off } }: ReadClause): Order {
  const target = withoutQuotes(text);
  return { kind, target, value, also: target, ...(off ? { off } : {}) };
}

/** Minimum scores at which a plan is used even if the words of the task are imperatives that the planner knows. */
const DECISIVE = { score: 0.65, margin: 0.06 } as const;

/** A plan by meaning, and whether it is surer than a plan by imperatives. */
export interface MeaningPlan extends PlanResult {
  readonly isDecisive: boolean;
}

export function planByMeaning(request: PlanRequest): MeaningPlan | undefined {
  const { task, elements, answers, id, version, done = [] } = request;
  const joint = readJointly(task, elements);
  if (!joint || joint.hasUnread || joint.margin < MIN_MARGIN) return undefined;
  const lowest = Math.min(...joint.clauses.map(({ reading: { score } }) => score));
  if (lowest < MIN_CLAUSE) return undefined;
  const clicks = joint.clauses.filter(({ reading: { kind } }) => kind === "click" || kind === "check");
  const resolved = joint.clauses.map((clause, at): Resolved => {
    // The risk of the only click depends on all words of the task: "I no longer need this, so close it".
    const part = withoutQuotes(clicks.length === 1 ? `${task} ${clause.text}` : clause.text);
    const resolving = { at, part, request, isLater: false, opener: undefined };
    const order = orderOf(clause);
    return answers[`target-${at}`] === undefined
      ? found(
          order,
          { element: clause.reading.element, score: Math.min(0.99, clause.reading.score) },
          resolving,
        )
      : resolveTarget(order, resolving);
  });
  const steps = withDependencies(
    resolved.flatMap((one) => one.steps).filter(({ description }) => !done.includes(description)),
  );
  const texts = steps.flatMap(({ description, value, target }) => [
    description,
    value ?? "",
    target?.around ?? "",
  ]);
  if (steps.length === 0 || resolved.some(({ question }) => question) || unusedValues(task, texts).length > 0)
    return undefined;
  const risky = steps.filter(({ risk }) => risk === "high");
  const certainty = Math.min(1, 0.5 * joint.score + Math.min(0.5, 2 * joint.margin));
  const confidence = confidenceOf(
    intentClarity(task, { unread: 0, rivals: 0 }) * certainty,
    [certainty],
    [certainty],
    risky.length > 0,
  );
  return {
    plan: {
      id,
      version,
      summary: steps.map(({ description }) => description).join("; "),
      confidence,
      steps,
      assumptions: resolved.flatMap(({ assumption }) => assumption ?? []),
      risks: risky.map(({ description }) => `${description} may not be undone.`),
      source: "page",
    },
    questions: [],
    isDecisive: joint.isComplete && joint.score >= DECISIVE.score && joint.margin >= DECISIVE.margin,
  };
}
