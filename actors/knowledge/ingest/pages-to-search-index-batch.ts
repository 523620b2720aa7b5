/**
 * Makes pages of the map searchable. This is the second and slower half of the ingest; in the first half,
 * pages become screens of the map.
 */

import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { type Batch, emptyBatch } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import { wordsOf } from "../../../machines/knowledge/screens/screen-name-index.ts";
import { controlTexts } from "../../../machines/knowledge/screens/texts-of-page-controls.ts";
import { percentDecoded } from "../../../machines/percent-decoding.ts";
import type { IngestRecord } from "../../../machines/records/exploration-records.ts";
import type { KnowledgeId, UrlKey } from "../../../machines/records/record-ids.ts";
import type { PageTextRecord } from "../../../machines/records/search-text-records.ts";
import type { MapSource, SearchedPage } from "../map-store-interface.ts";
import { countByJob } from "./pages-to-map-batch.ts";

/** Indexes as many of the waiting pages for search as fit into one commit, but at least one. */
export async function indexBatch(
  source: MapSource,
  knowledgeId: KnowledgeId,
  waiting: readonly IngestRecord[],
): Promise<Batch> {
  const keys = [...new Set(waiting.map((row) => row.page_key))];
  const pages = new Map((await source.pages.searched(knowledgeId, keys)).map((page) => [page.id[1], page]));
  const texts: PageTextRecord[] = [];
  const settled = new Set<UrlKey>();
  let size = 0;
  for (const key of keys) {
    const page = pages.get(key);
    size += page?.content.length ?? 0;
    if (settled.size > 0 && size > knowledgeLimits.indexText) break;
    settled.add(key);
    if (page) texts.push(textOf(page));
  }
  const taken = waiting.filter((row) => settled.has(row.page_key));
  return { ...emptyBatch, texts, taken: taken.map((row) => row.id), searchable: countByJob(taken) };
}

function textOf(page: SearchedPage): PageTextRecord {
  const url = URL.parse(page.url);
  const path = percentDecoded(url ? url.pathname + url.search : page.url);
  return {
    id: page.id,
    knowledge_id: page.knowledge_id,
    url: page.url,
    title: page.title,
    headings: page.headings.join("\n"),
    url_words: wordsOf(path).join(" "),
    controls: controlTexts(page),
    body: page.content,
  };
}
