/**
 * Names a screen by its page's title, without the parts that all titles of the site share: "Orders | Acme"
 * becomes "Orders". If all titles are equal, the name is a heading, the text of a link to the page, or words
 * of its address.
 */
import { isDateWord } from "../../exploration/crawl/month-and-day-names.ts";
import { containsToken } from "../../exploration/crawl/random-tokens-in-addresses.ts";
import { percentDecoded } from "../../percent-decoding.ts";

/**
 * Matches separators in titles, such as " | " and ": ". A hyphen separates only with space on both sides,
 * because words may contain hyphens. A colon separates with space after it.
 */
const SEPARATOR = /\s+(?:[|·•»«›‹—–~/\\]|-{1,3}|::?|<|>)\s+|\s*[|»›]\s*|:\s+/u;

/** Returns the non-empty parts of a page's title, in order. */
export function titleParts(title: string): readonly string[] {
  return tidy(title)
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Collapses white space in a title, and drops permalink marks (¶, #, §, 🔗) at its end. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/(?:\s*(?:¶|§|🔗|⚓|\s#))+$/u, "")
    .trim();
}

/**
 * Minimum share of a site's titles that must end with the same words after the site's name, such as "Administration" in
 * "Users - Acme - Administration". Then these words belong to the site and not to the page.
 */
const SHARE_OF_ENDING = 0.1;
/** Minimum number of such titles, because few titles may end alike by chance. */
const TITLES_OF_ENDING = 4;

/**
 * Returns the parts of titles that belong to the whole site, such as "Acme" in "Orders | Acme". More than
 * half of the titles, and at least two, start or end with such a part. If one part of the site adds words after the
 * name, as in "Users ‹ Acme — WordPress" and "Users - Acme - Administration" (Joomla) beside "News – Acme", the name
 * and these words are parts of the site too. All given titles must be of one site.
 */
export function siteParts(titles: Iterable<string>): ReadonlySet<string> {
  const all = [...titles].map(titleParts).filter((parts) => parts.length > 0);
  const enough = Math.max(1, all.length / 2);
  const common = new Set(partsBeforeEndings(all, enough));
  let open = all.map((parts) => withoutEnds(parts, common)).filter((parts) => parts.length > 0);
  for (;;) {
    const counts = new Map<string, number>();
    for (const parts of open) {
      for (const end of new Set([parts[0], parts.at(-1)])) {
        if (end !== undefined) counts.set(end, (counts.get(end) ?? 0) + 1);
      }
    }
    const found = [...counts].filter(([, count]) => count > enough);
    if (found.length === 0) return common;
    for (const [part] of found) common.add(part);
    open = open.map((parts) => withoutEnds(parts, common)).filter((parts) => parts.length > 0);
  }
}

/**
 * Returns the site's name and the parts after it that several titles share, if more than half of the titles have the
 * name after their first part, but not all as their last part.
 */
function partsBeforeEndings(titles: readonly (readonly string[])[], enough: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const parts of titles)
    for (const part of new Set(parts.slice(1))) counts.set(part, (counts.get(part) ?? 0) + 1);
  const found = [...counts].filter(([, count]) => count > enough).map(([part]) => part);
  return found.flatMap((name) => {
    const endings = new Map<string, number>();
    for (const parts of titles) {
      const at = parts.indexOf(name, 1);
      const ending = at < 0 ? "" : parts.slice(at + 1).join("\n");
      if (ending !== "") endings.set(ending, (endings.get(ending) ?? 0) + 1);
    }
    const least = Math.max(TITLES_OF_ENDING, titles.length * SHARE_OF_ENDING);
    const shared = [...endings].filter(([, count]) => count >= least).map(([ending]) => ending);
    return shared.length === 0 ? [] : [name, ...shared.flatMap((ending) => ending.split("\n"))];
  });
}

/**
 * If pages in at least this number of top folders have the same title, the title names none of them. It is
 * the title of the application. Pages keep it if the script that sets titles fails or is late (Dagster), or
 * if a part of the application sets no titles.
 */
const FOLDERS_OF_TITLE = 3;
/** If at least this number of pages in several top folders have the same title, the title names none of them. */
const PAGES_OF_TITLE = 6;

/**
 * Returns the titles that name no page, because pages in several top folders have them. Titles with separators, such
 * as "Orders | Acme", are not among them. Pages such as `/north/settings` and `/south/settings` of two tenants count
 * as one page, because the title does name them. All given pages must be of one site.
 */
export function titlesOfFolders(pages: Iterable<Pick<NamedPage, "url" | "title">>): ReadonlySet<string> {
  const found = new Map<string, { readonly pages: Set<string>; readonly folders: Set<string> }>();
  for (const { url, title } of pages) {
    const parsed = URL.parse(url);
    if (!parsed || titleParts(title).length !== 1) continue;
    const known = found.get(title) ?? { pages: new Set<string>(), folders: new Set<string>() };
    const [folder = "", ...below] = segmentsOf(parsed);
    known.pages.add(below.length === 0 ? folder : below.join("/"));
    known.folders.add(folder);
    found.set(title, known);
  }
  return new Set(
    [...found].flatMap(([title, { pages: own, folders }]) =>
      own.size >= PAGES_OF_TITLE && folders.size >= FOLDERS_OF_TITLE ? titleParts(title) : [],
    ),
  );
}

