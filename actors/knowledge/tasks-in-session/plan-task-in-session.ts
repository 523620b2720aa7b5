/**
 * Plans a task that a session then carries out. Uses the form in the map's answer, or else searches for a
 * form in the session.
 */

import { pressesButtonOfForm } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { AgentResponse } from "../../../machines/knowledge/knowledge-protocol.ts";
import { taskWords } from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import type { LiveForm } from "../../../machines/knowledge/screens/session-form-to-map-states.ts";
import { howToName, isPageOfItem } from "../../../machines/knowledge/tasks/whether-task-names-object.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import type { WalkRequest } from "../../../machines/walk/walk-schemas.ts";
import { formAnswer } from "../answers/answer-execute-task-instruction.ts";
import { kindsKnown } from "../answers/answer-task-without-known-form.ts";
import { valuesOf } from "../answers/find-form-of-task.ts";
import type { NamedLinkOfMap } from "../answers/map-links-for-task.ts";
import { statesOf } from "../answers/page-states-showing-things.ts";
import { type FormInSession, FormSearchInSession, type SearchInSession } from "./find-form-in-session.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";

/** The actions of a task, or the answer with the reason why it cannot be carried out. */
export type PlannedTask =
  | AgentResponse
  | {
      readonly task: NonNullable<WalkRequest["task"]>;
      /** The form that was found in the session, which the map lacks. */
      readonly live?: LiveForm;
    };

/** Actions that enter text into a field. */
const ENTRIES: ReadonlySet<string> = new Set(["input", "type_slowly", "select_dropdown"]);

/** Maximum number of pages or links of one kind that a refusal names. */
const NAMED = 5;

/** Error codes of a map's answer if the map has no form for a task, or no form with fields for all values. */
const WITHOUT_FORM: ReadonlySet<unknown> = new Set([
  "task.form_unknown",
  "task.not_found",
  "task.unknown_kind",
  "task.unknown_parameters",
]);

/**
 * Refuses a task that edits something but gives no value. A form to which no value is given may do something
 * else, such as an action for the selected rows of a list.
 */
function withoutValues(answer: AgentResponse): AgentResponse {
  // The cast is safe: the map's actor wrote the list.
  const fields = (answer.metadata.fields ?? []) as readonly { readonly name: string }[];
  const names = fields.map(({ name }) => name).join(", ");
  return {
    ...answer,
    actions: [],
    success: false,
    error: `The task edits something, so it needs at least one value in context.parameters. The fields of "${String(answer.metadata.task_name)}" are: ${names}. Nothing was done.`,
    metadata: { ...answer.metadata, code: "task.missing_parameters" },
  };
}

/**
 * Converts the answer of a map or of a search to the actions of a task. If the task has no field for a value, lacks a value
 * or fits several pages, returns a refusal with the reason.
 *
 * @param given the values that the agent gives for the task
 */
