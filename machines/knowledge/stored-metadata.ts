/** Reads the metadata of a stored page in the form that answers show. */
import type { PageMetadata, PageRecord } from "../records.ts";

/** The metadata of a page for which none was stored. */
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

/** The metadata of a page; empty for a row that is older than the field. */
export function metadataOf({ metadata }: Pick<PageRecord, "metadata">): PageMetadata {
  if (!metadata) return NO_METADATA;
  // The page reader wrote this JSON, so the cast is safe. Fields that were added in later versions get a
  // default.
  return { ...NO_METADATA, ...(JSON.parse(metadata) as Partial<PageMetadata>) };
}
