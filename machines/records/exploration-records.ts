/** Rows of explorations: jobs, their URLs and notes, and stored pages that a map has yet to ingest. */
import type { JobId, KnowledgeId, UrlKey } from "./record-ids.ts";

export type JobStatus = "queued" | "running" | "paused" | "completed" | "cancelled" | "failed";

/**
 * The row of an exploration in the list of explorations. The exploration's counters are stored in its actor.
 */
export interface JobRecord {
  readonly id: JobId;
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly status: JobStatus;
  readonly start_url: string;
  /** The role of the account with which the job signs in. Absent if the request names no role. */
  readonly role?: string;
  readonly started_at: number;
  readonly updated_at: number;
}

/**
 * The state of a URL that a job knows. `held`: the URL waits because `max_pages` is reached. `skipped`: the
 * URL is not a page of its own, for example because it redirects.
 */
export type FrontierState = "queued" | "held" | "done" | "failed" | "skipped";

/** A URL that a job knows. These rows are the queue of the crawl and the job's list of pages. */
export interface FrontierRecord {
  readonly id: readonly [JobId, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
  /**
   * The number of the URL in the order of discovery. A breadth-first crawl reads the lowest number at the
   * lowest depth first, and a depth-first crawl the highest number.
   */
  readonly seq: number;
  readonly state: FrontierState;
  readonly attempts: number;
  /** Earliest time of the next attempt to read the URL. A failed read is retried after a pause. */
  readonly not_before: number;
  /**
   * Key of the page that has the content of this URL; `null` if there is none. For a URL with the state
   * `skipped`, it is the key of the page to which the URL redirects.
   */
  readonly page_key: UrlKey | null;
  readonly error: string | null;
}

/**
 * A named note in which a crawl stores what it has learned about the site. The notes are `family:<template>`
 * (about similar URLs), `oddities` (redirect loops and not-found pages), `listings` and `site`. All contain
 * JSON, except `site`, which contains a URL.
 */
export interface CrawlNoteRecord {
  readonly id: readonly [JobId, string];
  readonly job_id: JobId;
  readonly note: string;
}

/**
 * A URL that a job does not follow, because the URL's template looks like a crawler trap. The job may follow
 * the URL later.
 */
export interface LeftRecord {
  /** The id of the row consists of the job, the `templateName` of the URL and the URL's key. */
  readonly id: readonly [JobId, string, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
}

/**
 * A stored page that waits to be ingested by a map. The map's actor removes the row after ingesting the page.
 * The last part of the id is the URL that was read; if it differs from `page_key`, that URL redirects to the
 * page.
 */
export interface IngestRecord {
  readonly id: readonly [KnowledgeId, JobId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly job_id: JobId;
  readonly page_key: UrlKey;
  /**
   * What the map has yet to do with the page. `map`: the page is not a screen of the map yet. `index`: the
   * page is a screen, but not searchable yet.
   */
  readonly phase: "map" | "index";
  readonly seq: number;
}
