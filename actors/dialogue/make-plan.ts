/**
 * Makes a plan for a task. The offline planner is tried first: it uses routes of the map and elements of the
 * current page. If its plan is unclear, a form that the map knows is tried, and then the configured model.
 */

import { dialogueLimits } from "../../machines/dialogue/dialogue-limits.ts";
import { submitStep } from "../../machines/dialogue/plan/build-plan-step.ts";
import { isVague } from "../../machines/dialogue/plan/plan-confidence.ts";
import type { PlanStep } from "../../machines/dialogue/plan/plan-schemas.ts";
import {
  leavesRowOfThing,
  planToPointAtRow,
  pressesControlOfOtherRow,
} from "../../machines/dialogue/planner/controls-of-row-under-pointer.ts";
import { planToOpenMenu } from "../../machines/dialogue/planner/menus-with-unseen-controls.ts";
import {
  type PlanResult,
  type ReadOrder,
  readOrders,
} from "../../machines/dialogue/planner/plan-by-imperatives.ts";
import {
  nothingOf,
  planPart,
  type RefinedPlan,
  taskToDo,
} from "../../machines/dialogue/planner/plan-refine-loop.ts";
import {
  leadingPlan,
  planToClickRow,
  planToEditInRow,
  planToOpenThing,
  planToUnfold,
  showsThing,
  thingOfTask,
} from "../../machines/dialogue/planner/plans-that-lead-to-thing.ts";
import { withQuestionIfUnsure } from "../../machines/dialogue/planner/question-for-unsure-plan.ts";
import {
  asHighRisk,
  openWordsOf,
  orderForLeftVerb,
  planInOpenForm,
  planInOpenList,
  withOpenWords,
} from "../../machines/dialogue/planner/task-parts-left-open-by-plan.ts";
import {
  additionOf,
  changeOf,
  isPageOfThing,
} from "../../machines/dialogue/planner/tasks-on-page-of-thing.ts";
import { withFormSent } from "../../machines/dialogue/planner/whether-plan-must-send-form.ts";
import { newThingsOf, nounOf } from "../../machines/dialogue/task/creation-imperatives.ts";
import type { Order } from "../../machines/dialogue/task/parsed-imperative.ts";
import { singleSpaced } from "../../machines/dialogue/task/split-task-at-imperatives.ts";
import { wordVectors } from "./load-word-vectors.ts";
import { planByModel } from "./plan-by-model.ts";
import {
  type AskMap,
  knownForm,
  knownRoutes,
  type Position,
  routeToThing,
  type TaskValue,
} from "./plan-from-map.ts";
import type { Planning, PlanSources } from "./planning-input.ts";

export async function makePlan(planning: Planning, sources: PlanSources): Promise<RefinedPlan> {
  const { task, answers, elements, open = [] } = planning;
  const best = withoutOtherRow(sent(await bestPlan(planning, sources), planning), planning);
  const onPage = plannedOnPageOfThing(best, planning);
  const plan = onPage?.plan ?? (open.length === 0 ? best : continued(best, planning, open));
  const menu = planToOpenMenu(task, plan.plan, elements);
  if (menu) return { ...plan, plan: menu, questions: [] };
  const found = withOpenWords(plan, { task: onPage?.task ?? task, elements });
  return withQuestionIfUnsure((await leading(found, planning, sources)) ?? found, answers);
}

/**
 * Plans a task on the page of the object that the task names, without the words for this object. On the page of
 * order A7, 'Add the comment "calls back" to order A7' is planned as 'Add the comment "calls back"'. Returns
 * `undefined` if the page is not that of the object, or has no field for the task.
 */
function plannedOnPageOfThing(best: RefinedPlan, planning: Planning) {
  const { task, answers, open = [], pageUrl } = planning;
  const isAsking = best.questions.length > 0;
  const reduced = additionOf(task) ?? (isAsking ? changeOf(task) : undefined);
  if (!reduced || Object.keys(answers).length > 0 || forbids(planning)) return undefined;
  if (open.length === 0 && !isPageOfThing(reduced.thing, pageUrl)) return undefined;
  const part = { ...planning, task: reduced.task };
  const planned = planPart(part, reduced.task);
  if (planned.questions.length > 0 || planned.plan.steps.length === 0) return undefined;
  // The fields of a list with the thing in one of its rows are not those of the thing.
  if (open.length > 0 && leavesRowOfThing(reduced.thing, planned.plan, planning.elements)) return undefined;
  return { task: reduced.task, plan: sent(planned, part, true) };
}

/**
 * Plans a way to what the task is about, such as "the user Ada", if the page has no control for the task. The
 * plan follows the map's route to a page that shows the user, or clicks to open a collapsed section. Returns
 * `undefined` if neither is possible.
 */
