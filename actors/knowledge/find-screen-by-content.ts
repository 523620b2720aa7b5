/**
 * Finds a screen by the words of its content: texts, headings, labels of fields, captions of buttons and columns of a
 * page, and the words that a press shows, such as those of a tab or a dialog. It is used if no name fits a target.
 */
import { urlKey } from "../../machines/exploration/normalise-url.ts";
import type { SearchHit } from "../../machines/knowledge/knowledge-protocol.ts";
import { comparedWords, MIN_NAME_SCORE, requestedWords } from "../../machines/knowledge/screen-name-index.ts";
import { meantBy } from "../../machines/knowledge/subject-words-of-question.ts";
import { controlTexts } from "../../machines/knowledge/texts-of-page-controls.ts";
import type { OpenMap } from "./recognise-screen.ts";
import type { ResolvedTarget } from "./resolve-target-screen.ts";

/** Number of pages and states that are compared with the target. */
const COMPARED = 5;
/**
 * Factor that lowers the confidence in a screen that was found by its content. In a test with 37 questions to maps of
 * pretix, Unleash and Plone, the first page of a search was right in 28 cases.
 */
const BY_CONTENT = 0.65;

/**
 * Returns the screen of the best page or state of a search that contains enough words of the target; `undefined` if
 * there is none.
 */
export async function findScreenByContent(map: OpenMap, target: string): Promise<ResolvedTarget | undefined> {
  const { atlas, source, knowledgeId } = map;
  const hits = await source.search(knowledgeId, target, COMPARED);
  const texts = await textsOf(map, hits);
  const wanted = weightsOf(requestedWords(meantBy(target)), [...texts.values()]);
  const fitting = hits.flatMap(({ id }) => {
    const screen = atlas.get(id);
    const share = shareOf(wanted, texts.get(id) ?? "");
    return screen && share >= MIN_NAME_SCORE ? [{ screen, share }] : [];
  });
  const [best, ...others] = fitting;
  if (!best) return undefined;
  const own = atlas.screenIdOf(best.screen.screen_id);
  // The words are on this page, so the answer is the page and not the whole screen to which it belongs.
  return {
    screen: best.screen,
    by: "content",
    confidence: BY_CONTENT * best.share,
    others: others.flatMap(({ screen }) => (atlas.screenIdOf(screen.screen_id) === own ? [] : [screen])),
  };
}

/** Returns the texts of the found pages and states, by the ids of their screens. */
async function textsOf(
  { source, knowledgeId }: OpenMap,
  hits: readonly SearchHit[],
): Promise<ReadonlyMap<string, string>> {
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
  const texts = new Map<string, string>();
  for (const { id, url } of pageHits) {
    const page = byKey.get(urlKey(url));
    if (!page) continue;
    const { title, headings, content } = page;
    texts.set(id, [title, ...headings, content, controlTexts(page), url].join("\n"));
  }
  for (const { screen_id, name, url, added_texts = "" } of states)
    texts.set(screen_id, [name, added_texts, url].join("\n"));
  return texts;
}

/**
 * Returns the weights (0 to 1) of the words. The fewer of the compared texts have a word, the more it weighs. A word of
 * no text weighs as much as a word of one: the search prefers rare words, so a word that none of its results has is
 * probably on no page of the map.
 */
function weightsOf(words: ReadonlySet<string>, texts: readonly string[]): ReadonlyMap<string, number> {
  const stems = texts.map(comparedWords);
  return new Map(
    [...words].map((word) => {
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
