/**
 * Answers the instructions of an agent from a map, in the shapes `AgentInstruction` and `AgentResponse` of
 * the protocol specification. `navigate_to_screen` returns the route with the fewest clicks from the current
 * screen. When the current screen or a route is unknown, it returns one `navigate` action to the target's
 * address.
 */

import { normaliseUrl } from "../../machines/exploration/normalise-url.ts";
import type { Atlas, AtlasScreen } from "../../machines/knowledge/atlas.ts";
import {
  clickLinkTo,
  expectedResult,
  openUrl,
  translateControl,
  translateTransition,
} from "../../machines/knowledge/browser-actions.ts";
import { businessFunctions, functionOf, userFlows } from "../../machines/knowledge/business-functions.ts";
import { documentLimits } from "../../machines/knowledge/document-limits.ts";
import { type FormTask, formTasks, taskFit } from "../../machines/knowledge/form-tasks.ts";
import { instructionOf, instructionTypes } from "../../machines/knowledge/instructions.ts";
import { knowledgeLimits } from "../../machines/knowledge/limits.ts";
import { wordsOf } from "../../machines/knowledge/name-index.ts";
import { screenOfAction } from "../../machines/knowledge/page-screen.ts";
import type {
  AgentContext,
  AgentQuestion,
  AgentResponse,
  BrowserUseAction,
} from "../../machines/knowledge/protocol.ts";
import type { RecognisableRecord } from "../../machines/knowledge/recognition.ts";
import { templateParameters } from "../../machines/knowledge/screen-template.ts";
import type { Pair } from "../../machines/knowledge/shortest-route.ts";
import type { TravelRule } from "../../machines/knowledge/travelled.ts";
import { specificPattern } from "../../machines/knowledge/url-pattern.ts";
import type { ActionRecord, KnowledgeId } from "../../machines/records.ts";
import { PlannedRoute, type Way } from "./build-route.ts";
import type { MapSource } from "./map-source.ts";
import { type OpenMap, recogniseView } from "./recognise-screen.ts";
import {
  currentPosition,
  findTarget,
  isUrl,
  positionAmong,
  positionCandidates,
  type ResolvedTarget,
  statedPosition,
  suggestions,
} from "./resolve-target.ts";
import { answerStoredTask, findStoredTask } from "./stored-tasks.ts";

/** The inputs that every instruction needs. */
interface AgentRequest extends OpenMap {
  readonly target: string;
  /** Rules by which recent successes and failures of transitions change the choice of a route. */
  readonly rules: readonly TravelRule[];
  readonly context: AgentContext;
}

/**
 * Confidence (0 to 1) that opening a screen by its address shows it. It is below 1 because the screen may
 * need state that only clicks create.
 */
const OPENED_BY_ADDRESS = 0.9;

export async function answerAgent(
  knowledgeId: KnowledgeId,
  source: MapSource,
  atlas: Atlas,
  question: AgentQuestion,
  rules: readonly TravelRule[] = [],
): Promise<AgentResponse> {
  for (const { from, via, cost } of rules) atlas.routes.setCost(from, via, cost);
  const asked: AgentRequest = {
    rules,
    knowledgeId,
    source,
    atlas,
    target: question.target,
    context: question.context,
  };
  const wanted = question.instruction_type ?? question.query_type ?? "";
  const type = instructionOf(wanted);
  switch (type) {
    case "navigate_to_screen":
      return await navigate(asked);
    case "find_screen":
      return await findScreen(asked);
    case "get_actions":
      return await getActions(asked);
    case "execute_task":
      return await executeTask(asked);
    case "find_element":
      return await findElement(asked);
    case "get_screen_context":
      return await screenContext(asked);
    case undefined:
      return refusal(
        "instruction.unknown",
        `"${wanted}" is no instruction. There are ${instructionTypes.join(", ")}.`,
      );
    case "explore_website":
      return refusal(
        "not_supported",
        `${type} is no question to a map: query_knowledge_for_agent starts the exploration.`,
      );
  }
}

// Answers `navigate_to_screen`.

