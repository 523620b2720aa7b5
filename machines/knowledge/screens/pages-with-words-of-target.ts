/**
 * Chooses the page that a target (words for a screen) means, among pages whose texts have words of the target. A page
 * whose name has such a word is probably meant, and a page with the words only in its running text is probably not.
 */
import { MIN_NAME_SCORE } from "./screen-name-index.ts";

/** The shares (0 to 1) of the words of a target (words for a screen) that a page has, by the weights of the words. */
export interface WordShares {
  /** Share of the target's words that any text of the page has. */
  readonly share: number;
  /** Share of the target's words that the name of the page has. */
  readonly inName: number;
  /**
   * Share of the target's words that the name, the address, the headings and the controls of the page have
   * together.
   */
  readonly inNames: number;
}

/**
 * From this share (0 to 1) on, a page counts as having all words of a target (words for a screen). It is below 1,
 * because sums of weights are rounded.
 */
const ALL_WORDS = 0.999;

/**
 * Returns the pages that a target (words for a screen) may mean, best first. The list is empty if no page is certain.
 *
 * @param found pages in the order in which the search ranks them
 * @param words number of words of the target
 */
export function pagesByContent<Page extends WordShares>(
  found: readonly Page[],
  words: number,
): readonly Page[] {
  const fitting = found.filter(({ share }) => share >= MIN_NAME_SCORE);
  const [first] = fitting;
  if (!first) return [];
  const [best = first] = fitting
    .filter(({ share }) => share >= first.share)
    .sort((a, b) => b.inName - a.inName);
  if (!isCertain(best, found.slice(0, found.indexOf(best)))) return [];
  // A single word such as "Users" that several pages have in their running text says of none that it is meant.
  if (words === 1 && best.inNames === 0 && fitting.length > 1) return [];
  return [best, ...fitting.filter((page) => page !== best)];
}

/**
 * Whether the page is certain. It is not certain in two cases:
 * - It has only some of the words, and none of them outside of its running text.
 * - Its name has none of the words, and a page with a higher rank has one in its name.
 */
function isCertain({ share, inName, inNames }: WordShares, higher: readonly WordShares[]): boolean {
  if (inNames === 0 && share < ALL_WORDS) return false;
  return inName > 0 || higher.every((page) => page.inName === 0);
}
