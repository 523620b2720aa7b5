/**
 * Adds values of a task that are missing in its plan. The plan must use only one button or some fields of a
 * form, and the values must be for other fields of this form. For "Start the metronome at 100 bpm", the plan
 * presses "Start", and "100 bpm" is added as the choice in a list beside the button.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { hasOwnWord } from "../elements/elements-described-by-task-words.ts";
import { type FormGroup, formGroups } from "../elements/field-groups-of-page.ts";
import {
  isField,
  isList,
  isSameChoice,
  isTick,
  namesOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { withDependencies } from "../plan/build-plan-step.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { leadVerb, statesField } from "../task/clause-verb.ts";
import { type Token, textOf, tokensOf } from "../task/split-task-into-tokens.ts";
import { kindOf } from "../values/fit-of-value-kind-to-field.ts";
import { type Assigned, FragmentScorer } from "../values/form-fields-for-task-part.ts";
import { inFormOfField } from "../values/value-in-format-of-field.ts";
import { piecesOf, trimmed } from "../values/values-listed-for-form.ts";
import { ACTION, does, GENERIC, ON_IT } from "../values/words-that-assign-form-values.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { plainPhrase } from "../words/plain-verbs-for-phrases.ts";
import { SUBMITTING } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";

/** Matches the name of a field that searches or filters a list. */
const SEARCHED = /search|filter|suche|recherch|buscar/iu;
/** Minimum score (0 to 1) at which a field or an option is chosen for a piece of the task. */
const MIN_ENTRY = 0.8;
/**
 * Minimum score (0 to 1) at which a number is typed into a field. Without words beside the number that name the field,
 * the score is lower, because the number may also be an hour or a house number.
 */
const MIN_NUMBER = 0.92;
/**
 * Minimum difference between the scores of the best and the second best entry (field or option) for a piece of the
 * task. If the difference is smaller, none is chosen.
 */
const LEAD = 0.03;
/**
 * Minimum similarity (0 to 1) at which a word of the task counts as the same as a word of the plan, the form or
 * a button. Synonyms have the similarity 0.8.
 */
const SAME = 0.8;

export interface FurtherEntries {
  readonly entries: readonly Assigned[];
  /**
   * Whether the whole task is used: each piece of it is used by a step of the plan or by one of `entries`, or
   * contains only words that the form shows.
   */
  readonly isComplete: boolean;
}

/**
 * A task may have values that no step of its plan uses. Returns the fields, options and checkboxes for these values,
 * in the order of the page. All steps of the plan must belong to one form.
 */
export function furtherEntries(
  task: string,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): FurtherEntries {
  const used = steps.flatMap(
    ({ targetId }) => elements.find(({ highlight_index }) => highlight_index === targetId) ?? [],
  );
  const group = used.length === steps.length ? formOfAll(used, elements) : undefined;
  if (!group) return { entries: [], isComplete: false };
  const scorer = new FragmentScorer(group);
  const said = saidBySteps(steps, used);
  const isUsed = (words: readonly string[]): boolean => words.every((word) => wordScore(word, said) >= SAME);
  const found: Assigned[] = [];
  let isComplete = true;
  // A step may contain a value of the task in another format, such as a date. So the digits of the value are
  // compared too.
  const digits = steps.flatMap(({ value }) => value?.match(/\d+/gu) ?? []);
  const isTyped = ({ kind, text }: Token): boolean =>
    kind === "value" &&
    (used.some((one, at) => inFormOfField(text, one) === steps[at]?.value) ||
      (text.match(/\d+/gu)?.every((group) => digits.includes(group)) ?? false));
  for (const [at, all] of piecesOf(tokensOf(task)).map(trimmed).entries()) {
    const piece = all.filter((token) => !isTyped(token));
    const words = contentWords(textOf(piece)).filter((word) => !FILLERS.has(word) && !GENERIC.has(word));
    if (words.length === 0 || isUsed(words)) continue;
    const isFree = ({ element }: Assigned): boolean =>
      ![...used, ...found.map((one) => one.element)].some(
        (one) => one === element || isSameChoice(one, element),
      );
    // The first piece of a task (text between separators) starts with its verb or its subject. So the whole piece is
    // no value, and only the values in it are compared with the form.
    const best = entryFor(piece, {
      scorer,
      group,
      isFree,
      isUsed,
      onlyValues: at === 0 || piece.length < all.length,
    });
    if (best) found.push(best);
    else isComplete &&= words.every((word) => wordScore(word, group.words) >= SAME);
  }
  const entries = found.toSorted((one, other) => one.element.highlight_index - other.element.highlight_index);
  const filled = [...used, ...entries.map(({ element }) => element)];
  const isPressed = used.some((one) => group.buttons.includes(one));
  const button = isPressed
    ? undefined
    : (buttonAtEnd(task, group, filled) ?? buttonOfVerb(task, steps, { group, filled }));
  return { entries: button ? [...entries, button] : entries, isComplete };
}