async function navigate(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, target } = asked;
  if (target.trim() === "")
    return refusal("target.missing", "Say where to go: a screen id, a URL or a screen's name.");
  const found = await findTarget(asked, target);
  if (!found) return unknownTarget(atlas, target);
  if (found.unvisited !== undefined) return await navigateToUnvisited(asked, found, found.unvisited);
  return await navigateTo(asked, found);
}

async function navigateTo(asked: AgentRequest, found: ResolvedTarget): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, context, target } = asked;
  // The current screen that the agent states is nearly always right. So its route is read at the same time as
  // the data that verifies it.
  const likely = statedPosition(atlas, context);
  const planned = likely && routeFrom(asked, likely.screen_id, found);
  const goalId = goalOf(found, likely?.screen_id, planned);
  const candidates = positionCandidates(atlas, context);
  const read = await source.screens.routeData(
    knowledgeId,
    [...new Set([goalId, ...candidates])],
    planned?.unread ?? [],
  );
  const position = positionAmong(
    atlas,
    context,
    read.screens.filter((screen) => candidates.includes(screen.screen_id)),
  );
  const from = position?.screen.screen_id;
  const expected = from === undefined || from === likely?.screen_id;
  const way = expected
    ? planned?.describe(knowledgeId, read.steps, context.prefer ?? "click")
    : await routeBetween(asked, from, found);
  const endId = expected ? goalId : (way?.hops.at(-1)?.to ?? goalOf(found, from, undefined));
  const goal =
    read.screens.find((screen) => screen.screen_id === endId) ??
    (await source.screens.recognisable(knowledgeId, [endId]))[0];
  if (!goal) return unknownTarget(atlas, target);
  const about = {
    screen_name: found.group?.name ?? goal.name,
    found_by: found.by,
    ...(found.others.length > 0 ? { alternatives: found.others.map((other) => brief(atlas, other)) } : {}),
  };
  const arrival = arrivalAt(atlas, goal);
  if (!way || !position) {
    const confidence = OPENED_BY_ADDRESS * found.confidence;
    return success([openUrl(goal.url, goal.name, confidence)], arrival, {
      ...about,
      path: [atlas.screenIdOf(goal.screen_id)],
      steps: 1,
      confidence,
      by_address: true,
      from_screen_id: position ? atlas.screenIdOf(position.screen.screen_id) : null,
      reason: position
        ? `No clicks are known that lead from ${position.screen.name} to ${goal.name}.`
        : "Where the agent is, is not known: give context.current_url or context.current_screen_id for clicks.",
    });
  }
  const { actions, hops } = way;
  const confidence = actions.reduce(
    (product, act) => product * act.confidence,
    position.confidence * found.confidence,
  );
  return success([...actions], arrival, {
    ...about,
    path: [position.screen.screen_id, ...hops.map((hop) => hop.to)].map((id) => atlas.screenIdOf(id)),
    steps: actions.length,
    confidence,
    from_screen_id: atlas.screenIdOf(position.screen.screen_id),
    waypoints: hops.flatMap((hop) => brief(atlas, atlas.get(hop.to)) ?? []),
    transitions: hops.map((hop) => [hop.from, hop.via]),
  });
}

/** The page on which a route ends. For a screen with several pages (instances), it is the nearest one. */
function goalOf(
  { screen, group }: ResolvedTarget,
  from: string | undefined,
  planned: PlannedRoute | undefined,
): string {
  if (!group || !planned) return screen.screen_id;
  return planned.end ?? from ?? screen.screen_id;
}

/**
 * Finds a route without transitions that failed lately. If there is none, such transitions are allowed.
 * Transitions that the caller excludes or that have failed too often are never used.
 */
function routeFrom(
  { atlas, rules, context }: AgentRequest,
  from: string,
  { screen, group }: ResolvedTarget,
): PlannedRoute | undefined {
  const pairs = (use: TravelRule["use"]) =>
    rules.flatMap((rule): readonly Pair[] => (rule.use === use ? [[rule.from, rule.via]] : []));
  const never = [...(context.avoid ?? []).map(([a = "", b = ""]): Pair => [a, b]), ...pairs("drop")];
  const failing = pairs("avoid");
  const route = (avoid: readonly Pair[]) =>
    group
      ? PlannedRoute.toNearest(atlas, from, atlas.members(group.screen_id), avoid)
      : PlannedRoute.between(atlas, from, screen.screen_id, avoid);
  return route([...never, ...failing]) ?? (failing.length > 0 ? route(never) : undefined);
}

