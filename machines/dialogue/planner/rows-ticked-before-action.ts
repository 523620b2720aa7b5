/**
 * Ticks the rows that a task names before a button that acts on the ticked rows of its list. "Resolve the issue
 * PaymentTimeout" ticks the row of PaymentTimeout and then presses "Resolve" above the list.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { formPath } from "../../session/page/form-of-element.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isUnnamedPart } from "../checks/deletion-of-part-of-entry.ts";
import {
  AND,
  hasException,
  isAboutAll,
  type ListWithTicks,
  rowAt,
  rowsOfAll,
} from "../checks/rows-except-named-ones.ts";
import {
  isFilterTick,
  isInHead,
  isTick,
  namesOf,
  roleOf,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { plannedStep, summaryOf, withDependencies } from "../plan/build-plan-step.ts";
import { confidenceOf } from "../plan/plan-confidence.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { withoutQuotes } from "../task/split-task-at-imperatives.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS, plainWords } from "../words/normalised-words.ts";
import { VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import type { PlanResult } from "./plan-by-imperatives.ts";
import { found, joined, type PlanRequest } from "./plan-steps-of-imperative.ts";

/**
 * Minimum number of checkboxes with the same `name`, one in each row of a list (Bugsink, phpMyAdmin, pretix).
 * A single checkbox is enough if the head of the table has a checkbox that ticks all rows.
 */
const ROWS = 2;
/** Score (0 to 1) of the checkbox in a row that the task names. */
const ROW_TICK = 0.9;
/** Minimum similarity (0 to 1) at which a word of the task counts as a word of the button. */
const SAME = 0.75;
/** Matches buttons that send the form itself, such as a table of permissions, and not the ticked rows of a list. */
const SENDS_FORM =
  /^(?:save|submit|apply|update|ok|speichern|enregistrer|guardar|salva|search|filter|go)\b/iu;
/**
 * Matches words by which a task means other rows than the one that it names, such as "all except Anna", "users that are not
 * admin" and "the user below Anna". "Non-admin" begins with such a word too.
 */
const OTHER_ROWS =
  /(?<!\p{L})(?:all|every\p{L}*|each|except|but|besides|other|others|rest|not|no|non|without|instead|rather|apart|unless|below|above|under|after|before|alle[nsr]?|jede[nrs]?|außer|ohne|nicht|kein\p{L}*|statt|andere\p{L}*|tou(?:s|tes)|chaque|sauf|sans|pas|autres?|tod[oa]s|cada|excepto|menos|sin|otr[oa]s|tutt[ei]|ogni|tranne|eccetto|senza|altr[ei])(?!\p{L})/giu;

/**
 * If the plan is one click on a button that acts on ticked rows, adds a tick for each row that the task names.
 * Returns `undefined` for any other plan, if a row is ticked already, or if the named rows are unclear.
 */
export function withTickedRows(
  request: PlanRequest,
  { plan, questions }: PlanResult,
): PlanResult | undefined {
  const { task, elements, answers, known = {}, done = [] } = request;
  const isFirst = Object.keys(answers).length === 0 && Object.keys(known).length === 0 && done.length === 0;
  if (!isFirst) return undefined;
  const all = allRows(request);
  if (all) return planOfRows(request, plan, all);
  const [step] = plan.steps;
  const list = listOfButton(plan.steps, elements);
  if (!step || !list || list.ticks.some(({ checked }) => checked)) return undefined;
  const { rows, hasDetails } = rowsNamed(task, ofButton(list, request));
  if (meansOther(task, rows, elements)) return undefined;
  // The plan may ask only one kind of question: about a name that no step uses. Ticking the rows with this name is
  // then the missing step.
  if (rows.length === 0 || (questions.length > 0 && !hasDetails)) return undefined;
  return planOfRows(request, plan, { rows, button: list.button });
}

/** A task, and the page on which it is planned. */
type PageOfTask = Pick<PlanRequest, "task" | "elements" | "pageUrl">;

interface ListOfButton {
  readonly button: HighlightedElement;
  readonly ticks: readonly HighlightedElement[];
}

const ofButton = ({ button, ticks }: ListOfButton, { elements, pageUrl }: PageOfTask): ListWithTicks => ({
  ticks,
  called: contentWords(nameOf(button)),
  elements,
  pageUrl,
});

interface RowsOfButton {
  readonly rows: readonly HighlightedElement[];
  /** The button that acts on the ticked rows. Absent if the task only ticks rows. */
  readonly button?: HighlightedElement;
}

