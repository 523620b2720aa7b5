/**
 * Answers an agent: `AgentInstruction` → `AgentResponse` of the protocol specification.
 * `navigate_to_screen` returns the route with the fewest clicks from the current screen. Without a known
 * position or a route it returns one `navigate` to the target's address, which is shorter and more reliable
 * than a walk from the start page.
 */
import type { Atlas, AtlasScreen } from "../../machines/knowledge/atlas.ts";
import {
  expectedResult,
  openUrl,
  translateControl,
  translateTransition,
} from "../../machines/knowledge/browser-actions.ts";
import { instructionOf, instructionTypes } from "../../machines/knowledge/instructions.ts";
import { knowledgeLimits } from "../../machines/knowledge/limits.ts";
import type {
  AgentContext,
  AgentQuestion,
  AgentResponse,
  BrowserUseAction,
} from "../../machines/knowledge/protocol.ts";
import type { KnowledgeId } from "../../machines/records.ts";
import { PlannedRoute, type Way } from "./build-route.ts";
import type { MapSource } from "./map-source.ts";
import { type OpenMap, recogniseView } from "./recognise-screen.ts";
import {
  currentPosition,
  findTarget,
  isUrl,
  positionAmong,
  positionCandidates,
  statedPosition,
  suggestions,
} from "./resolve-target.ts";

/** The inputs of every answer. */
interface AgentRequest extends OpenMap {
  readonly target: string;
  readonly context: AgentContext;
}

/** Confidence of opening an address, which may need state that a click would provide. */
const OPENED_BY_ADDRESS = 0.9;

export async function answerAgent(
  knowledgeId: KnowledgeId,
  source: MapSource,
  atlas: Atlas,
  question: AgentQuestion,
): Promise<AgentResponse> {
  const asked: AgentRequest = {
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
    case undefined:
      return refusal(
        "instruction.unknown",
        `"${wanted}" is no instruction. There are ${instructionTypes.join(", ")}.`,
      );
    default:
      return refusal(
        "not_supported",
        `${type} is not supported yet. Use navigate_to_screen, find_screen or get_actions.`,
      );
  }
}

// navigate_to_screen

