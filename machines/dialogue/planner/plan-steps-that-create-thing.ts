/**
 * Plans the creation of a thing with given values, such as "Create a study named beta": the steps fill in a
 * form.
 */

import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { candidates } from "../clauses/possible-elements-for-imperative.ts";
import { hasWord, type Match, MIN_MATCH } from "../elements/elements-described-by-task-words.ts";
import { formFields, submitsOf } from "../elements/elements-of-one-form.ts";
import { isTick, namesOf, roleOf } from "../elements/texts-that-may-name-element.ts";
import { submitStep } from "../plan/build-plan-step.ts";
import { targetScore } from "../plan/plan-confidence.ts";
import { freeform } from "../plan/plan-questions.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { nounOf } from "../task/creation-imperatives.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { contentWords, FILLERS, plainWords } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";
import {
  deferred,
  found,
  joined,
  type Resolved,
  type Resolving,
  resolveTarget,
} from "./plan-steps-of-imperative.ts";

/**
 * Plans the steps that create a thing: in a form of this page, or in the form that a click opens. Returns a question
 * if it is not clear which control opens the form.
 */
export function resolveCreate(order: Order, given: Resolving): Resolved {
  const { target, entries = [] } = order;
  // The values are left out when the risk of a step is determined: "Add a task named Buy milk" is not a
  // purchase.
  const resolving = { ...given, part: target };
  const here = resolveForm(order, resolving);
  const own = here && openerOfThing(order, here.steps, resolving.request.elements);
  if (here && !own) return here;
  const click: Order = { kind: "click", target, value: null, also: target };
  const opener = own ? found(click, { element: own, score: 1 }, resolving) : resolveTarget(click, resolving);
  if (opener.question || opener.steps.length === 0) return opener;
  const { elements } = resolving.request;
  if (opensOther(order, opener.steps, elements) || (!own && sendsForm(entries, opener.steps, elements)))
    return {
      steps: [],
      target: 0,
      question: freeform(
        `part-${resolving.at}`,
        `What should be done for "${target}"? Name a button, a link or a field.`,
      ),
    };
  const later = entries.map((entry) => deferred(entry, resolving, entry.also ? [entry.also] : []));
  const submit = { steps: [submitStep(order)], target: targetScore(0) };
  return joined([opener, ...later, submit]);
}

/**
 * Whether the click that should open a form would instead send a form of this page, which has a field for one of the
 * values.
 */
function sendsForm(
  entries: readonly Order[],
  [step]: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): boolean {
  const button = elements.find(({ highlight_index }) => highlight_index === step?.targetId);
  if (button?.interactionType !== "submit") return false;
  const fields = formFields(button, elements);
  return entries.some((entry) => entryMatch(entry, fields, false) !== undefined);
}

/**
 * Whether the control that should open the form is for another thing than the task: "New ticket" for "Create
 * a page". Only tasks about a "page", a "form" or the like are checked here, because other comparisons ignore
 * these nouns.
 */
function opensOther(
  { target }: Order,
  [step]: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): boolean {
  const noun = plainWords(nounOf(target));
  const opener = elements.find(({ highlight_index }) => highlight_index === step?.targetId);
  if (!opener || noun.length === 0 || !noun.every((word) => FILLERS.has(word))) return false;
  const own = namesOf(opener).flatMap(({ text }) => plainWords(text));
  const isNamed = noun.some((word) => own.includes(word));
  return !isNamed && own.some((word) => !FILLERS.has(word) && !NEW.includes(contentWords(word)[0] ?? word));
}

/** Words of controls that open a form for a new thing, such as "New" in "New ticket". */
const NEW = contentWords("new create add");

/**
 * Returns the only control that opens a form for the thing, such as "Create page". Returns `undefined` if the form
 * that `steps` fill in names the thing itself, because no other form is needed then.
 */
function openerOfThing(
  { target }: Order,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const noun = contentWords(nounOf(target));
  const has = (element: HighlightedElement, more: readonly string[] = []): boolean => {
    const words = [...namesOf(element).map(({ text }) => text), ...more].flatMap((text) =>
      plainWords(text).flatMap((word) => contentWords(word)),
    );
    return noun.length > 0 && noun.every((word) => wordScore(word, words) >= SAME);
  };
  const used = elements.filter((one) => steps.some(({ targetId }) => targetId === one.highlight_index));
  if (used.some((one) => has(one, [...placeOf(one).headings, ...placeOf(one).caption, one.formName ?? ""])))
    return undefined;
  const forms = new Set(used.map(formPath));
  const [only, other] = elements.filter(
    (one) =>
      /^(?:link|button|menuitem)$/u.test(roleOf(one)) &&
      !forms.has(formPath(one) ?? "") &&
      has(one) &&
      contentWords(nameOf(one)).some((word) => NEW.includes(word)),
  );
  return other === undefined ? only : undefined;
}

/** A word of a task and a word of an element are the same if their similarity (0 to 1) is at least this score. */
const SAME = 0.8;

/**
 * Plans to fill in and submit a form of this page. Returns `undefined` if no form of the page creates the
 * requested object and has a field for each value.
 */
function resolveForm(order: Order, resolving: Resolving): Resolved | undefined {
  const { target, also = "", entries = [] } = order;
  const { elements } = resolving.request;
  // A checkbox such as "Continue adding keywords" is not the button that sends the form.
  const pressable = elements.filter((one) => !isTick(one));
  const [button] = candidates({ kind: "click", target, value: null, also: target }, pressable);
  const own = button ? formFields(button.element, elements) : [];
  const filled = entries.map((entry) => entryMatch(entry, own.length > 0 ? own : elements, own.length > 0));
  const [first] = filled;
  if (!first || filled.some((match) => match === undefined)) return undefined;
  const isOne = filled.every((match) => match && formPath(match.element) === formPath(first.element));
  if (formPath(first.element) === undefined || !isOne) return undefined;
  const [submit] =
    own.length > 0 && button ? [button.element] : submitsOf(first.element, [target, also], pressable);
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

/** Score (0 to 1) of a button that is chosen because it submits the form of a field, and not by its name. */
const SUBMIT = 0.8;
/**
 * Minimum score (0 to 1) of a field for a value of the new thing, if it is not certain that the field belongs to the
 * thing's form. The only text field of the thing's form gets this score too, whatever its name is.
 */
const ENTRY = 0.75;

function entryMatch(entry: Order, fields: readonly HighlightedElement[], isForm: boolean): Match | undefined {
  const matches = [entry.target, entry.also ?? ""]
    .flatMap((words) => candidates({ ...entry, target: words, also: undefined }, fields))
    .toSorted((one, other) => other.score - one.score);
  const [best] = matches;
  if (best && best.score >= (isForm ? MIN_MATCH : ENTRY)) return best;
  // The only text field of a form gets the value, whatever the field's name is.
  const [only] = fields;
  return isForm && fields.length === 1 && only ? { element: only, score: ENTRY } : undefined;
}
