/**
 * Resolves a target to a screen, and finds the screen that an agent's browser shows. A target is a screen id,
 * a URL, a name or words of a name. The agent's screen is found by the id that the agent gives, or else by
 * its URL and DOM summary.
 */
import type { Atlas, AtlasGroup, AtlasScreen } from "../../machines/knowledge/in-memory-map.ts";
import type { AgentContext } from "../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../machines/knowledge/map-limits.ts";
import type { TransitionAction } from "../../machines/knowledge/page-to-screen.ts";
import { partToFind, screenByLinks } from "../../machines/knowledge/screen-by-link-text.ts";
import { MIN_MATCH_SCORE } from "../../machines/knowledge/screen-match-score.ts";
import { MIN_NAME_SCORE } from "../../machines/knowledge/screen-name-index.ts";
import type { RecognisableRecord } from "../../machines/knowledge/screen-recognition.ts";
import { targetOfEdge } from "../../machines/knowledge/transition-id.ts";
import { candidatesOf, type OpenMap, recogniseAmong, recogniseView } from "./recognise-screen.ts";

/** The target of a route as the caller named it, with the screen that was found for it. */
export interface ResolvedTarget {
  /**
   * The page to which a route leads. When the target is a screen with several pages (instances), it is the
   * example page of this screen.
   */
  readonly screen: AtlasScreen;
  /** If the target is a screen with several pages: these pages. A route to any of them is sufficient. */
  readonly group?: AtlasGroup | undefined;
  /** The address of the target page, if the target is a page of `group` that no exploration has visited. */
  readonly unvisited?: string | undefined;
  /** How the target screen was found. With `link`, it was found by the text of a link to it. */
  readonly by: "screen_id" | "url" | "name" | "words" | "link";
  /** Confidence from 0 to 1. It is below 1 only if some words of the target do not match the screen. */
  readonly confidence: number;
  /** Other screens that match the caller's target too. */
  readonly others: readonly AtlasScreen[];
}

const SUGGESTIONS = 5;
/**
 * Factor that lowers the confidence in a page that no exploration has visited. Such a page probably has the
 * same links as the example page of its screen, but this is not certain.
 */
const LIKE_EXAMPLE = 0.8;

export async function findTarget(map: OpenMap, target: string): Promise<ResolvedTarget | undefined> {
  const { atlas } = map;
  const wanted = target.trim();
  const byId = atlas.get(wanted);
  if (byId) return { screen: byId, by: "screen_id", confidence: 1, others: [] };
  const group = atlas.group(wanted);
  const example = group && atlas.get(group.example);
  if (example) return { screen: example, group, by: "screen_id", confidence: 1, others: [] };
  if (isUrl(wanted)) return await targetAt(map, wanted);
  const matches = atlas.names.search(wanted, SUGGESTIONS);
  const [best] = matches;
  const linked = best?.score === 1 ? undefined : await linkedTarget(map, wanted, best?.score ?? 0);
  if (linked) return linked;
  if (!best || best.score < MIN_NAME_SCORE) return undefined;
  const same = screensOf(
    atlas,
    matches.filter((match) => match.score === best.score),
  );
  // If several screens have this name, the screen with the shortest address is chosen: it is the most
  // general.
  const [screen, ...others] = same.sort((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1));
  const meant = atlas.group(best.screen_id);
  const by = best.score === 1 ? "name" : "words";
  const found = meant ? atlas.get(meant.example) : screen;
  return found && { screen: found, group: meant, by, confidence: best.score, others };
}

/**
 * Finds the screen to which links with the text of the target lead, such as the entries of a menu.
 *
 * @param least score that the link's text must exceed: that of the best name of a screen
 */
async function linkedTarget(
  { atlas, source, knowledgeId }: OpenMap,
  wanted: string,
  least: number,
): Promise<ResolvedTarget | undefined> {
  const word = partToFind(wanted);
  if (word === undefined || atlas.routes.countTransitions() > knowledgeLimits.transitionsOfLinkNames)
    return undefined;
  const rows = await source.screens.linksWith(knowledgeId, word, knowledgeLimits.linksOfTarget);
  const targets = new Map<string, AtlasScreen>();
  const links = rows.flatMap(([from, via, action]) => {
    // The map actor wrote the action as JSON of `TransitionAction`, so the cast is safe.
    const { name, target, url } = JSON.parse(action) as TransitionAction;
    const screen = atlas.get(atlas.routes.resolve(via) ?? targetOfEdge(via));
    if (!screen || url === "") return [];
    const to = atlas.screenIdOf(screen.screen_id);
    targets.set(to, screen);
    return [{ from, to, page: screen.screen_id, name: name || (target?.name ?? "") }];
  });
  const match = screenByLinks(links, wanted);
  const screen = match && match.score > least ? targets.get(match.screen_id) : undefined;
  if (!match || !screen) return undefined;
  const page = match.page === undefined ? undefined : atlas.get(match.page);
  if (page) return { screen: page, by: "link", confidence: match.score, others: [] };
  const group = atlas.group(match.screen_id);
  const found = atlas.get(group?.example ?? screen.screen_id) ?? screen;
  return { screen: found, group, by: "link", confidence: match.score, others: [] };
}

