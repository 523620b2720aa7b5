/** Answers the instruction `execute_task` with the actions that lead to a form, fill in its fields and submit it. */

import { translateControl } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentResponse, BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import {
  operationOfName,
  type TaskWords,
  taskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { stateOfId } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { editedObject, readRemoval } from "../../../machines/knowledge/tasks/removal-target.ts";
import type { Choice, FormPage, TaskField } from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import {
  howToName,
  type UnnamedObject,
} from "../../../machines/knowledge/tasks/whether-task-names-object.ts";
import type { ActionRecord } from "../../../machines/records/map-records.ts";
import { withoutColon } from "../../../machines/session/controls/field-names-in-groups.ts";
import { type AgentRequest, arrivalAt, refusal, success } from "./agent-answer-builders.ts";
import { answerStoredTask, findStoredTask, givenTo } from "./answer-task-from-stored-tasks.ts";
import { noForm } from "./answer-task-without-known-form.ts";
import {
  type FoundTask,
  fillableFields,
  findForm,
  inWordsOfMap,
  objectToName,
  pagesWithForm,
  unvisitedPageWithForm,
  valuesOf,
  valuesWithoutField,
  wayTo,
} from "./find-form-of-task.ts";
import { formOnNamedPage } from "./form-on-named-page.ts";
import { statesAboutKind } from "./page-states-showing-things.ts";
import { currentPosition } from "./resolve-target-screen.ts";

/**
 * Answers `execute_task`: the route to a form, its fields, and its submission. The values are those of
 * `context.parameters`, by name or label of a field.
 */
export async function executeTask(asked: AgentRequest): Promise<AgentResponse> {
  const answer = await taskAnswer(asked);
  const target = asked.target.trim();
  const removal = readRemoval(target);
  const object = removal && "target" in removal ? removal.target : editedObject(target);
  const states = object ? await statesAboutKind(asked, object.kinds) : [];
  return states.length === 0 ? answer : { ...answer, metadata: { ...answer.metadata, states } };
}

async function taskAnswer(asked: AgentRequest): Promise<AgentResponse> {
  const { target, context, atlas, source, knowledgeId } = asked;
  if (target.trim() === "") return refusal("target.missing", "Name the task: its id, or words of its form.");
  const position = await currentPosition(asked, context);
  const words = await inWordsOfMap(asked, taskWords(target.trim(), valuesOf(context).values()));
  const { found: best, nearest } = await findForm(asked, words, position?.screen);
  const stored = await findStoredTask(asked, target.trim(), words);
  // When a form and a stored task fit equally well, the form is used, because it was seen on the site itself.
  if (stored && stored.fit > (best?.fit ?? 0)) {
    const answer = await answerStoredTask(asked, stored, position?.screen, valuesOf(context));
    return { ...answer, actions: [...answer.actions] };
  }
  if (!best) return await noForm(asked, words, nearest, position?.screen);
  // A task such as "add a comment to issue 7" uses the form on the page of the object that it names.
  const named = words.operation === "create" ? await formOnNamedPage(asked, best) : undefined;
  const found = named ?? best;
  const { screen } = found;
  const unvisited = named ? undefined : unvisitedPageWithForm(asked, words, best);
  const shown = found.isShown ? screen : unvisited;
  const pages = shown || named ? [] : await pagesWithForm(asked, words, found, position?.screen);
  const object = pages.length > 0 ? undefined : await objectToName(asked, words, found, shown);
  if (object) return withoutObject(asked, found, object);
  const way = shown ? [] : await wayTo(asked, position?.screen, screen);
  if (words.operation === "create" && !found.isOperation && isOpenedToEdit(screen, way))
    return await noForm(asked, words, nearest, position?.screen);
  const [record] = await source.screens.recognisable(knowledgeId, [screen.screen_id]);
  return formAnswer(found, words, valuesOf(context), {
    screenId: atlas.screenIdOf(screen.screen_id),
    screenName: shown?.name ?? screen.name,
    way,
    pages,
    arrival: record ? arrivalAt(atlas, record) : {},
  });
}

/**
 * Whether the last press that opens a state says that it edits an object, such as "Edit the task", which opens a
 * dialog on a board (Kanboard). The fields of such a form belong to an existing object, even if the state has
 * another name.
 */
function isOpenedToEdit({ screen_id }: AtlasScreen, way: readonly BrowserUseAction[]): boolean {
  const last = way.at(-1);
  if (stateOfId(screen_id) === undefined || last?.tool_name !== "click") return false;
  return operationOfName(String(last.parameters.text ?? "")) === "edit";
}

/** Refuses a task that edits or removes one of several objects, and does not name it. */
function withoutObject(
  { target }: AgentRequest,
  { task, screen }: FoundTask,
  { list, isOnList }: UnnamedObject,
): AgentResponse {
  const place = `"${screen.name}" (${screen.url})`;
  const found = isOnList
    ? `The form that fits is on ${place}, a list of several objects.`
    : `The form that fits is on ${place}, which is the page of one of the objects of ${list}.`;
  const answer = refusal(
    "task.which_page",
    `The task "${target.trim()}" does not say which object it means. ${found} ${howToName(target)} Nothing was done.`,
  );
  const { name, url } = screen;
  return {
    ...answer,
    metadata: {
      ...answer.metadata,
      task_id: task.task_id,
      task_name: task.name,
      list,
      pages: [{ name, url }],
    },
  };
}

/** The page with a form, and the way to it. */
interface PlaceOfForm {
  readonly screenId: string | null;
  readonly screenName: string;
  readonly way: readonly BrowserUseAction[];
  /** Pages with the same form, from which the agent must choose one. Empty if it need not choose. */
  readonly pages: readonly FormPage[];
  /** The facts by which the agent recognises that it has reached the page. */
  readonly arrival: Readonly<Record<string, unknown>>;
}

/**
 * Answers with the actions that fill in a form and submit it.
 *
 * @param given the values of the task, by name in lower case
 */
export function formAnswer(
  { task, fit }: Pick<FoundTask, "task" | "fit">,
  { operation }: Pick<TaskWords, "operation">,
  given: ReadonlyMap<string, unknown>,
  { screenId, screenName, way, pages, arrival }: PlaceOfForm,
): AgentResponse {
  const fillable = fillableFields(task);
  const filled = task.fields.map((field) => ({ field, value: givenTo(field, fillable, given) }));
  const unknown = [...valuesWithoutField(task, given), ...filled.flatMap(missingChoice)];
  const translated = (record: ActionRecord) => translateControl(record, screenId ?? "");
  const fills = filled.flatMap(({ field, value }) => {
    const chosen = field.choices ? chosenBy(value, field.choices)?.action : field.action;
    const action = chosen && translated(chosen);
    if (!action) return [];
    if (field.choices) return [action];
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
  const submit = translated(task.submit);
  return success(
    [...way, ...fills, ...(submit ? [{ ...submit, description: "Submit the form" }] : [])],
    { ...arrival, task_id: task.task_id, success_criteria: task.success_criteria },
    {
      task_name: task.name,
      screen_name: screenName,
      kind: task.kind,
      ...(operation === undefined ? {} : { operation }),
      confidence: Math.min(1, fit),
      fields: task.fields.map(({ name, label, group, type, constraints, action }) => ({
        name,
        label,
        ...(group === undefined ? {} : { group }),
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

const normalised = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

/** Returns the radio button with this value as its label; `undefined` if there is none. */
const chosenBy = (value: unknown, choices: readonly Choice[]): Choice | undefined =>
  choices.find(({ label }) => normalised(label) === normalised(String(value ?? "")));

/**
 * If a field of radio buttons has none for the given value, returns one text that names the value and the existing
 * buttons. Otherwise returns an empty list.
 */
function missingChoice({ field, value }: { readonly field: TaskField; readonly value: unknown }): string[] {
  const { choices, label } = field;
  if (!choices || value === undefined || value === "" || chosenBy(value, choices)) return [];
  return [`the option "${String(value)}" of ${label} (${choices.map((one) => one.label).join(", ")})`];
}

/**
 * Returns the parameter of a browser action that takes the value of a field: `path` for an upload, otherwise
 * `text`.
 */
const valueName = ({ tool_name }: BrowserUseAction): string =>
  tool_name === "upload_file" ? "path" : "text";

function isNo(value: unknown): boolean {
  return value === undefined || value === false || value === "" || /^(?:no|off|false)$/i.test(String(value));
}