/**
 * Builds the route between two screens. Returns `undefined` when there is none, or when a transition was
 * removed from the store meanwhile.
 */
async function routeBetween(
  asked: AgentRequest,
  from: string,
  goal: ResolvedTarget,
): Promise<Way | undefined> {
  const { source, knowledgeId, context } = asked;
  const planned = routeFrom(asked, from, goal);
  if (!planned) return undefined;
  const { steps } = await source.screens.routeData(knowledgeId, [], planned.unread);
  return planned.describe(knowledgeId, steps, context.prefer ?? "click");
}

/**
 * Returns a way to a page that was never visited: first the route to a screen that lists such pages, then the
 * link to the page. When no such list is known, the page's address is opened.
 */
async function navigateToUnvisited(
  asked: AgentRequest,
  found: ResolvedTarget,
  url: string,
): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, context } = asked;
  const group = found.group;
  const [record] = group ? await source.screens.recognisable(knowledgeId, [group.screen_id]) : [];
  if (!group || !record) return unknownTarget(atlas, url);
  const parameters = templateParameters(group, url);
  const arrival = {
    ...expectedResult({ ...record, url_patterns: [specificPattern(url)] }),
    parameters,
    instance_id: null,
  };
  const about = { screen_name: group.name, found_by: found.by, parameters };
  const list = listOf(atlas, group.screen_id);
  const position = await currentPosition(asked, context);
  const way =
    list && position && context.prefer !== "url"
      ? await routeBetween(asked, position.screen.screen_id, { ...found, group: undefined, screen: list })
      : undefined;
  if (!list || !position || !way) {
    const confidence = OPENED_BY_ADDRESS * found.confidence;
    return success([openUrl(url, group.name, confidence)], arrival, {
      ...about,
      path: [group.screen_id],
      steps: 1,
      confidence,
      by_address: true,
      from_screen_id: position ? atlas.screenIdOf(position.screen.screen_id) : null,
      reason: list
        ? "Where the agent is, or the way to the list, is not known."
        : `No screen is known that lists ${group.name}.`,
    });
  }
  const actions = [...way.actions, clickLinkTo(url, group.name, atlas.screenIdOf(list.screen_id))];
  return success(actions, arrival, {
    ...about,
    path: [position.screen.screen_id, ...way.hops.map((hop) => hop.to)]
      .map((id) => atlas.screenIdOf(id))
      .concat(group.screen_id),
    steps: actions.length,
    confidence: actions.reduce((product, act) => product * act.confidence, position.confidence),
    from_screen_id: atlas.screenIdOf(position.screen.screen_id),
    waypoints: way.hops.flatMap((hop) => brief(atlas, atlas.get(hop.to)) ?? []),
    transitions: way.hops.map((hop) => [hop.from, hop.via]),
    listed_on: brief(atlas, list),
  });
}

/**
 * Returns the screen that links to most pages of a group, but to at least two. The screens of the group
 * itself are left out.
 */
function listOf(atlas: Atlas, groupId: string): AtlasScreen | undefined {
  const members = atlas.members(groupId);
  let best: AtlasScreen | undefined;
  let most = 1;
  for (const screen of atlas.screens()) {
    if (members.has(screen.screen_id)) continue;
    const listed = atlas.routes.targets(screen.screen_id).filter((id) => members.has(id)).length;
    if (listed <= most) continue;
    best = screen;
    most = listed;
  }
  return best;
}

/**
 * Describes how to recognise that the target page was reached: by its address, its own texts, and its screen.
 */
function arrivalAt(atlas: Atlas, goal: RecognisableRecord): Record<string, unknown> {
  const expected = expectedResult(goal);
  const group = atlas.groupOf(goal.screen_id);
  if (!group) return expected;
  return {
    ...expected,
    screen_id: group.screen_id,
    instance_id: goal.screen_id,
    parameters: templateParameters(group, goal.url),
  };
}