function plannedTask(answer: AgentResponse, given: ReadonlyMap<string, unknown>): PlannedTask {
  if (!answer.success) return answer;
  if (answer.metadata.operation === "edit" && given.size === 0) return withoutValues(answer);
  // The casts are safe: the map's actor wrote both lists. The protocol does not define the types of fields
  // in `metadata`.
  const missing = (answer.metadata.missing_parameters ?? []) as readonly string[];
  const fields = (answer.metadata.fields ?? []) as readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly has_value?: boolean;
    readonly fillable?: false;
  }[];
  const unknown = (answer.metadata.unknown_parameters ?? []) as readonly string[];
  if (unknown.length > 0) {
    const names = fields.flatMap(({ name, fillable }) => (fillable === false ? [] : [name])).join(", ");
    const message = `The task "${String(answer.metadata.task_name)}" has no field for ${unknown.join(", ")}, so nothing was done. Its fields are: ${names || "none"}.`;
    return {
      ...answer,
      actions: [],
      success: false,
      error: message,
      metadata: { ...answer.metadata, code: "task.unknown_parameters" },
    };
  }
  const pages = (answer.metadata.pages ?? []) as readonly { readonly url: string }[];
  if (pages.length > 0) {
    const message = `Several pages have the form "${String(answer.metadata.task_name)}", each for an object of its own, such as ${pages.map(({ url }) => url).join(", ")}. Open the page that is meant in the session and ask again. Nothing was done.`;
    return {
      ...answer,
      actions: [],
      success: false,
      error: message,
      metadata: { ...answer.metadata, code: "task.which_page" },
    };
  }
  // In a form that edits an object, the required fields already have values. So the task need not give them.
  const isEdit = answer.metadata.operation === "edit";
  const needed = missing.filter(
    (name) => !isEdit && fields.some((field) => field.name === name && field.required && !field.has_value),
  );
  if (needed.length > 0) {
    const message = `The task needs values in context.parameters: ${needed.join(", ")}.`;
    return {
      ...answer,
      success: false,
      error: message,
      metadata: { ...answer.metadata, code: "task.missing_parameters" },
    };
  }
  const task = answer.actions.flatMap((planned, at) => {
    const { tool_name, parameters, description } = planned;
    if (tool_name === "submit_form" && !pressesButtonOfForm(planned)) {
      // `submit_form` needs the index of an element, and a form has none in a session. So it gets the last
      // field with a value. Fields without a value may be missing, because the pages of a screen may differ.
      const entries = answer.actions.slice(0, at).filter((action) => ENTRIES.has(action.tool_name));
      const field = entries.findLast((action) => action.parameters.text !== undefined) ?? entries.at(-1);
      const { text: _, ...place } = field?.parameters ?? parameters;
      return [{ description, action: parseAction(tool_name, place) }];
    }
    const isEntry = ENTRIES.has(tool_name);
    const isEmptyUpload = tool_name === "upload_file" && parameters.path === undefined;
    // A field for which the task gives no value is not filled in.
    if (isEmptyUpload || (isEntry && parameters.text === undefined)) return [];
    return [{ description, action: parseAction(tool_name, parameters) }];
  });
  return { task };
}

/**
 * Plans a task for which the map has no form. Searches for the form on the page that the session shows, and
 * on pages to which links of the session and the map lead. If the map has refused the task for another
 * reason, returns this refusal unchanged.
 */
export async function plannedInSession(
  answer: AgentResponse,
  { target, parameters }: { readonly target: string; readonly parameters?: unknown },
  session: SearchedSession,
): Promise<PlannedTask> {
  const given = valuesOf({ parameters });
  const planned = plannedTask(answer, given);
  const words = taskWords(target.trim(), given.values());
  const list = answer.success ? undefined : answer.metadata.list;
  if (answer.metadata.code === "task.which_page" && typeof list === "string")
    return await plannedOnPageOfObject(
      answer,
      list,
      new FormSearchInSession(session, target.trim(), words, given),
      words,
      given,
    );
  if ("task" in planned || !WITHOUT_FORM.has(planned.metadata.code)) return planned;
  // The casts are safe: the map's actor wrote them.
  const screen = answer.metadata.screen as NamedLinkOfMap | undefined;
  // The screen about the kind of object, such as "Customers", is opened first. It may be missing in the links
  // of the map, because a menu without links may lead to it.
  const links = [
    ...(screen ? [screen] : []),
    ...((answer.metadata.links ?? []) as readonly NamedLinkOfMap[]),
  ];
  const start = (await session.page()).url;
  const searched = await new FormSearchInSession(session, target.trim(), words, given).search(
    links.map(({ name, url }) => ({ text: name, url })),
    undefined,
    statesOf(answer),
  );
  if (!searched.found && searched.hasLeft) await session.open(start);
  // The session has no form that fits better. So the result for the map's form is returned, although this
  // form lacks a field for one of the values.
  if (!searched.found && answer.success) return planned;
  const form = searched.found ?? searched.near;
  if (!form) return refused(answer, target, searched);
  const found = plannedTask(answerOf(form, words, given), given);
  return "task" in found
    ? { ...found, ...(form.live ? { live: form.live } : {}) }
    : { ...found, metadata: { ...found.metadata, page: form.page } };
}

