/**
 * Plans a task by matching its words with the elements of the page, when the order of the words fits no known
 * imperative. It returns a plan only if one assignment of elements to the parts of the task is clearly the
 * best.
 */

import { withoutDescribedClicks } from "../clauses/assign-elements-to-clauses.ts";
import { readJointly } from "../clauses/best-elements-for-all-clauses.ts";
import type { ReadClause } from "../elements/clause-match-score.ts";
import { summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf, intentClarity } from "../plan/plan-confidence.ts";
import { withSecret } from "../task/parse-task-imperatives.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { unusedValues } from "../task/values-in-task.ts";
import { elementsOfOpenTime } from "../values/everyday-times-to-page-times.ts";
import type { PlanResult } from "./plan-by-imperatives.ts";
import { found, type PlanRequest, type Resolved, resolveTarget } from "./plan-steps-of-imperative.ts";

/** Minimum score (0 to 1) that the element of each task clause must have. */
const MIN_CLAUSE = 0.6;
/**
 * Minimum difference between the scores (0 to 1) of the best and the second-best assignment of elements. Below
 * it, the task is ambiguous.
 */
const MIN_MARGIN = 0.04;

function orderOf({ text, reading: { kind, value, off } }: ReadClause): Order {
  const target = withoutQuotes(text);
  return withSecret({ kind, target, value, also: target, ...(off ? { off } : {}) });
}

/**
 * A plan from word matches replaces a plan from known imperatives, such as "click Save", if its score (0 to
 * 1) is at least `score`. Its score must also be at least `margin` higher than that of the second-best plan
 * from word matches.
 */
const DECISIVE = { score: 0.65, margin: 0.06 } as const;

/**
 * A plan that was made by comparing the words of the task with the elements. If `isDecisive` is true, it may
 * replace a plan from imperatives such as "click Save".
 */
export interface MeaningPlan extends PlanResult {
  readonly isDecisive: boolean;
  /** Whether the plan enters values that the task states beside the labels of their fields. */
  readonly isLabelled: boolean;
}

export function planByMeaning(request: PlanRequest): MeaningPlan | undefined {
  const { task, elements, answers, id, version, done = [] } = request;
  const times = elementsOfOpenTime(withoutQuotes(task), elements);
  const time = times.find(({ highlight_index }) => Object.values(answers).includes(String(highlight_index)));
  if (times.length > 0 && !time) return undefined;
  const joint = readJointly(
    task,
    elements.filter((element) => element === time || !times.includes(element)),
  );
  if (!joint || joint.hasUnread || joint.margin < MIN_MARGIN) return undefined;
  const lowest = Math.min(...joint.clauses.map(({ reading: { score } }) => score));
  const clauses = withoutDescribedClicks(joint.clauses);
  if (lowest < MIN_CLAUSE || !clauses) return undefined;
  const clicks = clauses.filter(({ reading: { kind } }) => kind === "click" || kind === "check");
  const resolved = clauses.map((clause, at): Resolved => {
    // If the task has a single click, its risk depends on all words of the task: "I no longer need this, so
    // close it".
    const part = withoutQuotes(clicks.length === 1 ? `${task} ${clause.text}` : clause.text);
    const resolving = { at, part, request, isLater: false, opener: undefined };
    const order = orderOf(clause);
    // If the dialogue has asked which time is meant, the answer applies to the whole task, and not only to
    // this clause.
    return time !== undefined || answers[`target-${at}`] === undefined
      ? found(
          order,
          { element: clause.reading.element, score: Math.min(0.99, clause.reading.score) },
          resolving,
          clause.reading.question,
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
      summary: summaryOf(steps),
      confidence,
      steps,
      assumptions: resolved.flatMap(({ assumption }) => assumption ?? []),
      risks: risky.map(({ description }) => `${description} may not be undone.`),
      source: "page",
    },
    questions: [],
    isLabelled: joint.isLabelled === true,
    isDecisive: joint.isComplete && joint.score >= DECISIVE.score && joint.margin >= DECISIVE.margin,
  };
}
