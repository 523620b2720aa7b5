/**
 * Improves a plan in rounds, until it is good enough or a round brings no improvement. The first plan accepts
 * only elements whose name is nearly the wanted name; later plans also accept similar names.
 */

import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { summaryOf, withDependencies } from "./build-plan-step.ts";
import { planByRowMenu } from "./controls-in-row-menu.ts";
import { controlWithWholeName } from "./controls-with-whole-name-in-task.ts";
import { withNamingWord } from "./creation-imperatives.ts";
import { deletesWholeEntry } from "./deletion-of-part-of-entry.ts";
import { dialogueLimits } from "./dialogue-limits.ts";
import { isField, isList, isTick } from "./element-names-for-tasks.ts";
import { MIN_MATCH } from "./elements-described-by-task-words.ts";
import { furtherEntries, pressedLast } from "./form-values-missing-in-plan.ts";
import { withJoinedVerb, withPlainCreation } from "./german-separable-verbs.ts";
import { isForbidden, withoutHeldBack } from "./negated-clauses.ts";
import { contentWords, plainText } from "./normalised-words.ts";
import { ordinalIn } from "./parse-task-imperatives.ts";
import type { Order } from "./parsed-imperative.ts";
import { type PlanResult, planOffline, readOrders } from "./plan-by-imperatives.ts";
import { planBySimilarity, similarStep } from "./plan-by-similarity.ts";
import { planByMeaning } from "./plan-by-word-match.ts";
import { confidenceOf } from "./plan-confidence.ts";
import { evaluatePlan } from "./plan-evaluation.ts";
import { freeform } from "./plan-questions.ts";
import type { Feedback, Plan, PlanStep, Refinement } from "./plan-schemas.ts";
import { found, type PlanRequest, type Resolved } from "./plan-steps-of-imperative.ts";
import { withoutReason } from "./reasons-in-task.ts";
import { withoutEntryOrder, withoutPageThing, withReferent } from "./references-to-earlier-clause.ts";
import { withNewNumber } from "./relative-number-changes.ts";
import { dropsException } from "./rows-except-named-ones.ts";
import { usesOtherRows, withTickedRows } from "./rows-ticked-before-action.ts";
import { isOneClause } from "./split-task-at-commas.ts";
import { FIRST_VERB, singleSpaced } from "./split-task-at-imperatives.ts";
import { detailsWithoutStep } from "./task-details-without-step.ts";
import { isDoubtful } from "./task-parts-missing-in-plan.ts";
import { withPageValues } from "./task-values-for-page-fields.ts";
import { withRepeatedValue } from "./value-to-enter-twice.ts";
import { bound } from "./values-bound-by-field-index.ts";
import { speltAsOnPage } from "./words-spelt-as-on-page.ts";

export interface RefinedPlan extends PlanResult {
  readonly iterations: readonly Refinement[];
  readonly score: number;
}

/**
 * Minimum scores (0 to 1) of an element that a step may use. The first is for the first plan, and the second
 * for its refinement.
 */
const STRICTNESS = [0.9, MIN_MATCH] as const;

/**
 * Plans a task without the part that it forbids, such as "block the card" in "Show the PIN, but don't block
 * the card".
 */
export const planRefined = (request: PlanRequest): RefinedPlan => planPart(request, taskToDo(request));

/**
 * Plans the part of a task that is not forbidden. If this plan has a high-risk step that the forbidden part
 * names, the plan asks the person instead.
 *
 * @param task the task without the forbidden part, as `taskToDo` returns it
 */
export function planPart(given: PlanRequest, task: string): RefinedPlan {
  const request = { ...given, task: singleSpaced(given.task) };
  const planned = planWhole(task === "" ? request : { ...request, task });
  if (Object.keys(request.answers).length > 0) return planned;
  const isStated = task !== request.task && STATEMENT.test(task) && planned.plan.steps.every(isClick);
  const isRefused =
    task === "" ||
    isStated ||
    isForbidden(request.task, planned.plan, request.elements, isHigh) ||
    usesOtherRows(request.task, planned.plan.steps, request.elements) ||
    deletesWholeEntry(request.task, planned.plan.steps, request.elements) ||
    dropsException({ task: request.task, steps: planned.plan.steps, elements: request.elements });
  return isRefused ? { ...planned, ...nothingOf(request.task, planned) } : planned;
}

