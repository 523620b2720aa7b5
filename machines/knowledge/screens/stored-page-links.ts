/** Reads the links of a stored page, and derives the map's edges from them. */
import { urlKey } from "../../exploration/crawl/normalise-url.ts";
import type { LinkRecord, PageLink, PageRecord } from "../../records/page-records.ts";

/** Returns the links of the page in document order, one link for each target. */
export function linksOfPage(page: Pick<PageRecord, "links">): readonly PageLink[] {
  // The cast is safe: the crawl wrote this field as JSON of `PageLink`s.
  return JSON.parse(page.links) as PageLink[];
}

/** Returns the `links_to` edges from the page to the targets of its links. */
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
