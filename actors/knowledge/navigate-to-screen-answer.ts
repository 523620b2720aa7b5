/**
 * Answers `navigate_to_screen`: the route with the fewest clicks from the current screen. When the current
 * screen or a route is unknown, the answer is one `navigate` action to the address of the target.
 */
import type { Atlas, AtlasScreen } from "../../machines/knowledge/in-memory-map.ts";
import type { AgentResponse } from "../../machines/knowledge/knowledge-protocol.ts";
import {
  clickLinkTo,
  expectedResult,
  openUrl,
} from "../../machines/knowledge/map-actions-to-browser-actions.ts";
import { missingLinks } from "../../machines/knowledge/missing-links-of-states.ts";
import { pageOfState } from "../../machines/knowledge/page-states-to-instances.ts";
import { templateParameters } from "../../machines/knowledge/screen-address-template.ts";
import { specificPattern } from "../../machines/knowledge/screen-url-pattern.ts";
import type { Pair } from "../../machines/knowledge/shortest-route.ts";
import type { TravelRule } from "../../machines/knowledge/transition-outcomes.ts";
import {
  type AgentRequest,
  arrivalAt,
  brief,
  refusal,
  success,
  unknownTarget,
} from "./agent-instruction-answer-types.ts";
import { PlannedRoute, type Way } from "./build-route-between-screens.ts";
import {
  currentPosition,
  findTarget,
  positionAmong,
  positionCandidates,
  type ResolvedTarget,
  statedPosition,
} from "./resolve-target-screen.ts";

/**
 * Confidence (0 to 1) that a screen is shown after its address was opened. It is below 1 because the screen
 * may depend on earlier clicks.
 */
export const OPENED_BY_ADDRESS = 0.9;

export async function navigate(asked: AgentRequest): Promise<AgentResponse> {
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
  // The agent states the screen that it sees, and is nearly always right. So one read of the store returns
  // both the route from this screen and the records that verify the statement.
  const likely = statedPosition(atlas, context);
  const planned = likely && routeFrom(asked, likely.screen_id, found);
  const goalId = goalOf(found, likely?.screen_id, planned);
  const candidates = await positionCandidates(asked, context);
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
    // The goal is a state of a page, such as an open dialog, and has the page's address. The page is opened
    // first, and the presses that lead to the state follow.
    const page = atlas.get(pageOfState(goal.screen_id));
    const state = page && page.screen_id !== goal.screen_id ? atlas.get(goal.screen_id) : undefined;
    const presses =
      page &&
      state &&
      (await routeBetween(asked, page.screen_id, { ...found, group: undefined, screen: state }));
    const shown = presses ? page : undefined;
    const opening = openUrl(goal.url, shown?.name ?? goal.name, OPENED_BY_ADDRESS * found.confidence);
    const actions = [opening, ...(presses?.actions ?? [])];
    const confidence = actions.reduce((product, act) => product * act.confidence, 1);
    const stops = [...(shown ? [shown.screen_id] : []), ...(presses?.hops.map((hop) => hop.to) ?? [])];
    return success(actions, arrival, {
      ...about,
      path: (stops.length > 0 ? stops : [goal.screen_id]).map((id) => atlas.screenIdOf(id)),
      waypoints: stops.flatMap((id) => brief(atlas, atlas.get(id)) ?? []),
      steps: actions.length,
      confidence,
      by_address: true,
      from_screen_id: position ? atlas.screenIdOf(position.screen.screen_id) : null,
      reason: position
        ? `No clicks are known that lead from ${position.screen.name} to ${goal.name}${forRole(context)}.`
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

function forRole({ role }: AgentRequest["context"]): string {
  return role === undefined ? "" : ` for the role ${role}; it may be refused there`;
}

/**
 * Returns the page on which the route ends. For a screen with several pages (instances), this is the nearest
 * page.
 */
function goalOf(
  { screen, group }: ResolvedTarget,
  from: string | undefined,
  planned: PlannedRoute | undefined,
): string {
  if (!group || !planned) return screen.screen_id;
  return planned.end ?? from ?? screen.screen_id;
}

/**
 * Finds a route. A transition is never used if it failed too often, if the caller excludes it, or if it does
 * not exist for the caller's role. Two kinds of transitions are used only if there is no other route. The
 * first are transitions that failed lately. The second are links of a state that probably lacks them, because
 * a similar link of this state has failed.
 */
function routeFrom(
  { atlas, rules, hidden, context }: AgentRequest,
  from: string,
  { screen, group }: ResolvedTarget,
): PlannedRoute | undefined {
  const pairs = (use: TravelRule["use"]) =>
    rules.flatMap((rule): readonly Pair[] => (rule.use === use ? [[rule.from, rule.via]] : []));
  const excluded = (context.avoid ?? []).map(([a = "", b = ""]): Pair => [a, b]);
  const never = [...excluded, ...pairs("drop")];
  const failing = pairs("avoid");
  const doubtful = [...failing, ...missingLinks(atlas, [...never, ...failing])];
  const route = (avoid: readonly Pair[]) =>
    group
      ? PlannedRoute.toNearest(atlas, from, atlas.members(group.screen_id), avoid, hidden)
      : PlannedRoute.between(atlas, from, screen.screen_id, avoid, hidden);
  return route([...never, ...doubtful]) ?? (doubtful.length > 0 ? route(never) : undefined);
}

/**
 * Builds the route between two screens. Returns `undefined` when there is none, or when a transition was
 * removed from the store meanwhile.
 */
export async function routeBetween(
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
 * Returns the screen that lists the pages of a group. It is the screen outside of the group with links to the
 * most pages of the group, and to at least two.
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
