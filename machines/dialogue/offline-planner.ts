/**
 * Plans a task on a page without a language model. Each imperative of the task, such as "click Save", becomes
 * a step with an element and a value.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { deferredStep, plainStep, plannedStep, submitStep, withDependencies } from "./build-plan-step.ts";
import { confidenceOf, INFERRED_VALUE, intentClarity, isVague, targetScore } from "./confidence.ts";
import { dateChoices } from "./date-lists.ts";
import { formFields, formPath, submitsOf } from "./form-scope.ts";
import { dialogueLimits } from "./limits.ts";
import { unusedValues } from "./named-values.ts";
import { BARE_MATCH, candidates, isBare, isList, optionIn } from "./order-matches.ts";
import {
  confirmation,
  freeform,
  optionQuestion,
  secretQuestion,
  unusedQuestion,
  valueQuestion,
} from "./plan-questions.ts";
import type { Plan, PlanStep, Question } from "./plan-schemas.ts";
import {
  hasWord,
  isField,
  type Match,
  MIN_MATCH,
  NEAR,
  namesOf,
  optionOf,
  roleOf,
  rowText,
  showsWord,
  unknownWords,
} from "./target-match.ts";
import { contentWords } from "./target-words.ts";
import { type Order, ordersOf } from "./task-imperatives.ts";
import { partsOf } from "./task-parts.ts";
import { withoutPronouns } from "./task-pronouns.ts";

export interface PlanRequest {
  readonly task: string;
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
  /** Answers to earlier questions, by the id of the question. */
  readonly answers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly version: number;
  /**
   * Minimum score (0 to 1) at which an element may be chosen as the target of a step. Each refinement of the
   * plan uses a lower minimum.
   */
  readonly accept?: number;
  /**
   * Steps that the application's map already contains, by the index of the imperative. No element is searched
   * for on the page for these imperatives.
   */
  readonly known?: Readonly<Record<number, readonly PlanStep[]>>;
  /** Descriptions of the steps that are already done. A plan after a failure does not repeat them. */
  readonly done?: readonly string[];
}

export interface PlanResult {
  readonly plan: Plan;
  readonly questions: readonly Question[];
}

/** The imperatives of a task, each with the part of the task's text that contains it. */
export interface ReadOrder {
  readonly at: number;
  readonly part: string;
  /** Index of the part of the task that contains the imperative. One part may have several imperatives. */
  readonly partIndex: number;
  readonly order: Order | undefined;
}

interface Opener {
  /** Whether the words of the click indicate that it opens a form, as in "Add user". */
  readonly opensForm: boolean;
}

/** The steps and scores of one planned imperative, or the question that must be answered first. */
interface Resolved {
  readonly part?: string;
  readonly partIndex?: number;
  readonly steps: readonly PlanStep[];
  readonly question?: Question;
  readonly target?: number;
  readonly value?: number;
  readonly assumption?: Plan["assumptions"][number];
  readonly isRivalled?: boolean;
  /** Number of words in the target's description that the chosen element does not have. */
  readonly unknown?: number;
  /** Whether the step leads to another page. */
  readonly leaves?: boolean;
}

/**
 * Minimum score of an element for a high-risk step without a question. Below this score, the person must
 * first confirm that the element is the right one.
 */
const CONFIRMED = 0.6;
/**
 * Maximum difference between the scores of the best and the second-best element at which the choice is
 * ambiguous.
 */
const RIVAL = 0.15;
/**
 * Minimum score at which an element of this page is the field for a value after a click such as "Add user".
 * Below it, the field is expected in the form that the click opens.
 */
const EXACT = 0.9;

/** @param elements the elements of the page, on which the task may name a person or a thing */
export function readOrders(
  task: string,
  answers: Readonly<Record<string, string>>,
  elements: readonly HighlightedElement[],
): readonly ReadOrder[] {
  const isShown = (entity: string): boolean =>
    contentWords(entity).every((word) => elements.some((one) => showsWord(one, word)));
  const parts = withoutPronouns(partsOf(task, dialogueLimits.parts), isShown);
  return parts
    .flatMap((part, index): readonly Omit<ReadOrder, "at">[] => {
      const rephrased = answers[`part-${index}`];
      const orders = ordersOf(rephrased ?? part);
      const read = { part: rephrased ?? part, partIndex: index };
      return orders?.map((order) => ({ ...read, order })) ?? [{ ...read, order: undefined }];
    })
    .map((read, at) => ({ ...read, at }));
}

