/**
 * Which screen is meant, and which one the agent is on.
 *
 * A target is a screen id, a URL, a name, or words of one. Where the agent is comes from what it says of itself:
 * the screen's id, else the URL with or without a summary of the DOM. Neighbour: `sight.ts` recognises.
 */
import type { Atlas, AtlasScreen } from "../../machines/knowledge/atlas.ts";
import { MIN_MATCH_SCORE } from "../../machines/knowledge/match-score.ts";
import { MIN_NAME_SCORE } from "../../machines/knowledge/name-index.ts";
import type { AgentContext } from "../../machines/knowledge/protocol.ts";
import type { RecognisableRecord } from "../../machines/knowledge/recognition.ts";
import { type OpenMap, sight, sightAmong } from "./recognise-screen.ts";

/** How a target was understood. */
export interface Found {
  readonly screen: AtlasScreen;
  readonly by: "screen_id" | "url" | "name" | "words";
  /** 1 unless words were weighed. */
  readonly confidence: number;
  /** Other screens that answer to it as well. */
  readonly others: readonly AtlasScreen[];
}

const SUGGESTIONS = 5;

export async function findTarget(map: OpenMap, target: string): Promise<Found | undefined> {
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
  // Several screens of one name: the one with the shortest address is the least special.
  const [screen, ...others] = same.sort((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1));
  return screen && { screen, by: best.score === 1 ? "name" : "words", confidence: best.score, others };
}

/** The screens nearest to a target that was not found, best first. */
export function suggestions(atlas: Atlas, target: string): readonly AtlasScreen[] {
  const text = isUrl(target) ? (URL.parse(target)?.pathname ?? target) : target;
  return screensOf(atlas, atlas.names.search(text, SUGGESTIONS));
}

export interface Position {
  readonly screen: AtlasScreen;
  readonly confidence: number;
}

/** Where the agent is by what it says alone, without a look at what it sees. */
export function saidPosition(
  atlas: Atlas,
  { current_screen_id, current_url }: AgentContext,
): AtlasScreen | undefined {
  const named = current_screen_id === undefined ? undefined : atlas.get(current_screen_id);
  return named ?? (current_url ? atlas.byUrl(current_url) : undefined);
}

/** `undefined`: the agent did not say, or it is nowhere on this map. */
export async function currentPosition(map: OpenMap, context: AgentContext): Promise<Position | undefined> {
  const { atlas, source, knowledgeId } = map;
  return positionAmong(
    atlas,
    context,
    await source.screens.getMany(knowledgeId, positionCandidates(atlas, context)),
  );
}

/** Ids of the screens that have to be read before `positionAmong` can tell: none when the agent names its own. */
export function positionCandidates(atlas: Atlas, context: AgentContext): readonly string[] {
  const { current_screen_id, current_url, dom_summary } = context;
  const named = current_screen_id !== undefined && atlas.get(current_screen_id);
  return named || !current_url ? [] : atlas.candidates({ url: current_url, dom: dom_summary });
}

/** As `currentPosition`, by the `records` of `positionCandidates`. */
export function positionAmong(
  atlas: Atlas,
  { current_screen_id, current_url, dom_summary }: AgentContext,
  records: readonly RecognisableRecord[],
): Position | undefined {
  const named = current_screen_id === undefined ? undefined : atlas.get(current_screen_id);
  if (named) return { screen: named, confidence: 1 };
  if (!current_url) return undefined;
  const seen = sightAmong({ url: current_url, dom: dom_summary }, records);
  const recognised = seen.screen && atlas.get(seen.screen.screen_id);
  if (recognised) return { screen: recognised, confidence: seen.confidence };
  // The page may have changed since it was visited: its address still says where the links of the map lead.
  const addressed = atlas.byUrl(current_url);
  return (
    addressed && { screen: addressed, confidence: Math.min(Math.max(seen.confidence, 0.4), MIN_MATCH_SCORE) }
  );
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

async function recognisedAt(map: OpenMap, url: string): Promise<AtlasScreen | undefined> {
  const { screen } = await sight(map, { url });
  return screen && map.atlas.get(screen.screen_id);
}

function screensOf(atlas: Atlas, matches: readonly { readonly screen_id: string }[]): AtlasScreen[] {
  return matches.flatMap(({ screen_id }) => atlas.get(screen_id) ?? []);
}
