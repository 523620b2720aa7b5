/**
 * Finds a screen for a target that matches no name of a screen. The screen is the only one that creates or
 * edits the kind of object in the target, or its page has the words of the target. These words may be in
 * texts, headings, labels, or in what a press shows, such as a tab.
 */
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { fused } from "../../../machines/knowledge/documents/rank-fusion.ts";
import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { SearchHit } from "../../../machines/knowledge/knowledge-protocol.ts";
import { asksForApi, describesApi } from "../../../machines/knowledge/page-groups/api-description-pages.ts";
import { controlsOf } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { pagesByContent } from "../../../machines/knowledge/screens/pages-with-words-of-target.ts";
import {
  comparedWords,
  requestedWords,
  withoutOwner,
} from "../../../machines/knowledge/screens/screen-name-index.ts";
import { subjectOf } from "../../../machines/knowledge/screens/subject-words-of-question.ts";
import { controlTexts, optionTexts } from "../../../machines/knowledge/screens/texts-of-page-controls.ts";
import { operationTarget } from "../../../machines/knowledge/tasks/page-to-create-or-edit-thing.ts";
import {
  type CreationTarget,
  creationTarget,
} from "../../../machines/knowledge/tasks/targets-that-create-something.ts";
import type { OpenMap } from "./recognise-screen.ts";
import { type ResolvedTarget, suggestions } from "./resolve-target-screen.ts";

/** Number of pages, and of states of pages such as open dialogs, that are compared with the target. */
const COMPARED = 5;
/**
 * Factor that lowers the confidence in a screen that was found by its content. In a test with 37 questions to maps of
 * pretix, Unleash and Plone, the first page of a search was right in 28 cases.
 */
const BY_CONTENT = 0.65;
/**
 * Maximum number of screens with a similar name that are checked for a page such as "New customer", if the
 * target is "create a customer".
 */
const MOST_NAMES = 20;
/** Maximum number of screens that an answer names if none of them is certain. */
const MOST_NEAREST = 5;

export interface ContentSearch {
  readonly found?: ResolvedTarget | undefined;
  /**
   * If no screen was found: the screens that are nearest by the words of their content or by their names,
   * best first.
   */
  readonly nearest: readonly AtlasScreen[];
}

/** The words of a page, or of a state of a page such as an open dialog. */
interface PageWords {
  readonly all: string;
  /** The words that name the page and its controls, without the data that it shows. */
  readonly names: string;
  /** The labels of the page's fields. */
  readonly fields?: readonly string[];
  /** Whether the page describes a programming interface, as Redoc does. It has the words of nearly every function. */
  readonly isApi?: boolean;
}

/**
 * Returns the only screen that creates or edits what the target (the agent's words for a screen) names, or
 * else the screen whose content fits the target. If there is neither, returns the nearest screens.
 */
export async function findScreenByContent(map: OpenMap, asked: string): Promise<ContentSearch> {
  const target = subjectOf(asked);
  const operated = pageOfOperation(map, target);
  if (operated) return { found: operated, nearest: [] };
  const { atlas, source, knowledgeId } = map;
  const hits = await source.search(knowledgeId, target, COMPARED);
  const texts = await textsOf(map, hits);
  const creation = creationTarget(target);
  const nameOf = ({ id, title }: SearchHit): string => atlas.get(id)?.name ?? title;
  // Two kinds of hits are dropped. Descriptions of a programming interface are dropped unless the target asks
  // for one. For "add a bookkeeping account", pages that add no accounts are dropped: a log of events may
  // contain all these words in its rows (Byro), and a heading may name the thing for another reason.
  const ofApi = asksForApi(target) ? [] : hits.filter(({ id }) => texts.get(id)?.isApi);
  const possible = hits.filter(
    (hit) =>
      !ofApi.includes(hit) &&
      (!creation || isPlaceToCreate(creation, nameOf(hit), hit.url, texts.get(hit.id))),
  );
  const wanted = weightsOf(
    requestedWords(target),
    [...texts.values()].map(({ all }) => all),
  );
  const compared = possible.flatMap(({ id }) => {
    const screen = atlas.get(id);
    const { all = "", names = "" } = texts.get(id) ?? {};
    if (!screen || creation?.createsOther(screen.name, screen.url)) return [];
    const inNames = shareOf(wanted, `${names}\n${screen.name}\n${screen.url}`);
    return [{ screen, share: shareOf(wanted, all), inName: shareOf(wanted, screen.name), inNames }];
  });
  const [best, ...others] = pagesByContent(compared, wanted.size);
  if (!best) return { nearest: nearestScreens(map, possible, target) };
  const own = atlas.screenIdOf(best.screen.screen_id);
  // The screen may have several pages, but the words are on this one. So the answer is this page.
  const found: ResolvedTarget = {
    screen: best.screen,
    by: "content",
    confidence: BY_CONTENT * best.share,
    others: others.flatMap(({ screen }) => (atlas.screenIdOf(screen.screen_id) === own ? [] : [screen])),
  };
  return { found, nearest: [] };
}

