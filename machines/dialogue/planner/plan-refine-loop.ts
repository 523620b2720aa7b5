/**
 * Improves a plan in rounds, until it is good enough or a round brings no improvement. The first plan accepts
 * only elements whose name is nearly the wanted name; later plans also accept similar names.
 */

import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { deletesWholeEntry } from "../checks/deletion-of-part-of-entry.ts";
import { isForbidden, withoutHeldBack } from "../checks/negated-clauses.ts";
import { dropsException } from "../checks/rows-except-named-ones.ts";
import { detailsWithoutStep } from "../checks/task-details-without-step.ts";
import { isDoubtful } from "../checks/task-parts-missing-in-plan.ts";
import { controlWithWholeName } from "../clauses/controls-with-whole-name-in-task.ts";
import { withAddedEntry } from "../clauses/field-that-adds-by-enter.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { MIN_MATCH } from "../elements/elements-described-by-task-words.ts";
import { isField, isList, isTick } from "../elements/texts-that-may-name-element.ts";
import { summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { evaluatePlan } from "../plan/evaluate-plan-by-criteria.ts";
import { confidenceOf } from "../plan/plan-confidence.ts";
import { freeform } from "../plan/plan-questions.ts";
import type { Feedback, Plan, PlanStep, Refinement } from "../plan/plan-schemas.ts";
import { withNamingWord } from "../task/creation-imperatives.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { withoutEntryOrder, withoutPageThing, withReferent } from "../task/references-to-earlier-clause.ts";
import { withoutReason } from "../task/remove-reasons-from-task.ts";
import { singleSpaced } from "../task/split-task-at-imperatives.ts";
import { speltAsOnPage } from "../values/compound-words-spelt-as-on-page.ts";
import { withNewNumber } from "../values/relative-number-changes.ts";
import { withRepeatedValue } from "../values/value-to-enter-twice.ts";
import { bound } from "../values/values-bound-by-field-index.ts";
import { withJoinedVerb, withPlainCreation } from "../words/german-separable-verbs.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { CREATING } from "../words/task-word-lists.ts";
import { planByRowMenu } from "./controls-in-row-menu.ts";
import { changesByFilter } from "./filter-fields-for-changes.ts";
import { furtherEntries, pressedLast } from "./form-values-missing-in-plan.ts";
import { type PlanResult, planOffline, readOrders } from "./plan-by-imperatives.ts";
import { planBySimilarity, similarStep } from "./plan-by-similar-meaning.ts";
import { found, type PlanRequest, type Resolved } from "./plan-steps-of-imperative.ts";
import { usesOtherRows, withTickedRows } from "./rows-ticked-before-action.ts";
import { surerPlan } from "./surer-plan-of-two.ts";

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
    usesOtherRows(request, planned.plan.steps) ||
    deletesWholeEntry(request.task, planned.plan.steps, request.elements) ||
    changesByFilter({ ...request, steps: planned.plan.steps }) ||
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
 * Plans a task with its words spelt as on the page. Values are entered in the spelling of the task. If the
 * plan presses a button for ticked rows, the rows that the task names are ticked first.
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
  const entered =
    withAddedEntry(given.task, given.elements) ??
    withoutEntryOrder(given.task) ??
    withPlainCreation(given.task) ??
    given.task;
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

/**
 * Plans to fill in the form for a new thing whose name directly follows its noun: "Add the user Marc". Returns
 * `undefined` if no field of this page takes the name.
 */
function planOfNamedThing(request: PlanRequest): RefinedPlan | undefined {
  const task = withNamingWord(request.task, nounsOfFields(request.elements));
  const planned = task === undefined ? undefined : planWords({ ...request, task });
  const isOpen = planned?.plan.steps.every(({ deferred, value }) => deferred || value === null) ?? true;
  return isOpen || planned?.questions.length !== 0 ? undefined : planned;
}

/**
 * Returns the nouns in the names of a page's text fields: "ingredient" for "New ingredient" and for "Ingredients".
 */
const nounsOfFields = (elements: readonly HighlightedElement[]): ReadonlySet<string> =>
  new Set(
    elements
      .filter((one) => isField(one) && !isList(one))
      .map((one) =>
        contentWords(nameOf(one))
          .filter((word) => !CREATING.has(word))
          .join(" "),
      ),
  );

/** Score (0 to 1) of a control whose complete name is in the task. */
const WHOLE_NAME = 0.9;

/** Plans a click on the control whose complete name is in the task; `undefined` if there is no such control. */
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
 * A part of the task may match a field of the form that the plan fills in, although no step uses the part. Adds steps
 * for such parts, before the step that presses the form's button. A question about a value is removed if a new step
 * uses the value.
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
 * If the plan drops a part that changes the meaning of the task, such as a condition, returns a plan without
 * steps that asks the person. If the first plan of the task already asks which of several elements is meant,
 * returns that plan instead.
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

/** Whether two plans use different elements or values. */
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
