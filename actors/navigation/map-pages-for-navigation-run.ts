/**
 * Reads pages of a site from the site's map for a navigation run. Adds to the map the pages that the run has
 * read.
 */

import { urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import { siteId } from "../../machines/exploration/exploration-scope.ts";
import { mapJobOf } from "../../machines/navigation/navigation-run-context.ts";
import type { Intent } from "../../machines/navigation/navigation-run-schemas.ts";
import type { EvidenceLink } from "../../machines/navigation/page-facts-for-navigation-run.ts";
import type { PageRecord } from "../../machines/records/page-records.ts";
import { type CrawledPage, pageRecord } from "../pages/index.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

/**
 * A navigation run that looks for a section of a site, such as its forum, may start at pages of the map. Maximum
 * number of these pages.
 */
const KNOWN = 50;
/**
 * For each type of section, such as a forum: the query that finds pages of this type on the map of a site.
 */
const SECTION_QUERY = {
  forum: "forum forums community discussion discussions board boards",
  news: "news press blog headlines articles",
} as const;

/**
 * Returns pages of the map that may be the requested section of the site. Only pages on the host of `url`
 * count.
 */
export async function knownSections(
  knowledgeId: string,
  url: string,
  { target_section, topic }: Intent,
  scope: Pick<EffectScope<CairnServices>, "query">,
): Promise<readonly EvidenceLink[]> {
  if (target_section === "") return [];
  const { exists } = await scope.query("knowledge", knowledgeId, "status", null);
  if (!exists) return [];
  const query = `${SECTION_QUERY[target_section]} ${topic}`;
  const answer = await scope.query("knowledge", knowledgeId, "query", {
    query_type: "search",
    params: { query, top_k: KNOWN },
  });
  // A query of the type `search` returns these results, so the cast is safe.
  const hits = (answer.data?.results ?? []) as readonly { readonly url: string; readonly title: string }[];
  const host = new URL(url).host;
  return hits
    .filter((hit) => URL.parse(hit.url)?.host === host)
    .map((hit) => ({ url: hit.url, text: hit.title, landmark: "" }));
}

/**
 * Converts a page that was read to a page of the map. Links to the page's host count as links within the
 * site.
 */
export function mapPage(
  runId: string,
  knowledgeId: string,
  { page, by, reason }: CrawledPage,
  { depth, respect_robots }: { readonly depth: number; readonly respect_robots: boolean },
): PageRecord {
  const host = new URL(page.finalUrl).host;
  const website_id = siteId(page.finalUrl);
  return pageRecord(
    { job_id: mapJobOf(runId), request: { knowledge_id: knowledgeId, website_id, respect_robots } },
    { page, by, reason, key: urlKey(page.finalUrl), depth },
    { isInternal: (url) => URL.parse(url)?.host === host },
  );
}
