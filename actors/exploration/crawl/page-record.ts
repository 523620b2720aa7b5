/** Builds the record of a page that was read, with its links. */
import type { CrawlInput } from "../../../machines/exploration/machine.ts";
import type { Scope } from "../../../machines/exploration/scope.ts";
import type { PageLink, PageRecord } from "../../../machines/records.ts";
import { relativesOf, type StoredPage } from "./discoveries.ts";

export function pageRecord(
  input: CrawlInput,
  { page, by, reason, key, depth }: StoredPage,
  scope: Scope,
): PageRecord {
  const { job_id, request } = input;
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
  const relatives = relativesOf(page, input.request);
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
  };
}
