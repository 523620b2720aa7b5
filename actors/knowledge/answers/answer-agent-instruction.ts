/**
 * Answers an agent's instructions with data of a map. The protocol specification defines their shapes:
 * `AgentInstruction` and `AgentResponse`.
 */
import { normaliseUrl } from "../../../machines/exploration/crawl/normalise-url.ts";
import { templateParameters } from "../../../machines/knowledge/addresses/screen-address-template.ts";
import { documentLimits } from "../../../machines/knowledge/documents/ingested-document-limits.ts";
import {
  expectedResult,
  translateControl,
  translateTransition,
} from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { Atlas, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type {
  AgentContext,
  AgentQuestion,
  AgentResponse,
  BrowserUseAction,
} from "../../../machines/knowledge/knowledge-protocol.ts";
import { instructionOf, instructionTypes } from "../../../machines/knowledge/map-instruction-types.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import {
  businessFunctions,
  functionOf,
  userFlows,
} from "../../../machines/knowledge/site-map/business-functions-of-site.ts";
import { formTasks } from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import type { TravelRule } from "../../../machines/knowledge/transitions/transition-success-and-failure-counts.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { ScreenOffers } from "../../../store/records/stored-screens.ts";
import type { MapSource } from "../map-store-interface.ts";
import { mapForRole, rolesOfMap } from "../role-view-of-map.ts";
import {
  type AgentRequest,
  arrivalAt,
  brief,
  refusal,
  type Suggestion,
  success,
  unknownTarget,
} from "./agent-answer-builders.ts";
import { findUnread } from "./agent-answers-for-unread-page.ts";
import { executeTask } from "./answer-execute-task-instruction.ts";
import { navigate } from "./answer-navigate-to-screen-instruction.ts";
import { findScreenByContent } from "./find-screen-by-content.ts";
import { actionsInParts } from "./list-actions-in-closed-page-parts.ts";
import { recogniseWithOffers } from "./recognise-screen.ts";
import {
  currentPosition,
  findTarget,
  findTargetOrUnreadPage,
  isUrl,
  type ResolvedTarget,
} from "./resolve-target-screen.ts";