/**
 * Matches a task that contains only a statement after its forbidden part was removed. "The comment is rude,
 * but don't delete it" becomes "The comment is rude".
 */
const STATEMENT =
  /^(?:the|this|that|my|der|die|das|le|la|les|el|los|las|il|lo|gli)\s[^,;]*\s(?:is|are|was|were|ist|sind|war|est|sont|es|son|está|están|è|sono)\s[^,;]*$/iu;
const isClick = ({ action }: PlanStep): boolean => action === "click";

const isHigh = ({ risk }: PlanStep): boolean => risk === "high";

/**
 * Checks the plan of another planner. Returns a question instead if the plan does what the task forbids, or
 * drops a condition of the task. A plan is not checked if a person has answered questions about it.
 */
export function acceptedPlan({ task, elements, answers }: PlanRequest, given: PlanResult): PlanResult {
  if (Object.keys(answers).length > 0 || given.questions.length > 0) return given;
  const { steps } = given.plan;
  const isRefused = isForbidden(task, given.plan, elements) || isDoubtful({ task, steps, elements });
  return isRefused ? nothingOf(task, given) : given;
}

/**
 * Returns the task without its forbidden parts; empty if it only forbids something. The person's answers do
 * not change the result, so the task's parts and questions keep their numbers in every round.
 */
export function taskToDo(request: PlanRequest): string {
  return withoutHeldBack(singleSpaced(request.task), request.elements, (task) =>
    planWhole({ ...request, task, answers: {}, known: {}, vectors: undefined }),
  );
}

/**
 * Plans a task in the spelling of the page, and ticks the rows that it names before a button that acts on the ticked rows
 * of a list. A value is entered in the spelling of the task.
 */
function planWhole(given: PlanRequest): RefinedPlan {
  const spelt = { ...given, task: speltAsOnPage(given.task, given.elements) };
  const inSpelling = planWithReferents(spelt);
  const isChanged =
    spelt.task !== given.task &&
    (inSpelling.questions.length > 0 || inSpelling.plan.steps.some(({ value }) => !isIn(given.task, value)));
  const request = isChanged ? given : spelt;
  const planned = isChanged ? planWithReferents(given) : inSpelling;
  return { ...planned, ...withTickedRows(request, planned) };
}

const isIn = (task: string, value: string | null): boolean =>
  value === null || plainText(task).includes(plainText(value));

/**
 * Plans a task. If the plan is a question, the task is planned again with each pronoun replaced by the thing
 * that it refers to. In "The comment by Ottilie is fine, approve it", "it" is replaced by the comment. A
 * separable German verb is joined: "hochladen" for "Lade ein Dokument hoch".
 */
function planWithReferents(given: PlanRequest): RefinedPlan {
  const entered = withoutEntryOrder(given.task) ?? withPlainCreation(given.task) ?? given.task;
  const repeated = withRepeatedValue(entered, given.elements);
  const request = { ...given, task: withNewNumber(repeated, given.elements) };
  const planned = planWords(request);
  const isFirst = Object.keys(request.answers).length === 0 && Object.keys(request.known ?? {}).length === 0;
  const made = isFirst ? planOfNamedThing(request) : undefined;
  if (made) return made;
  const named = isFirst ? wholeNamePlan(request, planned) : undefined;
  if (named) return { ...planned, ...named };
  if (planned.questions.length === 0 && isFirst) return { ...planned, ...planByRowMenu(request, planned) };
  if (planned.questions.length === 0 || !isFirst) return planned;
  const { task: written } = request;
  const rewritten = [
    withJoinedVerb(written),
    withReferent(written),
    withoutEntryOrder(written),
    withoutReason(written),
    withNamingWord(written),
    withoutPageThing(written),
  ];
  for (const task of rewritten) {
    const other = task === undefined ? undefined : planWords({ ...request, task });
    if (!other || other.questions.length > 0 || other.plan.steps.length === 0) continue;
    // The check uses the task as the person wrote it. The rewritten task may lack a condition, such as "If
    // the comment by Noah is rude" before "delete it".
    if (!isDoubtful({ ...request, steps: other.plan.steps })) return other;
  }
  const similar = planBySimilarity(request, planned);
  const inMenu = similar?.questions.length === 0 ? undefined : planByRowMenu(request, planned);
  return { ...planned, ...(inMenu ?? similar) };
}

