/**
 * Plans the steps of one imperative with a target, such as "click Save", on the elements of a page. The result
 * is the steps with their scores, or the question that must be answered first.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isListForOne } from "../clauses/links-to-lists-of-things.ts";
import {
  BARE_MATCH,
  candidates,
  candidatesWithOpposites,
  isBare,
} from "../clauses/possible-elements-for-imperative.ts";
import { inNamedRow } from "../elements/control-in-named-row.ts";
import { dateChoices } from "../elements/day-month-year-lists.ts";
import {
  hasOwnWord,
  hasWord,
  type Match,
  MIN_MATCH,
  NEAR,
  unknownWords,
} from "../elements/elements-described-by-task-words.ts";
import { optionIn, optionOf, sortOption } from "../elements/option-named-in-task.ts";
import {
  isField,
  isInHead,
  isList,
  isTick,
  roleOf,
  rowPath,
} from "../elements/texts-that-may-name-element.ts";
import { deferredStep, plainStep, plannedStep } from "../plan/build-plan-step.ts";
import { INFERRED_VALUE, isVague, targetScore } from "../plan/plan-confidence.ts";
import {
  confirmation,
  freeform,
  optionQuestion,
  secretQuestion,
  valueQuestion,
} from "../plan/plan-questions.ts";
import type { Plan, PlanStep, Question } from "../plan/plan-schemas.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { unquoted } from "../task/split-task-at-imperatives.ts";
import { elementsOfOpenTime } from "../values/everyday-times-to-page-times.ts";
import { contentWords } from "../words/normalised-words.ts";
import { hides, switchesOff } from "../words/task-word-lists.ts";
import type { WordVectors } from "../words/word-vectors.ts";

export interface PlanRequest {
  readonly task: string;
  readonly elements: readonly HighlightedElement[];
  readonly pageUrl: string;
  /** Answers to earlier questions, by the id of the question. */
  readonly answers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly version: number;
  /**
   * Minimum score (0 to 1) of an element that a step may choose as its target. Each refinement of the plan
   * lowers this minimum.
   */
  readonly accept?: number;
  /**
   * Steps from the application's map, by the index of their imperative. For such an imperative, the page is
   * not searched.
   */
  readonly known?: Readonly<Record<number, readonly PlanStep[]>>;
  /** Descriptions of the steps that are already done. A plan after a failure does not repeat them. */
  readonly done?: readonly string[];
  /** Word vectors for tasks whose words no control has. Without them, such a task leads to a question. */
  readonly vectors?: WordVectors | undefined;
}

export interface Opener {
  /** Whether the words of a click suggest that it opens a form, as in "Add user". */
  readonly opensForm: boolean;
}

/** The planned steps of one imperative with their scores, or the question that must be answered before. */
export interface Resolved {
  readonly part?: string;
  readonly partIndex?: number;
  readonly steps: readonly PlanStep[];
  readonly question?: Question;
  readonly target?: number;
  readonly value?: number;
  readonly assumption?: Plan["assumptions"][number];
  readonly isRivalled?: boolean;
  /** Number of words that the task uses for the target and that the chosen element lacks. */
  readonly unknown?: number;
  /** Whether the planned step leads to another page. */
  readonly leaves?: boolean;
}

/**
 * Minimum score (0 to 1) of an element that a high-risk step uses without a question. If the score is lower,
 * the person must first confirm the element.
 */
const CONFIRMED = 0.6;
/**
 * The choice between the best and the second-best element is ambiguous if their scores (0 to 1) differ by at
 * most this number.
 */
const RIVAL = 0.15;
/**
 * Minimum score (0 to 1) at which a value after a click such as "Add user" belongs to a field on this page.
 * Below it, the field is expected in the form that the click opens.
 */
const EXACT = 0.9;

/**
 * Score (0 to 1) of a list that offers the days, months or years of a date. It is chosen only together with
 * the lists for the other parts of the date.
 */
const DATE_LIST = 0.95;

/**
 * Returns a result without steps, for an imperative that can be planned only after the person has answered a
 * question.
 */
export function asked(question: Question): Resolved {
  return { steps: [], target: 0, value: 0, question };
}