// Answers `find_screen`.

async function findScreen(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, target, context, source, knowledgeId } = asked;
  const url = context.current_url || (isUrl(target.trim()) ? target.trim() : "");
  if (url === "" && target.trim() !== "") return await describedScreen(asked);
  if (url === "") {
    return refusal(
      "target.missing",
      "Give a URL, a description, or context.current_url with context.dom_summary.",
    );
  }
  const seen = await recogniseView(asked, { url, dom: context.dom_summary });
  // When the agent gives only an address that is known to redirect, the target of the redirect is used.
  const addressed = context.dom_summary === undefined && !seen.record ? atlas.byUrl(url) : undefined;
  const [redirected] = addressed
    ? await source.screens.recognisable(knowledgeId, [atlas.screenIdOf(addressed.screen_id)])
    : [];
  const screen = seen.record ?? redirected;
  if (!screen) return noMatch(atlas, seen.confidence, seen.nearest && [seen.nearest]);
  const group = atlas.group(screen.screen_id);
  const visited = atlas.byUrl(url);
  const instance = visited && atlas.screenIdOf(visited.screen_id) === screen.screen_id ? visited : undefined;
  const { links, others } = await actionsOf(asked, instance?.screen_id ?? group?.example ?? screen.screen_id);
  const parameters = group && templateParameters(group, normaliseUrl(url) ?? url);
  const place = group ? { instance_id: instance?.screen_id ?? null, parameters } : {};
  return success(
    [],
    { ...expectedResult(screen), ...place },
    {
      available_actions: [...others, ...links].slice(0, knowledgeLimits.actionsOfRecognised),
      confidence: seen.screen ? seen.confidence : 1,
      matched_indicators: seen.matched_indicators.map(({ type, value, pattern }) => ({
        type,
        value,
        pattern,
      })),
      screen_name: screen.name,
      judged_by: context.dom_summary === undefined ? "url" : "url_and_dom",
      ...(group
        ? {
            parameters,
            instance: instance ? brief(atlas, instance) : null,
          }
        : {}),
    },
  );
}

async function describedScreen(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target } = asked;
  const found = await findTarget(asked, target);
  const id = found && (found.group?.screen_id ?? found.screen.screen_id);
  const [screen] = id === undefined ? [] : await source.screens.recognisable(knowledgeId, [id]);
  if (!found || !screen) return noMatch(atlas, 0, suggestions(atlas, target));
  return success([], found.group ? expectedResult(screen) : arrivalAt(atlas, screen), {
    confidence: found.confidence,
    matched_indicators: [],
    screen_name: screen.name,
    judged_by: found.by,
    ...(found.others.length > 0 ? { alternatives: found.others.map((other) => brief(atlas, other)) } : {}),
  });
}

function noMatch(atlas: Atlas, confidence: number, nearest: readonly Suggestion[] = []): AgentResponse {
  const answer = refusal("screen.not_recognised", "No matching screen found");
  return {
    ...answer,
    expected_result: { screen_id: null },
    metadata: {
      ...answer.metadata,
      confidence,
      matched_indicators: [],
      suggestions: nearest.map((screen) => brief(atlas, screen)),
    },
  };
}

// Answers `get_actions`.

async function getActions(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target, context } = asked;
  const found = await (target.trim() === "" ? currentPosition(asked, context) : findTarget(asked, target));
  if (!found) {
    return target.trim() === ""
      ? refusal("target.missing", "Name a screen, or give context.current_url or context.current_screen_id.")
      : unknownTarget(atlas, target);
  }
  const { screen_id, name } = instanceMeant(atlas, found, context);
  const [[record], { links, others }] = await Promise.all([
    source.screens.recognisable(knowledgeId, [screen_id]),
    actionsOf(asked, screen_id),
  ]);
  if (!record) return unknownTarget(atlas, target);
  return success([...others, ...links], arrivalAt(atlas, record), {
    screen_name: name,
    confidence: found.confidence,
    links: links.length,
    controls: others.length,
  });
}

