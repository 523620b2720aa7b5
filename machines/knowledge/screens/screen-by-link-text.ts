/**
 * Finds a screen by the texts of the links that lead to it. A person calls a screen by the entry of the menu,
 * such as "Settings", even when the page itself has another title, such as "Edit project".
 */
import { routeOf } from "../../exploration/crawl/normalise-url.ts";
import { percentDecoded } from "../../percent-decoding.ts";
import {
  comparedWords,
  MIN_NAME_SCORE,
  plainName,
  requestedWords,
  scoreOfWords,
} from "./screen-name-index.ts";

/** A link between two screens, with the link's text. */
export interface NamedLink {
  readonly from: string;
  readonly to: string;
  /** The page of the screen `to` to which the link leads. A screen may have several pages. */
  readonly page: string;
  readonly name: string;
}

export interface LinkNameMatch {
  readonly screen_id: string;
  /**
   * The page of the screen to which the links with this text lead. Absent if they lead to different pages of
   * the screen, so that each of these pages may be meant.
   */
  readonly page?: string;
  /**
   * Score of the match, from 0 to below 1. For comparison: a screen whose own name matches exactly scores 1.
   */
  readonly score: number;
}

/**
 * A text of links names a screen only if, on at least this share (0 to 1) of the pages with such a link, the
 * link leads to the screen. The text "Next", for example, leads to another screen on each page. A text names
 * a single page of a screen only if its share is larger than this.
 */
const ONE_SCREEN = 0.5;

/**
 * Score of a link whose text equals the requested name. It is lower than the score 1 of a screen with this
 * name, and higher than 0.99, the maximum for a name that also contains other words.
 */
const EXACT = 0.995;

/**
 * Minimum number of requested words by which an address names a page. One word, such as "orders", is in the addresses
 * of many pages below the one that it names.
 */
const WORDS_OF_ADDRESS = 2;

/**
 * Returns the longest run of letters without accents in the requested text, by which the store finds links:
 * "bersicht" for "Übersicht". An accented letter has two Unicode forms, so a comparison of the letter itself
 * could fail.
 */
export function partToFind(text: string): string | undefined {
  const letters = [...text.normalize("NFC")];
  const plain = letters.map((letter) => (ACCENT.test(letter.normalize("NFKD")) ? " " : letter)).join("");
  const [word] = [...requestedWords(plain)].sort((a, b) => b.length - a.length);
  // The stem "category" is no part of "Categories", but "categor" is.
  return word?.normalize("NFC").replace(/(?<=...)y$/, "");
}

const ACCENT = /\p{M}/u;

/**
 * Returns the screen to which the link with the most similar text leads. If equally good texts lead to
 * several screens, it is the screen with the most pages that link to it.
 */
export function screenByLinks(links: readonly NamedLink[], text: string): LinkNameMatch | undefined {
  const requested = requestedWords(text);
  if (requested.size === 0) return undefined;
  let best: (LinkNameMatch & { readonly pages: number }) | undefined;
  for (const [name, same] of Map.groupBy(links, (link) => plainName(link.name))) {
    const words = comparedWords(same[0]?.name ?? name);
    const share = requested.intersection(words).size / requested.size;
    const score = name === plainName(text) ? EXACT : scoreOfWords(share, name, requested);
    if (score < MIN_NAME_SCORE) continue;
    const most = mostLinked(same, ({ to }) => to);
    if (!most) continue;
    if (best && (score < best.score || (score === best.score && most.pages <= best.pages))) continue;
    const page = mostLinked(
      same.filter(({ to }) => to === most.target),
      ({ page }) => page,
    );
    // Different links with this text may lead to different pages of the same screen, such as "Edit" in the
    // rows of two orders. It is then unclear which page the person means.
    const isOne = page !== undefined && page.share > ONE_SCREEN;
    best = { screen_id: most.target, score, pages: most.pages, ...(isOne ? { page: page.target } : {}) };
  }
  if (!best) return undefined;
  const { pages: _, ...match } = best;
  return match;
}

/**
 * Maximum deduction from the score of a page that has some of the requested words only in its address: the link "Add"
 * to `/newsletters/new` for "new newsletter". The same deduction is used for the names of screens.
 */
const ONLY_IN_ADDRESS = 0.02;

/**
 * Returns the only screen with a link whose text and address together have all requested words; `undefined`
 * if there is none or several.
 */
export function pageByLinkAndAddress(
  links: readonly (NamedLink & { readonly url: string })[],
  text: string,
): LinkNameMatch | undefined {
  const requested = requestedWords(text);
  if (requested.size < WORDS_OF_ADDRESS) return undefined;
  const fitting = links.filter(({ name, url }) => {
    const route = routeOf(url) || (URL.parse(url)?.pathname ?? "");
    return requested.isSubsetOf(comparedWords(`${name} ${percentDecoded(route)}`));
  });
  const [first, ...others] = fitting;
  if (!first || others.some(({ to }) => to !== first.to)) return undefined;
  // Links to different pages of the screen, such as "New" in two projects, do not say which page is meant.
  const isOnePage = others.every(({ page }) => page === first.page);
  return {
    screen_id: first.to,
    ...(isOnePage ? { page: first.page } : {}),
    score: scoreOfWords(1, plainName(first.name), requested) - ONLY_IN_ADDRESS,
  };
}

/**
 * Returns the target to which the links of most pages lead, with the number of these pages and their share
 * (0 to 1) of all pages; `undefined` if too few pages agree.
 */
function mostLinked(
  links: readonly NamedLink[],
  targetOf: (link: NamedLink) => string,
): { readonly target: string; readonly pages: number; readonly share: number } | undefined {
  const sources = [...Map.groupBy(links, targetOf)]
    .map(([target, some]) => ({ target, pages: new Set(some.map(({ from }) => from)).size }))
    .sort((a, b) => b.pages - a.pages || (a.target < b.target ? -1 : 1));
  const [most] = sources;
  const all = sources.reduce((sum, { pages }) => sum + pages, 0);
  return most && most.pages >= ONE_SCREEN * all ? { ...most, share: most.pages / all } : undefined;
}
