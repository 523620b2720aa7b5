/**
 * Plans a task on a page without a language model. Each imperative of the task, such as "click Save", becomes
 * a step with an element and a value.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { deferredStep, plainStep, plannedStep, withDependencies } from "./build-plan-step.ts";
import { confidenceOf, INFERRED_VALUE, intentClarity, targetScore } from "./confidence.ts";
import { dialogueLimits } from "./limits.ts";
import { confirmation, freeform, optionQuestion, secretQuestion, valueQuestion } from "./plan-questions.ts";
import type { Plan, PlanStep, Question } from "./plan-schemas.ts";
import {
  findTargets,
  hasWord,
  isField,
  type Match,
  MIN_MATCH,
  NEAR,
  optionOf,
  roleOf,
  type Use,
  unknownWords,
} from "./target-match.ts";
import { contentWords } from "./target-words.ts";
import { type Order, type OrderKind, ordersOf } from "./task-imperatives.ts";
import { partsOf } from "./task-parts.ts";

export interface PlanRequest {
  readonly task: string;
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
  /** Answers to earlier questions, by the id of the question. */
  readonly answers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly version: number;
  /** Minimum score of an element that may be chosen. Each refinement of the plan uses a lower minimum. */
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
  readonly order: Order | undefined;
}

/** The steps and scores of one planned imperative, or the question that must be answered first. */
interface Resolved {
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
 * Minimum score of a match at which no other kind of element is tried. A verb may apply to several kinds:
 * "set" to a field, a list or a checkbox.
 */
const WEAK = 0.7;
/**
 * Minimum score of an element for a high-risk step without a question. Below it, the person is asked first
 * whether this element is meant.
 */
const CONFIRMED = 0.6;
/** Minimum score of a field or a list as the target of "click". */
const FIELD_CLICK = 0.8;
/** Minimum score of an element for a part of the task without a known verb. */
const BARE_MATCH = 0.62;
/**
 * Maximum distance between the best score and the second element's score at which the choice is ambiguous.
 */
const RIVAL = 0.15;
const ANY_ELEMENT: Use = "any";

export function readOrders(task: string, answers: Readonly<Record<string, string>>): readonly ReadOrder[] {
  const parts = withoutPronouns(partsOf(task, dialogueLimits.parts));
  return parts
    .flatMap((part, index): readonly Omit<ReadOrder, "at">[] => {
      const rephrased = answers[`part-${index}`];
      const orders = ordersOf(rephrased ?? part);
      return orders?.map((order) => ({ part: rephrased ?? part, order })) ?? [{ part, order: undefined }];
    })
    .map((read, at) => ({ ...read, at }));
}

const PRONOUN = /^(\p{L}+(?:\s+(?:on|to|up))?)\s+(?:it|them|that|this|those|these|that one|this one)$/iu;
const QUESTION = /^(?:what|which|where|who|how many|how much)\b\s*(?:are|is|kind of)?/iu;
const AUXILIARY = /\b(?:do|does|did|have|has|had|got|are|is|was|were|there|i|we|you|they|my|the)\b/giu;

/**
 * Replaces a pronoun by the noun of the preceding question: "What alerts do I have? Open them" becomes "Open
 * alerts".
 */
function withoutPronouns(parts: readonly string[]): readonly string[] {
  return parts.flatMap((part, at) => {
    const next = parts[at + 1];
    if (next !== undefined && QUESTION.test(part) && PRONOUN.test(next)) return [];
    const before = parts[at - 1];
    const [, verb] = PRONOUN.exec(part) ?? [];
    if (verb === undefined || before === undefined || !QUESTION.test(before)) return [part];
    return [`${verb} ${before.replace(QUESTION, " ").replace(AUXILIARY, " ").replace(/\s+/gu, " ").trim()}`];
  });
}

export function planOffline(request: PlanRequest): PlanResult {
  const { task, answers, id, version, known = {}, done = [] } = request;
  const resolved: Resolved[] = [];
  for (const { at, part, order } of readOrders(task, answers)) {
    const before = resolved.at(-1);
    const steps = known[at];
    if (steps) resolved.push({ steps, target: targetScore(1), leaves: true });
    else if (!order) resolved.push(unread(at, part));
    else resolved.push(resolve(order, { at, part, request, isLater: before?.leaves === true }));
    const last = resolved.at(-1);
    // If a step leads to another page, the later steps are planned for that page.
    if (before?.leaves && last && !last.leaves) resolved[resolved.length - 1] = { ...last, leaves: true };
  }
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
    },
    questions: (isEmpty
      ? [freeform("part-0", "What should be done? Name a button, a link or a field.")]
      : questions
    ).slice(0, dialogueLimits.questionsPerRound),
  };
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
    default:
      return resolveTarget(order, resolving);
  }
}

