/** Answers `execute_task`: the route to a form, its fields, and its submission. */

import { type FormTask, formTasks, type TaskField, taskFit } from "../../machines/knowledge/form-tasks.ts";
import type { Atlas, AtlasScreen } from "../../machines/knowledge/in-memory-map.ts";
import type {
  AgentContext,
  AgentResponse,
  BrowserUseAction,
} from "../../machines/knowledge/knowledge-protocol.ts";
import { openUrl, translateControl } from "../../machines/knowledge/map-actions-to-browser-actions.ts";
import { knowledgeLimits } from "../../machines/knowledge/map-limits.ts";
import { stateOfId } from "../../machines/knowledge/page-states-to-instances.ts";
import { screenOfAction } from "../../machines/knowledge/page-to-screen.ts";
import { withoutColon } from "../../machines/knowledge/site-functions-list.ts";
import type { ActionRecord } from "../../machines/records/map-records.ts";
import { type AgentRequest, arrivalAt, refusal, success } from "./agent-instruction-answer-types.ts";
import { OPENED_BY_ADDRESS, routeBetween } from "./navigate-to-screen-answer.ts";
import { currentPosition } from "./resolve-target-screen.ts";
import { answerStoredTask, findStoredTask, givenTo, unknownParameters } from "./stored-task-answer.ts";

/** A form whose name and fields fit the target of the agent's instruction. */
interface FoundTask {
  readonly task: FormTask;
  /**
   * A page with the form. If the screen with the form consists of several pages, it is any of these pages.
   */
  readonly screen: AtlasScreen;
  readonly fit: number;
  /** Number of values of the task for which the form has no field. */
  readonly unknown: number;
}

/** A task fits the agent's target if it contains at least this share (0 to 1) of the target's words. */
const TASK_FIT = 0.6;
/** Maximum number of pages with the form that an answer names. */
const PAGES_NAMED = 5;

/**
 * Answers `execute_task`: the route to a form, its fields, and its submission. The values are those of
 * `context.parameters`, by name or label of a field.
 */
export async function executeTask(asked: AgentRequest): Promise<AgentResponse> {
  const { target, context, atlas, source, knowledgeId } = asked;
  if (target.trim() === "") return refusal("target.missing", "Name the task: its id, or words of its form.");
  const position = await currentPosition(asked, context);
  const found = await findTask(asked, position?.screen);
  const stored = await findStoredTask(asked, target.trim(), TASK_FIT);
  // When a form and a stored task fit equally well, the form is used, because it was seen on the site itself.
  if (stored && stored.fit > (found?.fit ?? 0)) {
    const answer = await answerStoredTask(asked, stored, position?.screen, valuesOf(context));
    return { ...answer, actions: [...answer.actions] };
  }
  if (!found) return refusal("task.not_found", "Task not found");
  const { task, screen } = found;
  const unknown = unknownParameters(fillableFields(task), valuesOf(context));
  const pages = await pagesWithForm(asked, found, position?.screen);
  const route =
    position && !isSameScreen(atlas, position.screen, screen)
      ? await routeTo(asked, position.screen, screen)
      : undefined;
  const there = position !== undefined && isSameScreen(atlas, position.screen, screen);
  const way = there ? [] : (route ?? [openUrl(screen.url, screen.name, OPENED_BY_ADDRESS)]);
  const given = valuesOf(context);
  const filled = task.fields.map((field) => ({
    field,
    value: givenTo(field, given),
  }));
  const fills = filled.flatMap(({ field, value }) => {
    const action = field.action && translateControl(field.action, atlas.screenIdOf(screen.screen_id));
    if (!action) return [];
    // A field whose action is a click is a checkbox. It is clicked, unless its value is a word such as "no".
    if (action.tool_name === "click") return isNo(value) ? [] : [action];
    const description =
      action.tool_name === "input" ? `Type into ${withoutColon(field.label)}` : action.description;
    return [
      {
        ...action,
        description,
        parameters: { ...action.parameters, ...(value === undefined ? {} : { [valueName(action)]: value }) },
      },
    ];
  });
  const submit = translateControl(task.submit, atlas.screenIdOf(screen.screen_id));
  const [record] = await source.screens.recognisable(knowledgeId, [screen.screen_id]);
  return success(
    [...way, ...fills, ...(submit ? [{ ...submit, description: "Submit the form" }] : [])],
    {
      ...(record ? arrivalAt(atlas, record) : {}),
      task_id: task.task_id,
      success_criteria: task.success_criteria,
    },
    {
      task_name: task.name,
      screen_name: screen.name,
      kind: task.kind,
      confidence: Math.min(1, found.fit),
      fields: task.fields.map(({ name, label, type, constraints, action }) => ({
        name,
        label,
        type,
        ...constraints,
        ...(action ? {} : { fillable: false }),
      })),
      missing_parameters: filled.filter(({ value }) => value === undefined).map(({ field }) => field.name),
      ...(unknown.length === 0 ? {} : { unknown_parameters: unknown }),
      ...(pages.length === 0 ? {} : { pages: pages.map(({ name, url }) => ({ name, url })) }),
    },
  );
}