export interface Resolving {
  readonly at: number;
  readonly part: string;
  readonly request: PlanRequest;
  /**
   * Whether an earlier step of the plan leads to another page. An element that is missing now may be on that
   * page.
   */
  readonly isLater: boolean;
  readonly opener: Opener | undefined;
  /** The field that the latest earlier step of the plan fills in. */
  readonly entered?: HighlightedElement | undefined;
}

/**
 * If several buttons match nearly equally well, returns the only one in the form that the task has just filled in:
 * "Enter Ada as the name and save". Otherwise returns `undefined`.
 */
function inFormOf(entered: HighlightedElement | undefined, matches: readonly Match[]): Match | undefined {
  const form = entered && formPath(entered);
  const [best] = matches;
  const own = matches.filter(
    ({ element, score }) => best && best.score - score < NEAR && formPath(element) === form,
  );
  return form !== undefined && own.length === 1 ? own[0] : undefined;
}

export function resolveTarget(order: Order, resolving: Resolving): Resolved {
  const { at, request } = resolving;
  const dated = inDateLists(order, resolving);
  if (dated) return dated;
  const questionId = `target-${at}`;
  const answer = request.answers[questionId];
  const wanted =
    answer === undefined ? order : { ...order, target: answer, also: undefined, ordinal: undefined };
  const accept = answer === undefined ? (request.accept ?? MIN_MATCH) : MIN_MATCH;
  const given = answer === undefined ? undefined : chosenBy(answer, request.elements);
  const rows = answer === undefined && order.kind === "select" ? bothTargets(order, resolving) : undefined;
  const isTicked = ({ targetId }: PlanStep): boolean =>
    request.elements.some((one) => one.highlight_index === targetId && isTick(one));
  if (rows?.steps.every(isTicked)) return rows;
  const matches = (given ? [{ element: given, score: 1 }] : withRowControls(wanted, request.elements)).filter(
    ({ score }) => score >= (isBare(order) ? Math.max(accept, BARE_MATCH) : accept),
  );
  const [best, next] = matches;
  const options = answer === undefined ? optionSteps(order, matches, resolving) : undefined;
  if (options) return options;
  const isWeak = !best || (order.kind === "check" && best.score < EXACT);
  if (isWeak && answer === undefined) {
    const both = bothTargets(order, resolving);
    const found = new Set(both?.steps.map(({ targetId }) => targetId));
    if (both && (!best || found.size > 1)) return both;
  }
  const times = order.kind === "click" ? elementsOfOpenTime(order.target, request.elements) : [];
  if (answer === undefined && times.length > 0)
    return missing(
      order,
      resolving,
      times.map((element) => ({ element, score: 1 })),
    );
  const { isLater, opener } = resolving;
  if (!best && isLater) return deferred(order, resolving);
  const isEntry = order.kind === "set" || order.kind === "input" || order.kind === "select";
  const isInForm = isEntry && opener?.opensForm === true && (best?.score ?? 0) < EXACT;
  const isAbsent = !best && candidates(wanted, request.elements).length === 0;
  if (answer === undefined && opener && mayAppear(order) && (isInForm || isAbsent))
    return deferred(order, resolving);
  if (!best) return missing(order, resolving, matches);
  if (answer === undefined && order.kind === "click" && isListForOne(resolving.part, best.element))
    return missing(order, resolving, candidatesWithOpposites(order, request.elements));
  const near = next !== undefined && best.score - next.score < NEAR && !(best.score === 1 && next.score < 1);
  if (near) {
    const own = answer === undefined ? inFormOf(resolving.entered, matches) : undefined;
    const other = answer === undefined ? inNamedRow(resolving.part, matches) : undefined;
    const chosen = own ?? other;
    return chosen ? found(order, chosen, resolving) : missing(order, resolving, matches);
  }
  const isRivalled = next !== undefined && best.score < 1 && best.score - next.score < RIVAL;
  const isNamed = order.kind !== "sign_in" && order.target !== "" && given === undefined;
  const unknown = isNamed && best.score < 1 ? unknownWords(order.target, best.element) : 0;
  return { ...found(order, best, resolving), ...(isRivalled ? { isRivalled } : {}), unknown };
}

/**
 * A clause may choose an option in each of several lists: "Only editors that are active" chooses a role and a state.
 * Returns a step for each list with such an option; `undefined` if not all matching elements are such lists.
 */