/** Plans to tick rows and to press the button that acts on them. */
function planOfRows(
  request: PlanRequest,
  plan: PlanResult["plan"],
  { rows, button }: RowsOfButton,
): PlanResult {
  const { task, elements } = request;
  const press = (button ? [button] : []).map((one) => {
    const order: Order = { kind: "click", target: nameOf(one), value: null };
    return plannedStep(order, one, { action: "click", target: ROW_TICK, part: task, elements });
  });
  const ticked = joined(
    rows.map((row) => {
      const target = rowText(row);
      const resolving = { at: 0, part: target, request, isLater: false, opener: undefined };
      return found({ kind: "check", target, value: null }, { element: row, score: ROW_TICK }, resolving);
    }),
  );
  const all = withDependencies([
    ...ticked.steps.map((one, at) => ({ ...one, description: `Tick the row "${rowName(rows[at])}"` })),
    ...press,
  ]);
  const { intentClarity: clarity, targetMatch } = plan.confidence.breakdown;
  const intentClarity = Math.max(clarity, ROW_TICK);
  const risky = all.filter(({ risk }) => risk === "high");
  const { unplaced: _, ...rest } = plan;
  return {
    plan: {
      ...rest,
      steps: all,
      summary: summaryOf(all),
      confidence: confidenceOf(
        intentClarity,
        [Math.max(targetMatch, ROW_TICK), ROW_TICK],
        [],
        risky.length > 0,
      ),
      assumptions: [],
      risks: risky.map(({ description }) => `${description} may not be undone.`),
    },
    questions: [],
  };
}

/** Maximum number of rows that a plan ticks one by one. A person can still read such a plan. */
const MOST_ROWS = 25;

/**
 * For a task about "all" rows of a list, returns these rows, and the only button for ticked rows that has the task's
 * verb in its name. A task that only ticks rows needs no button. Returns `undefined` if the list has further pages,
 * because their rows cannot be ticked here.
 */
function allRows({ task, elements, pageUrl }: PageOfTask): RowsOfButton | undefined {
  const [verb] = contentWords(plainWords(task).find((word) => !FILLERS.has(word)) ?? "");
  if (verb === undefined || elements.some(isNextPage)) return undefined;
  const found = elements.flatMap((button) => {
    const names = contentWords(nameOf(button));
    const isNamed = wordScore(verb, names) >= SAME && !names.includes(EVERYTHING);
    const ticks = isNamed ? ticksFor(button, elements) : [];
    const rows = ticks.some(({ checked }) => checked)
      ? undefined
      : rowsOfAll(task, { ticks, called: names, elements, pageUrl });
    return rows && rows.length > 0 && rows.length <= MOST_ROWS ? [{ rows, button }] : [];
  });
  const [only, other] = found;
  if (other) return undefined;
  if (only) return only;
  if (TICKING.has(verb) && !AS_STATE.test(task)) {
    const forms = new Set(elements.filter(isTick).map(formPath));
    const [rows, more] = [...forms].flatMap((form) => {
      const ticks = rowTicks(form, elements);
      return ticks.length > 0 && hasException(task)
        ? [rowsOfAll(task, { ticks, called: [], elements, pageUrl })]
        : [];
    });
    return rows && more === undefined && !rows.some(({ checked }) => checked) ? { rows } : undefined;
  }
  return undefined;
}

const EVERYTHING = "all";
/**
 * Verbs that tick rows of a list: those that choose an option, such as "select", and those for checkboxes.
 */
const TICKING: ReadonlySet<string> = new Set([...VERBS.CHOOSE, ...contentWords("tick check mark")]);
/** Matches a state that ticked rows get: "Mark all as read". */
const AS_STATE = /\s(?:as|als|comme|como|come)\s/iu;
/** Whether an element opens another page of a list: "Next", "›", or the number 2. */
const isNextPage = (element: HighlightedElement): boolean =>
  namesOf(element).some(({ text }) => contentWords(text).join(" ") === "next") ||
  (roleOf(element) === "link" && nameOf(element).trim() === SECOND_PAGE && rowText(element) === "");
const SECOND_PAGE = "2";

/**
 * Whether a plan presses a button that acts on ticked rows, although the task means other rows. There are
 * four cases:
 * - The task names a row only to leave it out.
 * - The task means only a part of a row.
 * - Rows are ticked that the task does not name.
 * - The task means several rows, and no row is ticked.
 */
export function usesOtherRows(page: PageOfTask, steps: readonly PlanStep[]): boolean {
  const { task, elements } = page;
  const list = listOfButton(steps, elements);
  if (!list) return false;
  const { rows } = rowsNamed(task, ofButton(list, page));
  if (ordinalIn(task) && rows.length === 0) return true;
  const isForAll = contentWords(nameOf(list.button)).includes(EVERYTHING);
  const isTicked = list.ticks.some(({ checked }) => checked);
  if ((isAboutAll(task) || hasException(task)) && !isForAll && !isTicked && rows.length === 0) return true;
  const isOtherTicked = list.ticks.some((tick) => tick.checked && !rows.includes(tick));
  return rows.length > 0 && (isOtherTicked || meansOther(task, rows, elements));
}