/**
 * Returns the button of the form that does what the task's first verb says, such as "Invite" for "Invite
 * ada@example.com". The verb must be one that submits values. Returns `undefined` if several buttons match or
 * none.
 */
function buttonOfVerb(
  task: string,
  steps: readonly PlanStep[],
  { group, filled }: { readonly group: FormGroup; readonly filled: readonly HighlightedElement[] },
): Assigned | undefined {
  const tokens = tokensOf(plainPhrase(task));
  const verb = leadVerb(tokens);
  const isSubmitting =
    verb !== undefined &&
    SUBMITTING.has(verb) &&
    !filled.some((one) => statesField(tokens, verb, nameOf(one)));
  if (!isSubmitting || !steps.some(({ action }) => action === "input")) return undefined;
  const [element, other] = group.buttons.filter((button) => does(verb, button));
  return element && !other ? { element, value: "on", score: ACTION } : undefined;
}

/** Maximum number of words of an order at the end of a task that only presses a button: "and check the free times". */
const PRESS_LENGTH = 5;

/**
 * Returns the only button of a form that the last part of a task presses: "Mail to all" for "and mail it". Its name
 * starts with the verb of this part. Returns `undefined` if no button or several match, or if the verb is in the name
 * of a field.
 */
function buttonAtEnd(
  task: string,
  { buttons }: FormGroup,
  entries: readonly HighlightedElement[],
): Assigned | undefined {
  const tokens = trimmed(tokensOf(task));
  const start = tokens.findLastIndex(({ kind }) => kind === "separator") + 1;
  const words = tokens.slice(start);
  const [verb] = contentWords(words[0]?.plain ?? "");
  const isOrder = start > 0 && words.length <= PRESS_LENGTH && words.every(({ kind }) => kind === "word");
  if (!isOrder || verb === undefined) return undefined;
  const rest = words.slice(1).filter(({ plain }) => !ON_IT.test(plain) && !FILLERS.has(plain));
  const isMeant = (button: HighlightedElement): boolean => {
    const own = contentWords(nameOf(button));
    return (
      wordScore(verb, own.slice(0, 1)) >= ACTION &&
      rest.every(({ plain }) => contentWords(plain).every((word) => wordScore(word, own) >= SAME))
    );
  };
  const [element, other] = buttons.filter(isMeant);
  const isNamed = entries.some((one) => hasOwnWord(one, verb) && !isTick(one) && one.tagName !== "textarea");
  return element && !other && !isNamed ? { element, value: "on", score: ACTION } : undefined;
}

/**
 * If a plan presses the button of a form before it fills in the entries of this form, returns its steps with
 * the button last. Otherwise returns `undefined`. Examples are "Get a quote for 2000 words" and "Plan a route
 * from Linz to Salzburg and calculate it".
 */
