/** Parses the metadata of a page's record in the store. */
import type { PageMetadata, PageRecord } from "../../records/page-records.ts";

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

/**
 * Returns the metadata of a stored page. It is empty for a page that was stored before Cairn stored metadata.
 */
export function metadataOf({ metadata }: Pick<PageRecord, "metadata">): PageMetadata {
  if (!metadata) return NO_METADATA;
  // The cast is safe: the page reader wrote this JSON. Fields that were added in later versions get a
  // default.
  return { ...NO_METADATA, ...(JSON.parse(metadata) as Partial<PageMetadata>) };
}
