/**
 * Chooses between two plans of a task: the plan of its imperatives, and a plan that is made by matching its words with
 * the elements of the page.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import { isOneClause } from "../task/split-task-at-commas.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { withPageValues } from "../values/rewrite-task-values-for-form.ts";
import { contentWords } from "../words/normalised-words.ts";
import { type PlanResult, planOffline, readOrders } from "./plan-by-imperatives.ts";
import { planByMeaning } from "./plan-by-word-match.ts";
import type { PlanRequest } from "./plan-steps-of-imperative.ts";

/**
 * Compares the plan of the task's imperatives (`result`) with a second plan, which is made by matching words.
 * Returns the second plan if the first only asks a question, or if the elements of the second fit the words
 * better. It ignores the person's answers, so that each round makes the same choice.
 */
export function surerPlan(request: PlanRequest, result: PlanResult): PlanResult | undefined {
  const { answers, known = {} } = request;
  if (Object.keys(known).length > 0) return undefined;
  const first = Object.keys(answers).length === 0 ? result : planOffline({ ...request, answers: {} });
  const { intentClarity, targetMatch } = first.plan.confidence.breakdown;
  const targets = first.plan.steps.flatMap(({ targetId }) => targetId ?? []);
  const isUnsure =
    targetMatch < SURE.target || intentClarity < SURE.clarity || new Set(targets).size < targets.length;
  const isOneClick = first.plan.steps.every(({ value }) => value === null) && isOneClause(request.task);
  // If the first plan has no doubts, it is only replaced by a plan with more steps. A task for a single click
  // has no plan with more steps, so no second plan is made.
  if (first.questions.length === 0 && first.plan.steps.length > 0 && !isUnsure && isOneClick)
    return undefined;
  const meant = planByMeaning(request);
  if (!meant || dropsStatedValue(request, meant)) return undefined;
  if (first.questions.length > 0) return meant;
  if (meant.isLabelled && !entersAllOf(first.plan.steps, meant.plan.steps)) return meant;
  if (dropsClicks(meant.plan.steps, first.plan.steps)) return undefined;
  if (isLabelled(request, first) || isByPosition(first, meant, request) || cutsValue(first, meant))
    return undefined;
  // A step of the first plan may enter its value on a later page (`deferred`). The second plan is then used
  // only if it enters this value on the present page.
  const isLater = first.plan.steps.some(
    ({ deferred, value, target }) =>
      deferred &&
      !target?.submits &&
      !meant.plan.steps.some((step) => value !== null && usesValue(step, value)),
  );
  // The plan `meant` may have more steps only because it has split one value into two, such as "1010 and I
  // live in Austria".
  const isFiner = meant.plan.steps.length > first.plan.steps.length;
  const isOther = !isSamePlan(first.plan.steps, meant.plan.steps);
  const isBetter =
    meant.isDecisive ||
    (intentClarity < UNCLEAR.below && meant.plan.confidence.breakdown.targetMatch >= UNCLEAR.target);
  // For "Assign it to Amara", the first plan chooses the option "Amara" of a list. The second plan is worse
  // if it does not choose this option.
  const dropsValue =
    targetMatch >= SURE.target &&
    first.plan.steps.some(
      ({ action, value, deferred }) =>
        action === "select_dropdown" && !deferred && !meant.plan.steps.some((step) => step.value === value),
    );
  return isBetter && !isLater && !dropsValue && isOther && (isUnsure || isFiner) ? meant : undefined;
}

/**
 * Whether the plan `steps` enters all values that the plan `other` enters. `steps` may be longer by at most
 * one step.
 */
const entersAllOf = (steps: readonly PlanStep[], other: readonly PlanStep[]): boolean =>
  steps.length <= other.length + 1 &&
  other.every(
    ({ action, targetId, value }) =>
      action === "click" || steps.some((step) => step.targetId === targetId && step.value === value),
  );

/**
 * Whether a plan enters the same values as a longer plan, but lacks clicks of the longer plan, such as the
 * click for "send the reply".
 */
const dropsClicks = (steps: readonly PlanStep[], longer: readonly PlanStep[]): boolean =>
  steps.length < longer.length &&
  steps.every(
    ({ targetId, value }) =>
      value !== null && longer.some((one) => one.targetId === targetId && one.value === value),
  );

