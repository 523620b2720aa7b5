/**
 * A map as a graph for drawing. Stored transitions lead from page to page (instances of screens). The graph
 * joins all transitions between the same two screens.
 */
import { z } from "zod";

export const mapGraphSchema = z.object({
  knowledge_id: z.string(),
  screens: z.array(
    z.object({
      screen_id: z.string(),
      website_id: z.string(),
      name: z.string(),
      url: z.string(),
      content_type: z.string(),
      instances: z.number().int().describe("Pages and states that this screen shows"),
      picture: z
        .string()
        .optional()
        .describe("The screen_id under which a picture of this screen can be read"),
    }),
  ),
  transitions: z
    .array(
      z.object({
        from: z.string(),
        to: z.string(),
        count: z.number().int().describe("Transitions between instances of the two screens"),
        successes: z.number().int(),
        failures: z.number().int(),
        inferred: z.boolean().describe("No instance of it was observed"),
      }),
    )
    .describe("One for each pair of screens"),
});
export type MapGraph = z.infer<typeof mapGraphSchema>;
export type GraphScreen = MapGraph["screens"][number];
export type GraphTransition = MapGraph["transitions"][number];

/** A stored transition between two pages (instances of screens). */
export interface InstanceTransition {
  readonly from: string;
  readonly to: string;
  readonly successes: number;
  readonly failures: number;
  readonly inferred: boolean;
}

interface GraphParts {
  readonly knowledgeId: string;
  readonly instances: readonly Omit<GraphScreen, "instances" | "picture">[];
  readonly groups: readonly Omit<GraphScreen, "instances" | "picture" | "content_type">[];
  /** Pairs of ids: an instance that belongs to a screen group, and this group. */
  readonly memberships: readonly (readonly [instance: string, group: string])[];
  readonly transitions: readonly InstanceTransition[];
  /** Ids of the pages and states of pages of which the map has a screenshot. */
  readonly pictures: ReadonlySet<string>;
}

export function mapGraphOf({
  knowledgeId,
  instances,
  groups,
  memberships,
  transitions,
  pictures,
}: GraphParts): MapGraph {
  const groupOf = new Map(memberships);
  const screenOf = (instance: string): string => groupOf.get(instance) ?? instance;
  const sizes = new Map<string, number>();
  const types = new Map<string, string>();
  const pictured = new Map<string, string>();
  for (const { screen_id, content_type } of instances) {
    const screen = screenOf(screen_id);
    sizes.set(screen, (sizes.get(screen) ?? 0) + 1);
    types.set(screen, content_type);
    if (pictures.has(screen_id) && !pictured.has(screen)) pictured.set(screen, screen_id);
  }
  const screens = [
    ...instances
      .filter(({ screen_id }) => !groupOf.has(screen_id))
      .map(({ screen_id, website_id, name, url, content_type }) => ({
        screen_id,
        website_id,
        name,
        url,
        content_type,
      })),
    ...groups.map(({ screen_id, website_id, name, url }) => ({
      screen_id,
      website_id,
      name,
      url,
      content_type: types.get(screen_id) ?? "web_ui",
    })),
  ].map((screen) => {
    const picture = pictured.get(screen.screen_id);
    return {
      ...screen,
      instances: sizes.get(screen.screen_id) ?? 0,
      ...(picture === undefined ? {} : { picture }),
    };
  });
  const known = new Set(screens.map(({ screen_id }) => screen_id));
  const merged = new Map<string, GraphTransition>();
  for (const { from, to, successes, failures, inferred } of transitions) {
    const [source, target] = [screenOf(from), screenOf(to)];
    // A transition may lead to a page without a screen. The graph omits this transition.
    if (source === target || !known.has(source) || !known.has(target)) continue;
    const key = JSON.stringify([source, target]);
    const before = merged.get(key);
    merged.set(key, {
      from: source,
      to: target,
      count: (before?.count ?? 0) + 1,
      successes: (before?.successes ?? 0) + successes,
      failures: (before?.failures ?? 0) + failures,
      inferred: (before?.inferred ?? true) && inferred,
    });
  }
  return { knowledge_id: knowledgeId, screens, transitions: [...merged.values()] };
}