/**
 * For a screen with several pages (instances), returns the one that the browser shows, or else the screen's
 * example.
 */
function instanceMeant(
  atlas: Atlas,
  { screen, group }: Pick<ResolvedTarget, "screen" | "group">,
  { current_url }: AgentContext,
): AtlasScreen {
  const shown = group && current_url ? atlas.byUrl(current_url) : undefined;
  return shown && atlas.groupOf(shown.screen_id) === group ? shown : screen;
}

/** Returns the links and other controls of a screen as browser actions. */
async function actionsOf(
  { atlas, source, knowledgeId, context }: AgentRequest,
  screenId: string,
): Promise<{ readonly links: readonly BrowserUseAction[]; readonly others: readonly BrowserUseAction[] }> {
  const [transitions, controls] = await Promise.all([
    source.screens.transitionsFrom(knowledgeId, screenId),
    source.screens.actions(knowledgeId, screenId),
  ]);
  const links = transitions.flatMap((transition) => {
    const leadsTo = atlas.routes.resolve(transition.out[1]);
    const next = leadsTo === undefined ? undefined : atlas.get(leadsTo);
    return translateTransition(transition, next, context.prefer ?? "click") ?? [];
  });
  return { links, others: controls.flatMap((control) => translateControl(control, screenId) ?? []) };
}

// The form or task that `execute_task` found for the agent's target.

interface FoundTask {
  readonly task: FormTask;
  /** The page (instance of a screen) on which the task's form was found. */
  readonly screen: AtlasScreen;
  readonly fit: number;
}

/** Minimum share of the target's words that a task must have, from 0 to 1. */
const TASK_FIT = 0.6;

/**
 * Answers `execute_task`: the route to a form, its fields, and its submission. The values are those of
 * `context.parameters`, by name or label of a field.
 */
async function executeTask(asked: AgentRequest): Promise<AgentResponse> {
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
  const route =
    position && position.screen.screen_id !== screen.screen_id
      ? await routeTo(asked, position.screen, screen)
      : undefined;
  const there = position?.screen.screen_id === screen.screen_id;
  const way = there ? [] : (route ?? [openUrl(screen.url, screen.name, OPENED_BY_ADDRESS)]);
  const given = valuesOf(context);
  const filled = task.fields.map((field) => ({
    field,
    value: given.get(field.name.toLowerCase()) ?? given.get(field.label.toLowerCase()),
  }));
  const fills = filled.flatMap(({ field, value }) => {
    const action = field.action && translateControl(field.action, atlas.screenIdOf(screen.screen_id));
    if (!action) return [];
    // Fills checkboxes. A checkbox is checked or left unchanged, and its text is the name of its parameter.
    if (action.tool_name === "click") return isNo(value) ? [] : [action];
    const description = action.tool_name === "input" ? `Type into ${field.label}` : action.description;
    return [
      {
        ...action,
        description,
        parameters: { ...action.parameters, ...(value === undefined ? {} : { text: value }) },
      },
    ];
  });
  const submit = translateControl(task.submit, atlas.screenIdOf(screen.screen_id));
  const [record] = await source.screens.recognisable(knowledgeId, [screen.screen_id]);
  return success(
    [...way, ...fills, ...(submit ? [submit] : [])],
    {
      ...(record ? arrivalAt(atlas, record) : {}),
      task_id: task.task_id,
      success_criteria: task.success_criteria,
    },
    {
      task_name: task.name,
      kind: task.kind,
      confidence: Math.min(1, found.fit),
      fields: task.fields.map(({ name, label, type, constraints }) => ({
        name,
        label,
        type,
        ...constraints,
      })),
      missing_parameters: filled.filter(({ value }) => value === undefined).map(({ field }) => field.name),
    },
  );
}

function isNo(value: unknown): boolean {
  return value === undefined || value === false || value === "" || /^(?:no|off|false)$/i.test(String(value));
}