async function navigate(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, context, target } = asked;
  if (target.trim() === "")
    return refusal("target.missing", "Say where to go: a screen id, a URL or a screen's name.");
  const found = await findTarget(asked, target);
  if (!found) return unknownTarget(atlas, target);
  const goalId = found.screen.screen_id;
  // The stated position is nearly always right, so the route from it is read together with its verification.
  const likely = statedPosition(atlas, context);
  const planned = likely && PlannedRoute.between(atlas, likely.screen_id, goalId);
  const candidates = positionCandidates(atlas, context);
  const read = await source.screens.routeData(
    knowledgeId,
    [...new Set([goalId, ...candidates])],
    planned?.unread ?? [],
  );
  const goal = read.screens.find((screen) => screen.screen_id === goalId);
  if (!goal) return unknownTarget(atlas, target);
  const position = positionAmong(
    atlas,
    context,
    read.screens.filter((screen) => candidates.includes(screen.screen_id)),
  );
  const from = position?.screen.screen_id;
  const way =
    from === undefined || from === likely?.screen_id
      ? planned?.describe(knowledgeId, read.steps, context.prefer ?? "click")
      : await routeBetween(asked, from, goalId);
  const about = {
    screen_name: goal.name,
    found_by: found.by,
    ...(found.others.length > 0 ? { alternatives: found.others.map(brief) } : {}),
  };
  if (!way || !position) {
    const confidence = OPENED_BY_ADDRESS * found.confidence;
    return success([openUrl(goal.url, goal.name, confidence)], expectedResult(goal), {
      ...about,
      path: [goal.screen_id],
      steps: 1,
      confidence,
      from_screen_id: position?.screen.screen_id ?? null,
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
  return success([...actions], expectedResult(goal), {
    ...about,
    path: [position.screen.screen_id, ...hops.map((hop) => hop.to)],
    steps: actions.length,
    confidence,
    from_screen_id: position.screen.screen_id,
    waypoints: hops.flatMap((hop) => brief(atlas.get(hop.to)) ?? []),
  });
}

/** `undefined` without a route, or when a transition disappeared since the atlas was built. */
async function routeBetween(
  { atlas, source, knowledgeId, context }: AgentRequest,
  from: string,
  to: string,
): Promise<Way | undefined> {
  const planned = PlannedRoute.between(atlas, from, to);
  if (!planned) return undefined;
  const { steps } = await source.screens.routeData(knowledgeId, [], planned.unread);
  return planned.describe(knowledgeId, steps, context.prefer ?? "click");
}

// find_screen

async function findScreen(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, target, context } = asked;
  const url = context.current_url || (isUrl(target.trim()) ? target.trim() : "");
  if (url === "" && target.trim() !== "") return await describedScreen(asked);
  if (url === "") {
    return refusal(
      "target.missing",
      "Give a URL, a description, or context.current_url with context.dom_summary.",
    );
  }
  const seen = await recogniseView(asked, { url, dom: context.dom_summary });
  // With only an address, a known redirect counts as its target.
  const addressed = context.dom_summary === undefined && !seen.record ? atlas.byUrl(url) : undefined;
  const screen =
    seen.record ?? (addressed && (await asked.source.screens.get(asked.knowledgeId, addressed.screen_id)));
  if (!screen) return noMatch(seen.confidence, seen.nearest && [seen.nearest]);
  const { links, others } = await actionsOf(asked, screen.screen_id);
  return success([], expectedResult(screen), {
    available_actions: [...others, ...links].slice(0, knowledgeLimits.actionsOfRecognised),
    confidence: seen.screen ? seen.confidence : 1,
    matched_indicators: seen.matched_indicators.map(({ type, value, pattern }) => ({ type, value, pattern })),
    screen_name: screen.name,
    judged_by: context.dom_summary === undefined ? "url" : "url_and_dom",
  });
}

async function describedScreen(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target } = asked;
  const found = await findTarget(asked, target);
  const screen = found && (await source.screens.get(knowledgeId, found.screen.screen_id));
  if (!found || !screen) return noMatch(0, suggestions(atlas, target));
  return success([], expectedResult(screen), {
    confidence: found.confidence,
    matched_indicators: [],
    screen_name: screen.name,
    judged_by: found.by,
    ...(found.others.length > 0 ? { alternatives: found.others.map(brief) } : {}),
  });
}

function noMatch(confidence: number, nearest: readonly Suggestion[] = []): AgentResponse {
  const answer = refusal("screen.not_recognised", "No matching screen found");
  return {
    ...answer,
    expected_result: { screen_id: null },
    metadata: { ...answer.metadata, confidence, matched_indicators: [], suggestions: nearest.map(brief) },
  };
}

// get_actions

async function getActions(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, source, knowledgeId, target, context } = asked;
  const found = await (target.trim() === "" ? currentPosition(asked, context) : findTarget(asked, target));
  if (!found) {
    return target.trim() === ""
      ? refusal("target.missing", "Name a screen, or give context.current_url or context.current_screen_id.")
      : unknownTarget(atlas, target);
  }
  const { screen_id, name } = found.screen;
  const [record, { links, others }] = await Promise.all([
    source.screens.get(knowledgeId, screen_id),
    actionsOf(asked, screen_id),
  ]);
  if (!record) return unknownTarget(atlas, target);
  return success([...others, ...links], expectedResult(record), {
    screen_name: name,
    confidence: found.confidence,
    links: links.length,
    controls: others.length,
  });
}

/** The links of a screen, and its other controls, as browser actions. */
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

// Parts of answers

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
  return { ...answer, metadata: { ...answer.metadata, suggestions: near.map(brief) } };
}

function brief(screen: Suggestion | undefined) {
  return screen && { screen_id: screen.screen_id, name: screen.name, url: screen.url };
}