function meansOther(
  task: string,
  rows: readonly HighlightedElement[],
  elements: readonly HighlightedElement[],
): boolean {
  const own = new Set(rows.flatMap((row) => plainWords(rowText(row))));
  const others = withoutQuotes(task).match(OTHER_ROWS) ?? [];
  if (others.some((word) => !own.has(word.toLowerCase()))) return true;
  // `isUnnamedPart` recognises only tasks that delete. Here, any verb may act on the whole row, so the verb
  // of the task is replaced by "delete".
  const asDeletion = task.replace(/^\s*(?:please\s+)?\p{L}+/iu, "delete");
  return rows.some((row) => isUnnamedPart(asDeletion, row, elements));
}

/**
 * If a plan is one click on a button that acts on ticked rows, returns the button and the checkboxes of these
 * rows.
 */
function listOfButton(
  [step, other]: readonly PlanStep[],
  elements: readonly HighlightedElement[],
): ListOfButton | undefined {
  if (!step || other || step.action !== "click") return undefined;
  const button = elements.find(({ highlight_index }) => highlight_index === step.targetId);
  const ticks = button ? ticksFor(button, elements) : [];
  return button && ticks.length > 0 ? { button, ticks } : undefined;
}

const rowName = (row: HighlightedElement | undefined): string => (row ? rowText(row) : "").slice(0, 60);

/** Returns the checkboxes of the rows on which a button acts. */
function ticksFor(
  button: HighlightedElement,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const isOfList = roleOf(button) === "button" && rowText(button) === "" && !SENDS_FORM.test(nameOf(button));
  return isOfList ? rowTicks(formPath(button), elements) : [];
}

/**
 * Returns the checkboxes of rows, if all have one `name`.
 *
 * @param form the path of the form to search; `undefined` for the elements outside of forms
 */
function rowTicks(
  form: string | undefined,
  elements: readonly HighlightedElement[],
): readonly HighlightedElement[] {
  const inRows = elements.filter(
    (one) =>
      roleOf(one) === "checkbox" &&
      !one.disabled &&
      !isFilterTick(one) &&
      rowText(one) !== "" &&
      formPath(one) === form,
  );
  const names = new Set(inRows.map(({ attributes }) => attributes.name));
  const rows = new Set(inRows.map((one) => rowText(one)));
  const ticksAll = elements.some(
    (one) => roleOf(one) === "checkbox" && isInHead(one) && formPath(one) === form,
  );
  // A checkbox without a name may be a setting of its row, unless the head of the table ticks all rows.
  const isNamed = ticksAll || inRows.every(({ attributes }) => Boolean(attributes.name));
  const isList =
    isNamed && inRows.length >= (ticksAll ? 1 : ROWS) && names.size === 1 && rows.size === inRows.length;
  return isList ? inRows : [];
}

/**
 * Returns the rows that the task names, by their positions ("the first and the third") or texts. Each name, number and quoted text of the task must be in exactly one
 * row. If the task has none of these, the result is the row that contains more words of the task than any
 * other row.
 */
function rowsNamed(task: string, list: ListWithTicks) {
  const { ticks, called } = list;
  const [, ...tokens] = tokensOf(task).filter(({ kind }) => kind !== "separator");
  const placed = withoutQuotes(task)
    .split(AND)
    .map((part) => rowAt(part, list));
  if (placed.every((row) => row !== undefined)) return { rows: placed, hasDetails: true };
  const listed = ticks.map((tick) => ({ tick, words: new Set(contentWords(rowText(tick))) }));
  const details = tokens.filter(({ kind, text }) => kind === "value" || /^[\p{Lu}\d]/u.test(text));
  if (details.length > 0) {
    const named = details.map(({ text }) => {
      const words = contentWords(text);
      return listed.filter((row) => words.length > 0 && words.every((word) => row.words.has(word)));
    });
    const isClear = named.every((rows) => rows.length === 1);
    return { rows: isClear ? [...new Set(named.flat())].map(({ tick }) => tick) : [], hasDetails: true };
  }
  const words = tokens
    .flatMap(({ text }) => contentWords(text))
    .filter((word) => wordScore(word, called) < SAME);
  const [best, next] = listed
    .map((row) => ({ ...row, count: words.filter((word) => row.words.has(word)).length }))
    .toSorted((one, other) => other.count - one.count);
  return { rows: best && best.count > (next?.count ?? 0) ? [best.tick] : [], hasDetails: false };
}
