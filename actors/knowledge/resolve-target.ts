/**
 * Resolves a target to a screen, and finds the screen an agent is on.
 * A target is a screen id, a URL, a name, or words of it. The position comes from the agent's screen id, else
 * from its URL with or without a DOM summary.
 */
import type { Atlas, AtlasScreen } from "../../machines/knowledge/atlas.ts";
import { MIN_MATCH_SCORE } from "../../machines/knowledge/match-score.ts";
import { MIN_NAME_SCORE } from "../../machines/knowledge/name-index.ts";
import type { AgentContext } from "../../machines/knowledge/protocol.ts";
import type { RecognisableRecord } from "../../machines/knowledge/recognition.ts";
import { type OpenMap, recogniseAmong, recogniseView } from "./recognise-screen.ts";

/** A resolved target. */
export interface ResolvedTarget {
  readonly screen: AtlasScreen;
  readonly by: "screen_id" | "url" | "name" | "words";
  /** 1 unless words were weighed. */
  readonly confidence: number;
  /** Other screens that match as well. */
  readonly others: readonly AtlasScreen[];
}

const SUGGESTIONS = 5;

export async function findTarget(map: OpenMap, target: string): Promise<ResolvedTarget | undefined> {
  const { atlas } = map;
  const wanted = target.trim();
  const byId = atlas.get(wanted);
  if (byId) return { screen: byId, by: "screen_id", confidence: 1, others: [] };
  if (isUrl(wanted)) {
    const screen = atlas.byUrl(wanted) ?? (await recognisedAt(map, wanted));
    return screen && { screen, by: "url", confidence: 1, others: [] };
  }
  const matches = atlas.names.search(wanted, SUGGESTIONS);
  const [best] = matches;
  if (!best || best.score < MIN_NAME_SCORE) return undefined;
  const same = screensOf(
    atlas,
    matches.filter((match) => match.score === best.score),
  );
  // Of several screens with one name, the one with the shortest address is the most general.
  const [screen, ...others] = same.sort((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1));
  return screen && { screen, by: best.score === 1 ? "name" : "words", confidence: best.score, others };
}

/** The nearest screens to an unknown target, best first. */
export function suggestions(atlas: Atlas, target: string): readonly AtlasScreen[] {
  const text = isUrl(target) ? (URL.parse(target)?.pathname ?? target) : target;
  return screensOf(atlas, atlas.names.search(text, SUGGESTIONS));
}

export interface Position {
  readonly screen: AtlasScreen;
  readonly confidence: number;
}

/** The position by the agent's statement alone. */
export function statedPosition(
  atlas: Atlas,
  { current_screen_id, current_url }: AgentContext,
): AtlasScreen | undefined {
  const named = current_screen_id === undefined ? undefined : atlas.get(current_screen_id);
  return named ?? (current_url ? atlas.byUrl(current_url) : undefined);
}

/** `undefined`: the agent gave no position, or it is not on this map. */
export async function currentPosition(map: OpenMap, context: AgentContext): Promise<Position | undefined> {
  const { atlas, source, knowledgeId } = map;
  return positionAmong(
    atlas,
    context,
    await source.screens.getMany(knowledgeId, positionCandidates(atlas, context)),
  );
}

/** Ids of the screens that `positionAmong` needs; none when the agent names its screen. */
export function positionCandidates(atlas: Atlas, context: AgentContext): readonly string[] {
  const { current_screen_id, current_url, dom_summary } = context;
  const named = current_screen_id !== undefined && atlas.get(current_screen_id);
  return named || !current_url ? [] : atlas.candidates({ url: current_url, dom: dom_summary });
}

/** Like `currentPosition`, with the `records` of `positionCandidates`. */
export function positionAmong(
  atlas: Atlas,
  { current_screen_id, current_url, dom_summary }: AgentContext,
  records: readonly RecognisableRecord[],
): Position | undefined {
  const named = current_screen_id === undefined ? undefined : atlas.get(current_screen_id);
  if (named) return { screen: named, confidence: 1 };
  if (!current_url) return undefined;
  const seen = recogniseAmong({ url: current_url, dom: dom_summary }, records);
  const recognised = seen.screen && atlas.get(seen.screen.screen_id);
  if (recognised) return { screen: recognised, confidence: seen.confidence };
  // The page may have changed since it was visited; its address still determines its links.
  const addressed = atlas.byUrl(current_url);
  return (
    addressed && { screen: addressed, confidence: Math.min(Math.max(seen.confidence, 0.4), MIN_MATCH_SCORE) }
  );
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

async function recognisedAt(map: OpenMap, url: string): Promise<AtlasScreen | undefined> {
  const { screen } = await recogniseView(map, { url });
  return screen && map.atlas.get(screen.screen_id);
}

function screensOf(atlas: Atlas, matches: readonly { readonly screen_id: string }[]): AtlasScreen[] {
  return matches.flatMap(({ screen_id }) => atlas.get(screen_id) ?? []);
}