async function leading(
  planned: RefinedPlan,
  planning: Planning,
  { map }: PlanSources,
): Promise<RefinedPlan | undefined> {
  const { task, elements, answers, open = [] } = planning;
  const isAsking = planned.questions.length > 0 && planned.plan.steps.length === 0;
  if (!isAsking || Object.keys(answers).length > 0 || isVague(task)) return undefined;
  const thing = thingOfTask(task);
  if (thing === undefined || forbids(planning)) return undefined;
  const position =
    map && open.length === 0 && !showsThing(thing, elements) ? await map.position() : undefined;
  const route = map && position ? await routeToThing(thing, position, map.ask) : undefined;
  const plan = route
    ? leadingPlan(task, planned.plan, route, "map")
    : (planToOpenThing(task, planned, elements) ??
      planToEditInRow(task, planned, elements) ??
      planToClickRow(task, planned, elements) ??
      planToUnfold(task, planned, elements));
  // The only control "Edit" of the page may belong to the row under the pointer.
  const isOther = plan && pressesControlOfOtherRow(task, plan, elements);
  const led =
    isOther || !plan ? (open.length === 0 ? planToPointAtRow(task, planned, elements) : undefined) : plan;
  return led && { ...planned, plan: led, questions: [] };
}

/** Replaces a plan that presses a control in the row of another thing by a question. */
function withoutOtherRow(best: RefinedPlan, { task, elements, answers }: Planning): RefinedPlan {
  if (Object.keys(answers).length > 0 || !pressesControlOfOtherRow(task, best.plan, elements)) return best;
  return nothingOf(task, best);
}

/**
 * Adds the click that sends the filled form, if the task changes something. A task that forbids anything gets
 * no such click, because sending may be what it forbids.
 */
function sent(best: RefinedPlan, planning: Planning, isOpened = false): RefinedPlan {
  const { task, elements } = planning;
  if (best.questions.length > 0) return best;
  const plan = withFormSent({ task, plan: best.plan, elements }, isOpened);
  return plan === best.plan || forbids(planning) ? best : { ...best, plan };
}

/** Whether a part of the task forbids something. */
const forbids = (planning: Planning): boolean => taskToDo(planning) !== singleSpaced(planning.task);

/**
 * Plans the rest of a task on the page that its last plan has reached; `open` contains the words that no step
 * has used. If one of them is a verb, a control for this verb is pressed: the switch "Enabled" for "Disable
 * the user Ada". Otherwise a form that takes these words is filled in. If there is none, the person is asked.
 */
function continued(best: RefinedPlan, planning: Planning, open: readonly string[]): RefinedPlan {
  const { task, elements, answers } = planning;
  if (Object.keys(answers).length > 0) return best;
  // An earlier plan of the task has opened this form. So a plan that fills in the form also submits it.
  if (best.questions.length === 0 && best.plan.steps.some(({ value }) => value !== null))
    return sent(best, planning, true);
  const order = best.questions.length > 0 ? orderForLeftVerb(task, open, elements) : undefined;
  const pressing = order === undefined ? undefined : planPart({ ...planning, task: order }, order);
  if (pressing && pressing.questions.length === 0 && pressing.plan.steps.length > 0)
    return sent({ ...pressing, plan: asHighRisk(pressing.plan) }, planning);
  const page = { task, plan: best.plan, elements };
  const form = planInOpenForm(page, open) ?? planInOpenList(page, open);
  if (form) return { ...best, plan: form, questions: [] };
  // A new plan counts as progress only if it leaves fewer words of the task unused than the last plan. For example,
  // it may lead from a list to the page of the named user.
  const isLeft = openWordsOf({ task, plan: best.plan, elements }).length >= Math.max(1, open.length);
  if (best.questions.length > 0 || (best.plan.steps.length > 0 && !isLeft)) return best;
  return nothingOf(task, best);
}

async function bestPlan(given: Planning, sources: PlanSources): Promise<RefinedPlan> {
  const { map, models } = sources;
  const planning = { ...given, vectors: await wordVectors() };
  // Clauses that forbid something, such as "do not send it", are removed before the imperatives are numbered.
  // `knownRoutes` refers to each imperative by its number.
  const toDo = taskToDo(planning);
  const task = toDo || planning.task;
  const orders = readOrders(task, planning.answers, planning.elements);
  const position = map && (await map.position());
  const known = map && position ? await knownRoutes(orders, position, map.ask) : {};
  const planned = planPart({ ...planning, known }, toDo);
  const isClear = (plan: PlanResult): boolean =>
    plan.questions.length === 0 && plan.plan.confidence.breakdown.targetMatch >= dialogueLimits.clearTarget;
  if (isClear(planned)) return planned;
  if (map && position) {
    const form = await mapForm(task, orders, position, map.ask);
    if (form) {
      const [first] = orders;
      const whole = Object.fromEntries(orders.map(({ at }) => [at, at === first?.at ? form : []]));
      return planPart({ ...planning, known: whole }, toDo);
    }
  }
  if (!models.configured) return planned;
  const byModel = await planByModel(planning, sources);
  if (typeof byModel !== "string") return byModel;
  return { ...planned, plan: { ...planned.plan, fallback: byModel } };
}