/** Plans the form of a new thing whose name follows its noun, if a form of the page takes the name: "Add the user Marc". */
function planOfNamedThing(request: PlanRequest): RefinedPlan | undefined {
  const task = withNamingWord(request.task);
  const planned = task === undefined ? undefined : planWords({ ...request, task });
  const isOpen = planned?.plan.steps.every(({ deferred, value }) => deferred || value === null) ?? true;
  return isOpen || planned?.questions.length !== 0 ? undefined : planned;
}

/** Score (0 to 1) of a control whose complete name is in the task. */
const WHOLE_NAME = 0.9;

/** Plans a click on the control whose complete name is in the task. */
function wholeNamePlan(request: PlanRequest, planned: PlanResult): PlanResult | undefined {
  const element = controlWithWholeName(request.task, planned.plan.steps, request.elements);
  if (!element) return undefined;
  const candidate = { element, option: undefined };
  return similarStep(request, planned, { scored: [{ candidate }], chance: WHOLE_NAME });
}

function planWords(given: PlanRequest): RefinedPlan {
  const added = answeredDetail(given);
  const request = added === "" ? given : { ...given, task: `${given.task}, ${added}` };
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
    // If two plans have equal scores, the newer one is used. It also accepts elements with a lower score, so
    // its questions offer more options.
    if (next.feedback.score >= best.feedback.score) best = next;
    if (!isBetter) break;
  }
  const first = best.result;
  const meant = surerPlan(request, first);
  if (meant) {
    const next = { result: meant, feedback: evaluatePlan({ ...meant, elements: request.elements, parts }) };
    iterations.push(refinement(iterations.length + 1, best, next));
    best = next;
  }
  best = { ...best, result: withFurtherEntries(request, best.result) };
  const answer = given.answers[UNUSED_QUESTION] ?? "";
  if (isForbidden(answer, best.result.plan, request.elements))
    return { ...nothingOf(request.task, best.result), iterations, score: best.feedback.score };
  const asked = doubtOf(request, best.result, first);
  if (asked) return { ...asked, iterations, score: best.feedback.score };
  const unused = withUnusedDetails(request, best.result);
  if (unused) return { ...unused, iterations, score: best.feedback.score };
  return { ...withUnplacedDetail(given, best.result), iterations, score: best.feedback.score };
}

/**
 * Adds steps for the parts of a task that fit the form of the plan's steps, before the button that the plan presses. A
 * question about a value is removed if a step uses this value.
 */
