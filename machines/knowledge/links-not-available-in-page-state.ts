/**
 * Infers which links of a page are not available in a state of this page. For example, if another tab is
 * open, the list of the first tab is hidden, and so are the links in this list.
 */
import type { Atlas } from "./in-memory-map.ts";
import { targetOfEdge } from "./screens/transition-id.ts";
import type { Pair } from "./transitions/shortest-route.ts";

/**
 * Returns transitions that probably fail, because a similar transition from the same state has failed. Two
 * transitions are similar if the state has taken over both from its page, and both lead to pages of the same
 * screen.
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