/**
 * The task does not name its object, but the session may show the page of an object that the map does not
 * have. In this case, plans the task for this object. Otherwise, returns the refusal of the map.
 */
async function plannedOnPageOfObject(
  answer: AgentResponse,
  list: string,
  search: FormSearchInSession,
  words: ReturnType<typeof taskWords>,
  given: ReadonlyMap<string, unknown>,
): Promise<PlannedTask> {
  // The cast is safe: the map's actor wrote the list.
  const [example] = (answer.metadata.pages ?? []) as readonly NamedLinkOfMap[];
  const { found } = await search.search([], 0);
  if (!found || !isPageOfItem(found.page.url, list, example?.url ?? list)) return answer;
  return plannedTask(answerOf(found, words, given), given);
}

function answerOf(
  form: FormInSession,
  words: ReturnType<typeof taskWords>,
  given: ReadonlyMap<string, unknown>,
): AgentResponse {
  return formAnswer(form, words, given, {
    screenId: "",
    screenName: form.page.name,
    way: [],
    pages: [],
    arrival: {},
  });
}

/**
 * Returns the answer of a map that has no form for the task, extended by the pages that were searched in the session
 * and by what the caller can do.
 */
function refused(answer: AgentResponse, target: string, searched: SearchInSession): AgentResponse {
  const { read, risky, unnamed } = searched;
  const others = (answer.metadata.links_of_other_objects ?? []) as readonly NamedLinkOfMap[];
  const unclear = [...searched.unclear.map(({ url, text }) => ({ name: text, url })), ...others];
  const named = (pages: readonly NamedLinkOfMap[]): string =>
    pages
      .slice(0, NAMED)
      .map(({ name, url }) => `${name || "a link"} (${url})`)
      .join(", ");
  const suggestions = (answer.metadata.suggestions ?? []) as readonly {
    readonly name: string;
    readonly task_id: string;
    readonly screen_name: string;
  }[];
  const parts = [
    answer.metadata.code === "task.unknown_kind"
      ? // The cast is safe: the map's actor wrote the list.
        `The map does not know this kind of thing. ${kindsKnown((answer.metadata.known_kinds ?? []) as readonly string[])}`
      : "",
    `Neither the map nor the session has a form for "${target.trim()}". In the session, these pages were read: ${named(read)}.`,
    risky.length === 0
      ? ""
      : `These links fit, but may change data, so they were not opened: ${named(risky.map(({ url, text }) => ({ name: text, url })))}. If one of them is meant, click it in the session.`,
    unnamed === undefined
      ? ""
      : `A form on ${named([unnamed])} fits, but the task does not say which object it means. ${howToName(target)}`,
    unclear.length === 0 ? "" : `Several objects have a link for it, so none was opened: ${named(unclear)}.`,
    suggestions.length === 0
      ? ""
      : `The nearest forms of the map are ${suggestions.map((form) => `${form.name} on ${form.screen_name} (${form.task_id})`).join("; ")}; if one of them is meant, ask with its id as target.`,
    "Otherwise open the page with the form in the session and ask again. Nothing was done.",
  ];
  return {
    ...answer,
    actions: [],
    error: parts.filter((part) => part !== "").join(" "),
    metadata: {
      ...answer.metadata,
      ...(unnamed === undefined ? {} : { code: "task.which_page", pages: [unnamed] }),
      pages_read: read,
      ...(unclear.length === 0 ? {} : { unclear_links: unclear }),
      ...(risky.length === 0 ? {} : { links_not_opened: risky }),
    },
  };
}