function withFurtherEntries(request: PlanRequest, given: PlanResult): PlanResult {
  const { task, elements, answers, known = {}, done = [] } = request;
  const { unplaced = [] } = given.plan;
  const isFirst = Object.keys(answers).length === 0 && Object.keys(known).length === 0 && done.length === 0;
  if (!isFirst || given.plan.steps.length === 0 || given.questions.length > unplaced.length) return given;
  const ordered = given.questions.length === 0 ? pressedLast(given.plan.steps, elements) : undefined;
  const plan = ordered ? { ...given.plan, steps: ordered, summary: summaryOf(ordered) } : given.plan;
  const result = { ...given, plan };
  const { entries: added, isComplete } = furtherEntries(task, plan.steps, elements);
  if (unplaced.some((value) => !isComplete || !added.some((entry) => entry.value === value))) return result;
  const resolved = added.map(({ element, value, score }): Resolved => {
    const kind = isTick(element) ? "check" : isList(element) ? "select" : isField(element) ? "set" : "click";
    const isEntry = kind === "select" || kind === "set";
    const order: Order = { kind, target: nameOf(element), value: isEntry ? value : null };
    const resolving = { at: 0, part: order.target, request, isLater: false, opener: undefined };
    return found({ ...order, off: value === "off" }, { element, score: Math.min(score, 0.99) }, resolving);
  });
  const steps = resolved.flatMap((one) => one.steps);
  if (steps.length === 0 || resolved.some(({ question }) => question)) return result;
  const end = plan.steps.findLastIndex((step) => !isPress(step, elements)) + 1;
  const { intentClarity, targetMatch, valueConfidence } = plan.confidence.breakdown;
  const scores = [targetMatch, ...resolved.flatMap(({ target }) => target ?? [])];
  const [entries, presses] = [[...plan.steps.slice(0, end), ...steps], plan.steps.slice(end)];
  const all = withDependencies([...inPageOrder(entries, elements), ...presses]);
  const confidence = confidenceOf(intentClarity, scores, [valueConfidence], all.some(isHigh));
  return { plan: { ...plan, steps: all, summary: summaryOf(all), confidence }, questions: [] };
}

const isPress = ({ action, targetId }: PlanStep, elements: readonly HighlightedElement[]): boolean =>
  action === "click" && elements.some((one) => one.highlight_index === targetId && !isTick(one));

/** Returns the steps in the order in which their elements are on the page. */
function inPageOrder(
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): readonly PlanStep[] {
  const at = ({ targetId }: PlanStep): number =>
    elements.findIndex(({ highlight_index }) => highlight_index === targetId);
  return steps.toSorted((one, other) => at(one) - at(other));
}

/**
 * Some parts change the meaning of a task, such as a condition. If the plan drops such a part, returns a plan
 * without steps that asks the person. If the first plan has asked which of several elements is meant, returns
 * the first plan.
 */
function doubtOf(
  { task, answers, known = {}, elements, vectors }: PlanRequest,
  result: PlanResult,
  first: PlanResult,
): PlanResult | undefined {
  const { plan, questions } = result;
  if (questions.length > 0 || Object.keys(answers).length > 0 || Object.keys(known).length > 0)
    return undefined;
  if (!isDoubtful({ task, steps: plan.steps, elements, vectors })) return undefined;
  return first.questions.some(({ options }) => options.length > 1) ? first : nothingOf(task, result);
}

/**
 * If no step of the plan uses a name, a number, a quoted text or an e-mail address of the task, lowers the confidence
 * of the plan and asks what the unused text is for. The answer is read as a further part of the task.
 */
function withUnusedDetails(
  { task, answers, known = {}, done = [], elements, pageUrl }: PlanRequest,
  { plan, questions }: PlanResult,
): PlanResult | undefined {
  const isFirst = Object.keys(answers).length === 0 && Object.keys(known).length === 0 && done.length === 0;
  if (!isFirst || questions.length > 0 || plan.steps.length === 0) return undefined;
  const [unused] = detailsWithoutStep(task, plan.steps, elements, pageUrl);
  if (unused === undefined) return undefined;
  const { intentClarity, targetMatch, valueConfidence } = plan.confidence.breakdown;
  const isRisky = plan.steps.some(isHigh);
  const clarity = Math.max(0, intentClarity - UNUSED_DETAIL);
  return {
    plan: { ...plan, confidence: confidenceOf(clarity, [targetMatch, 0], [valueConfidence], isRisky) },
    questions: [
      freeform(UNUSED_QUESTION, `No step of the plan uses "${unused}". What should be done with it?`),
    ],
  };
}

/**
 * Marks a detail of the task as unplaced if the person's answer about it, such as "y", leads to no further
 * step. So the dialogue asks again before it completes the task.
 */
function withUnplacedDetail(given: PlanRequest, result: PlanResult): PlanResult {
  const { [UNUSED_QUESTION]: answer, ...answers } = given.answers;
  const { plan } = result;
  if (answer === undefined || answeredDetail(given) === "" || plan.unplaced?.length) return result;
  const [unused] = detailsWithoutStep(given.task, plan.steps, given.elements, given.pageUrl);
  if (unused === undefined || hasOtherSteps(plan, planWords({ ...given, answers }).plan)) return result;
  return { ...result, plan: { ...plan, unplaced: [unused] } };
}