/** Finds the task that fits the target best: on the current screen, or else anywhere on the map. */
async function findTask(
  { atlas, source, knowledgeId, target }: AgentRequest,
  here: AtlasScreen | undefined,
): Promise<FoundTask | undefined> {
  const bestOf = (screen: AtlasScreen, actions: readonly ActionRecord[]) =>
    formTasks(actions)
      .map((task) => ({ task, screen, fit: taskFit(task, target.trim(), screen.name) }))
      .filter(({ fit }) => fit >= TASK_FIT);
  const best = (found: readonly FoundTask[]) => [...found].sort((a, b) => b.fit - a.fit)[0];
  const near = here && best(bestOf(here, await source.screens.actions(knowledgeId, here.screen_id)));
  if (near) return near;
  const found: FoundTask[] = [];
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

async function routeTo(
  asked: AgentRequest,
  from: AtlasScreen,
  screen: AtlasScreen,
): Promise<readonly BrowserUseAction[] | undefined> {
  const goal = { screen, by: "screen_id", confidence: 1, others: [] } as const;
  return (await routeBetween(asked, from.screen_id, goal))?.actions;
}

/** Returns the values of a task by name in lower case. */
function valuesOf({ parameters }: AgentContext): ReadonlyMap<string, unknown> {
  const given = typeof parameters === "object" && parameters !== null ? Object.entries(parameters) : [];
  return new Map(given.map(([name, value]) => [name.toLowerCase(), value]));
}

// Answers `find_element`.

/** Finds elements of a screen that fit a description, best first. */
async function findElement(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, target, context, source, knowledgeId } = asked;
  if (target.trim() === "")
    return refusal("target.missing", "Describe the element: its name, or words of it.");
  const position = await currentPosition(asked, context);
  if (!position) {
    return refusal(
      "position.unknown",
      "Say where to look: context.room_name, context.current_url or context.current_screen_id.",
    );
  }
  const { screen_id } = position.screen;
  const [[record], { links, others }] = await Promise.all([
    source.screens.recognisable(knowledgeId, [screen_id]),
    actionsOf(asked, screen_id),
  ]);
  const fitting = fittingActions([...others, ...links], target);
  const [best, ...more] = fitting;
  if (!best || !record) {
    return refusal(
      "element.not_found",
      `${position.screen.name} has no element "${target}" that the map knows. get_actions lists what it has.`,
    );
  }
  return success([best.action], arrivalAt(atlas, record), {
    screen_name: position.screen.name,
    confidence: best.score * position.confidence,
    alternatives: more.slice(0, ALTERNATIVES).map(({ action }) => action),
  });
}

/** Maximum number of alternative elements that an answer suggests. */
const ALTERNATIVES = 5;
/** Minimum share of the described words that must be in the words of an element, from 0 to 1. */
const FITTING = 0.6;

function fittingActions(actions: readonly BrowserUseAction[], target: string) {
  const wanted = wordsOf(target);
  return actions
    .flatMap((action) => {
      const own = new Set(wordsOf(action.description));
      const share = wanted.length === 0 ? 0 : wanted.filter((word) => own.has(word)).length / wanted.length;
      if (share < FITTING) return [];
      // Among elements that have all the described words, the one with the fewest further words is best.
      return [{ action, score: share, others: own.size - wanted.length }];
    })
    .sort((a, b) => b.score - a.score || a.others - b.others);
}

// Answers `get_screen_context`.