/** Matches a value after the name of its field and a colon: "Place: underground car park, Linden 4". */
const LABEL = /^[\p{L}\s-]{2,40}:\s/u;

/**
 * Whether the task consists of a field's name and a value, and no part of the value fits another field. A
 * comma in the value then separates nothing.
 */
const isLabelled = ({ task, elements }: PlanRequest, { plan }: PlanResult): boolean =>
  LABEL.test(task) &&
  plan.steps.length === 1 &&
  plan.confidence.breakdown.targetMatch >= SURE.target &&
  withPageValues(task, elements) === task;

/**
 * Whether two plans act on equal controls and the task names one of these controls by its position, such as
 * "the second mail".
 */
function isByPosition(first: PlanResult, meant: PlanResult, { task, elements }: PlanRequest): boolean {
  if (ordinalIn(task) === undefined || first.plan.steps.length !== meant.plan.steps.length) return false;
  const nameAt = (id: number | null): string | undefined => {
    const element = elements.find(({ highlight_index }) => highlight_index === id);
    return element && nameOf(element);
  };
  return first.plan.steps.every(({ action, targetId }, at) => {
    const other = meant.plan.steps[at];
    return action === other?.action && nameAt(targetId) === nameAt(other.targetId);
  });
}

/**
 * Whether the second plan, made by matching words, types only the end of the first plan's value: "4B" of
 * "Unit 4B".
 */
const cutsValue = (first: PlanResult, meant: PlanResult): boolean =>
  first.plan.steps.length === meant.plan.steps.length &&
  first.plan.steps.some(({ value, targetId }, at) => {
    const other = meant.plan.steps[at];
    if (value === null || !other?.value || other.targetId !== targetId) return false;
    return value !== other.value && value.endsWith(` ${other.value}`);
  });

/**
 * Whether the plan ignores a value that the task states for a field. For "Set the first name to Ada, then
 * save", this is a plan without "Ada". Such a plan would do only a part of the task, and would not ask about
 * the rest.
 */
function dropsStatedValue({ task, elements }: PlanRequest, { plan }: PlanResult): boolean {
  const used = new Set(
    plan.steps.flatMap(({ description, value, secret, target }) =>
      contentWords([description, value, secret, target?.name, target?.around].filter(Boolean).join(" ")),
    ),
  );
  return readOrders(task, {}, elements).some(({ part, order }) => {
    const isStated = FIRST_VERB.test(part) && (order?.kind === "set" || order?.kind === "input");
    // "It" in "add it to my expenses" is no value, and neither is "the post" in "put the post into the
    // category Food".
    const isReference = REFERENCE.test(order?.value ?? "");
    const words = isStated && !isReference ? contentWords(order.secret ?? order.value ?? "") : [];
    return words.length > 0 && !words.some((word) => used.has(word));
  });
}

/** Matches a text that refers to a thing and is no value: a pronoun such as "it", or "the post". */
const REFERENCE =
  /^(?:it|this|that|them|him|her|us|es|le|la|lo|li|(?:the|this|that|my|our)\s(?!.*\s(?:of|and)\s)\p{Ll}+)$/u;

/** Whether a step of a plan enters the given value, or uses an element with this value in its name. */
const usesValue = (step: PlanStep, value: string): boolean =>
  step.value === value || contentWords(value).every((word) => contentWords(step.description).includes(word));

/**
 * Minimum scores (0 to 1) of a plan from imperatives such as "click Save". `target`: how well the elements
 * match. `clarity`: how much of the task was understood. If one score is lower, a plan from word matches may
 * replace this plan.
 */
const SURE = { target: 0.95, clarity: 0.8 } as const;

/**
 * Conditions for using the plan from word matches instead of the first plan. `below`: the clarity (0 to 1) of
 * the first plan must be lower than this. `target`: minimum score (0 to 1) of the elements in the plan from
 * word matches.
 */
const UNCLEAR = { below: 0.3, target: 0.6 } as const;

function isSamePlan(one: readonly PlanStep[], other: readonly PlanStep[]): boolean {
  const key = (steps: readonly PlanStep[]): string =>
    JSON.stringify(
      steps.flatMap(({ action, targetId, value }) => (targetId === null ? [] : [[action, targetId, value]])),
    );
  return key(one) === key(other);
}
