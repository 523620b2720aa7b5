/**
 * Infers which links of its page a state does not show. For example, the state with another tab open hides
 * the list of the first tab, and the links in this list.
 */
import type { Atlas } from "./in-memory-map.ts";
import type { Pair } from "./shortest-route.ts";
import { targetOfEdge } from "./transition-id.ts";

/**
 * Returns transitions that probably fail because a similar transition of the same state has failed. Similar
 * means that both are inherited from the state's page, and lead to pages of the same screen group.
 */
export function missingLinks(atlas: Atlas, failed: readonly Pair[]): readonly Pair[] {
  const groupTo = (via: string) => atlas.groupOf(atlas.routes.resolve(via) ?? targetOfEdge(via))?.screen_id;
  const missing = new Map<string, Set<string>>();
  for (const [from, via] of failed) {
    const group = groupTo(via);
    if (group === undefined || atlas.storedFrom(from, via) === from) continue;
    missing.set(from, (missing.get(from) ?? new Set()).add(group));
  }
  return [...missing].flatMap(([from, groups]) =>
    atlas.routes.targets(from).flatMap((via): readonly Pair[] => {
      const group = groupTo(via);
      const isMissing = group !== undefined && groups.has(group) && atlas.storedFrom(from, via) !== from;
      return isMissing ? [[from, via]] : [];
    }),
  );
}
