/** Finds the form of a task on the page of an object that the task names: "add a comment to the issue "Gate jam"". */

import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import {
  addressWords,
  quotedNames,
  stemsOf,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { stateOfId } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { type FormTask, formTasks } from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import type { AgentRequest } from "./agent-answer-builders.ts";
import { type FoundTask, valuesOf } from "./find-form-of-task.ts";

/**
 * Returns the form on the page of an object whose name is in quotes in the task: add a comment to the issue
 * "Gate jam". Exactly one page of the screen must have this name, or have it in its address. A quoted name
 * that is also a value of the task is ignored, because it is the name of a new object.
 */
export async function formOnNamedPage(
  { atlas, source, knowledgeId, target, context }: AgentRequest,
  found: FoundTask,
): Promise<FoundTask | undefined> {
  const group = atlas.groupOf(found.screen.screen_id)?.screen_id;
  if (group === undefined) return undefined;
  const values = new Set([...valuesOf(context).values()].map((value) => stemsOf(String(value)).join(" ")));
  const names = quotedNames(target).filter((name) => !values.has(name.join(" ")));
  const [page, ...others] = [...atlas.members(group)].flatMap((id): readonly AtlasScreen[] => {
    const member = stateOfId(id) === undefined ? atlas.get(id) : undefined;
    return member && names.some((name) => hasName(member, name)) ? [member] : [];
  });
  if (!page || others.length > 0) return undefined;
  if (page.screen_id === found.screen.screen_id) return found;
  const tasks = formTasks(await source.screens.actions(knowledgeId, page.screen_id));
  const task = tasks.find((one) => fieldNames(one) === fieldNames(found.task));
  return task && { ...found, task, screen: page, isShown: false };
}

function hasName({ name, url }: AtlasScreen, words: readonly string[]): boolean {
  const own = new Set([...stemsOf(name), ...addressWords(url).all]);
  return words.length > 0 && words.every((word) => own.has(word));
}

const fieldNames = ({ fields }: FormTask): string => fields.map(({ name }) => name).join("\n");