/**
 * Plans a task by a form on the map, such as a form for a new customer. Returns the steps that fill the form,
 * or `undefined` if no form has a field for each value.
 */
async function mapForm(
  task: string,
  orders: readonly ReadOrder[],
  position: Position,
  ask: AskMap,
): Promise<readonly PlanStep[] | undefined> {
  const values = valuesIn(orders);
  if (values.length === 0) return orders.length === 1 ? await formOfNewThing(task, position, ask) : undefined;
  const [first] = orders;
  const created = orders.length === 1 && first?.order?.kind === "create" ? first.order : undefined;
  if (!created) return await knownForm(task, values, position, ask);
  // For a task such as "Create a customer named Ada", the map is searched for a form that creates a customer.
  // A form that edits an existing customer does not count.
  const noun = nounOf(created.target);
  const form =
    (await knownForm(`create ${created.target}`, values, position, ask, noun)) ??
    (await knownForm(`create ${noun}`, values, position, ask, noun));
  const keyed = form === undefined ? await keyedForm(noun, values, position, ask) : undefined;
  if (keyed) return [...keyed.steps, submitStep({ ...created, entries: [keyed.entry] })];
  // Steps from a crawled form only fill in its fields, so a step that submits the form is added. Steps of a
  // recorded task may already end with the click that submits the form.
  return form && (form.at(-1)?.action === "click" ? form : [...form, submitStep(created)]);
}

/**
 * Names of fields that may take the name of a new object. The word for the kind of object, such as
 * "component", is tried before them.
 */
const NAME_FIELDS = ["name", "title"] as const;
/** Names of fields that identify a thing without a name, such as a variable in Airflow and GitLab. */
const KEY_FIELDS = ["key"] as const;

/**
 * Finds a form that creates a thing and takes the thing's name in another field than "name": in a field with
 * the word for the kind of thing ("Pool" in Airflow), or in a field for a key.
 */
async function keyedForm(
  noun: string,
  values: readonly TaskValue[],
  position: Position,
  ask: AskMap,
): Promise<{ readonly steps: readonly PlanStep[]; readonly entry: Order } | undefined> {
  const isName = ({ fields }: TaskValue): boolean => fields.includes("name");
  const name = values.find(isName);
  if (noun === "" || !name) return undefined;
  for (const field of [noun, ...KEY_FIELDS]) {
    const keyed = values.map((one) => (isName(one) ? { ...one, fields: [field] } : one));
    const steps = await knownForm(`create ${noun}`, keyed, position, ask, noun);
    if (steps && steps.at(-1)?.action !== "click")
      return { steps, entry: { kind: "set", target: field, value: name.value, also: field } };
  }
  return undefined;
}

/**
 * Plans a task such as "Add the component rudder" by a form on the map. The value "rudder" goes into a field
 * named "component", "name" or "title".
 */
async function formOfNewThing(
  task: string,
  position: Position,
  ask: AskMap,
): Promise<readonly PlanStep[] | undefined> {
  for (const { noun, name } of newThingsOf(task))
    for (const field of [noun, ...NAME_FIELDS]) {
      const form = await knownForm(`create ${noun}`, [{ fields: [field], value: name }], position, ask, noun);
      const entry = { kind: "set", target: field, value: name } as const;
      const order = {
        kind: "create",
        target: `add ${noun}`,
        value: null,
        also: "add",
        entries: [entry],
      } as const;
      if (form) return form.at(-1)?.action === "click" ? form : [...form, submitStep(order)];
    }
  return undefined;
}

/**
 * Returns the values in the task with the possible names of their fields: the value "Ada" with "name", for
 * example. If the task creates an object, these are the values of the new object.
 */
function valuesIn(orders: readonly ReadOrder[]): readonly TaskValue[] {
  const all = orders.flatMap(({ order }) =>
    order?.kind === "create" ? (order.entries ?? []) : (order ?? []),
  );
  return all.flatMap(({ kind, target, also, value }) =>
    (kind === "set" || kind === "input") && value !== null && target !== ""
      ? [{ fields: [target, target.replace(ARTICLE, ""), ...(also ? [also] : [])], value }]
      : [],
  );
}

const ARTICLE = /^(?:the|my|our|an?)\s+/iu;