/** Describes a screen: its place on the site, its actions and forms, and the screens to which it leads. */
async function screenContext(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target, context } = asked;
  const found = await (target.trim() === "" ? currentPosition(asked, context) : findTarget(asked, target));
  if (!found) {
    return target.trim() === ""
      ? refusal("target.missing", "Name a screen, or give context.current_url or context.current_screen_id.")
      : unknownTarget(atlas, target);
  }
  const screen = instanceMeant(atlas, found, context);
  const group = atlas.groupOf(screen.screen_id);
  const [[record], { links, others }] = await Promise.all([
    source.screens.recognisable(knowledgeId, [group?.screen_id ?? screen.screen_id]),
    actionsOf(asked, screen.screen_id),
  ]);
  if (!record) return unknownTarget(atlas, target);
  const neighbours = new Map(
    atlas.routes.targets(screen.screen_id).flatMap((id) => {
      const next = atlas.get(atlas.routes.resolve(id) ?? "");
      const screenId = next && atlas.screenIdOf(next.screen_id);
      if (!next || screenId === undefined) return [];
      return [
        [screenId, { screen_id: screenId, name: atlas.group(screenId)?.name ?? next.name, url: next.url }],
      ];
    }),
  );
  return success([], expectedResult(record), {
    screen_name: record.name,
    url: screen.url,
    confidence: found.confidence,
    // `page-screen.ts` wrote the breadcrumbs as JSON, so they can be parsed.
    breadcrumbs: screen.trail === "" ? [] : JSON.parse(screen.trail),
    instances: Math.max(1, atlas.members(group?.screen_id ?? "").size),
    parameters: group ? templateParameters(group, screen.url) : {},
    available_actions: [...others, ...links].slice(0, knowledgeLimits.actionsOfRecognised),
    ...(await purposeOf(asked, screen, group)),
    forms: others
      .filter(({ tool_name }) => tool_name === "submit_form")
      .map(({ description }) => description),
    neighbours: [...neighbours.values()].slice(0, knowledgeLimits.actionsOfRecognised),
  });
}

/**
 * Describes the purpose of a screen: its business functions, user flows and tasks, and what imported
 * documents say about it.
 */
async function purposeOf(
  { atlas, source, knowledgeId }: AgentRequest,
  screen: AtlasScreen,
  group: ReturnType<Atlas["groupOf"]>,
): Promise<Record<string, unknown>> {
  const screenId = group?.screen_id ?? screen.screen_id;
  const functions = businessFunctions(atlas, screen.website_id);
  const own = functionOf(functions, screenId, screen.url);
  const instances = group
    ? [...atlas.members(group.screen_id)].slice(0, knowledgeLimits.screenSamples)
    : [screen.screen_id];
  const [controls, passages] = await Promise.all([
    source.screens.actions(knowledgeId, screen.screen_id),
    source.documents.about(knowledgeId, instances, documentLimits.contextPassages),
  ]);
  return {
    business_functions: own ? [own] : [],
    user_flows: own
      ? userFlows(atlas, own).filter(({ steps }) => steps.some((step) => step.screen_id === screenId))
      : [],
    tasks: formTasks(controls).map(({ task_id, name, kind, fields }) => ({
      task_id,
      name,
      kind,
      fields: fields.map(({ label }) => label),
    })),
    documentation: passages.map(({ id, title, content, location, url, content_type }) => ({
      chunk_id: id[1],
      title,
      content,
      location,
      url,
      content_type,
    })),
  };
}

// The fields that describe a screen when an answer suggests it as an alternative.

type Suggestion = Pick<AtlasScreen, "screen_id" | "name" | "url">;

function success(
  actions: readonly BrowserUseAction[],
  expected: Record<string, unknown>,
  metadata: Record<string, unknown>,
): AgentResponse {
  return { success: true, actions: [...actions], expected_result: expected, error: null, metadata };
}

function refusal(code: string, message: string): AgentResponse {
  return { success: false, actions: [], expected_result: {}, error: message, metadata: { code } };
}

function unknownTarget(atlas: Atlas, target: string): AgentResponse {
  const near = suggestions(atlas, target);
  const hint =
    near.length > 0
      ? ` Did you mean ${near.map((screen) => `${screen.name} (${screen.screen_id})`).join(", ")}?`
      : " query_knowledge with sitemap_semantic lists the screens.";
  const answer = refusal("screen.not_found", `This map has no screen "${target}".${hint}`);
  return {
    ...answer,
    metadata: { ...answer.metadata, suggestions: near.map((screen) => brief(atlas, screen)) },
  };
}

function brief(atlas: Atlas, instance: Suggestion | undefined) {
  if (!instance) return undefined;
  const { screen_id, name, url } = instance;
  const screen = atlas.screenIdOf(screen_id);
  return { screen_id: screen, name, url, ...(screen === screen_id ? {} : { instance_id: screen_id }) };
}