/**
 * Whether a thing may be created on a page: the name or the address of the page has a word for the thing, one of
 * its controls or headings offers to create it, or one of its fields has the thing's name.
 */
function isPlaceToCreate(
  creation: CreationTarget,
  name: string,
  url: string,
  { names, fields = [] }: PageWords = { all: "", names: "" },
): boolean {
  return (
    creation.isAbout(name, url) ||
    names.split("\n").some((line) => creation.isOffered(line)) ||
    fields.some((label) => creation.isField(label))
  );
}

/**
 * Returns the only screen of the map that creates or edits what the target names, such as "New customer" for
 * "create a customer".
 */
function pageOfOperation({ atlas }: OpenMap, target: string): ResolvedTarget | undefined {
  const wanted = operationTarget(target);
  if (!wanted) return undefined;
  const pages = wanted.texts
    .flatMap((text) => atlas.names.search(text, MOST_NAMES))
    .flatMap(({ screen_id }) => atlas.get(atlas.group(screen_id)?.example ?? screen_id) ?? [])
    .filter((page) => wanted.isPage(page));
  const [screenId, other] = new Set(pages.map(({ screen_id }) => atlas.screenIdOf(screen_id)));
  if (screenId === undefined || other !== undefined) return undefined;
  const group = atlas.group(screenId);
  const screen = atlas.get(group?.example ?? screenId);
  return screen && { screen, group, by: "words", confidence: BY_CONTENT * wanted.share, others: [] };
}

/** Returns the screens that the search by content and the search by names rank first, each screen once. */
function nearestScreens(
  { atlas }: OpenMap,
  hits: readonly SearchHit[],
  target: string,
): readonly AtlasScreen[] {
  const idOf = ({ screen_id }: AtlasScreen): string => atlas.screenIdOf(screen_id);
  const once = (screens: readonly AtlasScreen[]) =>
    [...new Map(screens.toReversed().map((screen) => [idOf(screen), screen])).values()].toReversed();
  const found = once(hits.flatMap(({ id }) => atlas.get(id) ?? []));
  const ranked = fused([found, once(suggestions(atlas, target))], idOf);
  return ranked.slice(0, MOST_NEAREST).map(({ item }) => item);
}

/**
 * Returns the words of the found pages and page states (such as open dialogs), by the ids of their screens.
 */
async function textsOf(
  { source, knowledgeId }: OpenMap,
  hits: readonly SearchHit[],
): Promise<ReadonlyMap<string, PageWords>> {
  const found = Map.groupBy(hits, ({ kind }) => kind);
  const pageHits = found.get("page") ?? [];
  const [pages, states] = await Promise.all([
    source.pages.searched(
      knowledgeId,
      pageHits.map(({ url }) => urlKey(url)),
    ),
    source.screens.getMany(
      knowledgeId,
      (found.get("screen") ?? []).map(({ id }) => id),
    ),
  ]);
  const byKey = new Map(pages.map((page) => [page.id[1], page]));
  const texts = new Map<string, PageWords>();
  for (const { id, url } of pageHits) {
    const page = byKey.get(urlKey(url));
    if (!page) continue;
    const names = [page.title, ...page.headings, controlTexts(page)].join("\n");
    const all = [names, page.content, optionTexts(page), url].join("\n");
    const fields = controlsOf(page).inputs.map(({ name }) => name);
    texts.set(id, { all, names, fields, isApi: describesApi(page) });
  }
  for (const { screen_id, name, url, added_texts = "" } of states) {
    const names = [name, added_texts].join("\n");
    texts.set(screen_id, { all: [names, url].join("\n"), names });
  }
  return texts;
}

/**
 * Returns the weights (0 to 1) of the words. The fewer of the compared texts contain a word, the higher its
 * weight. A word that no text contains weighs as much as a word in one text. The search prefers rare words,
 * so such a word is probably on no page of the map.
 */
function weightsOf(words: ReadonlySet<string>, texts: readonly string[]): ReadonlyMap<string, number> {
  const stems = texts.map(comparedWords);
  const meant = withoutOwner(words, (word) => stems.some((own) => own.has(word)));
  return new Map(
    [...meant].map((word) => {
      const holders = stems.filter((own) => own.has(word)).length;
      return [word, 1 - Math.max(1, holders) / (COMPARED + 1)];
    }),
  );
}

/** Returns the share (0 to 1) of the words that the text contains, by the weights of the words. */
function shareOf(words: ReadonlyMap<string, number>, text: string): number {
  const own = comparedWords(text);
  let [found, total] = [0, 0];
  for (const [word, weight] of words) {
    total += weight;
    if (own.has(word)) found += weight;
  }
  return total === 0 ? 0 : found / total;
}