/**
 * Returns the fields for which the map has an action. Other fields are hidden, such as those that a script
 * replaces by a widget (selectize, Tom Select).
 */
function fillableFields({ fields }: FormTask): readonly TaskField[] {
  return fields.filter(({ action }) => action !== undefined);
}

/** Returns the name of the parameter of a browser action that contains the value for the field. */
const valueName = ({ tool_name }: BrowserUseAction): string =>
  tool_name === "upload_file" ? "path" : "text";

function isNo(value: unknown): boolean {
  return value === undefined || value === false || value === "" || /^(?:no|off|false)$/i.test(String(value));
}

/** Finds the task that fits the target best: on the current screen, or else anywhere on the map. */
async function findTask(
  { atlas, source, knowledgeId, target, context }: AgentRequest,
  here: AtlasScreen | undefined,
): Promise<FoundTask | undefined> {
  const given = valuesOf(context);
  const bestOf = (screen: AtlasScreen, actions: readonly ActionRecord[]) =>
    formTasks(actions)
      .map((task) => ({
        task,
        screen,
        fit: taskFit(task, target.trim(), screen.name),
        unknown: unknownParameters(fillableFields(task), given).length,
      }))
      .filter(({ fit }) => fit >= TASK_FIT);
  // If the form of a task lacks a field for a given value, the agent means another task, even if the words of
  // its name fit well. So tasks are sorted by the number of values without a field first.
  const best = (found: readonly FoundTask[]) =>
    [...found].sort((a, b) => a.unknown - b.unknown || b.fit - a.fit)[0];
  const near = here && best(bestOf(here, await source.screens.actions(knowledgeId, here.screen_id)));
  if (near?.unknown === 0) return near;
  const found: FoundTask[] = near ? [near] : [];
  let read = 0;
  const ids = [...atlas.screens()].map(({ screen_id }) => screen_id).sort();
  for await (const actions of source.screens.offered(knowledgeId, ids)) {
    for (const [screenId, own] of Map.groupBy(actions, ({ action_id }) => screenOfAction(action_id))) {
      const screen = atlas.get(screenId);
      if (screen) found.push(...bestOf(screen, own));
    }
    read += actions.length;
    if (read >= knowledgeLimits.sitemapActions) break;
  }
  return best(found);
}

/** Whether two pages (instances) belong to the same screen, or are the same page. */
function isSameScreen(atlas: Atlas, one: AtlasScreen, other: AtlasScreen): boolean {
  return atlas.screenIdOf(one.screen_id) === atlas.screenIdOf(other.screen_id);
}

/**
 * Returns example pages with the form of a task, from which the agent must choose. Several objects may have
 * the same form, such as a note form on each order's page. The list is empty if the agent already is on such
 * a page, or if all these forms are sent to one address.
 */
async function pagesWithForm(
  { atlas, source, knowledgeId }: AgentRequest,
  { task, screen }: FoundTask,
  here: AtlasScreen | undefined,
): Promise<readonly AtlasScreen[]> {
  const group = atlas.groupOf(screen.screen_id)?.screen_id;
  if (group === undefined || task.kind === "search" || task.kind === "sign_in") return [];
  if (here && isSameScreen(atlas, here, screen)) return [];
  const others = [...atlas.members(group)].filter(
    (id) => id !== screen.screen_id && stateOfId(id) === undefined,
  );
  const [other] = others;
  if (other === undefined) return [];
  const tasks = formTasks(await source.screens.actions(knowledgeId, other));
  if (tasks.some(({ task_id }) => task_id === task.task_id)) return [];
  return [screen.screen_id, ...others].slice(0, PAGES_NAMED).flatMap((id) => atlas.get(id) ?? []);
}

async function routeTo(
  asked: AgentRequest,
  from: AtlasScreen,
  screen: AtlasScreen,
): Promise<readonly BrowserUseAction[] | undefined> {
  const goal = { screen, by: "screen_id", confidence: 1, others: [] } as const;
  return (await routeBetween(asked, from.screen_id, goal))?.actions;
}

/** Returns the values that the agent gives for a task, by name in lower case. */
function valuesOf({ parameters }: AgentContext): ReadonlyMap<string, unknown> {
  const given = typeof parameters === "object" && parameters !== null ? Object.entries(parameters) : [];
  return new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
}
