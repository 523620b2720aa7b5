/** The metadata of a stored page, as answers show it. */
import type { PageMetadata, PageRecord } from "../records.ts";

/** Metadata of a page that has none. */
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

/** The metadata of a page; empty for rows from before it existed. */
export function metadataOf({ metadata }: Pick<PageRecord, "metadata">): PageMetadata {
  if (!metadata) return NO_METADATA;
  // The reader wrote it field by field; new fields have their default here.
  return { ...NO_METADATA, ...(JSON.parse(metadata) as Partial<PageMetadata>) };
}
