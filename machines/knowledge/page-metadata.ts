/**
 * What a stored page says about itself, as answers show it.
 *
 * Neighbours: `PageMetadata` in records.ts says what there is, the reader finds it, results and queries answer it.
 */
import type { PageMetadata, PageRecord } from "../records.ts";

/** Nothing is known of the page. */
export const NO_METADATA: PageMetadata = {
  description: null,
  authors: [],
  site_name: null,
  published_at: null,
  modified_at: null,
  image: null,
  images: [],
  tables: [],
  breadcrumbs: [],
  structured: { open_graph: {}, twitter: {}, json_ld: [], microdata: [] },
};

/** The metadata of a page; empty for one that was stored before it was kept. */
export function metadataOf({ metadata }: Pick<PageRecord, "metadata">): PageMetadata {
  if (!metadata) return NO_METADATA;
  // Written by our own reader, field by field; a release that adds one has its default here.
  return { ...NO_METADATA, ...(JSON.parse(metadata) as Partial<PageMetadata>) };
}
