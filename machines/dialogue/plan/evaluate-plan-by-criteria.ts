/**
 * Evaluates a plan without a language model, by the four criteria of the protocol specification: correctness,
 * specificity, completeness and safety.
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isRiskyElement } from "./build-plan-step.ts";
import type { Feedback, Plan, PlanStep, Question } from "./plan-schemas.ts";

export interface Evaluated {
  readonly plan: Plan;
  readonly questions: readonly Question[];
  readonly elements: readonly HighlightedElement[];
  /** Number of parts of the task. The plan should have a step for each part. */
  readonly parts: number;
}

interface Criterion {
  readonly score: number;
  readonly issues: readonly string[];
  readonly suggestions: readonly string[];
}

/** Rates a plan by the mean of correctness, specificity, completeness and safety, and lists its problems. */
export function evaluatePlan(evaluated: Evaluated): Feedback {
  const criteria = [
    correctness(evaluated),
    specificity(evaluated),
    completeness(evaluated),
    safety(evaluated),
  ];
  const sum = criteria.reduce((total, { score }) => total + score, 0);
  return {
    score: Math.round((sum / criteria.length) * 1_000) / 1_000,
    issues: criteria.flatMap(({ issues }) => issues),
    suggestions: criteria.flatMap(({ suggestions }) => suggestions),
  };
}

/** Returns the criterion of correctness: the share (0 to 1) of the task's parts that need no question. */
function correctness({ questions, parts, plan }: Evaluated): Criterion {
  const open = Math.min(questions.length, parts);
  const score = parts === 0 || plan.steps.length === 0 ? 0 : (parts - open) / parts;
  return {
    score,
    issues: questions.map(({ question }) => question),
    suggestions: questions.length > 0 ? ["Look for the missing elements by other words."] : [],
  };
}

/** Checks the criterion "specificity": the page has the elements that the plan's steps use. */
function specificity({ plan, elements }: Evaluated): Criterion {
  const known = new Set(elements.map(({ highlight_index }) => highlight_index));
  const needing = plan.steps.filter(({ target }) => target !== null);
  const invalid = needing.filter(
    ({ deferred, targetId }) => !deferred && (targetId === null || !known.has(targetId)),
  );
  const vague = needing.filter(({ deferred }) => deferred).length / 2;
  return {
    score:
      needing.length === 0
        ? plan.steps.length > 0
          ? 1
          : 0
        : (needing.length - invalid.length - vague) / needing.length,
    issues: invalid.map(({ description }) => `${description}: its element is not on the page.`),
    suggestions: invalid.map(({ description }) => `Give "${description}" an element of the page.`),
  };
}

const needsValue = ({ action }: PlanStep): boolean => action === "input" || action === "select_dropdown";

/**
 * Checks whether each step of the plan has its value, and whether each submitted form has values for its
 * required fields.
 */
function completeness({ plan, elements }: Evaluated): Criterion {
  const entries = plan.steps.filter(needsValue);
  const empty = entries.filter(({ value, secret }) => (value === null || value === "") && secret === null);
  const filled = new Set(entries.map(({ targetId }) => targetId));
  const submitted = plan.steps.flatMap(({ targetId }) =>
    elements.filter((one) => one.highlight_index === targetId && one.interactionType === "submit"),
  );
  const forms = new Set(submitted.flatMap(({ formId }) => formId ?? []));
  const left = elements.filter(
    ({ required, formId, value, highlight_index, interactionType }) =>
      required === true &&
      interactionType === "input" &&
      formId !== undefined &&
      forms.has(formId) &&
      !filled.has(highlight_index) &&
      (value ?? "") === "",
  );
  const needed = entries.length + left.length;
  return {
    score: needed === 0 ? 1 : (needed - empty.length - left.length) / needed,
    issues: [
      ...empty.map(({ description }) => `${description}: the value is missing.`),
      ...left.map(
        (one) => `The required field "${one.labelText ?? one.placeholder ?? one.selector}" stays empty.`,
      ),
    ],
    suggestions: [...empty, ...left].length > 0 ? ["Add the missing values."] : [],
  };
}

/** Checks safety: steps that may be irreversible are marked as high risk. */
function safety({ plan, elements }: Evaluated): Criterion {
  const unflagged = plan.steps.filter(
    ({ action, risk, targetId }) =>
      action === "click" &&
      risk !== "high" &&
      elements.some((one) => one.highlight_index === targetId && isRiskyElement(one)),
  );
  return {
    score: plan.steps.length === 0 ? 1 : (plan.steps.length - unflagged.length) / plan.steps.length,
    issues: unflagged.map(({ description }) => `${description} may not be undone and is not flagged.`),
    suggestions: unflagged.map(({ description }) => `Flag "${description}" as high risk.`),
  };
}