function optionSteps(order: Order, matches: readonly Match[], resolving: Resolving): Resolved | undefined {
  if (order.kind !== "click" || matches.length < 2) return undefined;
  const named = matches.filter(
    ({ element }) => isList(element) && optionIn(resolving.part, element) !== undefined,
  );
  const options = new Set(named.map(({ element }) => optionIn(resolving.part, element)));
  // If two lists have the option that the task names, the task means only one of the lists. So no step is planned for
  // each list.
  return named.length === matches.length && options.size === named.length
    ? joined(named.map((match) => found(order, match, resolving)))
    : undefined;
}

/**
 * Plans one step for each list in which a part of a date is chosen: three steps for "Set my date of birth to 14 May
 * 1992". Returns `undefined` if the page has no such lists for this date.
 */
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

/**
 * If a task names two elements, as "The dark theme and the compact density" does, plans one step for each. Returns
 * `undefined` if it does not, or if one of the elements is not found.
 */
function bothTargets(order: Order, resolving: Resolving): Resolved | undefined {
  const isChoice = order.kind === "select" && order.target === "";
  if (order.kind !== "click" && order.kind !== "check" && !isChoice) return undefined;
  const said = isChoice ? (order.value ?? "") : order.target;
  const [, one, other] = /^(.+?)\s+(?:and|und|et|y|e)\s+(.+)$/iu.exec(said) ?? [];
  if (!one || !other) return undefined;
  const [verb = ""] = resolving.part.split(" ");
  const resolved = [one, other].map((target) =>
    resolveTarget(
      { ...order, ...(isChoice ? { value: target } : { target }), also: `${verb} ${target}` },
      resolving,
    ),
  );
  return resolved.every(({ question, steps }) => !question && steps.length > 0)
    ? joined(resolved)
    : undefined;
}

