/**
 * Plans the creation of a thing with given values, such as "Create a study named beta": the steps fill in a
 * form.
 */
import { formPath } from "../session/form-of-element.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { submitStep } from "./build-plan-step.ts";
import { formFields, submitsOf } from "./elements-of-one-form.ts";
import type { Order } from "./imperative-of-task.ts";
import { candidates } from "./imperative-targets.ts";
import { targetScore } from "./plan-confidence.ts";
import {
  deferred,
  found,
  joined,
  type Resolved,
  type Resolving,
  resolveTarget,
} from "./plan-steps-of-imperative.ts";
import { hasWord, type Match, MIN_MATCH } from "./target-match.ts";

/**
 * Plans a task such as "Create a study named beta". If the form is on this page, its fields are filled and it
 * is submitted. Otherwise the button that opens the form is clicked first, and the fields are searched for
 * when the form is open.
 */
export function resolveCreate(order: Order, given: Resolving): Resolved {
  const { target, entries = [] } = order;
  // The values are left out when the risk of a step is determined: "Add a task named Buy milk" is not a
  // purchase.
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
 * Plans to fill in and submit a form of this page. Returns `undefined` if no form of the page creates the
 * requested object and has a field for each value.
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

/** Score (0 to 1) of a button that is chosen because it submits the form of a field, and not by its name. */
const SUBMIT = 0.8;
/**
 * Minimum score (0 to 1) at which a field outside of a form gets a value of a task that creates a thing. The
 * only text field of a form gets this score too, whatever its name is.
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