/** For each verb, the kinds of elements to which it may apply. They are tried in this order. */
const USES: Partial<Readonly<Record<OrderKind, readonly Use[]>>> = {
  click: ["click", ANY_ELEMENT],
  check: ["check", "click"],
  input: ["input"],
  sign_in: ["input"],
  search: ["input"],
  select: ["select", "check", "click"],
  set: ["input", "select", "check"],
};

function resolveTarget(order: Order, resolving: Resolving): Resolved {
  const { at, request } = resolving;
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
  if (!best) return resolving.isLater ? deferred(order) : missing(order, resolving, matches);
  const near = next !== undefined && best.score - next.score < NEAR && !(best.score === 1 && next.score < 1);
  if (near) return missing(order, resolving, matches);
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
  return named.length === matches.length
    ? joined(named.map((match) => found(order, match, resolving)))
    : undefined;
}

/** Plans "The dark theme and the compact density" as two steps, if each part names an element. */
function bothTargets(order: Order, resolving: Resolving): Resolved | undefined {
  if (order.kind !== "click") return undefined;
  const [, one, other] = /^(.+?)\s+(?:and|und|et|y)\s+(.+)$/iu.exec(order.target) ?? [];
  if (!one || !other) return undefined;
  const resolved = [one, other].map((target) =>
    resolveTarget({ ...order, target, also: undefined }, resolving),
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

/** Whether the part of the task has no known verb. Then all its words may be the name of an element. */
const isBare = ({ kind, target, also }: Order): boolean => kind === "click" && target === also;

function chosenBy(answer: string, elements: readonly HighlightedElement[]): HighlightedElement | undefined {
  return elements.find(
    (element) => String(element.highlight_index) === answer || (answer !== "" && nameOf(element) === answer),
  );
}

function candidates(order: Order, all: readonly HighlightedElement[]): readonly Match[] {
  const elements = all.filter(({ disabled }) => !disabled);
  const { kind, target, value, also, ordinal } = order;
  if (kind === "select" && target === "") return optionMatches(value ?? "", elements);
  if (kind === "input" && target === "") return onlyOne(elements.filter(isField));
  if (kind === "sign_in") return signInFields(order, elements);
  if (kind === "search") return searchFields(order, elements);
  const option = kind === "select" || kind === "set" ? (value ?? undefined) : undefined;
  if (isBare(order)) return bareMatches(order, elements);
  let best: readonly Match[] = [];
  for (const use of USES[kind] ?? []) {
    const isChoice = (kind === "select" || kind === "set") && (use === "click" || use === "check");
    const words = isChoice
      ? [`${value ?? ""} in ${target}`, value ?? ""]
      : [target, ...(kind === "click" && also ? [also] : [])];
    for (const said of words) {
      const matches = findTargets({ words: said, use, ordinal, option }, elements);
      // A field is clicked only if the task names it almost exactly.
      const least = use === ANY_ELEMENT ? FIELD_CLICK : (best[0]?.score ?? 0);
      if ((matches[0]?.score ?? 0) > Math.max(least, best[0]?.score ?? 0)) best = matches;
    }
    // When an element matches one use of the verb well, no other use is tried.
    if ((best[0]?.score ?? 0) >= WEAK && kind !== "set") break;
  }
  if (best.length === 0 && kind === "click") best = optionLists(`${target} ${also ?? ""}`, elements);
  // "Add a user to the project" looks as if text should be typed, but names no field. So an element to click
  // is searched for, by all words of the part.
  if (best.length === 0 && also !== undefined && kind !== "click")
    return findTargets({ words: also, use: "click", ordinal }, elements).filter(({ score }) => score >= WEAK);
  return best;
}

/**
 * Score factor of an element that matches the nouns of a part, but not its verb: "Add tag" for "Remove a
 * tag".
 */
const OTHER_VERB = 0.75;
/** Score of an element whose name equals only the verb of the part. */
const VERB_ONLY = 0.65;

/**
 * Finds elements for a part with an unknown verb. The words may be the name of an element: "Generate the
 * report", "Revoke the session".
 */
function bareMatches({ target, ordinal }: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const [verb = "", ...rest] = target.split(/\s+/u);
  const uses: readonly Use[] = ["click", "check"];
  const whole = uses.flatMap((use) => findTargets({ words: target, use, ordinal }, elements));
  const matches = whole
    .filter(({ element }, at) => whole.findIndex((one) => one.element === element) === at)
    .map(({ element, score }) => ({
      element,
      score: rest.length === 0 || hasWord(element, verb) ? score : score * OTHER_VERB,
    }))
    .toSorted((one, other) => other.score - one.score);
  const [best] = matches;
  const called = findTargets({ words: verb, use: "click", ordinal }, elements).filter(
    ({ score }) => score >= WEAK,
  );
  const isByVerb = called.some(({ element }) => element === best?.element);
  // Rejects the best match when another element is named exactly like the verb: "Manage the member" does not
  // mean "User management".
  const isOther = best !== undefined && !isByVerb && best.score < SURE && called.length > 0;
  if (rest.length === 0 || ((best?.score ?? 0) >= BARE_MATCH && !isOther)) return matches;
  if (called.length > 0) return called.map(({ element }) => ({ element, score: VERB_ONLY }));
  return optionLists(target, elements);
}

/** Minimum score at which the name of an element counts as matching all words of the part. */
const SURE = 0.9;

/**
 * Finds lists that have an option named in this part of the task, such as "Suspended" for "Show only
 * suspended users".
 */
function optionLists(part: string, elements: readonly HighlightedElement[]): readonly Match[] {
  return elements
    .filter((element) => isList(element) && optionIn(part, element) !== undefined)
    .map((element) => ({ element, score: WEAK }));
}

/** Finds lists that contain the option, and elements that are named like the option. */
function optionMatches(value: string, elements: readonly HighlightedElement[]): readonly Match[] {
  const lists = elements.filter((element) => element.options && optionOf(element, value) !== undefined);
  const named = findTargets({ words: value, use: "check" }, elements);
  const clicked = findTargets({ words: value, use: "click" }, elements);
  const [first = []] = [named, clicked].toSorted(
    (one, other) => (other[0]?.score ?? 0) - (one[0]?.score ?? 0),
  );
  if ((first[0]?.score ?? 0) >= 1 || lists.length === 0) return first;
  return lists.map((element) => ({ element, score: 0.95 }));
}

const onlyOne = (elements: readonly HighlightedElement[]): readonly Match[] =>
  elements.length === 1 ? elements.map((element) => ({ element, score: WEAK })) : [];

function signInFields({ value, target }: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const fields = elements.filter(isField);
  const secret = fields.filter(({ type }) => type === "password");
  if (value === null && target === "password")
    return secret.map((element) => ({ element, score: 1 })).slice(0, 1);
  const named = fields.filter(
    (element) =>
      element.type !== "password" &&
      /user|e-?mail|login|account|name|benutzer|utilisateur|usuario|correo/iu.test(
        `${nameOf(element)} ${element.attributes.name ?? ""} ${element.attributes.autocomplete ?? ""} ${element.type}`,
      ),
  );
  const before = secret[0]
    ? named.filter((element) => element.highlight_index < (secret[0]?.highlight_index ?? 0))
    : named;
  const last = before.at(-1) ?? named[0];
  return last ? [{ element: last, score: 1 }] : [];
}

const SEARCHES = /\b(?:search|find|query|filter|suche\w*|recherche\w*|buscar)\b/iu;

/** Finds the field for a search: a field with a name such as "Search", or the only text field of the page. */
function searchFields({ target }: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const fields = elements.filter((element) => isField(element) && element.type !== "password");
  const named = target === "search" ? [] : findTargets({ words: target, use: "input" }, elements);
  if (named.length > 0) return named;
  const called = fields.filter(
    (element) =>
      element.type === "search" ||
      element.role === "searchbox" ||
      SEARCHES.test(`${nameOf(element)} ${element.placeholder ?? ""} ${element.attributes.name ?? ""}`),
  );
  if (called.length > 0) {
    const global = called.filter((element) =>
      /^\W*(?:search|suche|recherche|buscar)[\W\w]{0,12}$/iu.test(nameOf(element)),
    );
    const best = global.length === 1 ? global : called;
    return best.map((element) => ({ element, score: 0.95 }));
  }
  return onlyOne(fields);
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

/** Plans a step on a page that is not open yet. The element is searched for when that page is open. */
function deferred(order: Order): Resolved {
  const enter = order.kind === "search" ? [plainStep("send_keys", "Enter", "Press Enter")] : [];
  return {
    steps: [deferredStep(order), ...enter],
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
    if (secret === undefined) return asked(secretQuestion(at, element));
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

const isList = ({ interactionType, tagName }: HighlightedElement): boolean =>
  interactionType === "select" || tagName === "select";

/**
 * Returns the option of a list that a part of the task names. Words in the name of the list are not compared
 * with options.
 */
function optionIn(part: string, element: HighlightedElement): string | undefined {
  const said = new Set(contentWords(part));
  for (const word of contentWords(nameOf(element))) said.delete(word);
  const named = (element.options ?? []).filter((one) => {
    const words = contentWords(one);
    return words.length > 0 && words.every((word) => said.has(word));
  });
  return named.toSorted((one, other) => other.length - one.length)[0];
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