/** Whether two plans do different things. */
const hasOtherSteps = (one: Plan, other: Plan): boolean =>
  one.steps.length !== other.steps.length ||
  one.steps.some(({ action, targetId, value }, at) => {
    const step = other.steps[at];
    return action !== step?.action || targetId !== step.targetId || value !== step.value;
  });

/** Matches an answer by which a person gives up a detail of the task, such as "ignore it" or "nothing". */
const NOTHING =
  /^\s*(?:no(?:pe)?|nothing|none|never\s*mind|(?:ignore|skip|forget)(?:\s+(?:it|that|this))?|leave\s+it\s+out|nein|nichts|non|rien|nada)[\s.!]*$/iu;
/**
 * Matches an answer to "What should be done with this value?" that may name a field: "It is the customer".
 */
const FIELD_FOR_DETAIL =
  /^\s*(?:(?:it|that|this)(?:['’]s|\s+is|\s+goes\s+in(?:to)?)\s+|(?:as|for|in(?:to)?)\s+)?(?:(?:the|an?|my)\s+)?(.+?)[\s.!]*$/iu;

/**
 * Returns the person's answer about a detail that no step uses, as a further part of the task. Returns an empty text
 * if the answer only says what is not to be done.
 */
function answeredDetail(request: PlanRequest): string {
  const { task, elements, pageUrl } = request;
  const answer = request.answers[UNUSED_QUESTION];
  if (answer === undefined || NOTHING.test(answer)) return "";
  const planOf = (text: string): PlanResult => planWords({ ...request, task: text, answers: {} });
  const [, label = ""] = FIELD_FOR_DETAIL.exec(answer) ?? [];
  const [field, another] = elements.filter(
    (one) => isField(one) && plainText(nameOf(one)) === plainText(label),
  );
  if (field && !another) {
    const [unused] = detailsWithoutStep(task, planOf(task).plan.steps, elements, pageUrl);
    if (unused !== undefined) return bound(field, unused);
  }
  return withoutHeldBack(singleSpaced(answer), elements, planOf);
}

/** Amount by which the clarity (0 to 1) of a task is reduced if no step uses one of its details. */
const UNUSED_DETAIL = 0.5;
/** Id of the question about a detail of the task that no step uses. */
const UNUSED_QUESTION = "unused-0";

/** Returns a plan without steps. Its question asks the person what should be done. */
export function nothingOf<Result extends PlanResult>(task: string, { plan, ...rest }: Result) {
  const confidence = confidenceOf(0, [0], [0], false);
  return {
    ...rest,
    plan: { ...plan, steps: [], assumptions: [], risks: [], confidence, summary: "Nothing can be done yet." },
    questions: [freeform("part-0", `What should be done for "${task}"? Name a button, a link or a field.`)],
  };
}

/**
 * Compares the plan of the task's imperatives (`result`) with a second plan, which is made by matching words.
 * Returns the second plan if the first only asks a question, or if the elements of the second fit the words
 * better. It ignores the person's answers, so that each round makes the same choice.
 */
function surerPlan(request: PlanRequest, result: PlanResult): PlanResult | undefined {
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
  // A step of the first plan may be on a later page (`deferred`). If that step has a value, the second plan
  // is used only if it enters the value on the present page.
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
  // For "Assign it to Amara", the first plan chooses an option of a list. A plan by meaning that does not
  // choose this option is worse.
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

/** Whether the plan by matching words types only the end of the first plan's value: "4B" of "Unit 4B". */
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
    // "It" in "add it to my expenses" and "the post" in "put the post into the category Food" are no values.
    const isReference = REFERENCE.test(order?.value ?? "");
    const words = isStated && !isReference ? contentWords(order.secret ?? order.value ?? "") : [];
    return words.length > 0 && !words.some((word) => used.has(word));
  });
}

/** Matches a pronoun, or an article with a noun in lower case. */
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
