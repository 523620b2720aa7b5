/**
 * Finds routes for an agent's instruction: without transitions that the caller excludes, that failed too often,
 * or that do not exist for the caller's role.
 */
import { missingLinks } from "../../../machines/knowledge/links-not-available-in-page-state.ts";
import type { AvoidedTransitions, Pair } from "../../../machines/knowledge/transitions/shortest-route.ts";
import type { TravelRule } from "../../../machines/knowledge/transitions/transition-success-and-failure-counts.ts";
import type { AgentRequest } from "./agent-answer-builders.ts";
import { PlannedRoute, type Way } from "./build-route-between-screens.ts";
import type { ResolvedTarget } from "./resolve-target-screen.ts";

/**
 * Confidence (0 to 1) that a screen is shown after its address was opened. It is below 1 because the screen
 * may depend on earlier clicks.
 */
export const OPENED_BY_ADDRESS = 0.9;

/**
 * Finds a route. A transition is never used if it failed too often, if the caller excludes it, or if it does
 * not exist for the caller's role. Two kinds of transitions are used only if there is no other route. The
 * first are transitions that failed lately. The second are links of a state that probably lacks them, because
 * a similar link of this state has failed.
 *
 * @param plan returns a route without the given transitions, and without those that the role does not have
 */
function routeByRules(
  { atlas, rules, hidden, context }: AgentRequest,
  plan: (avoid: readonly Pair[], hidden: AvoidedTransitions | undefined) => PlannedRoute | undefined,
): PlannedRoute | undefined {
  const pairs = (use: TravelRule["use"]) =>
    rules.flatMap((rule): readonly Pair[] => (rule.use === use ? [[rule.from, rule.via]] : []));
  const excluded = (context.avoid ?? []).map(([a = "", b = ""]): Pair => [a, b]);
  const never = [...excluded, ...pairs("drop")];
  const failing = pairs("avoid");
  const doubtful = [...failing, ...missingLinks(atlas, [...never, ...failing])];
  return plan([...never, ...doubtful], hidden) ?? (doubtful.length > 0 ? plan(never, hidden) : undefined);
}

export function routeFrom(
  asked: AgentRequest,
  from: string,
  { screen, group }: ResolvedTarget,
): PlannedRoute | undefined {
  const { atlas } = asked;
  return routeByRules(asked, (avoid, hidden) =>
    group
      ? PlannedRoute.toNearest(atlas, from, atlas.members(group.screen_id), avoid, hidden)
      : PlannedRoute.between(atlas, from, screen.screen_id, avoid, hidden),
  );
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
  return await described(asked, routeFrom(asked, from, goal));
}

/**
 * Builds the route to a page that was never read; its last click is on a link to this page. Returns `undefined`
 * when no route leads to such a link.
 */
export async function routeToUnread(
  asked: AgentRequest,
  from: string,
  page: string,
): Promise<Way | undefined> {
  const planned = routeByRules(asked, (avoid, hidden) =>
    PlannedRoute.toUnread(asked.atlas, from, page, avoid, hidden),
  );
  return await described(asked, planned);
}

async function described(
  { source, knowledgeId, context }: AgentRequest,
  planned: PlannedRoute | undefined,
): Promise<Way | undefined> {
  if (!planned) return undefined;
  const { steps } = await source.screens.routeData(knowledgeId, [], planned.unread);
  return planned.describe(knowledgeId, steps, context.prefer ?? "click");
}
