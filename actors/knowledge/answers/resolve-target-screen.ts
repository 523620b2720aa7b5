/**
 * Resolves a target to a screen, and finds the screen that an agent's browser shows. A target is a screen id,
 * a URL, a name or words of a name. The agent's screen is found by the id that the agent gives, or else by
 * its URL and DOM summary.
 */
import { normaliseUrl, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { singular } from "../../../machines/knowledge/addresses/screen-address-template.ts";
import type { Atlas, AtlasGroup, AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentContext } from "../../../machines/knowledge/knowledge-protocol.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import {
  operationOfName,
  operationOfPart,
  taskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { pageOfState, stateOfId } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { TransitionAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import {
  type NamedLink,
  pageByLinkAndAddress,
  partToFind,
  screenByLinks,
} from "../../../machines/knowledge/screens/screen-by-link-text.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { MIN_MATCH_SCORE } from "../../../machines/knowledge/screens/screen-match-score.ts";
import {
  comparedWords,
  MIN_NAME_SCORE,
  type NameMatch,
  requestedWords,
  wordsOf,
} from "../../../machines/knowledge/screens/screen-name-index.ts";
import type { RecognisableRecord } from "../../../machines/knowledge/screens/screen-recognition.ts";
import { otherSubjects } from "../../../machines/knowledge/screens/subject-words-of-question.ts";
import { targetOfEdge } from "../../../machines/knowledge/screens/transition-id.ts";
import { operationTarget } from "../../../machines/knowledge/tasks/page-to-create-or-edit-thing.ts";
import { creationTarget } from "../../../machines/knowledge/tasks/targets-that-create-something.ts";
import { isWritingAddressOfSession } from "../../../machines/risk/risk-classes.ts";
import { candidatesOf, type OpenMap, recogniseAmong, recogniseView } from "./recognise-screen.ts";

/** The screen that was found for the target of a route, as a caller named it. */
export interface ResolvedTarget {
  /**
   * The page to which a route leads. When the target is a screen with several pages (instances), it is the
   * example page of this screen.
   */
  readonly screen: AtlasScreen;
  /** If the target is a screen with several pages: these pages. A route to any of them is sufficient. */
  readonly group?: AtlasGroup | undefined;
  /**
   * How the target screen was found. With `link`, it was found by the text of a link to it, and with `content` by the
   * words of its page.
   */
  readonly by: "screen_id" | "url" | "name" | "words" | "link" | "content";
  /**
   * Confidence from 0 to 1. It is below 1 if some words of the target do not match the screen, or if the screen was
   * found by other words than the target's or by its content.
   */
  readonly confidence: number;
  /** Other screens that match the caller's target too. */
  readonly others: readonly AtlasScreen[];
}

/**
 * A target that no exploration has read: a page to which a screen links, or a page with an address like those
 * of known pages.
 */
export interface UnreadPage {
  /** The id that the page would have as a screen. */
  readonly id: string;
  readonly url: string;
  /** The text of a link to the page; the address of the page if the caller gave it. */
  readonly name: string;
  /** The screen whose pages have similar addresses. */
  readonly group?: AtlasGroup | undefined;
  readonly by: "url" | "link";
  readonly confidence: number;
}

const SUGGESTIONS = 5;
/**
 * Factor for the weight of words after a preposition in a target that creates something. In "add an account of a
 * supplier", "supplier" counts as much as "account", because an account of something else is another screen.
 */
const LIKE_OTHER_WORDS = 1;
/**
 * Factor that lowers the confidence in a page that no exploration has visited. Such a page probably has the
 * same links as the example page of its screen, but this is not certain.
 */
const LIKE_EXAMPLE = 0.8;
/** Factor that lowers the score of a name with another verb than the target: "New team" for "create a team". */
const OTHER_VERB = 0.95;
/**
 * Factor that lowers the confidence in a screen which was found by a part of the target: by "areas" for "list of
 * areas".
 */
const OTHER_WORDS = 0.95;
/**
 * If a target is found with at least this confidence, no other words are tried. A link whose text equals the target
 * has this confidence.
 */
const SURE = 0.99;

/**
 * Finds the screen that the target names by its id, its URL or words of its name; `undefined` if the map has
 * none.
 */
export async function findTarget(map: OpenMap, target: string): Promise<ResolvedTarget | undefined> {
  return (await findTargetOrUnreadPage(map, target)).found;
}

/**
 * Finds the screen that the target names. If a page that was never read fits better, returns this page as
 * `unread`. The target is then the address of this page, or the text of a link to it.
 */
export async function findTargetOrUnreadPage(map: OpenMap, target: string): Promise<NamedTarget> {
  const { atlas } = map;
  const wanted = target.trim();
  const byId = atlas.get(wanted);
  if (byId) return { found: { screen: byId, by: "screen_id", confidence: 1, others: [] } };
  const group = atlas.group(wanted);
  const example = group && atlas.get(group.example);
  if (example) return { found: { screen: example, group, by: "screen_id", confidence: 1, others: [] } };
  if (isUrl(wanted)) return await targetAt(map, wanted);
  let best = await namedTarget(map, wanted);
  if (confidenceOf(best) >= SURE) return best;
  // Names are compared with the target's own words first, because a screen may be called "List of members".
  for (const subject of otherSubjects(wanted)) {
    const other = lessSure(await namedTarget(map, subject), OTHER_WORDS);
    if (confidenceOf(other) > confidenceOf(best)) best = other;
  }
  return best;
}

/** A screen or a page that was never read, found by words. Both are absent if the map has none. */
interface NamedTarget {
  readonly found?: ResolvedTarget | undefined;
  readonly unread?: UnreadPage | undefined;
}

function confidenceOf({ found, unread }: NamedTarget): number {
  return Math.max(found?.confidence ?? 0, unread?.confidence ?? 0);
}

/** Lowers the confidence of a target that was found by other words than those of the caller. */
function lessSure({ found, unread }: NamedTarget, factor: number): NamedTarget {
  return {
    found: found && {
      ...found,
      by: found.by === "name" ? "words" : found.by,
      confidence: factor * found.confidence,
    },
    unread: unread && { ...unread, confidence: factor * unread.confidence },
  };
}

/** Finds the screen or the unread page whose name, address or links have the words of the target. */
async function namedTarget(map: OpenMap, wanted: string): Promise<NamedTarget> {
  const { atlas } = map;
  const matches = matchesOf(atlas, wanted);
  const [best] = matches;
  const score = best?.score ?? 0;
  // If several pages of one screen have this name, each shows one object, and the name is that of a part of the
  // object: each area of a house has a page "Devices". Then a link with this text leads to the screen that the
  // target names.
  const areObjects = score === 1 && (areSeveralPages(atlas, matches) || isOneObject(atlas, matches));
  const least = areObjects ? OTHER_WORDS : score;
  const links = score === 1 && !areObjects ? [] : await linksNamed(map, wanted);
  const byLink = linkedTarget(map, links, wanted, least);
  const isOther = byLink && !(areObjects && matches.some((match) => isOfScreen(atlas, byLink.screen, match)));
  const linked = isOther ? byLink : undefined;
  const unread = await unreadTarget(map, links, wanted, linked?.confidence ?? score);
  if (linked) return { found: linked, unread };
  if (!best || score < MIN_NAME_SCORE) return { unread };
  const same = screensOf(
    atlas,
    matches.filter((match) => match.score === score),
  );
  // If several screens have this name, the screen with the shortest address is chosen: it is the most
  // general.
  const [screen, ...others] = same.sort((a, b) => a.url.length - b.url.length || (a.url < b.url ? -1 : 1));
  const meant = atlas.group(best.screen_id);
  const by = score === 1 ? "name" : "words";
  const named = meant ? atlas.get(meant.example) : screen;
  const found: ResolvedTarget | undefined = named && {
    screen: named,
    group: meant,
    by,
    confidence: score,
    others,
  };
  return { found: (found && listOfCreated(atlas, found, wanted)) ?? found, unread };
}

/**
 * A target in the plural that does not ask to create anything, such as "custom translations", names a list. If the
 * page that was found creates an object ("Create Custom Translation" of Directus), returns the list "Translations",
 * whose address is one level higher. In Django's administration, it is the list above `/translation/add/`. A page
 * also creates an object if only its address says so: "Tax rule" at `/tax/add` (pretix).
 */
function listOfCreated(
  atlas: Atlas,
  { screen: created, by, confidence }: ResolvedTarget,
  wanted: string,
): ResolvedTarget | undefined {
  const last = wordsOf(wanted).at(-1) ?? "";
  if (by !== "words" || singular(last) === last || taskWords(wanted).operation !== undefined)
    return undefined;
  const path = created.url.replace(/[?#].*$/, "");
  const [, folder] = /([^/]+)\/?$/.exec(path) ?? [];
  const isCreated = operationOfName(created.name) === "create" || operationOfPart(folder ?? "") === "create";
  if (!isCreated) return undefined;
  const parent = path.replace(/[^/]+\/?$/, "");
  const screen = atlas.byUrl(parent) ?? atlas.byUrl(parent.replace(/\/$/, ""));
  if (!screen || requestedWords(wanted).isDisjointFrom(comparedWords(screen.name))) return undefined;
  const group = atlas.groupOf(screen.screen_id);
  return { screen, group, by, confidence: OTHER_VERB * confidence, others: [created] };
}

function isOfScreen(atlas: Atlas, { screen_id }: AtlasScreen, match: NameMatch): boolean {
  return atlas.screenIdOf(screen_id) === atlas.screenIdOf(match.screen_id);
}

/** Whether the matches are several pages of one screen. */
function areSeveralPages(atlas: Atlas, matches: readonly NameMatch[]): boolean {
  const groups = matches.map(({ screen_id }) => atlas.group(screen_id) ?? atlas.groupOf(screen_id));
  const [first] = groups;
  return matches.length > 1 && first !== undefined && groups.every((group) => group === first);
}

/**
 * Whether only one screen has the name of the target, and this screen is one of several similar pages. It
 * then shows one object, and the target may name another screen. For example, the menu entry "Opening Times"
 * of Directus leads to the content of this collection. But the page "Opening Times" is one of the pages for
 * the settings of collections.
 */
function isOneObject(atlas: Atlas, matches: readonly NameMatch[]): boolean {
  const [exact, ...others] = matches.filter(({ score }) => score === 1);
  const group = exact && atlas.groupOf(exact.screen_id);
  return others.length === 0 && group !== undefined && atlas.members(group.screen_id).size > 1;
}

/**
 * Finds the screens whose names fit a target. For a target such as "create a customer", only screens about
 * customers fit.
 */
function matchesOf(atlas: Atlas, wanted: string): readonly NameMatch[] {
  const creation = creationTarget(wanted);
  if (!creation) return atlas.names.search(wanted, SUGGESTIONS);
  const best = new Map<string, NameMatch>();
  for (const text of [wanted, ...creation.otherTexts])
    for (const { screen_id, score: found } of atlas.names.search(text, SUGGESTIONS, LIKE_OTHER_WORDS)) {
      const screen = atlas.group(screen_id) ?? atlas.get(screen_id);
      if (!screen || !creation.isAbout(screen.name, screen.url)) continue;
      const score = text === wanted ? found : OTHER_VERB * found;
      if (score > (best.get(screen_id)?.score ?? 0)) best.set(screen_id, { screen_id, score });
    }
  const found = [...best.values()].sort((a, b) => b.score - a.score);
  return withoutOtherStates(atlas, wanted, found);
}

/**
 * If a match is the page that creates what the target names, such as "Creating Item in Articles", leaves out
 * the states of pages that do not create it. An example of such a state is the menu "Create New" on the page
 * with the settings of articles.
 */
function withoutOtherStates(
  atlas: Atlas,
  wanted: string,
  matches: readonly NameMatch[],
): readonly NameMatch[] {
  const operation = operationTarget(wanted);
  const creates = ({ screen_id }: NameMatch): boolean => {
    const screen = atlas.get(screen_id);
    return screen !== undefined && operation?.isPage(screen) === true;
  };
  if (!matches.some(creates)) return matches;
  return matches.filter((match) => stateOfId(match.screen_id) === undefined || creates(match));
}

/**
 * A link whose text contains a word of the target. `screen` is missing if the link leads to a page that was
 * never read.
 */
interface FoundLink extends NamedLink {
  readonly screen?: AtlasScreen | undefined;
  readonly url: string;
}

/** Reads the links whose texts may name the target, such as the entries of a menu. */
async function linksNamed(
  { atlas, source, knowledgeId }: OpenMap,
  wanted: string,
): Promise<readonly FoundLink[]> {
  const word = partToFind(wanted);
  if (word === undefined || atlas.routes.countTransitions() > knowledgeLimits.transitionsOfLinkNames)
    return [];
  const rows = await source.screens.linksWith(knowledgeId, word, knowledgeLimits.linksOfTarget);
  const creation = creationTarget(wanted);
  return rows.flatMap(([from, via, action]): readonly FoundLink[] => {
    // The map actor wrote the action as JSON of `TransitionAction`, so the cast is safe.
    const pressed = JSON.parse(action) as TransitionAction;
    const { name, target, url } = pressed;
    const page = atlas.routes.resolve(via) ?? targetOfEdge(via);
    const screen = atlas.get(page);
    const to = screen ? atlas.screenIdOf(screen.screen_id) : page;
    if (url === "" && !(screen && namesItsTarget(pressed, atlas.screenIdOf(from), to))) return [];
    const text = name || (target?.name ?? "");
    // "Create a new event" has two of three words of "create a new gate", but it creates another thing.
    if (creation?.isAbout(`${text} ${screen?.name ?? ""}`, url || (screen?.url ?? "")) === false) return [];
    return [{ from, to, page, name: text, url, screen }];
  });
}

/**
 * Whether an element without an address names the screen that a click on it opens. An entry of a menu and a tab do: in
 * Home Assistant and Camunda, scripts open their pages. A button names an action, such as "Save".
 */
function namesItsTarget({ action_type, target }: TransitionAction, from: string, to: string): boolean {
  const isPage = stateOfId(to) === undefined && pageOfState(from) !== to;
  return isPage && action_type === "click" && target?.role !== "button";
}

/**
 * Finds the screen to which links with the text of the target lead.
 *
 * @param least score that the link's text must exceed, which is the score of the best name of a screen
 */
function linkedTarget(
  { atlas }: OpenMap,
  links: readonly FoundLink[],
  wanted: string,
  least: number,
): ResolvedTarget | undefined {
  const read = links.filter((link) => link.screen);
  const match = screenByLinks(read, wanted);
  if (!match || match.score <= least) return undefined;
  const page = match.page === undefined ? undefined : atlas.get(match.page);
  if (page) return { screen: page, by: "link", confidence: match.score, others: [] };
  const screen = read.find(({ to }) => to === match.screen_id)?.screen;
  const group = atlas.group(match.screen_id);
  const found = atlas.get(group?.example ?? screen?.screen_id ?? "") ?? screen;
  return found && { screen: found, group, by: "link", confidence: match.score, others: [] };
}

/** Finds a page that was never read, by the texts of links to it, or by these texts and its address. */
async function unreadTarget(
  map: OpenMap,
  links: readonly FoundLink[],
  wanted: string,
  least: number,
): Promise<UnreadPage | undefined> {
  const unread = links.filter(({ screen }) => !screen);
  const match = screenByLinks(links, wanted) ?? pageByLinkAndAddress(unread, wanted);
  if (!match || match.score <= least) return undefined;
  const link = unread.find(({ to }) => to === match.screen_id);
  if (!link || isWritingAddressOfSession(link.url)) return undefined;
  const { to: id, url, name } = link;
  const { screen } = await recogniseView(map, { url });
  return {
    id,
    url,
    name,
    group: screen && map.atlas.group(screen.screen_id),
    by: "link",
    confidence: match.score,
  };
}

async function targetAt(
  map: OpenMap,
  url: string,
): Promise<{ readonly found?: ResolvedTarget | undefined; readonly unread?: UnreadPage | undefined }> {
  const { atlas } = map;
  const visited = atlas.byUrl(url) ?? atlas.documentAt(url);
  if (visited) return { found: { screen: visited, by: "url", confidence: 1, others: [] } };
  const { screen: seen } = await recogniseView(map, { url });
  const group = seen && atlas.group(seen.screen_id);
  const screen = seen && atlas.get(group?.example ?? seen.screen_id);
  const found: ResolvedTarget | undefined = screen && { screen, group, by: "url", confidence: 1, others: [] };
  const normalised = normaliseUrl(url);
  if (normalised === undefined || (found && !group)) return { found };
  const id = screenIdOf(urlKey(normalised));
  const isLinked = atlas.routes.isKnown(id) && !isWritingAddressOfSession(normalised);
  if (!group && !isLinked) return { found };
  return { found, unread: { id, url, name: url, group, by: "url", confidence: 1 } };
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
    : await candidatesOf(map, { url: map.atlas.addressInAnyOrder(current_url), dom: dom_summary });
}

/**
 * Returns the screen on which the agent is. Unlike `currentPosition`, it does not read the store.
 *
 * @param records the stored records of the candidate screens
 */
export function positionAmong(
  atlas: Atlas,
  { current_screen_id, current_url: given, dom_summary }: AgentContext,
  records: readonly RecognisableRecord[],
): Position | undefined {
  const stated = statedExactly(atlas, current_screen_id, given);
  if (stated) return { screen: stated, confidence: 1 };
  if (!given) return undefined;
  const current_url = atlas.addressInAnyOrder(given);
  const seen = recogniseAmong({ url: current_url, dom: dom_summary }, records, atlas);
  const addressed = atlas.byUrl(current_url);
  const group = seen.screen && atlas.group(seen.screen.screen_id);
  if (group && addressed && atlas.groupOf(addressed.screen_id) === group) {
    return { screen: addressed, confidence: seen.confidence };
  }
  const recognised = seen.screen && atlas.get(group?.example ?? seen.screen.screen_id);
  // The agent's page was never visited, only other pages of its screen. The links in its content are unknown,
  // so the confidence is lower.
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
