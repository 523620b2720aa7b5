/**
 * Plans a task with one click or one choice whose words no control has, by word vectors. Such a plan only
 * replaces a question, and its confidence is the probability that the control is meant.
 */
import { tokensOf } from "./clause-tokens.ts";
import { leadVerb } from "./clause-verb.ts";
import { isTick } from "./element-names.ts";
import type { Candidate } from "./element-similarity.ts";
import { found, type PlanRequest } from "./imperative-steps.ts";
import { isBare } from "./imperative-targets.ts";
import { type PlanResult, readOrders } from "./plan-by-imperatives.ts";
import { confidenceOf, isVague } from "./plan-confidence.ts";
import { similarElements } from "./similar-element-choice.ts";
import { withoutQuotes } from "./split-task-at-imperatives.ts";
import { detailsWithoutStep } from "./task-details-without-step.ts";
import type { Order } from "./task-imperatives.ts";
import { isDoubtful } from "./task-parts-missing-in-plan.ts";
import { hides, switchesOff } from "./task-word-lists.ts";
import type { WordVectors } from "./word-vectors.ts";

/** Minimum probability (0 to 1) at which the most similar control is used instead of a question. */
const MIN_CHANCE = 0.5;
/** Maximum confidence of such a plan, so that it is announced before it runs. */
const MAX_CONFIDENCE = 0.89;

/** @param planned the plan so far, which asks a question */
export function planBySimilarity(request: PlanRequest, planned: PlanResult): PlanResult | undefined {
  const { task, vectors, elements, answers, known = {}, done = [] } = request;
  const isFirst = [answers, known, done].every((one) => Object.keys(one).length === 0);
  const isOpen = planned.questions.every(({ id }) => OPEN.test(id));
  if (!vectors || !isFirst || !isOpen || isVague(withoutQuotes(task))) return undefined;
  const orders = readOrders(task, answers, elements).flatMap(({ order }) => order ?? []);
  // A task with several imperatives, or with a value, needs a step for each of them.
  const [first, second] = orders.filter((order) => !isBare(order) || leadVerb(tokensOf(order.target)));
  const isOneStep = !second && (orders.length === 1 || (first?.kind ?? "click") === "click");
  const made = isOneStep ? oneStep(request, planned, vectors) : undefined;
  if (!made || made.plan.steps.length === 0 || made.questions.length > 0) return undefined;
  const { steps } = made.plan;
  const isIncomplete = detailsWithoutStep(task, steps, elements, request.pageUrl).length > 0;
  return isIncomplete || isDoubtful({ task, steps, elements }) ? undefined : made;
}

/** Plans the task as one click or one choice of an option. */
function oneStep(
  request: PlanRequest,
  { plan, questions }: PlanResult,
  vectors: WordVectors,
): PlanResult | undefined {
  const { task, elements } = request;
  const several = questions.some(({ type }) => type === "option_select");
  const { candidates, chance } = similarElements(task, elements, vectors, several);
  const [best] = candidates;
  if (!best || chance < MIN_CHANCE) return undefined;
  const resolving = { at: 0, part: withoutQuotes(task), request, isLater: false, opener: undefined };
  const { steps, question, assumption } = found(
    orderFor(task, best),
    { element: best.element, score: chance },
    resolving,
  );
  if (question) return undefined;
  const certainty = Math.min(MAX_CONFIDENCE, chance);
  const isRisky = steps.some(({ risk }) => risk === "high");
  return {
    plan: {
      id: plan.id,
      version: plan.version,
      summary: steps.map(({ description }) => description).join("; "),
      confidence: confidenceOf(certainty, [certainty], [certainty], isRisky),
      steps: steps.map((step) => ({ ...step, confidence: certainty })),
      assumptions: assumption ? [{ ...assumption, field: task, confidence: certainty }] : [],
      risks: isRisky ? steps.map(({ description }) => `${description} may not be undone.`) : [],
      source: "page",
    },
    questions: [],
  };
}

/** Matches the ids of questions about a part of a task or about a target, and not about a value or a secret. */
const OPEN = /^(?:part|target)-/u;

function orderFor(task: string, { element, option }: Candidate): Order {
  const target = withoutQuotes(task);
  if (option !== undefined) return { kind: "select", target, value: option, also: target };
  if (!isTick(element)) return { kind: "click", target, value: null, also: target };
  const isOff = switchesOff(task, element.labelText ?? element.textContent ?? "");
  return {
    kind: "check",
    target,
    value: null,
    also: target,
    ...(isOff || hides(task) ? { off: isOff } : {}),
  };
}
