/**
 * Reads pages: fetches a page over HTTP and extracts its content, metadata and links. This is the public
 * interface of the folder.
 *
 * A node creates one reader for all its explorations; the reader only stores caches, and its caller stores
 * the pages.
 */

export { type ReadTable, readTables } from "./content/data-tables.ts";
export { type LabelledValue, readLabelledValues } from "./content/labelled-values.ts";
export type { PageLink } from "./content/links.ts";
export type { PageRelations, RelationHeaders, Relative } from "./content/page-relations.ts";
export type { ListRow, PageBlocks, Post } from "./content/posts-and-rows.ts";
export { type PageSource, type ReadPage, readPage } from "./content/read-page.ts";
export type { FetchedListing } from "./fetch/fetch-listing.ts";
export type { AskHost } from "./fetch/host-request-rate.ts";
export { type FailedRead, isOverload, type SkippedRead, type SkipReason } from "./read-outcome.ts";
export {
  createReader,
  type FetchedPage,
  outOfScope,
  type Reader,
  type ReaderOptions,
  type ReadOptions,
  type ReadOutcome,
  type ReceivedResponses,
} from "./reader.ts";
export { type Clock, systemClock } from "./reading-clock.ts";
