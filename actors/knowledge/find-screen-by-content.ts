/**
 * Finds a screen by the words of its page: texts, headings, labels of fields, captions of buttons and columns. It is
 * used if no name of a screen fits a target.
 */
import { urlKey } from "../../machines/exploration/normalise-url.ts";
import { MIN_NAME_SCORE, requestedWords, stem, wordsOf } from "../../machines/knowledge/screen-name-index.ts";
import { meantBy } from "../../machines/knowledge/subject-words-of-question.ts";
import { controlTexts } from "../../machines/knowledge/texts-of-page-controls.ts";
import type { SearchedPage } from "./map-store-interface.ts";
import type { OpenMap } from "./recognise-screen.ts";
import type { ResolvedTarget } from "./resolve-target-screen.ts";

/** Number of pages that are compared with the target. */
const PAGES = 5;
/**
 * Factor that lowers the confidence in a screen that was found by its content. In a test with 37 questions to maps of
 * pretix, Unleash and Plone, the first page of a search was right in 28 cases.
 */
const BY_CONTENT = 0.65;

/**
 * Returns the screen of the best page of a search that contains enough words of the target; `undefined` if there is
 * none.
 */
export async function findScreenByContent(
  { atlas, source, knowledgeId }: OpenMap,
  target: string,
): Promise<ResolvedTarget | undefined> {
  const hits = (await source.search(knowledgeId, target, PAGES)).filter(({ kind }) => kind === "page");
  const pages = await source.pages.searched(
    knowledgeId,
    hits.map(({ url }) => urlKey(url)),
  );
  const byKey = new Map(pages.map((page) => [page.id[1], page]));
  const wanted = requestedWords(meantBy(target));
  const fitting = hits.flatMap(({ id, url }) => {
    const screen = atlas.get(id);
    const page = byKey.get(urlKey(url));
    const share = page ? shareOf(wanted, page) : 0;
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

/** Returns the share (0 to 1) of the words that the page contains. */
function shareOf(words: ReadonlySet<string>, page: SearchedPage): number {
  const text = [page.title, ...page.headings, page.content, controlTexts(page), page.url].join("\n");
  const own = new Set(wordsOf(text).map(stem));
  return [...words].filter((word) => own.has(word)).length / Math.max(1, words.size);
}
