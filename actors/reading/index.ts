/**
 * Reading: a page over HTTP, from its URL to what it says and where it leads.
 *
 * The public face of this folder. An exploration makes one reader for each node and calls `read`, which obeys
 * robots.txt (`robots-cache.ts`), waits for its turn at the host (`politeness.ts`), fetches (`fetch.ts`) and
 * reads the document (`page.ts`). It keeps nothing but caches: what was read is the caller's to store.
 */
export type { PageLink, ReadPage } from "./page.ts";
export { createReader } from "./reader.ts";
export type {
  FailedRead,
  FetchedPage,
  Reader,
  ReaderOptions,
  ReadOptions,
  ReadOutcome,
  SkippedRead,
  SkipReason,
} from "./reader.ts";
