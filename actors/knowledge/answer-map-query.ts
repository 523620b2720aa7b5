/** Answers `query_knowledge` for one map: pages, search, links and site maps. */
import { normaliseUrl, urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import type { Atlas } from "../../machines/knowledge/in-memory-map.ts";
import type { MapQuestion, QueryAnswer } from "../../machines/knowledge/knowledge-protocol.ts";
import { metadataOf } from "../../machines/knowledge/screens/page-record-metadata.ts";
import { controlsOf } from "../../machines/knowledge/screens/page-to-screen.ts";
import { screenIdOf } from "../../machines/knowledge/screens/screen-id.ts";
import type { PageRecord } from "../../machines/records/page-records.ts";
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { functionalAnswer, semanticAnswer } from "./answers/topic-and-function-site-maps.ts";
import type { MapSource } from "./map-store-interface.ts";

/** Searches the pages, passages and tasks of a map. The best results come first. */
export type SearchMap = MapSource["search"];

export async function answerQuery(
  knowledgeId: KnowledgeId,
  source: MapSource,
  atlas: () => Promise<Atlas>,
  question: MapQuestion,
  search: SearchMap = (map, query, topK) => source.search(map, query, topK),
): Promise<QueryAnswer> {
  switch (question.query_type) {
    case "page": {
      const { url } = question.params;
      const page = await pageAt(atlas, url, (key) => source.pages.get(knowledgeId, key));
      return page ? found(pageData(page)) : missing(url);
    }
    case "search": {
      const { query, top_k } = question.params;
      return found({ query, results: await search(knowledgeId, query, top_k) });
    }
    case "links": {
      const { url, direction } = question.params;
      const page = await pageAt(atlas, url, async (key) => (await source.pages.sizes(knowledgeId, [key]))[0]);
      // A URL without a stored page may still be the target of links on other pages. Such links are found by
      // the key of the URL.
      const key = page?.id[1] ?? keyOf(url);
      const links = await source.pages.links(knowledgeId, key, direction);
      if (!page && links.length === 0) return missing(url);
      return found({
        url: page?.url ?? url,
        direction,
        links: links.map(({ from_url, to_url, kind, text }) => ({
          from: from_url,
          to: to_url,
          type: kind,
          text,
        })),
      });
    }
    case "sitemap_semantic":
      return await semanticAnswer({ knowledgeId, source, atlas: await atlas() }, question.params);
    case "sitemap_functional":
      return await functionalAnswer({ knowledgeId, source, atlas: await atlas() }, question.params);
  }
}

/**
 * Returns the key under which the page of a URL is stored. For a text that is not a URL, it returns a key
 * that no page has.
 */
function keyOf(url: string): UrlKey {
  return urlKey(normaliseUrl(url) ?? url);
}

/**
 * Calls `read` for the page at this URL. If the URL redirects, `read` is called for the page to which it
 * leads.
 */
async function pageAt<Page>(
  atlas: () => Promise<Atlas>,
  url: string,
  read: (key: UrlKey) => Promise<Page | undefined>,
): Promise<Page | undefined> {
  const page = await read(keyOf(url));
  if (page) return page;
  const shown = (await atlas()).byUrl(url);
  return shown && (await read(keyOf(shown.url)));
}

function pageData(page: PageRecord): Record<string, unknown> {
  const controls = controlsOf(page);
  return {
    url: page.url,
    title: page.title,
    content: page.content,
    headings: page.headings,
    language: page.language,
    content_hash: page.content_hash,
    signature: page.signature ?? null,
    rendered_by: page.rendered_by ?? "http",
    render_reason: page.render_reason ?? "",
    chunk_type: page.chunk_type,
    media_type: page.media_type,
    http_status: page.http_status,
    depth: page.depth,
    website_id: page.website_id,
    screen_id: screenIdOf(page.id[1]),
    fetched_at: new Date(page.fetched_at).toISOString(),
    buttons: controls.buttons.map((control) => control.name),
    inputs: controls.inputs.map((control) => control.name),
    forms: controls.forms,
    metadata: metadataOf(page),
  };
}

function found(data: Record<string, unknown>): QueryAnswer {
  return { success: true, data, error: null };
}

function missing(url: string): QueryAnswer {
  return { success: false, data: null, error: `No page of this map is stored under ${url}.` };
}
