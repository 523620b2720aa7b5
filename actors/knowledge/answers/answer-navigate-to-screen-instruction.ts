/**
 * Answers `navigate_to_screen`: the route with the fewest clicks from the current screen. When the current
 * screen or a route is unknown, the answer is one `navigate` action to the address of the target.
 */

import { openUrl } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { AgentResponse } from "../../../machines/knowledge/knowledge-protocol.ts";
import { pageOfState } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import {
  type AgentRequest,
  arrivalAt,
  brief,
  refusal,
  success,
  unknownTarget,
} from "./agent-answer-builders.ts";
import { navigateToUnread } from "./agent-answers-for-unread-page.ts";
import type { PlannedRoute } from "./build-route-between-screens.ts";
import { OPENED_BY_ADDRESS, routeBetween, routeFrom } from "./find-map-route-for-agent.ts";
import { findScreenByContent } from "./find-screen-by-content.ts";
import {
  findTargetOrUnreadPage,
  isUrl,
  positionAmong,
  positionCandidates,
  type ResolvedTarget,
  statedPosition,
} from "./resolve-target-screen.ts";

export async function navigate(asked: AgentRequest): Promise<AgentResponse> {
  const { atlas, target } = asked;
  if (target.trim() === "")
    return refusal("target.missing", "Say where to go: a screen id, a URL or a screen's name.");
  const { found: named, unread } = await findTargetOrUnreadPage(asked, target);
  if (unread) return await navigateToUnread(asked, unread);
  const { found = named, nearest = undefined } =
    named || isUrl(target.trim()) ? {} : await findScreenByContent(asked, target);
  if (!found) return unknownTarget(atlas, target, nearest);
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
