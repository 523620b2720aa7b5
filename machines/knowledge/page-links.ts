/** The links of a stored page, and the edges that the map derives from them. */
import { urlKey } from "../exploration/normalise-url.ts";
import type { LinkRecord, PageLink, PageRecord } from "../records.ts";

/** The links of the page in document order, with each target once. */
export function linksOfPage(page: Pick<PageRecord, "links">): readonly PageLink[] {
  // The cast is safe: the crawl wrote this field as JSON of `PageLink`s.
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
