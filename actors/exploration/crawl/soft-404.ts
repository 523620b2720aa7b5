/**
 * Detects pages that say "not found" but have a success status: a short page by its title and heading, and a longer
 * page only if it also has the same text as the answer to an impossible URL in the same folder. Pages about the
 * error 404 are kept, and so are those of an application that returns one HTML document for every URL.
 */

import { noveltyShare, pageLines } from "../../../machines/exploration/crawl/masked-line-hashes-of-pages.ts";
import { routeOf, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { CrawlOutcome } from "../../pages/index.ts";
import type { FetchedPage } from "../../reading/index.ts";

/** Phrases that mean "not found", in common languages. */
const SAYS_NOT_FOUND =
  /\b(?:40[4]|not (?:be )?found|no such page|(?:does ?n[o'’]t|no longer) exists?|nothing (?:was )?found|page (?:is )?(?:missing|unavailable)|oops|nicht (?:gefunden|vorhanden)|introuvable|n'existe (?:pas|plus)|no (?:se )?encontr|não (?:foi )?encontrad|non (?:è stata )?trovat|niet gevonden|hittades inte|nie znaleziono)|не найден|找不到|見つかりません/iu;
/**
 * Two "not found" pages of a site may differ in at most this share (0 to 1) of their text. For example, each
 * may show the time or the requested address.
 */
const SAME = 0.1;

/**
 * Matches the title or heading of a page that only says "not found" (Nuxt in doccano, Next.js). The number of an item,
 * such as in "Order 404", is no error.
 */
const NAMED_NOT_FOUND =
  /^(?:\p{L}+[,!.]\s+)?(?:http\s+)?(?:error\W+)?404\b|[-–—|:·»]\s+(?:error\W+)?404\b|^(?:page )?not found$/iu;
/**
 * Maximum number of characters in the content of a page that only says "not found". Pages of manuals about the error
 * are longer.
 */
const SHORT = 160;

export class Soft404 {
  readonly #ask: (url: string) => Promise<CrawlOutcome>;
  readonly #answers = new Map<string, Promise<FetchedPage | undefined>>();

  /**
   * Creates the detector of pages of one site that say "not found".
   *
   * @param ask reads a URL that cannot exist on the site; other pages are compared with the answer
   */
  constructor(ask: (url: string) => Promise<CrawlOutcome>) {
    this.#ask = ask;
  }

  /** Whether the page says "not found". */
  async is(page: FetchedPage): Promise<boolean> {
    if (![page.title, ...page.headings.slice(0, 2)].some((text) => SAYS_NOT_FOUND.test(text))) return false;
    // A short page whose title and heading only say "not found" needs no comparison with the answer to an
    // impossible URL. That answer may differ, if a script handles some addresses and the server handles
    // others.
    const named = [page.title, page.headings[0] ?? ""].every((text) => NAMED_NOT_FOUND.test(text.trim()));
    if (named && page.content.length <= SHORT) return true;
    const impossible = impossibleUrl(page.finalUrl);
    let answer = this.#answers.get(impossible);
    if (!answer) {
      answer = this.#probe(impossible);
      this.#answers.set(impossible, answer);
      for (const oldest of this.#answers.keys()) {
        if (this.#answers.size <= explorationLimits.probedFolders) break;
        this.#answers.delete(oldest);
      }
    }
    const other = await answer;
    return other !== undefined && sameText(page, other);
  }

  async #probe(url: string): Promise<FetchedPage | undefined> {
    const outcome = await this.#ask(url);
    // If the site redirects an unknown address to an existing page, this page is not a soft 404 page (a
    // not-found page with status 200).
    return outcome.kind === "page" && urlKey(outcome.page.finalUrl) === urlKey(url)
      ? outcome.page
      : undefined;
  }
}

/**
 * Returns an address in the same folder that cannot exist. It contains no words, because a page may repeat
 * words of its address.
 */
function impossibleUrl(url: string): string {
  // If the address has a client-side route (after `#`), the returned address is another route of the same
  // application.
  const route = routeOf(url);
  const { origin, pathname } = new URL(url);
  const path = route === "" ? pathname : route.replace(/\?.*$/, "");
  const folder = path.slice(0, path.replace(/\/$/, "").lastIndexOf("/") + 1);
  const root = route === "" ? origin : url.slice(0, url.indexOf("#"));
  return `${root}${folder || (route === "" ? "/" : "#!")}cairn-q7xk2v9w4t`;
}

function sameText(one: FetchedPage, other: FetchedPage): boolean {
  const lines = (page: FetchedPage) =>
    pageLines({ url: page.finalUrl, title: page.title, content: page.content, isRelative: () => false });
  const [first, second] = [lines(one), lines(other)];
  return first.size > 0 && noveltyShare(first, second) <= SAME && noveltyShare(second, first) <= SAME;
}
