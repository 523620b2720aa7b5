/**
 * Finds the form for a task: on the current screen, or anywhere on the map. If no form fits, the answer names
 * the nearest forms, or leads to a screen that fits the task.
 */

import { areObjectsOfOneKind, isSameList } from "../../../machines/knowledge/addresses/page-address-parts.ts";
import { matchesPattern } from "../../../machines/knowledge/addresses/screen-url-pattern.ts";
import { isAddressLike } from "../../../machines/knowledge/addresses/unvisited-addresses-like-visited-ones.ts";
import { openUrl } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { Atlas, AtlasGroup, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentContext, BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import {
  addressWords,
  stemsOf,
  type TaskWords,
  withKnownParts,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import {
  pageOfState,
  pressesOfStateName,
  stateOfId,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { screenOfAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { isOfOtherContainer } from "../../../machines/knowledge/tasks/forms-of-other-projects-or-events.ts";
import {
  bestPossibleFit,
  createsThing,
  type FormPage,
  type FormTask,
  formTasks,
  isListOf,
  type KnownForm,
  knownForm,
  openerOfStateName,
  type TaskFit,
  taskFit,
} from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import { takesValue } from "../../../machines/knowledge/tasks/whether-checkbox-takes-value.ts";
import {
  isAboutOwn,
  type KnownPages,
  segmentsBelow,
  type UnnamedObject,
  unnamedObject,
} from "../../../machines/knowledge/tasks/whether-task-names-object.ts";
import type { ActionRecord } from "../../../machines/records/map-records.ts";
import type { AgentRequest } from "./agent-answer-builders.ts";
import { givenTo, unknownParameters } from "./answer-task-from-stored-tasks.ts";
import { OPENED_BY_ADDRESS, routeBetween } from "./find-map-route-for-agent.ts";
import { linksWithWords } from "./map-links-for-task.ts";

/** A form that fits a task. */
export interface FoundTask {
  readonly task: FormTask;
  /** A page with the form. If all pages of a screen have the form, it is any of them. */
  readonly screen: AtlasScreen;
  /** Whether the agent's browser shows this page. */
  readonly isShown: boolean;
  readonly fit: number;
  readonly named: number;
  readonly isOperation: boolean;
  readonly others: number;
  /** Number of values of the task for which the form has no field. */
  readonly unknown: number;
}

/** A form that does not fit the task, but shares words with what the task creates or edits. */
export interface NearForm {
  readonly task: FormTask;
  readonly screen: AtlasScreen;
  readonly share: number;
}

/** The result of the search: the form that fits the task, if any, and the forms that an error names instead. */
export interface FormSearch {
  readonly found: FoundTask | undefined;
  readonly nearest: readonly NearForm[];
}

/** Maximum number of forms that an error names. */
const NAMED_FORMS = 3;
/** Maximum number of pages of one screen whose forms are compared. The pages of a screen have the same forms. */
const PAGES_OF_SCREEN = 3;
/** Maximum number of pages with the form that an answer names. */
const PAGES_NAMED = 5;

/** Finds the form that fits the task best: on the current screen, or else anywhere on the map. */
export async function findForm(
  asked: AgentRequest,
  words: TaskWords,
  here: AtlasScreen | undefined,
): Promise<FormSearch> {
  const { source, knowledgeId, target, context } = asked;
  const given = valuesOf(context);
  const found: FoundTask[] = [];
  const near: NearForm[] = [];
  const addForm = (
    task: FormTask,
    screen: AtlasScreen,
    page: FormPage | undefined,
    isShown: boolean,
  ): void => {
    const { share, ...fit } = taskFit(task, target.trim(), words, page ?? screen, page && screen.url);
    const unknown = valuesWithoutField(task, given).length;
    // A form without a field for any value of the task does something else. Examples are the choice of the
    // time zone in the header of each page (Airflow) and a comment below each post (WordPress).
    const isForOthers = given.size > 0 && unknown === given.size && !fit.isOperation;
    if (page && fit.fit > 0 && !isForOthers) {
      found.push({ task, screen, isShown, ...fit, unknown });
    } else if (share > 0) near.push({ task, screen, share });
  };
  if (here) {
    for (const task of formTasks(await source.screens.actions(knowledgeId, here.screen_id)))
      addForm(task, here, shownPage(asked, words, { task, screen: here }), true);
  }
  const ofHere = bestOf(found);
  for (const { screen, actions } of await pagesOfForms(asked, words))
    for (const task of formTasks(actions)) addForm(task, screen, screen, false);
  const best = bestOf(found);
  const isHere = best !== undefined && ofHere !== undefined && isSameForm(ofHere, best);
  const nearest = near
    .sort((a, b) => b.share - a.share)
    .filter(({ task }, at) => near.findIndex((other) => other.task.task_id === task.task_id) === at)
    .slice(0, NAMED_FORMS);
  return { found: isHere ? ofHere : best, nearest };
}

/**
 * Returns the pages whose forms may fit a task best, each with its actions. A map may have thousands of
 * forms. Most are ruled out by the name of their page, their address and their button, so their actions are
 * not read.
 */
async function pagesOfForms(
  asked: AgentRequest,
  words: TaskWords,
): Promise<readonly { readonly screen: AtlasScreen; readonly actions: readonly ActionRecord[] }[]> {
  const { atlas, source, knowledgeId, target } = asked;
  const possible = new Map<AtlasScreen, TaskFit>();
  const isElsewhere = formsElsewhere(asked, words);
  for (const { form, screen } of await formsOfMap(asked)) {
    const fit = bestPossibleFit(form, target.trim(), words);
    if ((fit.fit === 0 && fit.share === 0) || isElsewhere(screen)) continue;
    const known = possible.get(screen);
    if (!known || byFit(fit, known) < 0) possible.set(screen, fit);
  }
  const pages = new Map<string, number>();
  const best = [...possible]
    .sort(([a, fit], [b, other]) => byFit(fit, other) || (a.screen_id < b.screen_id ? -1 : 1))
    .filter(([{ screen_id }]) => {
      const screenId = atlas.screenIdOf(screen_id);
      const count = (pages.get(screenId) ?? 0) + 1;
      pages.set(screenId, count);
      return count <= PAGES_OF_SCREEN;
    })
    .slice(0, knowledgeLimits.pagesOfTaskForms);
  return await Promise.all(
    best.map(async ([screen]) => ({
      screen,
      actions: await source.screens.actions(knowledgeId, screen.screen_id),
    })),
  );
}

/**
 * Returns a function that tells whether a page is below another object than the page that the browser shows: a form
 * of another event while one event is shown. A task that edits or removes something names its object, so the
 * function returns true only for tasks that create something.
 */
function formsElsewhere(
  { atlas, target, context }: AgentRequest,
  { operation, things }: TaskWords,
): (page: AtlasScreen) => boolean {
  const { current_url: shown } = context;
  if (operation !== "create" || !shown) return () => false;
  const nameOf = (url: string): string | undefined => atlas.byUrl(url)?.name;
  const pages = { urls: [...atlas.screens()].map(({ url }) => url), nameOf };
  return ({ url }) => isOfOtherContainer(url, shown, target, things, pages);
}

/** A form of a map, with the words that describe it, and the page (instance) that has it. */
interface FormOfPage {
  readonly form: KnownForm;
  readonly screen: AtlasScreen;
}

/**
 * Returns the object that the task must name, because each of several objects has the form that was found.
 * Returns `undefined` if the task names the object, if the browser shows it, or if there is only one such
 * form.
 */
export async function objectToName(
  asked: AgentRequest,
  words: TaskWords,
  { task, screen, isShown }: FoundTask,
  shown: FormPage | undefined,
): Promise<UnnamedObject | undefined> {
  const { atlas, target, context } = asked;
  const { operation } = words;
  if (operation !== "edit" && operation !== "remove") return undefined;
  // The browser shows the state with the form, such as a dialog that was opened for one object. So the object
  // need not be named.
  const isState = stateOfId(screen.screen_id) !== undefined;
  if (isShown && isState) return undefined;
  if (isState && isFormOfRow(words, screen)) return { list: screen.url, isOnList: true };
  const forms = await formsOfMap(asked);
  const pages: KnownPages = {
    nameOf: (url) => (atlas.byUrl(url) ?? atlas.byUrl(`${url}/`))?.name,
    segmentsBelow: (url) =>
      segmentsBelow(
        [...atlas.screens()].map((page) => page.url),
        url,
      ),
    isCreated: (kind) => forms.some(({ form }) => createsThing(form, kind)),
    links: isAboutOwn(target) ? await linksWithWords(asked, words.things) : [],
  };
  return unnamedObject(target.trim(), task, screen, pages, shown ? screen.url : context.current_url);
}

/**
 * Whether a state is the form for one row of a list, such as the form that "Edit" opens in the drawer
 * "Users". The exploration opened it for an arbitrary row, so the task must name the row.
 */
function isFormOfRow({ head, names }: TaskWords, { name }: AtlasScreen): boolean {
  if (head === undefined || !isListOf(openerOfStateName(name), head)) return false;
  const pressed = stemsOf(pressesOfStateName(name).at(-1) ?? "");
  return !names.some((word) => pressed.includes(word));
}

/** The forms of a map, as an account of each role sees them. They are valid for one revision of the map. */
interface CachedForms {
  readonly revision: number;
  readonly ofRole: Map<string, readonly FormOfPage[]>;
}
const cachedForms = new WeakMap<Atlas, CachedForms>();

/**
 * Returns the forms of the map, without their fields. The forms are cached, and are read again after the map
 * has changed.
 */
export async function formsOfMap({
  atlas,
  source,
  knowledgeId,
  context: { role = "" },
}: AgentRequest): Promise<readonly FormOfPage[]> {
  const { revision } = atlas;
  let cached = cachedForms.get(atlas);
  if (cached?.revision !== revision) {
    cached = { revision, ofRole: new Map() };
    cachedForms.set(atlas, cached);
  }
  const known = cached.ofRole.get(role);
  if (known) return known;
  const forms = (await source.screens.forms(knowledgeId)).flatMap((record) => {
    const screen = atlas.get(screenOfAction(record.action_id));
    const form = screen && knownForm(record, screen);
    return screen && form ? [{ form, screen }] : [];
  });
  if (forms.length <= knowledgeLimits.cachedForms) cached.ofRole.set(role, forms);
  return forms;
}

/**
 * Splits compound words of a task as the forms of the map do: "testplan" becomes "test" and "plan" if a form
 * has these two words.
 */
export async function inWordsOfMap(asked: AgentRequest, words: TaskWords): Promise<TaskWords> {
  const forms = await formsOfMap(asked);
  return withKnownParts(words, (word) => forms.some(({ form }) => form.all.has(word)));
}

type Fitting = Omit<TaskFit, "share">;

/**
 * How well a form fits a task. `unknown` is the number of values of the task for which the form has no field.
 */
type FittingForm = Fitting & Pick<FoundTask, "unknown">;

/** Sorts forms by how well they fit a task, best first. */
function byFit(a: Fitting, b: Fitting): number {
  return (
    b.fit - a.fit || b.named - a.named || Number(b.isOperation) - Number(a.isOperation) || a.others - b.others
  );
}

/**
 * Returns the best form. A form that lacks a field for a given value is probably not the one that the agent
 * wants. So the form with the fewest values without a field comes first.
 */
export function bestOf<Form extends FittingForm>(found: readonly Form[]): Form | undefined {
  return [...found].sort((a, b) => a.unknown - b.unknown || byFit(a, b))[0];
}

/**
 * Whether the form of the current page has the same fields as the best form, and fits the task equally well. If so,
 * it is used, because pages of several objects may have the same form.
 */
function isSameForm(here: FoundTask, best: FoundTask): boolean {
  const namesOf = ({ task }: FoundTask): string => task.fields.map(({ name }) => name).join("\n");
  return here.unknown === best.unknown && here.fit === best.fit && namesOf(here) === namesOf(best);
}

/**
 * Returns the fields for which the map has an action. Other fields are hidden.
 */
export function fillableFields({ fields }: FormTask): FormTask["fields"] {
  return fields.filter(({ action }) => action !== undefined);
}

/** Returns the names of given values for which a form has no field, or only a checkbox that cannot take the value. */
export function valuesWithoutField(task: FormTask, given: ReadonlyMap<string, unknown>): readonly string[] {
  const fields = fillableFields(task);
  const refused = fields.flatMap((field) => {
    const value = givenTo(field, fields, given);
    return takesValue(field, value) ? [] : [...given.keys()].filter((name) => given.get(name) === value);
  });
  return [...new Set([...unknownParameters(fields, given), ...refused])];
}

/** Returns the values that the agent gives for a task, by name in lower case. */
export function valuesOf({ parameters }: AgentContext): ReadonlyMap<string, unknown> {
  const given = typeof parameters === "object" && parameters !== null ? Object.entries(parameters) : [];
  return new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether two pages (instances) belong to the same screen, or are the same page. */
export function isSameScreen(atlas: Atlas, one: AtlasScreen, other: AtlasScreen): boolean {
  return atlas.screenIdOf(one.screen_id) === atlas.screenIdOf(other.screen_id);
}

/** Whether two ids belong to the same page, or to states of it, such as an open dialog. */
const isSamePage = (one: AtlasScreen, other: AtlasScreen): boolean =>
  pageOfState(one.screen_id) === pageOfState(other.screen_id);

/**
 * The dialog for a task may exist on several similar pages, such as `/projects/1` and `/projects/2`, although
 * the exploration opened it on only one. Returns examples of these pages, so that the agent can choose.
 * Returns an empty list if the agent is on one of them, because the dialog is then opened there.
 */
function pagesWithDialog(
  atlas: Atlas,
  words: TaskWords,
  state: AtlasScreen,
  here: AtlasScreen | undefined,
): readonly AtlasScreen[] {
  const page = atlas.get(pageOfState(state.screen_id));
  const group = page && atlas.groupOf(page.screen_id);
  if (!group || (here && atlas.screenIdOf(pageOfState(here.screen_id)) === group.screen_id)) return [];
  const others = pagesOf(atlas, group).filter(
    (other) => areObjectsOfOneKind(page.url, other.url) && isNamedBy(words, other),
  );
  return others.length === 0 ? [] : [page, ...others].slice(0, PAGES_NAMED);
}

/** Whether the name and the address of a page together contain all names of objects in a task. */
function isNamedBy({ names }: TaskWords, { name, url }: AtlasScreen): boolean {
  const own = new Set([...stemsOf(name), ...addressWords(url).all]);
  return names.every((word) => own.has(word));
}

/**
 * Returns example pages with the form of a task, from which the agent must choose, because several objects may have
 * the same form, such as a note form on each order's page. The list is empty if the agent is on such a page, if the
 * task names the object, or if the form is for a search or a sign-in. It is also empty if all these forms are sent
 * to one address, or if the pages show one list in different orders.
 */
export async function pagesWithForm(
  asked: AgentRequest,
  words: TaskWords,
  { task, screen }: FoundTask,
  here: AtlasScreen | undefined,
): Promise<readonly AtlasScreen[]> {
  const { atlas, source, knowledgeId, target } = asked;
  if (task.kind === "search" || task.kind === "sign_in") return [];
  if (stateOfId(screen.screen_id) !== undefined) return pagesWithDialog(atlas, words, screen, here);
  const group = atlas.groupOf(screen.screen_id)?.screen_id;
  if (group === undefined) return [];
  if (here && (isSamePage(here, screen) || isSameList(here.url, screen.url))) return [];
  const others = [...atlas.members(group)].filter(
    (id) =>
      id !== screen.screen_id &&
      stateOfId(id) === undefined &&
      !isSameList(atlas.get(id)?.url ?? "", screen.url),
  );
  const [other] = others;
  if (other === undefined) return [];
  const tasks = formTasks(await source.screens.actions(knowledgeId, other));
  if (tasks.some(({ task_id }) => task_id === task.task_id)) return [];
  const isElsewhere = formsElsewhere(asked, words);
  // All these pages have the same form, so the name and the address of a page decide whether the form on it
  // fits the task. If the form was sent to the address of the page on which it was found, this address is
  // ignored, because it does not describe the other pages.
  const fitting = others.flatMap((id) => {
    const page = atlas.get(id);
    if (!page || (words.operation === "create" && isFilledVariant(atlas, page)) || !isNamedBy(words, page))
      return [];
    const isFitting = taskFit(task, target.trim(), words, page, screen.url).fit > 0;
    return isFitting && !isElsewhere(page) ? [page] : [];
  });
  const different = fitting.filter(
    ({ url }, at) => fitting.findIndex((page) => isSameList(page.url, url)) === at,
  );
  return different.length === 0 ? [] : [screen, ...different].slice(0, PAGES_NAMED);
}

/**
 * Whether the address of a page only adds parameters to the address of another page of its screen. Such parameters
 * fill in fields of a form for a new object: `?copy_from=1` of pretix, `?site=4` of NetBox.
 */
function isFilledVariant(atlas: Atlas, { url, screen_id }: AtlasScreen): boolean {
  const at = url.indexOf("?");
  const empty = at === -1 ? undefined : atlas.byUrl(url.slice(0, at));
  return empty !== undefined && atlas.screenIdOf(empty.screen_id) === atlas.screenIdOf(screen_id);
}

/**
 * Returns the page that the agent's browser shows, if the task can use its form: `screen`, or a page of the
 * same screen that no exploration has visited. The title or the address of an unvisited page must fit the
 * task, because one address may edit several kinds of objects, as `term.php` of WordPress edits tags and
 * categories. If all known pages of the screen fit the task, an unvisited page fits too.
 */
function shownPage(
  { atlas, target, context }: AgentRequest,
  words: TaskWords,
  { task, screen }: Pick<FoundTask, "task" | "screen">,
): FormPage | undefined {
  const { current_url: url = screen.url, current_title: title, current_screen_id } = context;
  const group = atlas.groupOf(screen.screen_id);
  if (!group || current_screen_id !== undefined || atlas.byUrl(url)) return { name: screen.name, url };
  const fits = (page: FormPage): boolean => taskFit(task, target.trim(), words, page, screen.url).fit > 0;
  const page = { name: title ?? screen.name, url };
  if (fits(page)) return page;
  return pagesOf(atlas, group).every(fits) ? { name: screen.name, url } : undefined;
}

/**
 * Returns the page at the agent's address if no exploration has visited it, but its address is like those of
 * the screen with the form.
 */
export function unvisitedPageWithForm(
  asked: AgentRequest,
  words: TaskWords,
  found: FoundTask,
): FormPage | undefined {
  const { atlas, context } = asked;
  const { current_url: url } = context;
  const group = atlas.groupOf(found.screen.screen_id);
  if (!group || !url || atlas.byUrl(url)) return undefined;
  const isOfGroup =
    group.url_patterns.some((pattern) => matchesPattern(pattern, url)) ||
    isAddressLike(
      url,
      pagesOf(atlas, group).map((page) => page.url),
    );
  return isOfGroup ? shownPage(asked, words, found) : undefined;
}

function pagesOf(atlas: Atlas, { screen_id }: AtlasGroup): readonly AtlasScreen[] {
  return [...atlas.members(screen_id)].flatMap((id) =>
    stateOfId(id) === undefined ? (atlas.get(id) ?? []) : [],
  );
}

/**
 * Returns the actions that lead to a screen: the known clicks, or else a navigation to its address. If the
 * screen is a state of a page, such as a dialog, the clicks that open it follow.
 */
export async function wayTo(
  asked: AgentRequest,
  from: AtlasScreen | undefined,
  screen: AtlasScreen,
): Promise<readonly BrowserUseAction[]> {
  const isState = stateOfId(screen.screen_id) !== undefined;
  if (from && (isState ? from.screen_id === screen.screen_id : isSamePage(from, screen))) return [];
  const goal = { screen, by: "screen_id", confidence: 1, others: [] } as const;
  const route = from && (await routeBetween(asked, from.screen_id, goal))?.actions;
  if (route) return route;
  const page = asked.atlas.get(pageOfState(screen.screen_id)) ?? screen;
  const presses = isState ? await routeBetween(asked, page.screen_id, goal) : undefined;
  return [openUrl(page.url, page.name, OPENED_BY_ADDRESS), ...(presses?.actions ?? [])];
}