/**
 * Returns the range of a title's parts without the common parts at both ends: the index of the first
 * remaining part, and the index after the last one.
 */
function ownRange(parts: readonly string[], common: ReadonlySet<string>): readonly [number, number] {
  let start = 0;
  let end = parts.length;
  while (start < end && common.has(parts[start] ?? "")) start += 1;
  while (end > start && common.has(parts[end - 1] ?? "")) end -= 1;
  return [start, end];
}

function withoutEnds(parts: readonly string[], common: ReadonlySet<string>): readonly string[] {
  return parts.slice(...ownRange(parts, common));
}

/**
 * A heading or a link belongs to the whole site only if at least this number of its pages have it, and more
 * than half of them.
 */
const PAGES_OF_SITE = 3;

/**
 * Whether a text belongs to the whole site, so that it names no page.
 *
 * @param count number of pages with the text
 */
function isOfSite(count: number, pages: number): boolean {
  return count >= PAGES_OF_SITE && count > pages / 2;
}

/**
 * Returns the headings that more than half of the pages have, so that they identify no page. Examples are
 * headings of a side bar, a banner or a hidden dialog, such as "Select language". All given pages must be of
 * one site.
 */
export function sharedHeadings(pages: readonly Pick<NamedPage, "headings">[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { headings } of pages) {
    for (const text of new Set(headings.map(tidy))) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([text, count]) => (isOfSite(count, pages.length) ? [text] : [])));
}

/** The text of a link, with the key of its target's URL (`urlKey`). */
export interface LinkToName {
  readonly url: string;
  readonly text: string;
}

/** The name of a page according to the links that lead to it. */
export interface NameByLinks {
  readonly text: string;
  /** Whether the link is on more than half of the pages, as the entries of a menu are. */
  readonly isInMenu: boolean;
}

/**
 * Maximum number of characters of a link text that counts as a name of the link's target. A longer text
 * describes the target.
 */
const NAME_LENGTH = 60;

/** Matches a text with a counter at its end: "Issues 12" (Gitea, GitLab), "Unread (54)" (Miniflux). */
const WITH_COUNTER = /^(.*\p{L}.*?)\s*(?:\s\d+\+?|\(\d+\+?\))$/u;

/** Matches the URL that a link without words has as its text. */
const URL_AS_TEXT = /^https?:\/\//;

/**
 * Returns for each URL key the text of most links to the URL. A text that links to several URLs, such as
 * "Edit" in each row of a list, is not used.
 *
 * @param pages the links of each page
 */
export function namesByLinks(pages: readonly (readonly LinkToName[])[]): ReadonlyMap<string, NameByLinks> {
  const targetsOf = new Map<string, Set<string>>();
  const counts = new Map<string, Map<string, number>>();
  for (const links of pages) {
    for (const [url, texts] of textsByUrl(links)) {
      const known = counts.get(url) ?? new Map<string, number>();
      for (const text of texts) {
        targetsOf.set(text, (targetsOf.get(text) ?? new Set()).add(url));
        known.set(text, (known.get(text) ?? 0) + 1);
      }
      counts.set(url, known);
    }
  }
  const names = new Map<string, NameByLinks>();
  for (const [url, texts] of counts) {
    const own = [...texts].filter(([text]) => targetsOf.get(text)?.size === 1);
    const [best] = own.sort(([a, most], [b, other]) => other - most || (a < b ? -1 : 1));
    if (best) names.set(url, { text: best[0], isInMenu: isOfSite(best[1], pages.length) });
  }
  return names;
}

function textsByUrl(links: readonly LinkToName[]): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { url, text: given } of links) {
    const text = withoutCounter(tidy(given), url);
    if (!/\p{L}/u.test(text) || text.length > NAME_LENGTH || URL_AS_TEXT.test(text)) continue;
    texts.set(url, (texts.get(url) ?? new Set()).add(text));
  }
  return texts;
}

/**
 * Drops the counter at the end of a link's text, because it changes with the data: "Issues 12" becomes
 * "Issues". The number may also belong to the name, so it stays in two cases:
 * - The text before it is not the last word of the link's address: "Chapter 2".
 * - The number is a value in the address: "Room 1" for `/room?id=1`.
 */
