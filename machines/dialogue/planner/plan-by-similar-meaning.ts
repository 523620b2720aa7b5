/**
 * Plans a task with one click or one choice, if no control has the words of the task. It chooses the control
 * with the most similar meaning, by word vectors. Such a plan only replaces a question, and its confidence is
 * the probability that the control is meant.
 */

import { detailsWithoutStep } from "../checks/task-details-without-step.ts";
import { isDoubtful } from "../checks/task-parts-missing-in-plan.ts";
import { type Choice, similarElements } from "../clauses/control-choice-by-similarity.ts";
import type { Candidate } from "../clauses/control-similarity-to-clause.ts";
import { isBare } from "../clauses/possible-elements-for-imperative.ts";
import { isOppositeOf } from "../elements/controls-with-other-effect-than-asked.ts";
import { distinctTexts } from "../elements/element-names-for-questions.ts";
import { isTick, namesOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { summaryOf } from "../plan/build-plan-step.ts";
import { confidenceOf, isVague } from "../plan/plan-confidence.ts";
import { leadVerb } from "../task/clause-verb.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { hides, switchesOff } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { type PlanResult, readOrders } from "./plan-by-imperatives.ts";
import { found, type PlanRequest } from "./plan-steps-of-imperative.ts";

/** Minimum probability (0 to 1) at which the most similar control is used instead of a question. */
const MIN_CHANCE = 0.5;
/**
 * Maximum confidence (0 to 1) of a plan that was made by word vectors. It is so low that the plan is
 * announced before it runs, and the person can stop it.
 */
const MAX_CONFIDENCE = 0.89;
/**
 * Matches a task that forbids something. Such a task is not planned by word vectors, because "Never give the
 * money back" has a similar vector to "Refund".
 */
const FORBIDS = /^\s*(?:please\s+)?(?:never|do\s+not|don['’]t)\b/iu;

/**
 * Plans a task by similarity. If no control is similar enough, the question gets the most similar controls as
 * options. Returns `undefined` if neither is possible.
 *
 * @param planned the plan so far, which asks a question
 */
export function planBySimilarity(request: PlanRequest, planned: PlanResult): PlanResult | undefined {
  const { task, elements, vectors } = request;
  if (!vectors || FORBIDS.test(task) || !mayBeOneStep(request, planned)) return undefined;
  const choice = similarElements(task, elements, vectors, hasSeveral(planned));
  const [best] = choice.scored;
  // Words with opposite meanings have similar vectors, so "Unlock the door" may find "Lock door". Such a
  // control is not used.
  if (best && isOppositeOf(task)(best.candidate.element)) return undefined;
  const made = choice.chance < MIN_CHANCE ? undefined : similarStep(request, planned, choice);
  return made ?? withSimilarOptions(planned, choice);
}

/** Whether the planner has found several controls that fit the words of the task equally well. */
export const hasSeveral = ({ questions }: PlanResult): boolean =>
  questions.some(({ type }) => type === "option_select");

/** Whether a task that led to a question may be done by one click or one choice. */
export function mayBeOneStep(request: PlanRequest, { questions }: PlanResult): boolean {
  const { task, elements, answers, known = {}, done = [] } = request;
  const isFirst = [answers, known, done].every((one) => Object.keys(one).length === 0);
  const isOpen = questions.every(({ id }) => OPEN.test(id));
  if (!isFirst || !isOpen || isVague(withoutQuotes(task))) return false;
  const orders = readOrders(task, answers, elements).flatMap(({ order }) => order ?? []);
  // A task with several imperatives, or with a value, needs a step for each of them.
  const [first, second] = orders.filter((order) => !isBare(order) || leadVerb(tokensOf(order.target)));
  return !second && (orders.length === 1 || (first?.kind ?? "click") === "click");
}

type Control = Pick<Candidate, "element" | "option">;

/** The controls that fit a task, best first, and the probability (0 to 1) that the first one is meant. */
interface ChosenControl {
  readonly scored: readonly { readonly candidate: Control }[];
  readonly chance: number;
}

/**
 * Plans the task as one click, or one choice of an option, on the most similar control. Returns `undefined` if
 * this plan leaves out a part of the task.
 */
export function similarStep(
  request: PlanRequest,
  { plan }: PlanResult,
  { scored, chance }: ChosenControl,
): PlanResult | undefined {
  const { task, elements, pageUrl, vectors } = request;
  const [best] = scored;
  if (!best) return undefined;
  const { candidate } = best;
  const resolving = { at: 0, part: withoutQuotes(task), request, isLater: false, opener: undefined };
  const { steps, question, assumption } = found(
    orderFor(task, candidate),
    { element: candidate.element, score: chance },
    resolving,
  );
  if (question || steps.length === 0 || isDoubtful({ task, steps, elements, vectors })) return undefined;
  if (dropsValue(request, candidate)) return undefined;
  if (detailsWithoutStep(task, steps, elements, pageUrl).length > 0) return undefined;
  const certainty = Math.min(MAX_CONFIDENCE, chance);
  const isRisky = steps.some(({ risk }) => risk === "high");
  return {
    plan: {
      id: plan.id,
      version: plan.version,
      summary: summaryOf(steps),
      confidence: confidenceOf(certainty, [certainty], [certainty], isRisky),
      steps: steps.map((step) => ({ ...step, confidence: certainty })),
      assumptions: assumption ? [{ ...assumption, field: task, confidence: certainty }] : [],
      risks: isRisky ? steps.map(({ description }) => `${description} may not be undone.`) : [],
      source: "page",
    },
    questions: [],
  };
}

/**
 * Whether a task sets a value ("Set the priority to major"), but the chosen control is a link or a button that does
 * not contain this value.
 */
function dropsValue({ task, answers, elements }: PlanRequest, { element, option }: Control): boolean {
  if (option !== undefined || isTick(element)) return false;
  const own = [...namesOf(element).map(({ text }) => text), rowText(element)].flatMap((text) =>
    contentWords(text),
  );
  return readOrders(task, answers, elements).some(({ order }) => {
    const value = order?.kind === "set" ? contentWords(order.value ?? "") : [];
    return value.some((word) => !FILLERS.has(word) && wordScore(word, own) === 0);
  });
}

/** Maximum number of similar controls that a question offers. */
const OFFERED = 3;
/** Minimum probability (0 to 1) of the most similar control at which a question offers it. */
const MIN_OFFERED = 0.1;

/**
 * Adds the controls whose meaning is most similar to the task as options to a question that has none. Returns
 * `undefined` if fewer than two controls can be offered, or if the question is not about an element.
 */
function withSimilarOptions(planned: PlanResult, { scored, chance }: Choice): PlanResult | undefined {
  const [question, another] = planned.questions;
  const isForTarget = question?.type === "freeform" && question.id.startsWith("target-");
  if (!isForTarget || another || chance < MIN_OFFERED) return undefined;
  const [best] = scored;
  const offered = scored.filter(({ candidate }) => candidate.option === undefined).slice(0, OFFERED);
  const texts = distinctTexts(offered.map(({ candidate }) => candidate.element));
  const options = offered.map(({ candidate: { element }, score }, at) => ({
    id: String(element.highlight_index),
    text: texts[at] ?? "",
    confidence: chance * Math.exp(score - (best?.score ?? score)),
  }));
  if (options.length < 2) return undefined;
  return { ...planned, questions: [{ ...question, type: "option_select", options }] };
}

/** Matches the ids of questions about a part of a task or about a target, and not about a value or a secret. */
const OPEN = /^(?:part|target)-/u;

function orderFor(task: string, { element, option }: Control): Order {
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
