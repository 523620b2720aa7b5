/**
 * Where a stored page leads: the links that its row carries, and the edges that the map makes of them.
 */
import { urlKey } from "../exploration/url.ts";
import type { LinkRecord, PageLink, PageRecord } from "../records.ts";

/** The page's links in the order of the page, one for each distinct target. */
export function linksOfPage(page: Pick<PageRecord, "links">): readonly PageLink[] {
  // Written as JSON of `PageLink`s by the crawl.
  return JSON.parse(page.links) as PageLink[];
}

/** The page's `links_to` edges. */
export function linkEdges(page: Pick<PageRecord, "id" | "url">, links: readonly PageLink[]): LinkRecord[] {
  const [knowledgeId] = page.id;
  return links.map(({ url, kind, text }) => ({
    in: page.id,
    out: [knowledgeId, urlKey(url)],
    kind,
    from_url: page.url,
    to_url: url,
    text,
  }));
}
