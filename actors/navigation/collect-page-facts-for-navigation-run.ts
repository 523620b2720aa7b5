/** Collects the facts about a page by which a navigation run decides what to read next. */
import { normaliseUrl, urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import { earlierMonth } from "../../machines/navigation/monthly-archive-addresses.ts";
import type { PageEvidence } from "../../machines/navigation/page-facts-for-navigation-run.ts";
import type { StructuredValue } from "../../machines/records/page-records.ts";
import type { FetchedPage } from "../reading/index.ts";

const NEXT_WORDS =
  /^(?:next(?: page| topics| messages)?|older(?: posts| entries| messages| topics)?|previous (?:entries|posts)|more|load more|show more|weiter|nächste(?: seite)?|ältere(?: beiträge)?|vor|suivante?(?: page)?|page suivante|siguiente(?: página)?|próxim[ao](?: página)?|seguinte|seguente|successiv[ao]|pagina successiva|volgende(?: pagina)?|nästa(?: sida)?|neste|næste|następna|dalej|далее|следующая|下一页|次へ|次のページ)$/i;
/**
 * Matches link texts that are only an arrow, which leads to the next page. An arrow beside a word is removed
 * before the word is compared.
 */
const ARROW = /^(?:[›»→>⟩▶❯]|>>|&gt;|[›»→]{2})$/;

export function evidenceOf(page: FetchedPage): PageEvidence {
  const { finalUrl, title, headings, content, metadata, blocks } = page;
  const links = page.links.map(({ url, text, control }) => ({
    url,
    text,
    landmark: frameOf(control.attributes.landmark),
  }));
  return {
    url: finalUrl,
    title,
    headings,
    content,
    links,
    posts: distinct(blocks?.posts ?? []),
    rows: blocks?.rows ?? [],
    posts_text: blocks?.posts_text ?? 0,
    rows_text: blocks?.rows_text ?? 0,
    plain: blocks?.plain ?? null,
    text: blocks?.text ?? page.textLength,
    link_share: blocks?.link_share ?? 0,
    walled: blocks?.walled ?? false,
    answerable: blocks?.answerable ?? false,
    message: blocks?.message ?? false,
    subject: blocks?.subject ?? null,
    published: metadata.published_at?.slice(0, 10) ?? blocks?.byline.date ?? null,
    authors:
      metadata.authors.length > 0 || !blocks?.byline.author ? metadata.authors : [blocks.byline.author],
    declared: declaredTypes(page),
    breadcrumbs: metadata.breadcrumbs.map(({ name }) => name),
    next: nextPage(page),
    earlier: earlierMonth(finalUrl, page.links),
  };
}

/**
 * Two posts with the same text count as one post if the text has at least this number of characters. A page
 * may show a post twice, but two different posts may have the same short text.
 */
const COPIED_TEXT = 40;

function distinct(posts: PageEvidence["posts"]): PageEvidence["posts"] {
  const seen = new Set<string>();
  return posts.filter(({ author, date, text }) => {
    const key = `${author}\n${date}\n${text}`;
    if (text.length < COPIED_TEXT || !seen.has(key)) return seen.add(key);
    return false;
  });
}

function frameOf(landmark: string | undefined): string {
  return landmark === undefined || landmark === "main" ? "" : landmark;
}

function declaredTypes({ metadata }: FetchedPage): readonly string[] {
  const { open_graph, json_ld } = metadata.structured;
  const kinds = new Set<string>();
  const take = (value: StructuredValue | undefined) => {
    if (typeof value === "string") kinds.add(value.toLowerCase());
    else if (Array.isArray(value)) for (const one of value) take(one);
  };
  take(open_graph["og:type"]);
  const walk = (value: StructuredValue) => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    else if (typeof value === "object") {
      // The cast is safe: the branch above handled arrays, so `value` is an object with named values.
      // TypeScript does not exclude readonly arrays by `Array.isArray`.
      take((value as Readonly<Record<string, StructuredValue>>)["@type"]);
      const graph = (value as Readonly<Record<string, StructuredValue>>)["@graph"];
      if (graph !== undefined) walk(graph);
    }
  };
  for (const value of json_ld) walk(value);
  return [...kinds];
}

/**
 * Finds the next page of a list by `rel=next`. Otherwise it takes a link with a text such as "next", or the
 * link with the next page number.
 */
function nextPage({ finalUrl, relations, links }: FetchedPage): string | null {
  const declared = relations.relatives.find(({ rel }) => rel === "next");
  const url = declared && normaliseUrl(declared.url, finalUrl);
  if (url !== undefined && urlKey(url) !== urlKey(finalUrl)) return url;
  const named = links.find(
    ({ text, url: target }) =>
      saysNext(text) &&
      (sameList(target, finalUrl) || (NEXT_PAGE.test(text) && sameFolder(target, finalUrl))),
  );
  return named?.url ?? links.find(({ url: target }) => isNextNumber(target, finalUrl))?.url ?? null;
}

/**
 * Matches the text of a link that clearly leads to the next page. Such a link only has to lead to an address
 * in the same folder, for example from `threads.html` to `thrd2.html`.
 */
const NEXT_PAGE =
  /^\W*(?:next page|nächste seite|page suivante|siguiente página|próxima página|pagina successiva|volgende pagina|nästa sida|następna strona|следующая страница)\W*$/i;

function sameFolder(target: string, url: string): boolean {
  const folder = (of: string) => of.replace(/[?#].*$/, "").replace(/[^/]*$/, "");
  return folder(target) === folder(url) && urlKey(target) !== urlKey(url);
}

function saysNext(text: string): boolean {
  const word = text.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, "");
  return word === "" ? ARROW.test(text.trim()) : NEXT_WORDS.test(word);
}

/**
 * Whether two addresses may be pages of one list: their paths are equal, or the path of `target` begins with that
 * of `url` without its page number, as `/news/page/3` for `/news/page/2`.
 */
function sameList(target: string, url: string): boolean {
  const [a, b] = [URL.parse(target), URL.parse(url)];
  if (!a || !b || a.host !== b.host || urlKey(target) === urlKey(url)) return false;
  const first = b.pathname.replace(/\.\w{2,5}$/, "").replace(/[-_/]?(?:page[-_/]?)?\d*\/?$/, "");
  return a.pathname === b.pathname || a.pathname.startsWith(first);
}

/** Matches the number of a page in a path: `/page/2/` (WordPress, Hexo), `/page2/` (Jekyll). */
const PAGE_PATH = /\/page[/-]?(\d+)\/?$/i;

/**
 * Returns the path of a list and the page number in it: `/news` and 2 for `/news/page/2/`. Without a page
 * number, the number is 1.
 */
function numberedPath(pathname: string): { readonly list: string; readonly number: number } {
  const number = PAGE_PATH.exec(pathname)?.[1] ?? "1";
  return { list: pathname.replace(PAGE_PATH, "").replace(/\/$/, ""), number: Number(number) };
}

function isNextNumber(target: string, url: string): boolean {
  const [a, b] = [URL.parse(target), URL.parse(url)];
  if (!a || !b || a.host !== b.host) return false;
  if (a.pathname !== b.pathname) {
    const [next, here] = [numberedPath(a.pathname), numberedPath(b.pathname)];
    return a.search === b.search && next.list === here.list && next.number === here.number + 1;
  }
  for (const name of ["page", "p", "paged", "pg", "seite", "pagina"]) {
    const [next, here] = [a.searchParams.get(name), b.searchParams.get(name)];
    if (next !== null && Number(next) === Number(here ?? 1) + 1) return true;
  }
  return false;
}
