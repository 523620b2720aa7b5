/** Builds the record of a page that was read, with its links. */
import type { ExplorationRequest } from "../../machines/exploration/exploration-request.ts";
import type { Scope } from "../../machines/exploration/exploration-scope.ts";
import type { PageLink, PageRecord } from "../../machines/records/page-records.ts";
import type { UrlKey } from "../../machines/records/record-ids.ts";
import type { FetchedPage } from "../reading/index.ts";
import type { CrawledPage } from "./page-reader.ts";

/** The exploration job that stores a page, and the map in which it stores the page. */
export interface StoringJob {
  readonly job_id: string;
  readonly request: Pick<ExplorationRequest, "knowledge_id" | "website_id" | "respect_robots" | "role">;
}

export function pageRecord(
  { job_id, request }: StoringJob,
  {
    page,
    by,
    reason,
    key,
    depth,
  }: Omit<CrawledPage, "kind"> & { readonly key: UrlKey; readonly depth: number },
  scope: Pick<Scope, "isInternal">,
): PageRecord {
  const links = page.links.map(
    ({ url, text, control, framed, nofollow }): PageLink => ({
      url,
      kind: scope.isInternal(url) ? "internal" : "external",
      text,
      control,
      ...(framed ? { framed } : {}),
      ...(nofollow || page.relations.nofollow ? { nofollow: true } : {}),
    }),
  );
  const internal = links.filter(({ kind }) => kind === "internal").length;
  const relatives = relativesOf(page, request);
  return {
    id: [request.knowledge_id, key],
    knowledge_id: request.knowledge_id,
    website_id: request.website_id,
    job_id,
    url: page.finalUrl,
    title: page.title,
    language: page.language,
    headings: page.headings,
    content: page.content,
    content_hash: page.contentHash,
    ...(page.signature === undefined ? {} : { signature: page.signature }),
    chunk_type: "webpage",
    media_type: page.mediaType,
    http_status: page.status,
    depth,
    bytes: page.bytes,
    fetched_at: Date.now(),
    controls: JSON.stringify(page.controls),
    structure: page.structure,
    links: JSON.stringify(links),
    internal_links: internal,
    external_links: links.length - internal,
    ...(relatives.length > 0 ? { relatives: JSON.stringify(relatives.map(({ url }) => url)) } : {}),
    metadata: JSON.stringify(page.metadata),
    rendered_by: by,
    render_reason: reason,
    ...(request.role === undefined ? {} : { role: request.role }),
  };
}

/**
 * Returns the URLs that a page declares outside of its links, such as its translations. If the whole page is
 * marked `nofollow`, the list is empty, unless the job ignores such marks.
 */
export function relativesOf(
  { relations }: FetchedPage,
  { respect_robots }: Pick<ExplorationRequest, "respect_robots">,
): FetchedPage["relations"]["relatives"] {
  return relations.nofollow && respect_robots ? [] : relations.relatives;
}
