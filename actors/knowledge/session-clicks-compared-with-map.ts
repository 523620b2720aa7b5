/**
 * Compares the clicks of sessions with a map: which transitions succeeded, and which led to another screen.
 */
import type { Atlas } from "../../machines/knowledge/in-memory-map.ts";
import { stateOfId } from "../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { TransitionAction } from "../../machines/knowledge/screens/page-to-screen.ts";
import { targetOfEdge } from "../../machines/knowledge/screens/transition-id.ts";
import type { TravelOutcome } from "../../machines/knowledge/transitions/transition-success-and-failure-counts.ts";
import {
  type LeavingTransition,
  outcomeOf,
  type SeenClick,
} from "../../machines/knowledge/transitions/transition-used-by-click.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import type { MapSource } from "./map-store-interface.ts";

export async function clickOutcomes(
  { screens }: MapSource,
  knowledgeId: KnowledgeId,
  atlas: Atlas,
  clicks: readonly SeenClick[],
): Promise<readonly TravelOutcome[]> {
  const leaving = new Map<string, readonly LeavingTransition[]>();
  const outcomes: TravelOutcome[] = [];
  for (const click of clicks) {
    const from = atlas.byUrl(click.from)?.screen_id;
    if (from === undefined) continue;
    if (!leaving.has(from)) {
      const rows = await screens.transitionsFrom(knowledgeId, from);
      leaving.set(
        from,
        rows.map(({ out, via = out[1], action }): LeavingTransition => {
          // The map wrote this action, so the cast is safe.
          const { name, target } = JSON.parse(action) as TransitionAction;
          const screen = atlas.routes.resolve(targetOfEdge(via));
          const state = stateOfId(out[1]) !== undefined;
          return { via, names: [name, target?.name ?? ""], screen, state };
        }),
      );
    }
    const arrived = atlas.byUrl(click.to)?.screen_id;
    const outcome = outcomeOf(click, from, leaving.get(from) ?? [], arrived === undefined ? [] : [arrived]);
    if (outcome) outcomes.push(outcome);
  }
  return outcomes;
}
