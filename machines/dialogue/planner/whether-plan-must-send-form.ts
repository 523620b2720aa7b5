/**
 * Decides whether a plan must send the form in which it enters values. "Change the currency to CHF" is done
 * only when the form is sent. "Enter CHF as the currency" only fills the form in.
 */

import { savesAnything } from "../../session/controls/name-of-save-button.ts";
import { isSaveIconButton } from "../../session/controls/save-icon-in-title-bar.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { forbidsSending } from "../checks/negated-clauses.ts";
import { dialogueLimits } from "../dialogue-limits.ts";
import { submitsOf } from "../elements/elements-of-one-form.ts";
import { isField, isList, isTick, roleOf } from "../elements/texts-that-may-name-element.ts";
import { plannedStep, summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf, targetScore } from "../plan/plan-confidence.ts";
import type { Plan } from "../plan/plan-schemas.ts";
import { firstVerb, isCommonVerb, leadVerb, statesField } from "../task/clause-verb.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { asImperative, partsOf } from "../task/split-task-at-imperatives.ts";
import { textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { does, PREPOSITION } from "../values/words-that-assign-form-values.ts";
import { endsWithPrefix, withJoinedVerb, withPlainCreation } from "../words/german-separable-verbs.ts";
import { contentWords, plainWords } from "../words/normalised-words.ts";
import { CREATING, EDITING, RENAMING, SENDING, SUBMITTING, TYPING } from "../words/task-word-lists.ts";

interface PlannedOnPage {
  readonly task: string;
  readonly plan: Plan;
  readonly elements: readonly HighlightedElement[];
}

/** Verbs that give something that exists another value. "Put" and "use" are left out: they may only fill in a field. */
const CHANGING_VALUE: ReadonlySet<string> = new Set([
  ...EDITING,
  ...RENAMING,
  ..."set make adjust correct switch turn toggle enable disable activate deactivate allow mark unmark hide setze stelle schalte andere markiere cambia imposta attiva disattiva activa desactiva active desactive"
    .split(" ")
    .flatMap((word) => contentWords(word)),
]);

/** How a task changes something: it gives a thing a `value`, or it does something with a whole `form`. */
type Change = { readonly kind: "value" | "form"; readonly verb: string };

const isChanging = (verb: string): boolean =>
  CHANGING_VALUE.has(verb) || CREATING.has(verb) || SUBMITTING.has(verb);

/**
 * Returns the verb of a part of a task; for a separable German verb, its translation: "create" for "Lege … an".
 * `undefined` if the part has no verb.
 */
function verbOfPart(part: string): string | undefined {
  const joined = withPlainCreation(part) ?? (endsWithPrefix(part) ? withJoinedVerb(part) : undefined);
  if (joined !== undefined) return contentWords(joined.split(" ")[0] ?? "")[0];
  const tokens = tokensOf(asImperative(part));
  const first = firstVerb(tokens);
  const verb = leadVerb(tokens) ?? (first !== undefined && isChanging(first) ? first : undefined);
  // "New" at the start of a part is no verb: "New colleague Ivo Kral, in production" is a statement.
  return verb === undefined || verb === "new" || statesField(tokens, verb, "") ? undefined : verb;
}

/**
 * Returns what a task changes on the server by sending a form. Returns `undefined` in three cases:
 * - The task only fills in a form, searches or chooses something.
 * - No word of the task is known to be its verb.
 * - The task forbids to send the form.
 */
function changeOf(task: string): Change | undefined {
  const verbs = partsOf(asImperative(task), dialogueLimits.parts).flatMap((part) => verbOfPart(part) ?? []);
  if (forbidsSending(task)) return undefined;
  const creating = verbs.find((verb) => CREATING.has(verb));
  if (creating !== undefined) return { kind: "form", verb: creating };
  if (verbs.some((verb) => TYPING.has(verb))) return undefined;
  const value = verbs.findLast((verb) => CHANGING_VALUE.has(verb));
  const other = verbs.findLast((verb) => SUBMITTING.has(verb) || SENDING.has(verb) || !isCommonVerb(verb));
  if (other !== undefined && !CHANGING_VALUE.has(other)) return { kind: "form", verb: other };
  return value === undefined ? undefined : { kind: "value", verb: value };
}

/** Verbs in names of buttons that save or send a form, whatever it is for. */
const SAVING: readonly string[] = ["save", "update", "apply", "submit", "change", "ok", "confirm", "done"];
/** Verbs in names of buttons that send the form of a new thing. */
const MAKING: readonly string[] = ["create", "add", "register", "insert", "send"];
/** Verbs in names of buttons that publish a text, such as "Post comment". */
const PUBLISHING: readonly string[] = ["post", "publish"];
/** Matches the name of a button that only looks for something. The server then changes nothing. */
const SEARCHES = /(?<!\p{L})(?:search|suche|filter|recherch|buscar|cerca|preview|(?:find|show)(?!\p{L}))/iu;

/**
 * Matches the name of a button that only keeps a form for later, such as "Save draft". If a form has such a button, a
 * task that changes a single value does not send the form.
 */
const KEEPS = /\b(?:draft|later|entwurf|später|brouillon|borrador|bozza)\b/iu;
const hasVerb = (button: HighlightedElement, verbs: readonly string[]): boolean =>
  verbs.some((verb) => does(verb, button));

/** Whether a button that saves something is between the field and the button. The field then belongs to that button. */
function isAfterOtherForm(
  field: HighlightedElement,
  button: HighlightedElement,
  elements: readonly HighlightedElement[],
): boolean {
  const between = elements.slice(elements.indexOf(field) + 1, elements.indexOf(button));
  return between.some((one) => roleOf(one) === "button" && hasVerb(one, SAVING));
}

/**
 * Whether a button such as "Change password" is for something else than the field. If the button "Save" of the page is
 * disabled, it waits for a change of the other fields, as in forms of Angular Material and in the personal settings of
 * n8n.
 */
function changesOther(button: HighlightedElement, field: HighlightedElement): boolean {
  const [verb = "", ...thing] = contentWords(nameOf(button));
  const named = contentWords(nameOf(field));
  return (
    contentWords("change").includes(verb) && thing.length > 0 && !thing.some((word) => named.includes(word))
  );
}

/** Whether a button sends a thing that the task does not name: "Send message" for "Add Max to the cooks". */
function sendsOther(button: HighlightedElement, task: string): boolean {
  const [verb = "", ...thing] = contentWords(nameOf(button));
  const asked = contentWords(task);
  return SENDING.has(verb) && thing.length > 0 && !thing.some((word) => asked.includes(word));
}

/**
 * Whether a button publishes what the task creates: "Post comment" for "Add a comment". A button "Publish" may do more
 * than the task asks for.
 */
function publishesThing(button: HighlightedElement, task: string): boolean {
  const words = contentWords(nameOf(button));
  const things = words.filter((word) => !NEUTRAL_VERBS.has(word));
  const asked = contentWords(task);
  return hasVerb(button, PUBLISHING) && things.length > 0 && things.every((word) => asked.includes(word));
}

/**
 * Returns the button that sends the form of a field, if the task clearly means this button; otherwise
 * `undefined`.
 */
function buttonFor(
  task: string,
  { kind, verb }: Change,
  field: HighlightedElement,
  elements: readonly HighlightedElement[],
): HighlightedElement | undefined {
  const buttons = elements.filter((one) => !isTick(one) && !KEEPS.test(nameOf(one)));
  const isWhole = CREATING.has(verb) || SUBMITTING.has(verb) || SENDING.has(verb);
  const names = kind === "value" ? SAVING : [verb, ...(isWhole ? MAKING : []), ...SAVING];
  const publishing = CREATING.has(verb) ? PUBLISHING : [];
  const [button, other] = submitsOf(field, [...names, ...publishing], buttons);
  const isKept = elements.some((one) => KEEPS.test(nameOf(one)) && formPath(one) === formPath(field));
  if (!button || (kind === "value" && isKept)) return undefined;
  if (isSaveIconButton(button)) return button;
  if (formPath(field) === undefined) {
    const named = buttons.filter((one) => formPath(one) === undefined && hasVerb(one, names));
    // Without a `<form>`, it is not known to which fields of the page a button "Save" belongs.
    const others = named.filter((one) => one !== button && !(button.disabled && changesOther(one, field)));
    const isOnly = others.length === 0 && savesAnything(nameOf(button));
    if (isOnly && hasVerb(button, names)) return button;
    const isOwn = CREATING.has(verb) && !isTick(field) && !isAfterOtherForm(field, button, elements);
    return isOwn && hasVerb(button, names) && !sendsOther(button, task) ? button : undefined;
  }
  if (hasVerb(button, names) || (CREATING.has(verb) && publishesThing(button, task))) return button;
  // A task such as "Subscribe to …" is done by the only button of a form, even if the button has another
  // name, such as "Find a feed".
  return isWhole && !other && button.interactionType === "submit" ? button : undefined;
}

/** Verbs that say what a button does with its form, but not what the form is about. */
const NEUTRAL_VERBS: ReadonlySet<string> = new Set(
  [...SAVING, ...MAKING, ...PUBLISHING].flatMap((verb) => contentWords(verb)),
);
/** Minimum number of fields, lists and checkboxes in a form that is about more than one value. */
const LARGE_FORM = 3;

/** Returns the words for what a task adds: "gift wrap" in "Add gift wrap and a sample bag". */
function addedWords(task: string, verb: string): readonly string[] {
  const tokens = tokensOf(asImperative(task));
  const start = tokens.findIndex(({ plain }) => contentWords(plain).includes(verb)) + 1;
  const after = tokens.slice(start);
  const end = after.findIndex(({ kind, plain }) => kind !== "word" || PREPOSITION.test(plain));
  return contentWords(textOf(after.slice(0, end < 0 ? after.length : end)));
}

/**
 * Whether a task adds only one of the values of a form, and the button does something else with the whole form. `Add the
 * remark "cover torn"` must not press "Lend", and "Add gift wrap" must not press "Create order".
 */
function addsOneValueOnly(
  task: string,
  verb: string,
  field: HighlightedElement,
  button: HighlightedElement,
  elements: readonly HighlightedElement[],
): boolean {
  const taskWords = contentWords(task);
  if (contentWords(nameOf(button)).every((word) => NEUTRAL_VERBS.has(word) || taskWords.includes(word)))
    return false;
  const form = formPath(field);
  const values = elements.filter(
    (one) => formPath(one) === form && (isField(one) || isList(one) || isTick(one)),
  );
  const added = new Set(addedWords(task, verb));
  const isAdded = (one: HighlightedElement): boolean =>
    added.size > 0 && added.symmetricDifference(new Set(contentWords(nameOf(one)))).size === 0;
  return values.length >= LARGE_FORM && values.some(isAdded);
}

/**
 * If a task changes something and the last step of its plan enters or chooses a value in a form, adds the click that
 * sends this form.
 *
 * @param isOpened whether the dialogue has opened the form. Such a form is sent whatever the verb of the task is
 */
export function withFormSent({ task, plan, elements }: PlannedOnPage, isOpened = false): Plan {
  const last = plan.steps.at(-1);
  const field = elements.find(({ highlight_index }) => highlight_index === last?.targetId);
  if (!last || !field || (last.action === "click" && !isTick(field))) return plan;
  const change = changeOf(task);
  const sending = change && buttonFor(task, change, field, elements);
  const button =
    (sending && !addsOneValueOnly(task, change.verb, field, sending, elements) ? sending : undefined) ??
    (isOpened
      ? submitsOf(
          field,
          ["save", "update", "apply", "submit"],
          elements.filter((one) => !isTick(one)),
        )[0]
      : undefined);
  return button ? withPress({ task, plan, elements }, button) : plan;
}

/** Score (0 to 1) of the button that sends the form. */
const SENDS = 0.9;

function withPress({ task, plan, elements }: PlannedOnPage, button: HighlightedElement): Plan {
  const part = plainWords(task).slice(0, 1).join();
  const press: Order = { kind: "click", target: nameOf(button), value: null };
  const target = targetScore(SENDS);
  const steps = withDependencies([
    ...plan.steps,
    plannedStep(press, button, { action: "click", target, part, elements }),
  ]);
  const { intentClarity, targetMatch, valueConfidence } = plan.confidence.breakdown;
  const risky = steps.filter(({ risk }) => risk === "high");
  return {
    ...plan,
    steps,
    summary: summaryOf(steps),
    confidence: confidenceOf(intentClarity, [targetMatch], [valueConfidence], risky.length > 0),
    risks: risky.map(({ description }) => `${description} may not be undone.`),
  };
}

/**
 * Whether a task is not done although all steps of its plan are done: it changes something, and the form with the entered
 * values was not sent.
 *
 * @param button the name of the button that sends the form
 */
export const needsSending = (task: string, button: string): boolean =>
  changeOf(task) !== undefined && !SEARCHES.test(button);