export async function answerAgent(
  knowledgeId: KnowledgeId,
  source: MapSource,
  atlas: Atlas,
  question: AgentQuestion,
  rules: readonly TravelRule[] = [],
): Promise<AgentResponse> {
  for (const { from, via, cost } of rules) atlas.routes.setCost(from, via, cost);
  const map = { knowledgeId, source, atlas };
  const role = typeof question.context.role === "string" ? question.context.role : undefined;
  if (role !== undefined) {
    const known = await rolesOfMap(map);
    if (!known.includes(role)) return unknownRole(role, known);
  }
  const asked: AgentRequest = {
    ...(role === undefined ? map : await mapForRole(map, role)),
    rules,
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

function unknownRole(role: string, known: readonly string[]): AgentResponse {
  return refusal(
    "role.unknown",
    known.length === 0
      ? "No exploration of this map names a role. Start one with the parameter role."
      : `This map knows the roles ${known.join(", ")}, and not "${role}".`,
  );
}

async function findScreen(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, target, context, source, knowledgeId } = asked;
  const given = context.current_url || (isUrl(target.trim()) ? target.trim() : "");
  const url = given === "" ? given : atlas.addressInAnyOrder(given);
  if (url === "" && target.trim() !== "") return await describedScreen(asked);
  if (url === "") {
    return refusal(
      "target.missing",
      "Give a URL, a description, or context.current_url with context.dom_summary.",
    );
  }
  const { seen, likely, offers } = await recogniseWithOffers(asked, { url, dom: context.dom_summary });
  // If the agent gives an address without a page summary, its screen cannot be recognised. The screen of the map
  // with this address is then used. If the address redirects, it is the screen of the redirect's target.
  const addressed = context.dom_summary === undefined && !seen.record ? atlas.byUrl(url) : undefined;
  const [redirected] = addressed
    ? await source.screens.recognisable(knowledgeId, [atlas.screenIdOf(addressed.screen_id)])
    : [];
  const screen = seen.record ?? redirected;
  if (!screen) {
    // The target may be the address of a page that is linked but was never read. Such a page is not searched for if
    // the agent gives the page in its browser (`current_url`), because it then asks which screen it sees.
    const { unread } = context.current_url ? {} : await findTargetOrUnreadPage(asked, target);
    if (unread) return await findUnread(asked, unread);
    return noMatch(atlas, seen.confidence, seen.nearest && [seen.nearest]);
  }
  const group = atlas.group(screen.screen_id);
  const visited = atlas.byUrl(url);
  const instance = visited && atlas.screenIdOf(visited.screen_id) === screen.screen_id ? visited : undefined;
  const shown = instance?.screen_id ?? group?.example ?? screen.screen_id;
  const { links, others } =
    offers && shown === likely ? translated(asked, shown, offers) : await actionsOf(asked, shown);
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
  const { found: named, unread } = await findTargetOrUnreadPage(asked, target);
  if (unread) return await findUnread(asked, unread);
  const { found, nearest } = named ? { found: named, nearest: [] } : await findScreenByContent(asked, target);
  const id = found && (found.group?.screen_id ?? found.screen.screen_id);
  const [screen] = id === undefined ? [] : await source.screens.recognisable(knowledgeId, [id]);
  if (!found || !screen) return noneCertain(atlas, target, nearest);
  return success([], found.group ? expectedResult(screen) : arrivalAt(atlas, screen), {
    confidence: found.confidence,
    matched_indicators: [],
    screen_name: screen.name,
    judged_by: found.by,
    ...(found.others.length > 0 ? { alternatives: found.others.map((other) => brief(atlas, other)) } : {}),
  });
}

/**
 * Refuses an instruction if no screen certainly fits its target (the agent's words for a screen), and names
 * the nearest screens.
 */
function noneCertain(atlas: Atlas, target: string, nearest: readonly AtlasScreen[]): AgentResponse {
  const answer = noMatch(atlas, 0, nearest);
  if (nearest.length === 0) return answer;
  const named = nearest.map(({ name, url }) => `"${name}" (${url})`).join(", ");
  const error = `${answer.error}. No screen is certain for "${target.trim()}"; the nearest are ${named}. Ask again with the screen_id of one of metadata.suggestions, or open its address.`;
  return { ...answer, error };
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

/**
 * Finds the screen that the target of an instruction names, such as "Orders". If there is no target, finds
 * the current screen.
 */
function namedOrCurrent(asked: AgentRequest) {
  const { target, context } = asked;
  return target.trim() === "" ? currentPosition(asked, context) : findTarget(asked, target);
}

function noScreenMeant({ atlas, target }: AgentRequest): AgentResponse {
  return target.trim() === ""
    ? refusal("target.missing", "Name a screen, or give context.current_url or context.current_screen_id.")
    : unknownTarget(atlas, target);
}

async function getActions(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target, context } = asked;
  const found = await namedOrCurrent(asked);
  if (!found) return noScreenMeant(asked);
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
 * Returns one page (instance) of a screen: the page that the browser shows if it is one of them, otherwise
 * the screen's example page.
 */
function instanceMeant(
  atlas: Atlas,
  { screen, group }: Pick<ResolvedTarget, "screen" | "group">,
  { current_url }: AgentContext,
): AtlasScreen {
  const shown = group && current_url ? atlas.byUrl(current_url) : undefined;
  return shown && atlas.groupOf(shown.screen_id) === group ? shown : screen;
}

/**
 * Returns the links and other controls of a screen as browser actions. Controls in closed parts of the screen,
 * such as sections, are included.
 */
async function actionsOf(asked: AgentRequest, screenId: string): Promise<ScreenActions> {
  const offers = await asked.source.screens.offers(asked.knowledgeId, screenId);
  const { links, others } = translated(asked, screenId, offers);
  return { links: [...links, ...(await actionsInParts(asked, screenId, offers.transitions))], others };
}

interface ScreenActions {
  readonly links: readonly BrowserUseAction[];
  readonly others: readonly BrowserUseAction[];
}

function translated(
  { atlas, context }: AgentRequest,
  screenId: string,
  { transitions, actions }: ScreenOffers,
): ScreenActions {
  const links = transitions.flatMap((transition) => {
    const leadsTo = atlas.routes.resolve(transition.out[1]);
    const next = leadsTo === undefined ? undefined : atlas.get(leadsTo);
    return translateTransition(transition, next, context.prefer ?? "click") ?? [];
  });
  const others = actions.flatMap((control) => translateControl(control, screenId) ?? []);
  return { links, others };
}

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

/** Maximum number of other elements that an answer suggests instead of the chosen one. */
const ALTERNATIVES = 5;
/**
 * An action fits a target (the agent's words for an element) if its description contains at least this share
 * (0 to 1) of the words.
 */
const FITTING = 0.6;

/**
 * Words for kinds of elements, such as "box" in "search box" and "button" in "save button". These words are
 * not part of an element's name.
 */
const KIND_WORDS: ReadonlySet<string> = new Set(
  "box button checkbox control dropdown element entry field icon input link list menu option tab textbox".split(
    " ",
  ),
);

/**
 * Pairs of a pattern and tools. The pattern matches words for a kind of element, such as "button" or "link",
 * and the tools can be used on such an element.
 */
const KIND_TOOLS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(?:box|entry|field|input|textbox)\b/i, ["input", "select_dropdown"]],
  [/\b(?:button|link|tab)\b/i, ["click", "submit_form"]],
  [/\b(?:dropdown|list|menu)\b/i, ["select_dropdown", "click"]],
];