export function planOffline(request: PlanRequest): PlanResult {
  const { task, answers, id, version, known = {}, done = [] } = request;
  const orders = readOrders(task, answers, request.elements);
  const found: Resolved[] = [];
  for (const { at, part, partIndex, order } of orders) {
    const before = found.at(-1);
    const steps = known[at];
    const isLater = before?.leaves === true;
    const opener = openerIn(found);
    if (steps) found.push({ steps, partIndex, target: targetScore(1), leaves: true });
    else if (!order) found.push({ ...unread(partIndex, part), partIndex });
    else {
      const entered = enteredIn(found, request.elements);
      found.push({ ...resolve(order, { at, part, request, isLater, opener, entered }), partIndex, part });
    }
    const last = found.at(-1);
    // If a step leads to another page, the later steps are planned for that page.
    if (before?.leaves && last && !last.leaves) found[found.length - 1] = { ...last, leaves: true };
  }
  const { resolved, unplaced } = withUnusedValues(found, request, orders);
  const steps = withDependencies(
    resolved.flatMap((one) => one.steps).filter(({ description }) => !done.includes(description)),
  );
  const questions = resolved.flatMap(({ question }) => question ?? []);
  const risky = steps.filter(({ risk }) => risk === "high");
  const clarity = intentClarity(task, {
    unread: questions.length,
    rivals: resolved.filter(({ isRivalled }) => isRivalled).length,
    unknown: resolved.reduce((sum, one) => sum + (one.unknown ?? 0), 0),
  });
  const isEmpty = resolved.length === 0;
  const confidence = confidenceOf(
    isEmpty ? 0 : clarity,
    isEmpty ? [0] : resolved.flatMap(({ target }) => target ?? []),
    isEmpty ? [0] : resolved.flatMap(({ value }) => value ?? []),
    risky.length > 0,
  );
  return {
    plan: {
      id,
      version,
      summary:
        steps.length === 0
          ? "Nothing can be done yet."
          : steps.map(({ description }) => description).join("; "),
      confidence,
      steps,
      assumptions: resolved.flatMap(({ assumption }) => assumption ?? []),
      risks: risky.map(({ description }) => `${description} may not be undone.`),
      source: Object.keys(known).length > 0 ? "map" : "page",
      ...(unplaced.length > 0 ? { unplaced: [...unplaced] } : {}),
    },
    questions: (isEmpty
      ? [freeform("part-0", "What should be done? Name a button, a link or a field.")]
      : questions
    ).slice(0, dialogueLimits.questionsPerRound),
  };
}

/**
 * Adds a step or a question for each value of the task that no step uses. It adds a step if the person has
 * named the field for the value, else a question.
 */
function withUnusedValues(
  found: readonly Resolved[],
  request: PlanRequest,
  orders: readonly ReadOrder[],
): { readonly resolved: readonly Resolved[]; readonly unplaced: readonly string[] } {
  const used = [
    ...found.flatMap(({ steps }) => steps.flatMap((step) => textsOf(step, request.elements))),
    ...(request.done ?? []),
    ...orders.flatMap(({ at, order }) => [
      // An answer of the person replaces the words of the task.
      ...(request.answers[`target-${at}`] === undefined ? [] : [order?.target ?? ""]),
      ...(request.answers[`value-${at}`] === undefined ? [] : [order?.value ?? ""]),
    ]),
  ];
  const unplaced: string[] = [];
  const resolved = [...Map.groupBy(found, ({ partIndex = 0 }) => partIndex)].flatMap(([partIndex, own]) => {
    const [{ part } = { part: undefined }] = own;
    const isOpen = own.some(({ question }) => question !== undefined);
    // An imperative without a step and without a question needs no step, as when its checkbox is already
    // checked.
    if (part === undefined || (!isOpen && own.some(({ steps }) => steps.length === 0))) return own;
    return [...own].concat(
      ...unusedValues(part, used).map((value): Resolved[] => {
        const field = request.answers[`place-${partIndex}`];
        if (field === undefined) {
          unplaced.push(value);
          if (isOpen) return [];
          const isClick = own.every(({ steps }) => steps.every(({ action }) => action === "click"));
          return [{ ...asked(unusedQuestion(partIndex, value, isClick)), partIndex }];
        }
        const order: Order = { kind: "set", target: field, value };
        const opener = openerIn(own);
        return [
          {
            ...resolve(order, { at: orders.length + partIndex, part, request, isLater: false, opener }),
            partIndex,
          },
        ];
      }),
    );
  });
  return { resolved, unplaced };
}

