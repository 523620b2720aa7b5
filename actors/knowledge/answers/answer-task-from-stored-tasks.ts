/**
 * Answers `execute_task` for tasks that come from documents and recordings, and finds the stored task that
 * the target names.
 */

import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentResponse, BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import {
  stemsOf,
  subjectFit,
  type TaskWords,
  taskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { slug } from "../../../machines/knowledge/screens/screen-id.ts";
import type { TaskDefinition } from "../../../machines/knowledge/tasks/task-definition.ts";
import {
  fieldsAbbreviating,
  isForRestOfGroup,
  type NamedField,
  namesOfField,
  namesOfFields,
} from "../../../machines/session/controls/field-names-in-groups.ts";
import type { OpenMap } from "./recognise-screen.ts";
import { TaskResolver } from "./task-steps-to-map-actions.ts";

export interface StoredTask {
  readonly task: TaskDefinition;
  /**
   * How well the stored task fits the target (the agent's words for a task). It is the share (0 to 1) of the
   * target's words for the kind of object that also occur in the task's name, or 2 if the target is the task's id.
   */
  readonly fit: number;
}

/**
 * Finds the stored task whose name fits the target (the agent's words for a task) best. Returns `undefined`
 * if no name fits.
 */
export async function findStoredTask(
  { source, knowledgeId }: OpenMap,
  target: string,
  words: TaskWords,
): Promise<StoredTask | undefined> {
  let best: StoredTask | undefined;
  for (const { task_id, body, name } of await source.documents.tasks(knowledgeId)) {
    const { operation } = taskWords(name);
    const own = new Set(stemsOf(name));
    const subject = { operation, own, place: own, other: new Set<string>(), labels: [] };
    const fit = task_id === target ? 2 : subjectFit(words, subject);
    // `ingested-document-part.ts` wrote the task as JSON of `TaskDefinition`, so the cast is safe.
    if (fit > (best?.fit ?? 0)) best = { task: JSON.parse(body) as TaskDefinition, fit };
  }
  return best;
}

/**
 * Returns the value that the agent gives for a field: under one of the field's names, or under a longer form of its
 * name ("value" for the field "Val"). Returns `undefined` if there is none.
 *
 * @param fields all fields of the form
 */
export function givenTo(
  field: NamedField,
  fields: readonly NamedField[],
  given: ReadonlyMap<string, unknown>,
): unknown {
  const value = (namesOfFields(fields).get(field) ?? namesOfField(field))
    .filter((key) => !isForRestOfGroup(field, key, given.get(key)))
    .map((key) => given.get(key))
    .find((one) => one !== undefined);
  if (value !== undefined) return value;
  const [name] = [...fieldsAbbreviating(fields, given.keys())].find(([, one]) => one === field) ?? [];
  return name === undefined ? undefined : given.get(name);
}

/** Returns the names of given values that match no field of the task, in lower case. */
export function unknownParameters(
  fields: readonly NamedField[],
  given: ReadonlyMap<string, unknown>,
): readonly string[] {
  const known = new Set(
    [...namesOfFields(fields)].flatMap(([field, names]) =>
      names.filter((name) => !isForRestOfGroup(field, name, given.get(name))),
    ),
  );
  const abbreviated = fieldsAbbreviating(fields, given.keys());
  return [...given.keys()].filter((name) => !known.has(name) && !abbreviated.has(name));
}

/**
 * Answers with the browser actions that perform a stored task.
 * @param given the values for the task's variables, by name or label in lower case
 */
export async function answerStoredTask(
  map: OpenMap,
  { task, fit }: StoredTask,
  position: AtlasScreen | undefined,
  given: ReadonlyMap<string, unknown>,
): Promise<AgentResponse> {
  const steps = await new TaskResolver(map).steps(task, position);
  const values = new Map(
    task.variables.flatMap((variable) => {
      const value = givenTo(variable, task.variables, given) ?? variable.example;
      return value === undefined ? [] : [[variable.name, value] as const];
    }),
  );
  const actions = steps.flatMap(({ way, action, step }) => [
    ...way,
    ...(action ? [filled(action, step.action.target, values)] : []),
  ]);
  const last = steps.findLast(({ leads_to, screen }) => leads_to ?? screen);
  const unknown = unknownParameters(task.variables, given);
  const screen = last?.leads_to ?? last?.screen;
  return {
    success: true,
    actions,
    expected_result: {
      task_id: task.task_id,
      success_criteria: task.success_criteria,
      ...(screen ? { screen_id: map.atlas.screenIdOf(screen.screen_id) } : {}),
    },
    error: null,
    metadata: {
      task_name: task.name,
      kind: task.origin,
      source_id: task.source_id,
      confidence: Math.min(1, fit),
      fields: task.variables.map(({ name, label, type, required }) => ({ name, label, type, required })),
      missing_parameters: task.variables.filter(({ name }) => !values.has(name)).map(({ name }) => name),
      ...(unknown.length === 0 ? {} : { unknown_parameters: unknown }),
      steps: steps.map(({ step, action }) => ({
        order: step.order,
        description: step.description,
        known: action !== undefined,
        ...(step.inferred ? { inferred: true, ...step.inferred } : {}),
      })),
      unknown_steps: steps.filter(({ action }) => action === undefined).map(({ step }) => step.description),
    },
  };
}

/**
 * Inserts a value into an action. If a parameter contains a placeholder such as `{{name}}`, the value
 * replaces the placeholder. Otherwise the action types the value as its text.
 */
function filled(
  action: BrowserUseAction,
  target: string,
  values: ReadonlyMap<string, unknown>,
): BrowserUseAction {
  const parameters = Object.fromEntries(
    Object.entries(action.parameters).flatMap(([key, value]) => {
      const [, name] = typeof value === "string" ? (/^\{\{(\w+)\}\}$/.exec(value) ?? []) : [];
      if (name === undefined) return [[key, value]];
      return values.has(name) ? [[key, values.get(name)]] : [];
    }),
  );
  const value = values.get(slug(target));
  const takesText = action.tool_name === "input" || action.tool_name === "select_dropdown";
  if (takesText && value !== undefined && parameters.text === undefined) parameters.text = value;
  return { ...action, parameters };
}
