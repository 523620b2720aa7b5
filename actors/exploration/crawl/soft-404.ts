/**
 * Pages that say "not found" with the status of a page that was.
 *
 * Only a page whose title or heading says so is looked into, and only what the site itself confirms is one: a URL
 * beside it that cannot exist is asked for once per folder, and must be answered with the same text. A page *about*
 * error 404 stays a page; so does everything on a site that answers every URL with one shell for its scripts.
 */

import { explorationLimits } from "../../../machines/exploration/limits.ts";
import { routeOf, urlKey } from "../../../machines/exploration/normalise-url.ts";
import { noveltyShare, pageLines } from "../../../machines/exploration/page-lines.ts";
import type { FetchedPage } from "../../reading/index.ts";
import type { CrawlOutcome } from "./page-reader.ts";

/** How the languages of most sites say it. */
const SAYS_NOT_FOUND =
  /\b(?:40[4]|not (?:be )?found|no such page|(?:does ?n[o'’]t|no longer) exists?|nothing (?:was )?found|page (?:is )?(?:missing|unavailable)|oops|nicht (?:gefunden|vorhanden)|introuvable|n'existe (?:pas|plus)|no (?:se )?encontr|não (?:foi )?encontrad|non (?:è stata )?trovat|niet gevonden|hittades inte|nie znaleziono)|не найден|找不到|見つかりません/iu;
/** Pages that share so much are the same; the rest is what shows the time or repeats the address. */
const SAME = 0.1;

export class Soft404 {
  readonly #ask: (url: string) => Promise<CrawlOutcome>;
  readonly #answers = new Map<string, Promise<FetchedPage | undefined>>();

  /** @param ask reads a URL of the site */
  constructor(ask: (url: string) => Promise<CrawlOutcome>) {
    this.#ask = ask;
  }

  /** Whether a page is the site's way to say that there is none. */
  async is(page: FetchedPage): Promise<boolean> {
    if (![page.title, ...page.headings.slice(0, 2)].some((text) => SAYS_NOT_FOUND.test(text))) return false;
    const impossible = beside(page.finalUrl);
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
    // A site that sends everything unknown to one page has told the truth about it: that page exists.
    return outcome.kind === "page" && urlKey(outcome.page.finalUrl) === urlKey(url)
      ? outcome.page
      : undefined;
  }
}

/** An address in the same folder that nobody has ever given to a page, without words that a page could repeat. */
function beside(url: string): string {
  // A page of an application is beside others of its routes.
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