/**
 * Returns all texts of a step and of its element. A value of the task that occurs in one of them counts as
 * used.
 */
function textsOf(
  { description, value, secret, target, targetId }: PlanStep,
  elements: readonly HighlightedElement[],
): readonly string[] {
  const element = elements.find(({ highlight_index }) => highlight_index === targetId);
  const own = element ? [...namesOf(element).map(({ text }) => text), element.value, rowText(element)] : [];
  return [description, value, secret, target?.name, target?.around, element?.formName, ...own].flatMap(
    (text) => text ?? [],
  );
}

/** Matches a part whose click is likely to open a form. */
const OPENS_FORM =
  /^(?:\p{L}+\s+(?:on\s+)?)?["“„«'`]?(?:the\s+)?(?:add|create|new|invite|compose|write|edit|neu\p{L}*|ajouter|añadir)\b/iu;

/**
 * Returns the field that the last planned step fills. Returns `undefined` if that step does not fill a field.
 */
function enteredIn(
  found: readonly Resolved[],
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const last = found.at(-1)?.steps.at(-1);
  const isEntry = last?.action === "input" || last?.action === "select_dropdown";
  return isEntry ? elements.find(({ highlight_index }) => highlight_index === last.targetId) : undefined;
}

/**
 * Returns the last click before an imperative. An element that the page lacks may appear after this click.
 */
function openerIn(found: readonly Resolved[]): Opener | undefined {
  const last = found.findLast(({ steps }) => steps.some(({ action }) => action === "click"));
  return last && { opensForm: OPENS_FORM.test(last.part ?? "") };
}

/** Returns the result for an imperative that cannot be planned until the person answers a question. */
function asked(question: Question): Resolved {
  return { steps: [], target: 0, value: 0, question };
}

function unread(at: number, part: string): Resolved {
  const text = `What should be done for "${part}"? Name a button, a link or a field.`;
  return asked(freeform(`part-${at}`, text));
}

interface Resolving {
  readonly at: number;
  readonly part: string;
  readonly request: PlanRequest;
  /** Whether an earlier step leads to another page. A missing element may then exist on that page. */
  readonly isLater: boolean;
  readonly opener: Opener | undefined;
  /** The element that the last step before this one fills. */
  readonly entered?: HighlightedElement | undefined;
}

/**
 * Returns the only button in the form that was just filled, among buttons that match nearly equally well:
 * "Enter Ada as the name and save".
 */
function inFormOf(entered: HighlightedElement | undefined, matches: readonly Match[]): Match | undefined {
  const form = entered && formPath(entered);
  const [best] = matches;
  const own = matches.filter(
    ({ element, score }) => best && best.score - score < NEAR && formPath(element) === form,
  );
  return form !== undefined && own.length === 1 ? own[0] : undefined;
}

function resolve(order: Order, resolving: Resolving): Resolved {
  switch (order.kind) {
    case "navigate":
      return {
        steps: [plainStep("navigate", order.value, `Open ${order.value}`, "url")],
        value: 1,
        leaves: true,
      };
    case "keys":
      return { steps: [plainStep("send_keys", order.value, `Press ${order.value}`)], value: 1 };
    case "go_back":
      return { steps: [plainStep("go_back", null, "Go back")], leaves: true };
    case "refresh":
      return { steps: [plainStep("refresh", null, "Reload the page")] };
    case "scroll":
      return { steps: [plainStep("scroll", order.value, `Scroll ${order.value}`)] };
    case "create":
      return resolveCreate(order, resolving);
    default:
      return resolveTarget(order, resolving);
  }
}

/**
 * Plans "Create a study named beta". If the form is on this page, its fields are filled and it is submitted.
 * Otherwise the button that opens the form is clicked first, and the fields are searched for when the form is
 * open.
 */
function resolveCreate(order: Order, given: Resolving): Resolved {
  const { target, entries = [] } = order;
  // The risk is computed without the words of the values: "Add a task named Buy milk" is not a purchase.
  const resolving = { ...given, part: target };
  const here = resolveForm(order, resolving);
  if (here) return here;
  const opener = resolveTarget({ kind: "click", target, value: null, also: target }, resolving);
  if (opener.question || opener.steps.length === 0) return opener;
  const later = entries.map((entry) => deferred(entry, resolving, entry.also ? [entry.also] : []));
  const submit = { steps: [submitStep(order)], target: targetScore(0) };
  return joined([opener, ...later, submit]);
}

/**
 * Plans to fill and submit a form of this page. Returns `undefined` if no form creates the thing and has a
 * field for each value.
 */
function resolveForm(order: Order, resolving: Resolving): Resolved | undefined {
  const { target, also = "", entries = [] } = order;
  const { elements } = resolving.request;
  const [button] = candidates({ kind: "click", target, value: null, also: target }, elements);
  const own = button ? formFields(button.element, elements) : [];
  const filled = entries.map((entry) => entryMatch(entry, own.length > 0 ? own : elements, own.length > 0));
  const [first] = filled;
  if (!first || filled.some((match) => match === undefined)) return undefined;
  const isOne = filled.every((match) => match && formPath(match.element) === formPath(first.element));
  if (formPath(first.element) === undefined || !isOne) return undefined;
  const [submit] =
    own.length > 0 && button ? [button.element] : submitsOf(first.element, [target, also], elements);
  if (!submit || (own.length === 0 && !hasWord(submit, also))) return undefined;
  const click: Order = { kind: "click", target, value: null, also: target };
  return joined([
    ...filled.flatMap((match, at) => {
      const entry = entries[at];
      return match && entry ? found(entry, match, resolving) : [];
    }),
    found(click, { element: submit, score: button?.element === submit ? button.score : SUBMIT }, resolving),
  ]);
}

/** Score of a list that is chosen because it offers a part of a date next to the other parts. */
const DATE_LIST = 0.95;
/** Score of a button that is chosen because it submits the form of a field, and not by its name. */
const SUBMIT = 0.8;
/** Minimum score of a field outside of a form, for the field to receive a value of the created thing. */
const ENTRY = 0.75;

function entryMatch(entry: Order, fields: readonly HighlightedElement[], isForm: boolean): Match | undefined {
  const matches = [entry.target, entry.also ?? ""]
    .flatMap((words) => candidates({ ...entry, target: words, also: undefined }, fields))
    .toSorted((one, other) => other.score - one.score);
  const [best] = matches;
  if (best && best.score >= (isForm ? MIN_MATCH : ENTRY)) return best;
  // If a form has a single text field, the value belongs into it, whatever the name of the field is.
  const [only] = fields;
  return isForm && fields.length === 1 && only ? { element: only, score: ENTRY } : undefined;
}

function resolveTarget(order: Order, resolving: Resolving): Resolved {
  const { at, request } = resolving;
  const dated = inDateLists(order, resolving);
  if (dated) return dated;
  const questionId = `target-${at}`;
  const answer = request.answers[questionId];
  const wanted =
    answer === undefined ? order : { ...order, target: answer, also: undefined, ordinal: undefined };
  const accept = answer === undefined ? (request.accept ?? MIN_MATCH) : MIN_MATCH;
  const given = answer === undefined ? undefined : chosenBy(answer, request.elements);
  const matches = (given ? [{ element: given, score: 1 }] : candidates(wanted, request.elements)).filter(
    ({ score }) => score >= (isBare(order) ? Math.max(accept, BARE_MATCH) : accept),
  );
  const [best, next] = matches;
  const options = answer === undefined ? optionSteps(order, matches, resolving) : undefined;
  if (options) return options;
  if (!best && answer === undefined) {
    const both = bothTargets(order, resolving);
    if (both) return both;
  }
  const { isLater, opener } = resolving;
  if (!best && isLater) return deferred(order, resolving);
  const isEntry = order.kind === "set" || order.kind === "input" || order.kind === "select";
  const isInForm = isEntry && opener?.opensForm === true && (best?.score ?? 0) < EXACT;
  const isAbsent = !best && candidates(wanted, request.elements).length === 0;
  if (answer === undefined && opener && mayAppear(order) && (isInForm || isAbsent))
    return deferred(order, resolving);
  if (!best) return missing(order, resolving, matches);
  const near = next !== undefined && best.score - next.score < NEAR && !(best.score === 1 && next.score < 1);
  if (near) {
    const own = answer === undefined ? inFormOf(resolving.entered, matches) : undefined;
    return own ? found(order, own, resolving) : missing(order, resolving, matches);
  }
  const isRivalled = next !== undefined && best.score < 1 && best.score - next.score < RIVAL;
  const isNamed = order.kind !== "sign_in" && order.target !== "" && given === undefined;
  const unknown = isNamed && best.score < 1 ? unknownWords(order.target, best.element) : 0;
  return { ...found(order, best, resolving), ...(isRivalled ? { isRivalled } : {}), unknown };
}

/**
 * Plans "Only editors that are active" as one step for each list, if each list has one of the named options.
 */
function optionSteps(order: Order, matches: readonly Match[], resolving: Resolving): Resolved | undefined {
  if (order.kind !== "click" || matches.length < 2) return undefined;
  const named = matches.filter(
    ({ element }) => isList(element) && optionIn(resolving.part, element) !== undefined,
  );
  const options = new Set(named.map(({ element }) => optionIn(resolving.part, element)));
  // If two lists have the same option, only one of them is meant, so they do not become two steps.
  return named.length === matches.length && options.size === named.length
    ? joined(named.map((match) => found(order, match, resolving)))
    : undefined;
}

/** Plans "Set my date of birth to 14 May 1992" as one step for each list of the date. */
function inDateLists(order: Order, resolving: Resolving): Resolved | undefined {
  const { kind, target, value } = order;
  if ((kind !== "set" && kind !== "select") || target === "" || value === null) return undefined;
  const choices = dateChoices(target, value, resolving.request.elements);
  return (
    choices &&
    joined(
      choices.map(({ element, option }) =>
        found({ ...order, kind: "select", value: option }, { element, score: DATE_LIST }, resolving),
      ),
    )
  );
}

/** Plans "The dark theme and the compact density" as two steps, if each part names an element. */
function bothTargets(order: Order, resolving: Resolving): Resolved | undefined {
  if (order.kind !== "click" && order.kind !== "check") return undefined;
  const [, one, other] = /^(.+?)\s+(?:and|und|et|y)\s+(.+)$/iu.exec(order.target) ?? [];
  if (!one || !other) return undefined;
  const [verb = ""] = resolving.part.split(" ");
  const resolved = [one, other].map((target) =>
    resolveTarget({ ...order, target, also: `${verb} ${target}` }, resolving),
  );
  return resolved.every(({ question, steps }) => !question && steps.length > 0)
    ? joined(resolved)
    : undefined;
}

function joined(all: readonly Resolved[]): Resolved {
  const lowest = (of: (one: Resolved) => number | undefined): number | undefined => {
    const given = all.flatMap((one) => of(one) ?? []);
    return given.length === 0 ? undefined : Math.min(...given);
  };
  const [target, value] = [lowest((one) => one.target), lowest((one) => one.value)];
  const assumption = all.find((one) => one.assumption)?.assumption;
  return {
    steps: all.flatMap(({ steps }) => steps),
    ...(target === undefined ? {} : { target }),
    ...(value === undefined ? {} : { value }),
    ...(assumption ? { assumption } : {}),
    unknown: all.reduce((sum, one) => sum + (one.unknown ?? 0), 0),
    leaves: all.some(({ leaves }) => leaves),
  };
}

function chosenBy(answer: string, elements: readonly HighlightedElement[]): HighlightedElement | undefined {
  return elements.find(
    (element) => String(element.highlight_index) === answer || (answer !== "" && nameOf(element) === answer),
  );
}

function missing(order: Order, resolving: Resolving, matches: readonly Match[]): Resolved {
  const { at, part } = resolving;
  const id = `target-${at}`;
  const called = order.target === "" ? (order.value ?? part) : order.target;
  const question =
    matches.length > 0
      ? optionQuestion(id, called, matches)
      : freeform(
          id,
          isBare(order)
            ? `What should be done for "${part}"? Name a button, a link or a field.`
            : `There is no ${whatIs(order)} "${called}" on this page. Which one is meant?`,
        );
  return { steps: [], target: 0, value: 0, question };
}

function whatIs({ kind }: Order): string {
  if (kind === "input" || kind === "search" || kind === "set" || kind === "sign_in") return "field";
  if (kind === "select") return "list or option";
  return kind === "check" ? "checkbox" : "button or link";
}

/** Whether to expect a missing element after a click. The task must name the element. */
function mayAppear(order: Order): boolean {
  const named = order.target === "" ? (order.value ?? "") : order.target;
  return !isBare(order) && named !== "" && !isVague(named);
}

/** Plans a step whose element is not on the page yet. It is searched for when the step runs. */
function deferred(order: Order, { at, request }: Resolving, others: readonly string[] = []): Resolved {
  const isSecret = order.kind === "sign_in" && order.value === null && order.secret === undefined;
  const secret = isSecret ? request.answers[`secret-${at}`] : order.secret;
  if (isSecret && secret === undefined) return asked(secretQuestion(at, order.target));
  const enter = order.kind === "search" ? [plainStep("send_keys", "Enter", "Press Enter")] : [];
  return {
    steps: [deferredStep({ ...order, secret }, others), ...enter],
    target: targetScore(0),
    ...(order.value === null ? {} : { value: 1 }),
    leaves: true,
  };
}

function found(order: Order, { element, score }: Match, resolving: Resolving): Resolved {
  const { at, part, request } = resolving;
  const target = targetScore(score);
  const isAnswered = request.answers[`target-${at}`] !== undefined;
  const assumption =
    score < 1 && !isAnswered
      ? {
          field: order.target === "" ? (order.value ?? part) : order.target,
          assumedValue: nameOf(element) || (element.icon ?? roleOf(element)),
          confidence: target,
          questionId: `target-${at}`,
        }
      : undefined;
  const action = actionFor(order, element);
  // The list itself is not clicked: "Filter by role Editor" chooses an option of the list.
  if (order.kind === "click" && isList(element)) {
    const option = optionIn(part, element);
    if (option === undefined) return asked(valueQuestion(at, { ...order, value: part }, element));
    return found({ ...order, kind: "select", value: option }, { element, score }, resolving);
  }
  if (action === "input" && needsSecret(order, element)) {
    const secret = order.secret ?? request.answers[`secret-${at}`];
    if (secret === undefined) return asked(secretQuestion(at, nameOf(element)));
    return {
      steps: [plannedStep({ ...order, value: null, secret }, element, { action, target, part })],
      target,
      value: 1,
    };
  }
  if (action === "select_dropdown" && order.value !== null) {
    const option = optionOf(element, request.answers[`value-${at}`] ?? order.value);
    if (option === undefined && element.options) return asked(valueQuestion(at, order, element));
    const chosen = { ...order, value: option ?? order.value };
    return {
      steps: [plannedStep(chosen, element, { action, target, part })],
      target,
      value: 1,
      ...(assumption ? { assumption } : {}),
    };
  }
  if (order.kind === "check" && element.checked !== undefined && element.checked === !order.off) {
    return { steps: [], target, ...(assumption ? { assumption } : {}) };
  }
  const first = plannedStep(order, element, { action, target, part });
  if (first.risk === "high" && score < CONFIRMED && !isAnswered)
    return asked(confirmation(at, element, target));
  const enter = order.kind === "search" ? [plainStep("send_keys", "Enter", "Press Enter")] : [];
  const value =
    order.value === null || action === "click" ? undefined : order.kind === "search" ? INFERRED_VALUE : 1;
  return {
    steps: [first, ...enter],
    target,
    ...(value === undefined ? {} : { value }),
    ...(assumption ? { assumption } : {}),
    leaves: action === "click" ? leavesPage(element, request.pageUrl) : enter.length > 0,
  };
}

function actionFor({ kind }: Order, element: HighlightedElement): string {
  if (kind === "click" || kind === "check") return "click";
  if (isList(element)) return "select_dropdown";
  return isField(element) ? "input" : "click";
}

/**
 * Whether a field needs a stored secret. A password is typed only from a stored secret, and never from the
 * text of the chat.
 */
function needsSecret({ secret }: Order, { type }: HighlightedElement): boolean {
  return type === "password" || secret !== undefined;
}

function leavesPage({ attributes: { href } }: HighlightedElement, pageUrl: string): boolean {
  if (href === undefined || /^\s*(?:#|javascript:|$)/iu.test(href)) return false;
  const [there, here] = [URL.parse(href, pageUrl), URL.parse(pageUrl)];
  return (
    there?.pathname !== here?.pathname || there?.search !== here?.search || there?.origin !== here?.origin
  );
}