export function pressedLast(
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): PlanStep[] | undefined {
  const [pressed, ...entered] = steps.flatMap(
    ({ targetId }) => elements.find(({ highlight_index }) => highlight_index === targetId) ?? [],
  );
  const [press, ...entries] = steps;
  if (!press || !pressed || entered.length === 0 || entered.length < entries.length) return undefined;
  const group = formOfAll([pressed, ...entered], elements);
  const isEarly = group?.buttons.includes(pressed) === true && entered.every(isEntry);
  return isEarly ? withDependencies([...entries, press]) : undefined;
}

/**
 * Returns the only form whose entries and buttons include all elements of `used`; `undefined` if no form or
 * several forms do.
 */
function formOfAll(
  used: readonly HighlightedElement[],
  elements: readonly HighlightedElement[],
): FormGroup | undefined {
  const [group, other] = formGroups(elements, 1).filter(({ entries, buttons }) =>
    used.every((one) => entries.includes(one) || buttons.includes(one)),
  );
  return used.length > 0 && other === undefined ? group : undefined;
}

/** Returns the words of the steps: their values, and the names and rows of their elements. */
const saidBySteps = (steps: readonly PlanStep[], used: readonly HighlightedElement[]): readonly string[] =>
  [
    ...steps.flatMap(({ value }) => value ?? []),
    ...used.flatMap((one) => [...namesOf(one).map(({ text }) => text), rowText(one)]),
  ].flatMap((text) => contentWords(text));

interface Form {
  readonly scorer: FragmentScorer;
  readonly group: FormGroup;
  /** Whether no step of the plan uses the field or option. */
  readonly isFree: (entry: Assigned) => boolean;
  /** Whether the steps of the plan use all of the given words. */
  readonly isUsed: (words: readonly string[]) => boolean;
  readonly onlyValues: boolean;
}

/**
 * Returns the field, option or checkbox for a piece of the task (text between separators), with its value. First the
 * whole piece is compared with the form. If nothing matches, each value of the piece is compared, alone and together
 * with the word before or after it.
 */
function entryFor(
  piece: readonly Token[],
  { scorer, group, isFree, isUsed, onlyValues }: Form,
): Assigned | undefined {
  const values = piece.flatMap(({ kind, text }, at) =>
    kind === "value" && !isUsed(contentWords(text)) ? [at] : [],
  );
  const windows = values.flatMap((at) => [
    piece.slice(at, at + 2),
    piece.slice(Math.max(0, at - 1), at + 1),
    piece.slice(at, at + 1),
  ]);
  for (const tokens of onlyValues ? windows : [piece, ...windows]) {
    const entries = scorer
      .read(tokens, false)
      .flatMap(({ entries: [entry, other] }) => (entry && !other ? [entry] : []))
      .filter((entry) => isNamedEntry(entry.element) && entry.score >= leastFor(entry) && isFree(entry))
      .toSorted((one, other) => other.score - one.score);
    const [best, next] = entries;
    if (best) return next && best.score - next.score < LEAD ? undefined : best;
  }
  // A quoted text belongs to the only field of the form that takes a text.
  const [quoted, another] = piece.filter(({ isQuoted }) => isQuoted);
  const texts = group.entries.filter(
    (one) =>
      isField(one) &&
      /^(?:text|textarea)$/u.test(one.type ?? "text") &&
      !SEARCHED.test(`${nameOf(one)} ${one.placeholder ?? ""}`),
  );
  const [element, second] = texts;
  const entry = element && quoted && { element, value: quoted.text, score: MIN_ENTRY };
  return entry && !second && !another && isFree(entry) ? entry : undefined;
}

const leastFor = ({ element, value }: Assigned): number =>
  isField(element) && kindOf(value) === "number" ? MIN_NUMBER : MIN_ENTRY;

/**
 * Whether an element is a field, a list, or a checkbox with a name. A checkbox without a name often selects
 * all rows of a list.
 */
const isNamedEntry = (element: HighlightedElement): boolean =>
  isEntry(element) && (!isTick(element) || nameOf(element) !== "");

const isEntry = (element: HighlightedElement): boolean =>
  isField(element) || isList(element) || isTick(element);
