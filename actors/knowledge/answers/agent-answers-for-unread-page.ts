/**
 * Answers `navigate_to_screen` and `find_screen` for a page that was never read. The route leads to a link to this
 * page. If no link to it is known, the route leads to a screen that lists similar pages.
 */

import { templateParameters } from "../../../machines/knowledge/addresses/screen-address-template.ts";
import { specificPattern } from "../../../machines/knowledge/addresses/screen-url-pattern.ts";
import {
  clickLinkTo,
  expectedResult,
  openUrl,
} from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { Atlas, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentResponse } from "../../../machines/knowledge/knowledge-protocol.ts";
import { type AgentRequest, brief, success } from "./agent-answer-builders.ts";
import type { Way } from "./build-route-between-screens.ts";
import { OPENED_BY_ADDRESS, routeBetween, routeToUnread } from "./find-map-route-for-agent.ts";
import { currentPosition, type Position, type UnreadPage } from "./resolve-target-screen.ts";

/**
 * Confidence (0 to 1) that a link leads to the page that its address promises, if this page was never read. It may
 * redirect, or ask for a sign-in.
 */
const UNREAD_PAGE = 0.9;

/** Answers `find_screen` for a page that was never read. */
export async function findUnread(asked: AgentRequest, page: UnreadPage): Promise<AgentResponse> {
  const { arrival, about } = await describeUnread(asked, page);
  const { found_by, ...rest } = about;
  return success([], arrival, {
    ...rest,
    url: page.url,
    judged_by: found_by,
    confidence: UNREAD_PAGE * page.confidence,
    matched_indicators: [],
  });
}

/** Returns what an answer says about a page that was never read, and how the agent recognises it. */
async function describeUnread({ source, knowledgeId }: AgentRequest, page: UnreadPage) {
  const { url, group } = page;
  const [record] = group ? await source.screens.recognisable(knowledgeId, [group.screen_id]) : [];
  const url_patterns = [specificPattern(url)];
  const parameters = group && templateParameters(group, url);
  const arrival =
    group && record
      ? { ...expectedResult({ ...record, url_patterns }), parameters, instance_id: null }
      : { screen_id: null, url_patterns, verification: { dom_contains: [], url_matches: url_patterns[0] } };
  const about = {
    screen_name: page.by === "link" ? page.name : (group?.name ?? page.name),
    found_by: page.by,
    unread: true,
    ...(parameters ? { parameters } : {}),
  };
  return { arrival, about };
}

export async function navigateToUnread(asked: AgentRequest, page: UnreadPage): Promise<AgentResponse> {
  const { atlas, context } = asked;
  const { url, group } = page;
  const { arrival, about } = await describeUnread(asked, page);
  const position = await currentPosition(asked, context);
  const found = position && context.prefer !== "url" ? await wayToUnread(asked, position, page) : undefined;
  const ending = group ? [group.screen_id] : [];
  if (!position || !found) {
    const confidence = OPENED_BY_ADDRESS * page.confidence;
    return success([openUrl(url, about.screen_name, confidence)], arrival, {
      ...about,
      path: ending,
      steps: 1,
      confidence,
      by_address: true,
      from_screen_id: position ? atlas.screenIdOf(position.screen.screen_id) : null,
      reason: position
        ? `No link to ${url} is known that can be reached from ${position.screen.name}.`
        : "Where the agent is, is not known: give context.current_url or context.current_screen_id for clicks.",
    });
  }
  const { actions, hops, list } = found;
  return success([...actions], arrival, {
    ...about,
    path: [position.screen.screen_id, ...hops.map((hop) => hop.to)]
      .map((id) => atlas.screenIdOf(id))
      .concat(ending),
    steps: actions.length,
    confidence: actions.reduce(
      (product, act) => product * act.confidence,
      position.confidence * page.confidence,
    ),
    from_screen_id: atlas.screenIdOf(position.screen.screen_id),
    waypoints: hops.flatMap((hop) => brief(atlas, atlas.get(hop.to)) ?? []),
    transitions: found.transitions,
    ...(list ? { listed_on: brief(atlas, list) } : {}),
  });
}

interface WayToUnread extends Way {
  readonly transitions: readonly (readonly [from: string, via: string])[];
  /** A screen that lists similar pages. The route leads to it if no link to the page itself is known. */
  readonly list?: AtlasScreen;
}

async function wayToUnread(
  asked: AgentRequest,
  { screen }: Position,
  { id, url, group }: UnreadPage,
): Promise<WayToUnread | undefined> {
  const { atlas } = asked;
  const pairs = ({ hops }: Way) => hops.map((hop) => [hop.from, hop.via] as const);
  const linked = await routeToUnread(asked, screen.screen_id, id);
  if (linked) {
    const [last, ...before] = linked.actions.toReversed();
    if (!last) return undefined;
    const click = { ...last, confidence: last.confidence * UNREAD_PAGE };
    return {
      actions: [...before.toReversed(), click],
      hops: linked.hops.slice(0, -1),
      transitions: pairs(linked),
    };
  }
  const list = group && listOf(atlas, group.screen_id);
  const way =
    list &&
    (await routeBetween(asked, screen.screen_id, {
      screen: list,
      by: "url",
      confidence: 1,
      others: [],
    }));
  if (!way) return undefined;
  const click = clickLinkTo(url, group.name, atlas.screenIdOf(list.screen_id));
  return { actions: [...way.actions, click], hops: way.hops, transitions: pairs(way), list };
}

/**
 * Returns the screen that lists the pages of a group. It is the screen with links to the most pages of the
 * group, and to at least two. It must not belong to the group itself.
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
