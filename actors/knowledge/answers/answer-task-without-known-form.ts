/**
 * Answers a task for which the map has no form. Names the nearest forms, the kinds of objects that the map's
 * forms create, and the screen that fits the task, such as "Customers" for "create a customer".
 */

import type { Atlas, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentResponse } from "../../../machines/knowledge/knowledge-protocol.ts";
import {
  addressWords,
  operationOfName,
  type Subject,
  stemsOf,
  subjectFit,
  type TaskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { stateOfId } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { createdKind } from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import { type AgentRequest, brief, refusal } from "./agent-answer-builders.ts";
import { formsOfMap, isSameScreen, type NearForm, wayTo } from "./find-form-of-task.ts";
import { mapLinksForTask } from "./map-links-for-task.ts";
import { suggestions } from "./resolve-target-screen.ts";

/** Maximum number of kinds of objects, such as "customer" and "order", that an error names. */
const NAMED_KINDS = 20;

/** Answers a task for which the map has no form. */
export async function noForm(
  asked: AgentRequest,
  words: TaskWords,
  nearest: readonly NearForm[],
  here: AtlasScreen | undefined,
): Promise<AgentResponse> {
  const { atlas, target } = asked;
  const thing = [...new Set([...words.things, ...words.names])].join(" ") || target.trim();
  const named = nearest.map(({ task, screen }) => ({
    task_id: task.task_id,
    name: task.name,
    screen_name: screen.name,
    url: screen.url,
  }));
  const instead =
    named.length === 0
      ? "query_knowledge with sitemap_functional lists the forms of the map."
      : `The nearest forms are ${named.map((form) => `${form.name} on ${form.screen_name} (${form.task_id})`).join("; ")}. If one of them is meant, ask with its id as target.`;
  const { links, ofOtherObjects } = await mapLinksForTask(asked, words);
  const unread = {
    ...(links.length === 0 ? {} : { links }),
    ...(ofOtherObjects.length === 0 ? {} : { links_of_other_objects: ofOtherObjects }),
  };
  const screen = screenAbout(atlas, words);
  if (screen) {
    const answer = refusal(
      "task.form_unknown",
      `The map has no form for "${target.trim()}". The screen ${screen.name} (${screen.url}) is about "${thing}": go there with the returned actions and look for the form on the page. ${instead} Nothing was done.`,
    );
    const isHere = here !== undefined && isSameScreen(atlas, here, screen);
    const actions = isHere ? [] : await wayTo(asked, here, screen);
    return {
      ...answer,
      actions: [...actions],
      metadata: { ...answer.metadata, screen: brief(atlas, screen), suggestions: named, ...unread },
    };
  }
  const screens = suggestions(atlas, thing);
  const kinds = await unknownKind(asked, words);
  const answer = kinds
    ? refusal(
        "task.unknown_kind",
        `The map does not know the kind "${words.head}". ${kindsKnown(kinds)} ${instead} Nothing was done.`,
      )
    : refusal(
        "task.not_found",
        `Task not found: no form of the map is about "${thing}". ${instead} Nothing was done.`,
      );
  return {
    ...answer,
    metadata: {
      ...answer.metadata,
      suggestions: named,
      screens: screens.map((near) => brief(atlas, near)),
      ...(kinds ? { known_kinds: kinds } : {}),
      ...unread,
    },
  };
}

/** Returns a sentence that names the kinds of objects which the forms of a map create, such as "customer". */
export const kindsKnown = (kinds: readonly string[]): string =>
  kinds.length === 0
    ? "It has no form that creates something."
    : `It knows forms that create: ${kinds.join(", ")}.`;

/**
 * If a task creates a kind of object that no form and no screen of the map names, returns the kinds that the
 * map's forms create.
 */
async function unknownKind(
  asked: AgentRequest,
  { operation, head }: TaskWords,
): Promise<readonly string[] | undefined> {
  if (operation !== "create" || head === undefined) return undefined;
  const forms = await formsOfMap(asked);
  const isKnown =
    forms.some(({ form }) => form.all.has(head)) ||
    [...asked.atlas.screens()].some(({ name }) => stemsOf(name).includes(head));
  if (isKnown) return undefined;
  const kinds = forms.flatMap(({ form, screen }) => createdKind(form.task, screen) ?? []);
  return [...new Set(kinds)].sort().slice(0, NAMED_KINDS);
}

/** Returns the screen that fits the task best, such as "New customer" for "create a customer". */
function screenAbout(atlas: Atlas, words: TaskWords): AtlasScreen | undefined {
  const fitting = [...atlas.screens()]
    .filter(({ screen_id }) => stateOfId(screen_id) === undefined)
    .map((screen) => ({ screen, fit: subjectFit(words, subjectOfScreen(screen)) }))
    .filter(({ fit }) => fit > 0);
  return fitting.sort((a, b) => b.fit - a.fit || a.screen.url.length - b.screen.url.length)[0]?.screen;
}

function subjectOfScreen({ name, url }: AtlasScreen): Subject {
  const { all, last, operation } = addressWords(url);
  const own = new Set([...stemsOf(name), ...last]);
  return {
    operation: operationOfName(name) ?? operation,
    own,
    place: own,
    other: new Set(all),
    labels: [],
  };
}