async function targetAt(map: OpenMap, url: string): Promise<ResolvedTarget | undefined> {
  const { atlas } = map;
  const visited = atlas.byUrl(url) ?? atlas.documentAt(url);
  if (visited) return { screen: visited, by: "url", confidence: 1, others: [] };
  const { screen: seen } = await recogniseView(map, { url });
  const group = seen && atlas.group(seen.screen_id);
  const screen = seen && atlas.get(group?.example ?? seen.screen_id);
  return screen && { screen, group, unvisited: group && url, by: "url", confidence: 1, others: [] };
}

/** Returns the screens whose names are most similar to a target that was not found, best first. */
export function suggestions(atlas: Atlas, target: string): readonly AtlasScreen[] {
  const text = isUrl(target) ? (URL.parse(target)?.pathname ?? target) : target;
  return screensOf(atlas, atlas.names.search(text, SUGGESTIONS));
}

export interface Position {
  readonly screen: AtlasScreen;
  readonly confidence: number;
}

/**
 * Returns the screen that the agent names by its id or address, without checking that the browser shows it.
 */
export function statedPosition(
  atlas: Atlas,
  { current_screen_id, current_url }: AgentContext,
): AtlasScreen | undefined {
  const named = current_screen_id === undefined ? undefined : atlas.get(current_screen_id);
  const addressed = current_url ? atlas.byUrl(current_url) : undefined;
  const group = current_screen_id === undefined ? undefined : atlas.group(current_screen_id);
  return named ?? addressed ?? (group && atlas.get(group.example));
}

/**
 * Returns the screen on which the agent is. Returns `undefined` if the agent gave no position, or one that is
 * not on this map.
 */
export async function currentPosition(map: OpenMap, context: AgentContext): Promise<Position | undefined> {
  const { atlas, source, knowledgeId } = map;
  const ids = await positionCandidates(map, context);
  return positionAmong(atlas, context, await source.screens.recognisable(knowledgeId, ids));
}

/**
 * Returns the ids of the screens on which the agent may be. The caller reads the records of these screens and
 * passes them to `positionAmong`. The list is empty if the agent names its screen or gives no address.
 */
export async function positionCandidates(map: OpenMap, context: AgentContext): Promise<readonly string[]> {
  const { current_screen_id, current_url, dom_summary } = context;
  return statedExactly(map.atlas, current_screen_id, current_url) || !current_url
    ? []
    : await candidatesOf(map, { url: current_url, dom: dom_summary });
}

/**
 * Returns the screen on which the agent is. Unlike `currentPosition`, it does not read the store.
 *
 * @param records the stored records of the candidate screens
 */
export function positionAmong(
  atlas: Atlas,
  { current_screen_id, current_url, dom_summary }: AgentContext,
  records: readonly RecognisableRecord[],
): Position | undefined {
  const stated = statedExactly(atlas, current_screen_id, current_url);
  if (stated) return { screen: stated, confidence: 1 };
  if (!current_url) return undefined;
  const seen = recogniseAmong({ url: current_url, dom: dom_summary }, records, atlas);
  const addressed = atlas.byUrl(current_url);
  const group = seen.screen && atlas.group(seen.screen.screen_id);
  if (group && addressed && atlas.groupOf(addressed.screen_id) === group) {
    return { screen: addressed, confidence: seen.confidence };
  }
  const recognised = seen.screen && atlas.get(group?.example ?? seen.screen.screen_id);
  // The map has never visited the agent's page, only other pages of its screen. Links in the content of this
  // page are unknown, so the confidence in the agent's position is lower.
  if (recognised) return { screen: recognised, confidence: seen.confidence * (group ? LIKE_EXAMPLE : 1) };
  // The map has a page with this address, but the page may have changed since the visit. It still counts as
  // the agent's position with a lower confidence, because the address determines most of its links.
  return (
    addressed && { screen: addressed, confidence: Math.min(Math.max(seen.confidence, 0.4), MIN_MATCH_SCORE) }
  );
}

/**
 * Returns the screen that the agent names by its id. If the screen has several pages, returns its page at
 * `url`, or an example page without a URL. Returns `undefined` for an unknown id, or if the URL belongs to
 * another screen.
 */
function statedExactly(
  atlas: Atlas,
  screenId: string | undefined,
  url: string | undefined,
): AtlasScreen | undefined {
  if (screenId === undefined) return undefined;
  const named = atlas.get(screenId);
  if (named) return named;
  const group = atlas.group(screenId);
  const addressed = url ? atlas.byUrl(url) : undefined;
  if (!group) return undefined;
  if (addressed && atlas.groupOf(addressed.screen_id) === group) return addressed;
  return url ? undefined : atlas.get(group.example);
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function screensOf(atlas: Atlas, matches: readonly { readonly screen_id: string }[]): AtlasScreen[] {
  return matches.flatMap(({ screen_id }) => {
    const group = atlas.group(screen_id);
    return atlas.get(group?.example ?? screen_id) ?? [];
  });
}
