/**
 * Reads pages: fetches a page over HTTP and extracts its content, metadata and links. This is the public
 * interface of the folder.
 *
 * A node creates one reader for all its explorations: the reader keeps only caches, and its caller stores the
 * pages.
 */

export { type Clock, systemClock } from "./clock-of-page-reader.ts";
export type { PageRelations, RelationHeaders, Relative } from "./content/canonical-and-related-page-links.ts";
export { type PageSource, type ReadPage, readPage } from "./content/extract-page-from-html.ts";
export type { ListRow, PageBlocks, Post } from "./content/forum-posts-and-list-rows.ts";
export type { PageLink } from "./content/html-links.ts";
export { type ReadTable, readTables } from "./content/page-data-tables.ts";
export { readTexts } from "./content/short-texts-of-page.ts";
export { type LabelledValue, readLabelledValues } from "./content/values-with-labels-on-page.ts";
export type { FetchedListing } from "./fetch/fetch-sitemap-or-feed.ts";
export type { AskHost } from "./fetch/host-request-rate.ts";
export {
  createReader,
  type FetchedPage,
  outOfScope,
  type Reader,
  type ReaderOptions,
  type ReadOptions,
  type ReadOutcome,
  type ReceivedResponses,
} from "./polite-url-reader.ts";
export { type FailedRead, isOverload, type SkippedRead, type SkipReason } from "./url-read-failures.ts";
