/**
 * Plans for lists that show the controls of a row only while the pointer is over the row, as those of WordPress, Gmail
 * and Google Drive do. The pointer may rest on any row, so the shown controls may belong to a thing that the task does not mean.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import {
  isField,
  isList,
  isTick,
  namesOf,
  rowPath,
  rowText,
} from "../elements/texts-that-may-name-element.ts";
import { plannedStep } from "../plan/build-plan-step.ts";
import type { Plan } from "../plan/plan-schemas.ts";
import { ordinalIn } from "../task/parse-task-imperatives.ts";
import { contentWords, plainWords } from "../words/normalised-words.ts";
import type { PlanResult } from "./plan-by-imperatives.ts";
import { leadingPlan, thingOfTask } from "./plans-that-lead-to-thing.ts";
import { hasOwnName, type ThingOfTask } from "./thing-of-task.ts";

/** Score (0 to 1) of the row of a thing over which the pointer is moved. */
const ROW_OF_THING = 0.7;

interface Row {
  readonly path: string;
  readonly elements: readonly HighlightedElement[];
  /** The words of the row, also those of controls that it does not show. */
  readonly words: readonly string[];
}

/** Returns the rows of the tables of a page, by their paths. */
function rowsOf(elements: readonly HighlightedElement[]): ReadonlyMap<string, Row> {
  const byPath = Map.groupBy(elements, (one) => rowPath(one) ?? "");
  byPath.delete("");
  return new Map(
    [...byPath].map(([path, own]) => {
      const texts = own.flatMap((one) => [rowText(one), ...namesOf(one).map(({ text }) => text)]);
      return [path, { path, elements: own, words: texts.flatMap(plainWords) }];
    }),
  );
}

/** The path of the body of a row's table. Some tables have one body for each row. */
const tableOf = (path: string): string => path.replace(/\/tr[^/]*$/u, "");

const hasAll = (words: readonly string[], { words: own }: Row): boolean =>
  words.length > 0 && words.every((word) => own.includes(word));

/** Returns the words of the name of the task's thing; an empty list if the task names none. */
function nameInTask(task: string): readonly string[] {
  const thing = thingOfTask(task);
  return thing && hasOwnName(thing) ? thing.name.flatMap(plainWords) : [];
}

/** Returns the caption of a control, without a label for assistive technology that may name the thing of the row. */
const captionWords = (element: HighlightedElement): readonly string[] =>
  plainWords(element.textContent?.trim() || nameOf(element));

/** Whether the row has the caption of a control as text, but no such control. The row then hides the control. */
const hides = (row: Row, control: HighlightedElement): boolean =>
  captionWords(control).length > 0 &&
  captionWords(control).every((word) => row.words.includes(word)) &&
  !row.elements.some((one) => captionWords(one).join(" ") === captionWords(control).join(" "));

/** Minimum number of controls of a row that no other row has, from which on the pointer must have shown them. */
const CONTROLS_OF_ROW = 2;

/** The place of an element in its row. */
const placeIn = (row: Row, one: HighlightedElement): string => one.xpath.slice(row.path.length);

/**
 * Whether a row has several controls at places where no other row has any, although the other rows have its links. One
 * such control may depend on the state of the thing, such as "Stop" of the job that runs.
 */
function hasMoreControls(own: Row, others: readonly Row[]): boolean {
  const places = new Set(others.flatMap((row) => row.elements.map((one) => placeIn(row, one))));
  const [shared, more] = [true, false].map((isShared) =>
    own.elements.filter((one) => !isTick(one) && places.has(placeIn(own, one)) === isShared),
  );
  return (shared?.length ?? 0) > 0 && (more?.length ?? 0) >= CONTROLS_OF_ROW;
}

/**
 * Whether a plan presses a control in the row of another thing than the task names, or in a row that the task does not
 * name while other rows hide the same control.
 */
export function pressesControlOfOtherRow(
  task: string,
  plan: Plan,
  elements: readonly HighlightedElement[],
): boolean {
  if (ordinalIn(task) !== undefined) return false;
  const rows = rowsOf(elements);
  const name = nameInTask(task);
  return plan.steps.some(({ action, targetId }) => {
    const element = elements.find((one) => one.highlight_index === targetId);
    const own = rows.get((element && rowPath(element)) ?? "");
    if (action !== "click" || !element || !own || isField(element) || isList(element) || isTick(element))
      return false;
    const others = [...rows.values()].filter(
      ({ path }) => path !== own.path && tableOf(path) === tableOf(own.path),
    );
    if (name.length > 0) return !hasAll(name, own) && others.some((row) => hasAll(name, row));
    const asked = contentWords(task);
    const caption = new Set(captionWords(element).flatMap((word) => contentWords(word)));
    const words = own.words.flatMap((word) => contentWords(word));
    const shared = new Set(others.flatMap((row) => row.words.flatMap((word) => contentWords(word))));
    const isNamed = words.some((word) => asked.includes(word) && !caption.has(word) && !shared.has(word));
    return !isNamed && (others.some((row) => hides(row, element)) || hasMoreControls(own, others));
  });
}

/**
 * Whether the page is a list with the thing in one of its rows, and a step of the plan uses an element outside of this
 * row, such as a list "Change role to…" for the ticked rows.
 */
export function leavesRowOfThing(
  thing: ThingOfTask,
  plan: Plan,
  elements: readonly HighlightedElement[],
): boolean {
  const name = hasOwnName(thing) ? thing.name.flatMap(plainWords) : [];
  const all = [...rowsOf(elements).values()];
  const row = all.find((one) => hasAll(name, one));
  const isList = all.some((one) => row && one !== row && tableOf(one.path) === tableOf(row.path));
  const own = new Set(row?.elements.map(({ highlight_index }) => highlight_index));
  return isList && plan.steps.some(({ targetId }) => targetId !== null && !own.has(targetId));
}

/**
 * Plans to move the pointer over the only row with the name of the thing, if the page has no control for the task and the
 * rows of the table hide controls. The task is then planned again with the controls of this row.
 */
export function planToPointAtRow(
  task: string,
  { plan, questions }: PlanResult,
  elements: readonly HighlightedElement[],
): Plan | undefined {
  const name = nameInTask(task);
  if (plan.steps.length > 0 || questions.length === 0 || name.length === 0) return undefined;
  const rows = [...rowsOf(elements).values()];
  const [row, other] = rows.filter((one) => hasAll(name, one));
  const target = row?.elements.find((one) => one.covered === undefined && !isField(one) && !isList(one));
  if (!row || other || !target) return undefined;
  const table = rows.filter(({ path }) => tableOf(path) === tableOf(row.path));
  const isHiding = table.some((one) =>
    one.elements.some((control) => !isTick(control) && one !== row && hides(row, control)),
  );
  if (!isHiding && !hasCaptionOfHiddenControl(task, row)) return undefined;
  const order = { kind: "click", target: nameOf(target), value: null } as const;
  const step = plannedStep(order, target, { action: "hover", target: ROW_OF_THING, part: "open", elements });
  return leadingPlan(task, plan, [step], "page");
}

/** Whether a row has the verb of the task, or "Edit", as text, but no such control. */
function hasCaptionOfHiddenControl(task: string, row: Row): boolean {
  const verb = thingOfTask(task)?.verb;
  return [verb, "edit"].some(
    (word) =>
      word !== undefined &&
      row.words.includes(word) &&
      !row.elements.some((one) => plainWords(nameOf(one)).includes(word)),
  );
}
