/**
 * Reading: a page over HTTP, from its URL to what it says and where it leads.
 *
 * The public face of this folder. An exploration makes one reader for each node and calls `read`, which obeys
 * robots.txt (`robots-cache.ts`), waits for its turn at the host (`politeness.ts`), fetches (`fetch.ts`) and
 * reads the document (`page.ts`). It keeps nothing but caches: what was read is the caller's to store.
 */
export { type Clock, systemClock } from "./clock.ts";
export type { PageLink } from "./links.ts";
export type { FetchedListing } from "./listing-fetch.ts";
export { type FailedRead, isOverload, type SkippedRead, type SkipReason } from "./outcome.ts";
export { type PageSource, type ReadPage, readPage } from "./page.ts";
export type { AskHost } from "./politeness.ts";
export {
  createReader,
  type FetchedPage,
  outOfScope,
  type Reader,
  type ReaderOptions,
  type ReadOptions,
  type ReadOutcome,
} from "./reader.ts";
export type { PageRelations, RelationHeaders, Relative } from "./relations.ts";
export { type ReadTable, readTables } from "./tables.ts";
