/**
 * Finds the part of a task that its plan does not use. A plan may only open a form or a list, because the
 * field for a value is not shown before. The dialogue then plans the task again on the page that the plan
 * reaches.
 */
import { percentDecoded } from "../../percent-decoding.ts";
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import {
  OPENING,
  verbLeftByOpening,
  verbOnlyNearOpenedThing,
} from "../checks/plans-that-would-do-unasked-actions.ts";
import { isOppositeOf } from "../elements/controls-with-other-effect-than-asked.ts";
import { submitsOf } from "../elements/elements-of-one-form.ts";
import { isTick, namesOf, roleOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { plannedStep, summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf, targetScore } from "../plan/plan-confidence.ts";
import type { Plan, PlanStep } from "../plan/plan-schemas.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { asImperative, partsOf } from "../task/split-task-at-imperatives.ts";
import { does, PREPOSITION } from "../values/words-that-assign-form-values.ts";
import { contentWords, FILLERS, plainWords } from "../words/normalised-words.ts";
import { CREATING, EDITING, EMPTY, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { CHANGING, isEditing, wordsOfTask } from "./plans-that-lead-to-thing.ts";
import { TO_VALUE } from "./thing-of-task.ts";

interface PlannedOnPage {
  readonly task: string;
  readonly plan: Plan;
  readonly elements: readonly HighlightedElement[];
}

/** The page that a plan has reached. */
interface ReachedPage {
  readonly url: string;
  readonly title: string;
  readonly highlightedElements: readonly HighlightedElement[];
}

/** A word of a task and a word of an element are the same if their similarity (0 to 1) is at least this score. */
const SAME = 0.8;
/**
 * If a task names a page, the title or the address of the page must contain at least this share (0 to 1) of
 * the words of this name.
 */
const NAMED_SHARE = 0.6;
/** Verbs of buttons that send the form of a new thing. */
const MAKING = ["create", "add", "save", "submit", "send", "register", "insert"] as const;

/** Matches an order to open something that it calls a page, a form or the like: "Open the add user page". */
const PAGE =
  /\s(?:page|screen|form|view|section|dialog|seite|formular|formulaire|página|formulario|pagina|modulo)[.!]?\s*$/iu;

interface Word {
  readonly text: string;
  readonly stems: readonly string[];
}

/** Returns the words of a task after its verb that may name something, in their order. */
function namingWords(task: string): readonly Word[] {
  const [, ...words] = task.trim().split(/\s+/u);
  const end = words.findIndex((word, at) => at > 0 && PREPOSITION.test(plainWords(word).join("")));
  return (end < 0 ? words : words.slice(0, end)).flatMap((text) => {
    const plain = plainWords(text);
    const stems = contentWords(text).filter((word) => !FILLERS.has(word) && !EMPTY.has(word));
    return stems.length === 0 || plain.every((word) => FILLERS.has(word)) ? [] : [{ text, stems }];
  });
}

/**
 * Returns the words after the task's preposition that the plan does not use. For "Add Timo to the group divers" and a
 * click on "Add to a group", the result is "divers". It is empty if no word of the control, such as "group", follows
 * the preposition in the task.
 *
 * @param control the words in the name of the control
 */
function openDestination(
  task: string,
  control: readonly string[],
  used: readonly string[],
): readonly string[] {
  const [, ...rest] = task.trim().split(/\s+/u);
  const at = rest.findIndex((word, index) => index > 0 && PREPOSITION.test(plainWords(word).join("")));
  const words = at < 0 ? [] : namingWords(rest.slice(at).join(" "));
  const kind = words.findIndex((word) => isIn(word, control));
  return kind < 0 ? [] : words.filter((word) => !isIn(word, used)).map(({ text }) => text);
}

const isIn = ({ stems }: Word, words: readonly string[]): boolean =>
  stems.every((word) => wordScore(word, words) >= SAME);

/** Returns the words of a step and of its element: its names, its row, its caption and its address. */
function wordsOf({ description, target, targetId }: PlanStep, elements: readonly HighlightedElement[]) {
  const element = elements.find(({ highlight_index }) => highlight_index === targetId);
  const place = element && placeOf(element);
  const texts = [
    description,
    target?.name,
    target?.around,
    target?.attributes?.href,
    ...(target?.also ?? []),
    ...(element ? [...namesOf(element).map(({ text }) => text), rowText(element), element.formName] : []),
    ...(place ? [...place.headings, ...place.caption, place.column] : []),
  ];
  return texts.flatMap((text) => contentWords(text ?? ""));
}

const verbOf = (task: string): string | undefined => contentWords(plainWords(task)[0] ?? "")[0];

/**
 * Returns the open words of a task: those that its plan does not use. The dialogue continues the task with
 * them on the page that the plan reaches. There are four cases:
 * - A plan that only clicks does not use the value of a new thing: "hardware" of "Add the keyword hardware".
 * - A plan that only clicks may not use a word for a page: "add" of "Open the add user page". Such a word is
 *   not open if the last step must arrive at a screen of the map, because the arrival is verified.
 * - A plan of high risk that only opens the thing does not use the verb: "Disable" of "Disable the user Ada".
 * - A plan of low risk does not use the verb either, if only a text before the thing or a control beside it
 *   has the verb.
 */
export function openWordsOf({ task, plan: { steps }, elements }: PlannedOnPage): readonly string[] {
  const last = steps.at(-1);
  const isRisky = steps.some(({ risk }) => risk === "high");
  const page = { task: asImperative(task), steps, elements };
  const left = isRisky ? verbLeftByOpening(page) : verbOnlyNearOpenedThing(page);
  if (left !== undefined) return [left];
  const isClick = !isRisky && steps.every(({ action }) => action === "click");
  const verb = verbOf(task);
  if (!last || !isClick || verb === undefined || partsOf(task, 2).length > 1) return [];
  const element = elements.find(({ highlight_index }) => highlight_index === last.targetId);
  if (element && (isTick(element) || element.interactionType === "submit")) return [];
  if (element && opensFormOnly(asImperative(task), element)) return wordsOfTask(task);
  const words = namingWords(task);
  const used = steps.flatMap((step) => wordsOf(step, elements));
  const firstUsed = words.findIndex((word) => isIn(word, used));
  const open = words.filter((word, at) => !isIn(word, used) && (at > firstUsed || !CREATING.has(verb)));
  // A link only opens the thing that is to be changed: "Ada Byron" for "Make Ada an editor".
  if (element && roleOf(element) === "link" && givesValue(asImperative(task))) {
    const [, ...said] = wordsOfTask(task);
    if (!said.every((text) => isIn({ text, stems: contentWords(text) }, used))) return wordsOfTask(task);
  }
  if (element && roleOf(element) === "link" && opensThingBeforeValue(asImperative(task), element, used))
    return wordsOfTask(task);
  if (element && CREATING.has(verb) && (firstUsed < 0 || open.length === 0))
    return openDestination(task, contentWords(nameOf(element)), used);
  if (firstUsed < 0 || open.length === 0) return [];
  if (CREATING.has(verb)) return open.map(({ text }) => text);
  const isPage = VERBS.OPEN.has(verb) && PAGE.test(task) && last.expectedResult.type !== "screen";
  return isPage ? open.map(({ text }) => text) : [];
}

/** Verbs that give a thing a value without a word such as "to" before the value: "Make Ada an editor". */
const GIVING: ReadonlySet<string> = new Set(contentWords("make set rename replace put"));

/** Whether a task gives a thing or a field a value, as "Make Ada an editor" does. */
function givesValue(task: string): boolean {
  const verb = verbOf(task) ?? "";
  const isChange = GIVING.has(verb) || EDITING.has(verb);
  return GIVING.has(verb) || (isChange && plainWords(task).some((word) => TO_VALUE.test(word)));
}

/**
 * Whether a link only opens the thing of a task, and the task says more after "to" or the like: "Fix the pump" for
 * "Assign the ticket Fix the pump to Carla Mota" (Kanboard, Redmine). The link must not have the verb of the task.
 */
function opensThingBeforeValue(task: string, link: HighlightedElement, used: readonly string[]): boolean {
  const verb = verbOf(task);
  if (verb === undefined || OPENING.has(verb) || CREATING.has(verb) || does(verb, link)) return false;
  const words = plainWords(task);
  const at = words.findLastIndex((word) => TO_VALUE.test(word));
  const before = words.slice(0, Math.max(at, 0)).flatMap((word) => contentWords(word));
  const name = contentWords(nameOf(link));
  if (name.length === 0 || !name.every((word) => before.includes(word))) return false;
  const value = words.slice(at + 1).flatMap((word) => contentWords(word));
  return value.some((word) => !FILLERS.has(word) && !EMPTY.has(word) && wordScore(word, used) < SAME);
}

/** Returns the words of the value that a task gives: "high" of "Set the priority to high". `undefined` if it gives none. */
function givenValueOf(task: string): readonly string[] | undefined {
  if (!givesValue(task)) return undefined;
  const words = plainWords(task);
  const at = words.findLastIndex((word) => TO_VALUE.test(word));
  return words.slice(at < 0 ? 1 : at + 1).flatMap((word) => contentWords(word));
}

/** Whether an element only opens a form, as "Modify ticket" does, although the task does something else: "Resolve the ticket". */
function opensFormOnly(task: string, element: HighlightedElement): boolean {
  const verb = verbOf(task);
  if (verb === undefined || OPENING.has(verb) || CREATING.has(verb) || !isEditing(element)) return false;
  const said = contentWords(task);
  const names = plainWords(nameOf(element)).flatMap((word) => contentWords(word));
  return !does(verb, element) && !names.some((word) => CHANGING.has(word) && wordScore(word, said) >= SAME);
}

/**
 * Whether the title or the address of a page names the page that a task asks to open. They must contain each
 * word of the name that the plan has not used.
 */
export function isPageOfTask(
  task: string,
  { title, url }: Pick<ReachedPage, "title" | "url">,
  open: readonly string[],
): boolean {
  const verb = verbOf(task);
  if (verb === undefined || !VERBS.OPEN.has(verb)) return false;
  const words = namingWords(task);
  const { pathname = "", search = "" } = URL.parse(url) ?? {};
  const address = percentDecoded(`${pathname} ${search}`);
  const own = contentWords(`${title} ${address}`.replace(/[^\p{L}\d]+/gu, " "));
  const missing = words.filter((word) => !isIn(word, own));
  const isOpen = missing.some(({ text }) => open.includes(text));
  return !isOpen && words.length - missing.length > NAMED_SHARE * words.length;
}

/**
 * Plans the rest of a task in the form that its plan has opened: types the words that the plan has not used,
 * and presses the button of the form. The field has the noun of the task ("keyword") in its label. Otherwise,
 * it is a field for a name, or the only text field. Returns `undefined` unless exactly one form has such a
 * field and a button.
 */
export function planInOpenForm(
  { task, plan, elements }: PlannedOnPage,
  open: readonly string[],
): Plan | undefined {
  const verb = verbOf(task);
  const value = openText(task, open);
  if (verb === undefined || !CREATING.has(verb) || value === "") return undefined;
  const nouns = namingWords(task)
    .filter(({ text }) => !open.includes(text))
    .flatMap(({ stems }) => stems);
  const controls = elements.filter((one) => !isTick(one));
  const forms = Map.groupBy(elements.filter(isText), (field) => formPath(field) ?? "");
  const found = [...forms.values()].flatMap((fields) => {
    const field = fieldForName(fields, nouns);
    const [button] = field ? submitsOf(field, [verb, ...MAKING], controls) : [];
    return field && button ? [{ field, button }] : [];
  });
  const labelled = found.filter(({ field }) => isLabelled(field, nouns));
  const [form, other] = labelled.length > 0 ? labelled : found;
  if (!form || other) return undefined;
  const target = targetScore(labelled.length > 0 ? LABELLED : UNLABELLED);
  const part = plainWords(task).slice(0, 1).join();
  const entry: Order = { kind: "set", target: nameOf(form.field), value };
  const press: Order = { kind: "click", target: nameOf(form.button), value: null };
  const steps = withDependencies([
    plannedStep(entry, form.field, { action: "input", target, part }),
    plannedStep(press, form.button, { action: "click", target, part, elements }),
  ]);
  return withSteps(plan, steps, target);
}

/** Returns a plan with other steps whose elements fit the task with the given score. */
function withSteps(plan: Plan, steps: Plan["steps"], target: number): Plan {
  const risky = steps.filter(({ risk }) => risk === "high");
  return {
    ...plan,
    steps,
    summary: summaryOf(steps),
    confidence: confidenceOf(1, [target], [1], risky.length > 0),
    assumptions: [],
    risks: risky.map(({ description }) => `${description} may not be undone.`),
  };
}

/**
 * Plans the rest of a task in the list that its plan has opened, such as the dialogs "Select groups" of Camunda and "Join
 * groups" of Keycloak: the only row with all open words is ticked, and the only button with the verb of the task is
 * pressed ("Add groups"). Returns `undefined` if a row is ticked already.
 */
export function planInOpenList(
  { task, plan, elements }: PlannedOnPage,
  open: readonly string[],
): Plan | undefined {
  const verb = verbOf(task);
  if (verb === undefined || !CREATING.has(verb) || open.length === 0) return undefined;
  const usable = elements.filter(({ covered, disabled }) => covered === undefined && disabled !== true);
  const ticks = usable.filter((one) => isTick(one) && rowText(one) !== "");
  const stems = open.flatMap((text) => contentWords(text));
  const named = ticks.filter((one) => {
    const words = new Set(contentWords(rowText(one)));
    return stems.every((word) => words.has(word));
  });
  const buttons = usable.filter((one) => roleOf(one) === "button" && rowText(one) === "" && does(verb, one));
  const [row, button] = [named[0], buttons[0]];
  if (!row || !button || named.length > 1 || buttons.length > 1) return undefined;
  if (ticks.some(({ checked }) => checked)) return undefined;
  const target = targetScore(LABELLED);
  const part = plainWords(task).slice(0, 1).join();
  const tick = plannedStep({ kind: "check", target: rowText(row), value: null }, row, {
    ...{ action: "click", target, part, elements },
  });
  const press = plannedStep({ kind: "click", target: nameOf(button), value: null }, button, {
    ...{ action: "click", target, part, elements },
  });
  const description = `Tick the row "${rowText(row).slice(0, MAX_ROW_NAME)}"`;
  return withSteps(plan, withDependencies([{ ...tick, description }, press]), target);
}

/** Maximum number of characters of a row's text in the description of a step. */
const MAX_ROW_NAME = 60;

/** Matches the name of a checkbox or switch that says whether a thing is in use: "Enabled" (Keycloak), "Active" (Django). */
const IN_USE =
  /^(?:is\s)?(?:enabled|active|activated|aktiv|aktiviert|activée?|actif|active|activado|activo|habilitado|attivo|abilitato)$/iu;

/**
 * If a plan has only opened a thing and has not used the verb of its task, returns the order for the control
 * that does this verb. For "Disable the user Ada", it is the only button "Disable" or "Disable user" of the
 * page, or else its only switch "Enabled".
 */
export function orderForLeftVerb(
  task: string,
  open: readonly string[],
  elements: readonly HighlightedElement[],
): string | undefined {
  const [left = ""] = open;
  const [verb] = contentWords(left);
  // A plan that only leads to the thing of a task leaves all words of the task open.
  const isLeft = open.length === 1 || open.join(" ") === wordsOfTask(task).join(" ");
  if (verb === undefined || !isLeft || verb !== verbOf(asImperative(task))) return undefined;
  const said = contentWords(task);
  const value = givenValueOf(asImperative(task));
  const isOpposite = isOppositeOf(asImperative(task));
  const usable = elements.filter(({ covered, disabled }) => covered === undefined && disabled !== true);
  const buttons = usable.filter(
    (one) =>
      /^(?:button|link|menuitem)$/u.test(roleOf(one)) &&
      does(verb, one) &&
      // "Assign to me" never does "Assign the ticket to Carla".
      !isOpposite(one) &&
      // "Change" only opens the form for the value of "Change the address to …", and does not give it.
      (value === undefined || contentWords(nameOf(one)).some((word) => value.includes(word))) &&
      contentWords(nameOf(one)).every((word) => FILLERS.has(word) || wordScore(word, said) >= SAME),
  );
  const ticks = usable.filter((one) => isTick(one) && IN_USE.test(nameOf(one).trim()));
  const [button, secondButton] = buttons;
  if (button) return secondButton ? undefined : `click "${nameOf(button)}"`;
  const [tick, secondTick] = ticks;
  return tick && !secondTick && VERBS.TICK.has(verb) ? `${left} "${nameOf(tick)}"` : undefined;
}

/** Marks all steps of a plan as high-risk, because the verb of its task has a high risk. */
export function asHighRisk(plan: Plan): Plan {
  const steps = plan.steps.map((step) => ({ ...step, risk: "high" as const }));
  const { intentClarity, targetMatch, valueConfidence } = plan.confidence.breakdown;
  return {
    ...plan,
    steps,
    confidence: confidenceOf(intentClarity, [targetMatch], [valueConfidence], steps.length > 0),
    risks: steps.map(({ description }) => `${description} may not be undone.`),
  };
}

/**
 * Scores (0 to 1) of a field for a new value: `LABELLED` if its label has the noun of the task, otherwise
 * `UNLABELLED`.
 */
const [LABELLED, UNLABELLED] = [0.9, 0.5];

/**
 * Returns the part of a task from the first to the last word that its plan has not used: "hardware" of "Add
 * the keyword hardware".
 */
function openText(task: string, open: readonly string[]): string {
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return "";
  const start = task.indexOf(first);
  const text = task.slice(start, task.indexOf(last, start) + last.length);
  return text.replace(/^[\s"“„«'‘:]+|[\s"”“»'’.!]+$/gu, "");
}

const SEARCH = /search|such|recherche|buscar|cerca|filter/iu;
const isText = (element: HighlightedElement): boolean =>
  /^(?:text|textarea)$/u.test(element.type === "" ? "text" : element.type) &&
  element.covered === undefined &&
  element.disabled !== true &&
  !SEARCH.test(`${nameOf(element)} ${element.placeholder ?? ""}`);

/** Maximum number of words of a text that labels a field. A longer text describes its form. */
const LABEL_WORDS = 4;

/**
 * Whether the label of a field has a noun of the task. For a field in a table, the text of its row may be the
 * label.
 */
const isLabelled = (field: HighlightedElement, nouns: readonly string[]): boolean =>
  [...namesOf(field).map(({ text }) => text), rowText(field), ...placeOf(field).caption].some((text) => {
    const words = contentWords(text);
    return words.length <= LABEL_WORDS && nouns.some((noun) => words.includes(noun));
  });

const NAME = /^(?:name|title|titel|nom|titre|nombre|título|nome|titolo)\b/iu;

function fieldForName(
  fields: readonly HighlightedElement[],
  nouns: readonly string[],
): HighlightedElement | undefined {
  const labelled = fields.filter((one) => isLabelled(one, nouns));
  const names = fields.filter((one) => NAME.test(nameOf(one)));
  for (const [only, other] of [labelled, names, fields]) if (only && !other) return only;
  return undefined;
}

/** Returns the elements of a page that may continue a task: without those that were pressed, and without links to the page itself. */
export function elementsToContinue(
  { url, highlightedElements }: ReachedPage,
  pressed: readonly number[],
): readonly HighlightedElement[] {
  const here = URL.parse(url)?.href;
  return highlightedElements.filter(
    ({ highlight_index, attributes: { href } }) =>
      !pressed.includes(highlight_index) && (href === undefined || URL.parse(href, url)?.href !== here),
  );
}

/** Adds to a plan the words of its task that the plan does not use. */
export function withOpenWords<Result extends { readonly plan: Plan }>(
  result: Result,
  { task, elements }: Pick<PlannedOnPage, "task" | "elements">,
): Result {
  const open = openWordsOf({ task, plan: result.plan, elements });
  return open.length === 0 ? result : { ...result, plan: { ...result.plan, open: [...open] } };
}