function withoutCounter(text: string, url: string): string {
  const [, name] = WITH_COUNTER.exec(text) ?? [];
  const last = url
    .replace(/\?[^#]*/g, "")
    .split(/[/#]/)
    .findLast((segment) => segment !== "");
  if (name === undefined || last === undefined) return text;
  const [, number] = /(\d+)\)?$/.exec(text) ?? [];
  if (number !== undefined && new RegExp(`=${number}(?!\\d)`).test(url)) return text;
  const plain = (word: string) => wordsOfSegment(word).toLowerCase();
  return plain(name) === plain(percentDecoded(last)) ? name : text;
}

/**
 * Matches the messages with which browsers and axios report a failed request: Chromium, Safari, Firefox, axios.
 * Applications show them in a notice, often as a heading.
 */
const FAILED_REQUEST = /^(?:failed to fetch|load failed|network ?error|request failed with status code)\b/i;

/** Whether a heading reports a failed request, so that it names no page or state. */
export function isFailedRequest(heading: string): boolean {
  return FAILED_REQUEST.test(tidy(heading));
}

/** Words and marks around the numbers of a date or a time: "Saturday, 28th of November 2026 at 10:15 pm". */
const AROUND_DATE =
  /^(?:am|pm|a|p|m|uhr|at|of|the|de|den|der|le|um|kw|week|today|heute|st|nd|rd|th|[tz]|utc|gmt)$/;

/**
 * Whether a text is only a date or a time, such as "November 28, 2026" above the entries of a day (Home Assistant), and
 * "November 2026" above a calendar (FullCalendar). It changes with the day, so it names no page.
 */
export function isOnlyDate(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
  const others = words.filter((word) => !/^\d{1,4}$/.test(word) && !AROUND_DATE.test(word));
  const numbers = words.filter((word) => /^\d/.test(word)).length;
  return others.every(isDateWord) && (others.length > 0 ? numbers > 0 : numbers > 1 && /[:./-]/.test(text));
}

/** Whether a title consists only of parts that the site's titles share, and therefore names no screen. */
export function isOnlySite(title: string, common: ReadonlySet<string>): boolean {
  return withoutEnds(titleParts(title), common).length === 0;
}

export interface NamedPage {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/** Names that the pages of a site share, and the name by which links refer to the page. */
export interface SiteNames {
  /**
   * Headings that many pages of the site have, from `sharedHeadings`. Such a heading cannot be the name of a
   * page.
   */
  readonly headings?: ReadonlySet<string>;
  /** The name of the page according to the links that lead to it. */
  readonly link?: NameByLinks | undefined;
}

/**
 * Returns the name of a screen, which is never empty. It is the first of these that exists:
 * - a title that only this page has
 * - the page's name in the site's menu
 * - its first heading that only some pages have, and that is no date
 * - the text of another link to the page
 * - a word of its URL
 * - its title
 * - its host
 */
export function screenName(
  page: NamedPage,
  common: ReadonlySet<string>,
  { headings: shared = new Set(), link }: SiteNames = {},
): string {
  const title = tidy(page.title);
  const parts = titleParts(title);
  const [start, end] = ownRange(parts, common);
  if (start < end) return kept(title, parts, start, end);
  // Links to the start page have the text "Home" or the site's name. Its title is a better name than these
  // texts.
  const byLinks = isStartPage(page.url) ? undefined : link;
  if (byLinks?.isInMenu) return byLinks.text;
  const heading = page.headings
    .map(tidy)
    .find(
      (text) =>
        text !== "" && !common.has(text) && !shared.has(text) && !isFailedRequest(text) && !isOnlyDate(text),
    );
  return heading ?? byLinks?.text ?? (title === "" ? nameOfUrl(page.url) : (wordOfPath(page.url) ?? title));
}

/** Returns the parts of a title from index `start` to `end`, with the separators between them. */
function kept(title: string, parts: readonly string[], start: number, end: number): string {
  let from = 0;
  let position = 0;
  let to = title.length;
  for (const [index, part] of parts.entries()) {
    const at = title.indexOf(part, position);
    if (index === start) from = at;
    position = at + part.length;
    if (index === end - 1) to = position;
  }
  return title.slice(from, to);
}

function nameOfUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const last = wordSegmentsOf(parsed).at(-1);
  return last === undefined ? parsed.host : wordsOfSegment(last) || parsed.host;
}

/** Whether the URL has only a host: no path, no parameters, and no route of a single-page application. */
function isStartPage(url: string): boolean {
  const parsed = URL.parse(url);
  if (!parsed || segmentsOf(parsed).length > 0) return false;
  return parsed.search === "" && !/^#!?\/./.test(parsed.hash);
}

/**
 * Returns the words of the last path segment that has no digit; `undefined` if there is none. A segment with
 * a digit is an id.
 */
function wordOfPath(url: string): string | undefined {
  const parsed = URL.parse(url);
  const word = parsed && wordSegmentsOf(parsed).findLast((segment) => !/\d/.test(segment));
  return word ? wordsOfSegment(word) || undefined : undefined;
}

/** Returns the decoded parts of the URL's path. */
function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname
    .split("/")
    .filter((segment) => segment !== "")
    .map(percentDecoded);
}

/** Returns the decoded parts of the URL's path without random tokens, which may be secret. */
function wordSegmentsOf(url: URL): readonly string[] {
  return segmentsOf(url).filter((segment) => !containsToken(segment));
}

function wordsOfSegment(segment: string): string {
  const words = segment
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[-_+]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
