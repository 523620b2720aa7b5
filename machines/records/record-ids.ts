/** The ids of maps, jobs and URLs in the rows of the store. */

export type KnowledgeId = string;

export type JobId = string;

/**
 * The deduplication key of a URL (see `exploration/crawl/normalise-url.ts`). The URL itself, as it was
 * fetched, is stored in `url`.
 */
export type UrlKey = string;