/**
 * Finds the elements whose names contain most words of the target. If there are none, words for kinds of elements,
 * such as "list", are ignored: for "status list", elements named "status" are returned, lists and clickable
 * elements first.
 */
function fittingActions(actions: readonly BrowserUseAction[], target: string) {
  const wanted = wordsOf(target);
  const named = wanted.filter((word) => !KIND_WORDS.has(word));
  const found = actionsNamed(actions, wanted);
  if (found.length > 0 || named.length === 0) return found;
  const tools = KIND_TOOLS.find(([kind]) => kind.test(target))?.[1] ?? [];
  const isOfKind = ({ action }: { readonly action: BrowserUseAction }) => tools.includes(action.tool_name);
  return actionsNamed(actions, named).sort((a, b) => Number(isOfKind(b)) - Number(isOfKind(a)));
}

function actionsNamed(actions: readonly BrowserUseAction[], wanted: readonly string[]) {
  return actions
    .flatMap((action) => {
      const own = new Set(wordsOf(action.description));
      const share = wanted.length === 0 ? 0 : wanted.filter((word) => own.has(word)).length / wanted.length;
      if (share < FITTING) return [];
      // Of two elements with the same score, the one whose name has fewer other words comes first.
      return [{ action, score: share, others: own.size - wanted.length }];
    })
    .sort((a, b) => b.score - a.score || a.others - b.others);
}

/** Describes a screen: its place on the site, its actions and forms, and the screens to which it leads. */
async function screenContext(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target, context } = asked;
  const found = await namedOrCurrent(asked);
  if (!found) return noScreenMeant(asked);
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
    // `page-to-screen.ts` wrote the breadcrumbs as JSON, so they can be parsed.
    breadcrumbs: screen.trail === "" ? [] : JSON.parse(screen.trail),
    instances: Math.max(1, atlas.members(group?.screen_id ?? "").size),
    examples: [...atlas.members(group?.screen_id ?? "")]
      .sort()
      .slice(0, knowledgeLimits.listedExamples)
      .flatMap((id) => {
        const instance = atlas.get(id);
        return instance ? [{ instance_id: id, name: instance.name, url: instance.url }] : [];
      }),
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
