/**
 * Plans a task on a page without a language model. Each imperative of the task, such as "click Save", becomes
 * a step with an element and a value.
 */

import { saveIconButtonOf } from "../../session/controls/save-icon-in-title-bar.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { renameButton } from "../clauses/submit-click-after-values.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { hasOwnWord, MIN_MATCH, showsWord } from "../elements/elements-described-by-task-words.ts";
import { submitsOf } from "../elements/elements-of-one-form.ts";
import { isField, isTick, namesOf, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { plainStep, submitStep, summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf, intentClarity, targetScore } from "../plan/plan-confidence.ts";
import { freeform, unusedQuestion } from "../plan/plan-questions.ts";
import type { Plan, PlanStep, Question } from "../plan/plan-schemas.ts";
import { ordersOf } from "../task/parse-task-imperatives.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { withoutPronouns } from "../task/replace-pronouns-in-task.ts";
import { partsOf } from "../task/split-task-at-imperatives.ts";
import { unusedValues } from "../task/values-in-task.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { plainPhrase } from "../words/plain-verbs-for-phrases.ts";
import { EDITING, RENAMING } from "../words/task-word-lists.ts";
import {
  asked,
  deferred,
  found as foundTarget,
  joined,
  type Opener,
  type PlanRequest,
  type Resolved,
  type Resolving,
  resolveTarget,
} from "./plan-steps-of-imperative.ts";
import { resolveCreate } from "./plan-steps-that-create-thing.ts";
import { nameOnEarlierPage, passwordOnNextPage, sendOfLaterPassword } from "./sign-in-over-two-pages.ts";

export interface PlanResult {
  readonly plan: Plan;
  readonly questions: readonly Question[];
}

/** An imperative of a task, and the part of the task's text in which it was found. */
export interface ReadOrder {
  readonly at: number;
  readonly part: string;
  /** Index of the task's part that contains the imperative. One part may contain several imperatives. */
  readonly partIndex: number;
  readonly order: Order | undefined;
}

/**
 * Reads the orders (imperatives such as "click Save") in a task.
 *
 * @param elements the elements of the page; a pronoun in the task may refer to one of them
 */
export function readOrders(
  task: string,
  answers: Readonly<Record<string, string>>,
  elements: readonly HighlightedElement[],
): readonly ReadOrder[] {
  const isShown = (entity: string): boolean =>
    contentWords(entity).every((word) => elements.some((one) => showsWord(one, word)));
  const parts = withoutPronouns(partsOf(task, dialogueLimits.parts), isShown);
  return parts
    .flatMap((part, index): readonly OrderOfPart[] => {
      const rephrased = answers[`part-${index}`];
      const orders = ordersOf(rephrased ?? part);
      const read = { part: rephrased ?? part, partIndex: index };
      return orders?.map((order) => ({ ...read, order })) ?? [{ ...read, order: undefined }];
    })
    .filter((one, at, all) => !repeatsSignIn(one, all[at - 1], all[at - 2]))
    .map((read, at) => ({ ...read, at }));
}

type OrderOfPart = Omit<ReadOrder, "at">;

/**
 * Whether an order only repeats the click at the end of a sign-in: "click Sign in" in "Sign in as ada with the secret
 * SHOP and click Sign in".
 */
const repeatsSignIn = (
  { order, partIndex }: OrderOfPart,
  click: OrderOfPart | undefined,
  password: OrderOfPart | undefined,
): boolean =>
  order?.kind === "click" &&
  SIGNS_IN.test(order.target) &&
  click?.order?.kind === "click" &&
  click.partIndex !== partIndex &&
  password?.order?.kind === "sign_in" &&
  password.partIndex === click.partIndex;

/** Matches the name of a button that ends a sign-in. */
const SIGNS_IN = /^(?:sign|log)[\s-]*in$/iu;

/**
 * Leaves out the steps that earlier plans of the task have done. But a value is entered again if its field is empty
 * and no click has followed it. A server that refuses a form often empties fields, such as the password after a
 * failed sign-in (Django). A snapshot never contains passwords, so their fields count as empty.
 */
function stepsToDo(
  steps: readonly PlanStep[],
  done: readonly string[],
  elements: readonly HighlightedElement[],
): readonly PlanStep[] {
  const isDone = ({ description }: PlanStep): boolean => done.includes(description);
  const lastClick = steps.findLastIndex((step) => isDone(step) && step.action !== "input");
  return steps.filter((step, at) => {
    if (!isDone(step)) return true;
    const field = elements.find((one) => one.highlight_index === step.targetId);
    return at > lastClick && step.action === "input" && field !== undefined && !field.value;
  });
}

/**
 * Leaves out a click on a checkbox that an earlier step has clicked. Two parts of a task may mean one checkbox
 * ("Everything is done, tick all of them"), and a second click would take the first one back.
 */
const withoutSecondTick = (
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): readonly PlanStep[] =>
  steps.filter((step, at) => {
    const box = elements.find((one) => one.highlight_index === step.targetId);
    const isSame = (one: PlanStep): boolean => one.action === step.action && one.targetId === step.targetId;
    return !box || step.action !== "click" || !isTick(box) || !steps.slice(0, at).some(isSame);
  });

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
      const resolving = { at, part, request, isLater, opener, entered };
      const send = before?.partIndex === partIndex ? sendOfLaterPassword(order, before) : undefined;
      found.push({ ...(send ?? resolve(order, resolving)), partIndex, part });
    }
    const last = found.at(-1);
    // If a step leads to another page, the later steps are planned for that page.
    if (before?.leaves && last && !last.leaves) found[found.length - 1] = { ...last, leaves: true };
  }
  const { resolved, unplaced } = withUnusedValues(found, request, orders);
  const steps = withDependencies(
    stepsToDo(
      withoutSecondTick(
        resolved.flatMap((one) => one.steps),
        request.elements,
      ),
      done,
      request.elements,
    ),
  );
  const questions = resolved.flatMap(({ question }) => question ?? []);
  const risky = steps.filter(({ risk }) => risk === "high");
  const clarity = intentClarity(task, {
    unread: questions.length,
    rivals: resolved.filter(({ isRivalled }) => isRivalled).length,
    unknown: resolved.reduce((sum, one) => sum + (one.unknown ?? 0), 0),
  });
  const isEmpty = resolved.length === 0;
  // True if the map's route to the target is empty: the session already shows the target page.
  const isShown = !isEmpty && questions.length === 0 && Object.keys(known).length > 0;
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
          ? isShown
            ? "Nothing is to be done: the session shows this page already."
            : "Nothing can be done yet."
          : summaryOf(steps),
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
 * Adds a step or a question for each value in the task that no step uses: a step if the task names the
 * value's field, otherwise a question.
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
      // The person has answered a question about these words of the task, so they need no further step or
      // question.
      ...(request.answers[`target-${at}`] === undefined ? [] : [order?.target ?? ""]),
      ...(request.answers[`value-${at}`] === undefined ? [] : [order?.value ?? ""]),
    ]),
  ];
  const unplaced: string[] = [];
  const resolved = [...Map.groupBy(found, ({ partIndex = 0 }) => partIndex)].flatMap(([partIndex, own]) => {
    const [{ part } = { part: undefined }] = own;
    const isOpen = own.some(({ question }) => question !== undefined);
    // If an imperative is already fulfilled, such as ticking a ticked checkbox, it has no step and no
    // question. Then nothing is added for this part of the task.
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
 * Returns all texts of a step and of its element. If a value of the task occurs in one of these texts, a step
 * of the plan uses the value.
 */
function textsOf(
  { description, value, secret, target, targetId }: PlanStep,
  elements: readonly HighlightedElement[],
): readonly string[] {
  const element = elements.find(({ highlight_index }) => highlight_index === targetId);
  const { headings, caption } = element ? placeOf(element) : { headings: [], caption: [] };
  const own = element ? [...namesOf(element).map(({ text }) => text), element.value, rowText(element)] : [];
  const all = [description, value, secret, target?.name, target?.around, element?.formName, ...own];
  return [...all, ...headings, ...caption].flatMap((text) => text ?? []);
}

/** Matches a part of a task, such as "Add a user", whose click probably opens a form. */
const OPENS_FORM =
  /^(?:\p{L}+\s+(?:on\s+)?)?["“„«'`]?(?:the\s+)?(?:add|create|new|invite|compose|write|edit|neu\p{L}*|ajouter|añadir)\b/iu;

/** Returns the field that the last planned step fills in; `undefined` if it does something else. */
function enteredIn(
  found: readonly Resolved[],
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const last = found.at(-1)?.steps.at(-1);
  const isEntry = last?.action === "input" || last?.action === "select_dropdown";
  return isEntry ? elements.find(({ highlight_index }) => highlight_index === last.targetId) : undefined;
}

/**
 * Returns facts about the last click in the plan so far, after which an element may appear that this page lacks.
 * Returns `undefined` if the plan has no click.
 */
function openerIn(found: readonly Resolved[]): Opener | undefined {
  const last = found.findLast(({ steps }) => steps.some(({ action }) => action === "click"));
  return last && { opensForm: OPENS_FORM.test(last.part ?? "") };
}

function unread(at: number, part: string): Resolved {
  const text = `What should be done for "${part}"? Name a button, a link or a field.`;
  return asked(freeform(`part-${at}`, text));
}

/**
 * If exactly one control of the page has one of the given names, such as "Back", returns a click on it; otherwise
 * `undefined`. Such a control is preferred to the browser's own back or reload, which might lose state of the page.
 */
function onPage(names: readonly string[], resolving: Resolving): Resolved | undefined {
  const own = names.flatMap((name) =>
    resolving.request.elements.filter(
      (element) => element.interactionType !== "input" && plainText(nameOf(element)) === name,
    ),
  );
  const [only] = own;
  if (!only || own.length > 1) return undefined;
  return foundTarget(
    { kind: "click", target: nameOf(only), value: null },
    { element: only, score: 1 },
    resolving,
  );
}

function resolve(order: Order, resolving: Resolving): Resolved {
  const { request } = resolving;
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
      return (
        onPage(BACK_STEP.test(resolving.part) ? [...BACK, ...PREVIOUS] : BACK, resolving) ?? {
          steps: [plainStep("go_back", null, "Go back")],
          leaves: true,
        }
      );
    case "refresh":
      return (
        onPage(["refresh", "reload"], resolving) ?? { steps: [plainStep("refresh", null, "Reload the page")] }
      );
    case "scroll":
      return { steps: [plainStep("scroll", order.value, `Scroll ${order.value}`)] };
    case "create":
      return resolveCreate(order, resolving);
    case "sign_in":
      return (
        nameOnEarlierPage(order, request.elements) ??
        passwordOnNextPage(order, resolving) ??
        resolveTarget(order, resolving)
      );
    default:
      return withRename(
        severalFields(order, resolving) ??
          sent(order, renamed(order, resolveTarget(order, resolving), resolving), resolving),
        resolving,
      );
  }
}

const BACK = ["back", "zuruck", "retour", "atras"] as const;
/**
 * Names of the "Previous" button of a wizard. They are searched for only if the task mentions a step, because
 * galleries and lists may have such a button too.
 */
const PREVIOUS = ["previous", "precedent", "anterior"] as const;
/**
 * Matches a word such as "step" in a task that goes back a step of a wizard. Such a task does not mean the
 * browser's previous page.
 */
const BACK_STEP = /\b(?:step|schritt|étape|etape|paso)\b/iu;

/**
 * Matches the words between the names of fields that get the same value: "Width and Height", "Width and into
 * Height".
 */
const BETWEEN_FIELDS = /\s*(?:,\s*|\s(?:and|und|et|y|e)\s+)(?:(?:also\s+)?(?:in|into|for|to|as)\s+)?/iu;
/** Matches the words between values for several fields: "10 and 20", "10 x 20". */
const BETWEEN_VALUES = /\s*,\s*|\s+(?:and|und|et|y|e|x)\s+/iu;
/** Minimum score (0 to 1) of each field if a task enters one value into several fields. */
const SURE_FIELD = targetScore(0.9);

/**
 * Returns the steps that type one value into several fields, or one value into each: "Enter 5 in Width and
 * Height", "Set width and height to 10 and 20". Returns `undefined` if a field is not surely found, or if the
 * words are the name of one field, such as "Terms and conditions".
 */
function severalFields(order: Order, resolving: Resolving): Resolved | undefined {
  if (order.kind !== "set") return undefined;
  const targets = order.target.split(BETWEEN_FIELDS).filter((target) => target !== "");
  const isName = resolving.request.elements.some((one) => plainText(nameOf(one)) === plainText(order.target));
  if (targets.length < 2 || isName) return undefined;
  const values = (order.value ?? "").split(BETWEEN_VALUES);
  // A single value of several words, such as "Anna Smith", is not typed into several fields: each field
  // probably takes one of the words, as first and last name.
  const isDivided = values.length === 1 && /\s/u.test(order.value ?? "");
  if (isDivided || (values.length > 1 && values.length !== targets.length)) return undefined;
  const found = targets.map((target, at) =>
    resolveTarget({ ...order, target, also: target, value: values[at] ?? order.value }, resolving),
  );
  const isSure = found.every(
    ({ steps, question, target = 0 }) =>
      steps.length === 1 && steps[0]?.action === "input" && question === undefined && target >= SURE_FIELD,
  );
  const ids = new Set(found.flatMap(({ steps }) => steps.map(({ targetId }) => targetId)));
  return isSure && ids.size === targets.length ? joined(found) : undefined;
}

/**
 * Adds a click on the button "Rename" beside the field that a step fills in, if the task renames something:
 * "Rename the file to Plan.pdf".
 */
function withRename(resolved: Resolved, resolving: Resolving): Resolved {
  const { part, request } = resolving;
  const [step, other] = resolved.steps;
  const field = request.elements.find(({ highlight_index }) => highlight_index === step?.targetId);
  if (step?.action !== "input" || other !== undefined || field === undefined) return resolved;
  const button = renameButton(part, field, request.elements);
  if (button === undefined) return resolved;
  const order: Order = { kind: "click", target: nameOf(button), value: null };
  return joined([resolved, foundTarget(order, { element: button, score: 1 }, resolving)]);
}

/** Names of the field for the new name of a thing, besides "name". */
const NAME_FIELDS = ["title"] as const;

/**
 * Plans to rename a thing if the page does not show the field for its name: presses the thing's control "Rename" or
 * "Edit", enters the name, and saves the form that has opened.
 */
function renamed(order: Order, planned: Resolved, resolving: Resolving): Resolved {
  const [verb = ""] = contentWords(plainPhrase(resolving.part));
  const old = planned.question && order.kind === "set" ? fieldWithOldValue(order, resolving) : undefined;
  if (old) return old;
  // A later round of refinement accepts a field of the page with a similar name. So the form is only opened
  // in the last round.
  const isLast = (resolving.request.accept ?? MIN_MATCH) <= MIN_MATCH;
  if (order.kind !== "set" || !planned.question || !RENAMING.has(verb) || !isLast) return planned;
  for (const opening of OPENING_NAME) {
    const click: Order = { kind: "click", target: `${opening} ${order.target}`, value: null, also: opening };
    const opener = resolveTarget(click, { ...resolving, part: click.target });
    const element = resolving.request.elements.find(
      ({ highlight_index }) => highlight_index === opener.steps[0]?.targetId,
    );
    const isControl = element !== undefined && /^(?:button|link|menuitem)$/u.test(roleOf(element));
    if (opener.question || !isControl || !hasOwnWord(element, opening)) continue;
    const entry: Order = { ...order, target: "name", also: undefined };
    const entered = deferred(entry, resolving, NAME_FIELDS);
    const save = {
      steps: [submitStep({ ...click, also: "save", entries: [entry] })],
      target: targetScore(0),
    };
    return joined([opener, entered, save]);
  }
  return planned;
}

/**
 * Plans to enter the new value into the only field that shows the old one: the field with "Ada" for "Rename Ada to
 * Augusta". Returns `undefined` if there is no such field.
 */
function fieldWithOldValue(order: Order, resolving: Resolving): Resolved | undefined {
  const { request, part } = resolving;
  const [verb = ""] = contentWords(plainPhrase(part));
  if (!RENAMING.has(verb) && !EDITING.has(verb)) return undefined;
  const [field, other] = request.elements.filter(
    (one) => isField(one) && Boolean(one.value) && plainText(one.value ?? "") === plainText(order.target),
  );
  return field && !other ? foundTarget(order, { element: field, score: OLD_VALUE }, resolving) : undefined;
}

/** Score (0 to 1) of a field that is chosen by the value that it shows. */
const OLD_VALUE = 0.9;

/** Verbs of the controls that open the form with the name of a thing. */
const OPENING_NAME = ["rename", "edit"] as const;

/** Matches an order that only saves or sends what was entered before: "save", "submit the changes", "speichere es". */
const SAVING =
  /^(?:save|submit|send|apply|confirm|store|speichere?|sende|enregistre[rz]?|valide[rz]?|guarda|envía|salva|invia)(?:\s+(?:(?:the|my|all|die|das|les|los|las|le)\s+)?(?:it|them|this|that|changes?|form|es|alles|änderungen|modifications|cambios|modifiche))?$/iu;
/**
 * Score (0 to 1) of the button that sends the form of a field, if the button's name has another verb than the task.
 */
const SENDS_FORM = 0.8;

/**
 * If no button of the page has the verb of an order such as "save it", presses the button that sends the form
 * of the field entered last.
 */
function sent(order: Order, planned: Resolved, resolving: Resolving): Resolved {
  const { entered, request } = resolving;
  if (!planned.question || !entered || !SAVING.test(resolving.part.trim())) return planned;
  const button =
    formPath(entered) === undefined
      ? saveIconButtonOf(entered, request.elements)
      : submitsOf(entered, ["save"], request.elements)[0];
  return button ? foundTarget(order, { element: button, score: SENDS_FORM }, resolving) : planned;
}