export function joined(all: readonly Resolved[]): Resolved {
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

/** Matches the verb of an order to look at a thing: "Show the invoice". */
const SHOWING =
  /^(?:open|show|view|see|look|display|öffne|zeige?|ouvre|montre|affiche|abre|muestra|apri|mostra(?:mi)?|vedi|visualizza)\b/iu;

/**
 * Matches an order to make a new thing that is no column: "Add a workshop". A plus sign in the head of a table adds a column
 * (Directus, NocoDB, Baserow).
 */
const MAKING =
  /^(?:add|create|make|new|erstelle?|lege|ajoute[rz]?|cr[ée]er?|crea|añade|agrega|aggiungi)(?!\p{L})(?!.*(?:column|field|spalte|feld|colonne|champ|columna|campo))/iu;

/** Returns the elements that an order may mean. An order to make a thing never means the head of a column. */
const candidatesOutsideHeads = (order: Order, elements: readonly HighlightedElement[]): readonly Match[] =>
  candidates(order, MAKING.test(order.also ?? "") ? elements.filter((one) => !isColumnHead(one)) : elements);

/**
 * Leaves out the heads of columns, which sort a table, if an order to look at a thing fits another element equally well:
 * "Show the customers" means the link "Customers", and not the column "Customer" of the orders.
 */
function withoutColumnHeads({ also = "" }: Order, matches: readonly Match[]): readonly Match[] {
  const [best] = matches;
  const others = matches.filter(({ element }) => !isColumnHead(element));
  const [other] = others;
  return best && other && SHOWING.test(also) && best.score - other.score < NEAR ? others : matches;
}

const isColumnHead = (element: HighlightedElement): boolean =>
  element.tagName === "th" || roleOf(element) === "columnheader" || isInHead(element);

/**
 * Returns the elements that an imperative may mean. If a table cell fits an imperative such as "show" best,
 * and the cell's row has exactly one control for details, only this control is returned.
 */
function withRowControls(order: Order, elements: readonly HighlightedElement[]): readonly Match[] {
  const matches = withoutColumnHeads(order, candidatesOutsideHeads(order, elements));
  const [best] = matches;
  const row =
    best && best.element.tagName === "td" && SHOWING.test(order.also ?? "")
      ? rowPath(best.element)
      : undefined;
  if (!best || row === undefined) return matches;
  const [control, other] = elements.filter(
    (one) =>
      one.tagName !== "td" &&
      one.xpath.startsWith(`${row}/`) &&
      ["view", "eye"].some((word) => hasWord(one, word)),
  );
  return control && !other ? [{ element: control, score: best.score }] : matches;
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

/**
 * Whether the imperative names an element clearly. If this element is not on the page, a click may show it.
 */
function mayAppear(order: Order): boolean {
  const named = order.target === "" ? (order.value ?? "") : order.target;
  return !isBare(order) && named !== "" && !isVague(named);
}

/** Returns a step for an element that is not on the page yet. It is searched for when the step runs. */
export function deferred(order: Order, { at, request }: Resolving, others: readonly string[] = []): Resolved {
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

/**
 * Matches a search such as "invoices from Ada" or "tickets about toner". It captures the kind of thing
 * ("invoices") and the text to search for ("Ada").
 */
const SEARCHED =
  /^(?:(?:the|all|any|some|my|our|an?)\s+)*(\p{L}+)\s+(?:about|with|by|from|for|on|in|of|named|called|titled|containing|mentioning|like|matching)\s+(?:the\s+)?(\S.*)$/iu;

/** Matches words for a thing of any kind: "everything from Ada" searches for "Ada". */
const ANYTHING = /^(?:all|every(?:thing|one|body)|any(?:thing|one|body)|some(?:thing|one|body))$/iu;

/** Matches a kind of thing with its name or code: "the turbine SA-03". It captures the kind and the name. */
const SEARCHED_THING = /^(?:(?:the|my|our|this)\s+)?(\p{Ll}+)\s+(["“„«]?[\p{Lu}\d].*)$/u;

/**
 * Removes a noun from the text to search for, if a name of the search field contains this noun. In the field
 * "Search invoices", the text "invoices from Ada" becomes "Ada".
 */
function searchedText(order: Order, element: HighlightedElement): Order {
  const [, kind, thing] = order.kind === "search" ? (SEARCHED_THING.exec(order.value ?? "") ?? []) : [];
  if (kind && thing && hasOwnWord(element, kind)) return { ...order, value: unquoted(thing) };
  const [, noun, text] = order.kind === "search" ? (SEARCHED.exec(order.value ?? "") ?? []) : [];
  if (!noun || !text) return order;
  if (ANYTHING.test(noun)) return { ...order, value: unquoted(text.replace(PLACE_OF_SEARCH, "")) };
  if (hasOwnWord(element, noun)) return { ...order, value: unquoted(text.replace(PLACE_OF_SEARCH, "")) };
  // In "Search for invoices in my mail", the words "my mail" name the place to search, because the field
  // "Search mail" contains them. So only "invoices" is typed.
  const isPlace = contentWords(text).every((word) => hasOwnWord(element, word));
  return isPlace ? { ...order, value: noun } : order;
}

/**
 * Matches the words at the end of a search task that say where to search: "in the list" in "Becker in the
 * list".
 */
const PLACE_OF_SEARCH = /\s+in\s+(?:the|my|this)\s+(?:list|table|page)$/iu;

/**
 * Returns the step for an imperative whose element was found. The result has an assumption if the element does not
 * match exactly.
 *
 * @param question the question on the page that the element answers
 */
export function found(
  given: Order,
  { element, score }: Match,
  resolving: Resolving,
  question?: HighlightedElement,
): Resolved {
  const { at, part, request } = resolving;
  const order = searchedText(given, element);
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
  // The task "Filter by role Editor" names the list "Role". It means the choice of the option "Editor" in the
  // list, and not a click on the list.
  if ((order.kind === "click" || order.kind === "sort") && isList(element)) {
    const option = (order.kind === "sort" ? sortOption(part, element) : undefined) ?? optionIn(part, element);
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
  const isHiding = order.kind === "click" && isTick(element) && hides(part);
  const isOff = isHiding ? switchesOff(part, nameOf(element)) : order.off === true;
  if ((isHiding || order.kind === "check") && element.checked !== undefined && element.checked === !isOff) {
    return { steps: [], target, ...(assumption ? { assumption } : {}) };
  }
  const first = plannedStep(order, element, { action, target, part, question, elements: request.elements });
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
