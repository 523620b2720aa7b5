/**
 * The records of the knowledge graph: what a step may write and a query may read.
 *
 * Identities are arrays, so that a map, a job or a website is a key range. Nodes are `page`, `screen`,
 * `action`, `job`, `frontier`, …; edges are SurrealDB relations (`links_to`, `shows`, `offers`, `transition`).
 * Times are milliseconds since the epoch. How they are stored is `store/`'s business.
 */

export type KnowledgeId = string;
export type JobId = string;
/** The dedupe form of a URL (see `exploration/url.ts`); `url` beside it is what was fetched and is shown. */
export type UrlKey = string;

export type JobStatus = "queued" | "running" | "paused" | "completed" | "cancelled" | "failed";

/** One map. */
export interface KnowledgeRecord {
  readonly id: KnowledgeId;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A site inside a map (a map may hold several). */
export interface WebsiteRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly base_url: string;
}

/** An exploration as lists show it; its counters live in the actor. */
export interface JobRecord {
  readonly id: JobId;
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly status: JobStatus;
  readonly start_url: string;
  readonly started_at: number;
  readonly updated_at: number;
}

/** What became of a known URL of a job. `held` waits for room under `max_pages`; `skipped` was no page of its own. */
export type FrontierState = "queued" | "held" | "done" | "failed" | "skipped";

/** A URL that a job knows. The crawl's memory, and the job's list of pages. */
export interface FrontierRecord {
  readonly id: readonly [JobId, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
  /** The order of discovery: breadth-first takes the lowest of the lowest depth, depth-first the highest. */
  readonly seq: number;
  readonly state: FrontierState;
  readonly attempts: number;
  /** Not before this moment (a retry's backoff). */
  readonly not_before: number;
  /** Where the content was stored; of a `skipped` row: the page it redirects to. */
  readonly page_key: UrlKey | null;
  readonly error: string | null;
}

/**
 * What a job has learnt on its way, beside the frontier, by name. `family:<template>` and `oddities` are JSON of
 * `exploration/trap-watch.ts`; `listings` (JSON) and `site` (a URL) are the crawl's.
 */
export interface CrawlNoteRecord {
  readonly id: readonly [JobId, string];
  readonly job_id: JobId;
  readonly note: string;
}

/** A URL that a job knows and leaves out, for now or for good, because its template looks like a trap. */
export interface LeftRecord {
  /** Job, `templateName`, key. */
  readonly id: readonly [JobId, string, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
}

/** What a page shows that tells it from others: the material for a screen's signature. */
export interface PageControls {
  readonly headings: readonly string[];
  readonly buttons: readonly Control[];
  readonly inputs: readonly Control[];
  readonly forms: readonly {
    readonly action: string;
    readonly method: string;
    readonly fields: readonly string[];
  }[];
}

/** A control or link as it can be found again: a CSS selector, an XPath and a fingerprint. */
export interface Control {
  readonly role: string;
  readonly name: string;
  readonly selector: string;
  readonly xpath: string;
  /** Further facts that help to find it when the page changed: tag, id, name, type, href, landmark. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** JSON as it is kept of what a page tells machines; `null` is left out. */
export type StructuredValue =
  | string
  | number
  | boolean
  | readonly StructuredValue[]
  | { readonly [name: string]: StructuredValue };

/** What a page tells machines about itself, within `readingLimits.structured`. */
export interface StructuredData {
  /** `og:…`, `article:…` and their like, by name. */
  readonly open_graph: Readonly<Record<string, StructuredValue>>;
  readonly twitter: Readonly<Record<string, StructuredValue>>;
  readonly json_ld: readonly StructuredValue[];
  /** Items in the form of JSON-LD: their types as `@type` beside their properties. */
  readonly microdata: readonly StructuredValue[];
}

/** One step of the way from a site's start to a page. */
export interface Crumb {
  readonly name: string;
  readonly url: string | null;
}

/** What is known of a page besides its content. Empty and `null` where the page says nothing. */
export interface PageMetadata {
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly site_name: string | null;
  /** ISO 8601, a date or a moment, as exact as the page says it. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** The image that stands for the page, absolute. */
  readonly image: string | null;
  /** Images of the content that are described. */
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  /** Tables of the content; their cells are in its Markdown. */
  readonly tables: readonly PageTable[];
  /** From the site's start to the page, itself left out, as the page shows it. */
  readonly breadcrumbs: readonly Crumb[];
  readonly structured: StructuredData;
}

export interface PageTable {
  readonly caption: string | null;
  /** Texts of the header row; empty when there is none. */
  readonly columns: readonly string[];
  /** Without the header row. */
  readonly rows: number;
}

export interface PageRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly job_id: JobId;
  readonly url: string;
  readonly title: string;
  readonly language: string | null;
  readonly headings: readonly string[];
  /** Main content as Markdown. */
  readonly content: string;
  /** SHA-256 of `content`. */
  readonly content_hash: string;
  /** `simHash` of `content` (exploration/simhash.ts); absent without words, or from before it was kept. */
  readonly signature?: string;
  readonly chunk_type: "webpage";
  readonly media_type: string;
  readonly http_status: number;
  readonly depth: number;
  readonly bytes: number;
  readonly fetched_at: number;
  /** JSON of `PageControls`. */
  readonly controls: string;
  /** JSON of the page's `PageLink`s: where it leads, durable with the page. The map makes edges of them behind the crawl. */
  readonly links: string;
  readonly internal_links: number;
  readonly external_links: number;
  /**
   * JSON of the URLs that the page names beside its links (the next of a series, itself in other languages):
   * followed like links, but nothing to click. Absent when there are none.
   */
  readonly relatives?: string;
  /** How the page was read, and why so, in words; absent in pages from before either could be chosen. */
  readonly rendered_by?: "http" | "browser";
  readonly render_reason?: string;
  /** JSON of `PageMetadata`; absent from pages of before it was kept. */
  readonly metadata?: string;
}

/** Where a page leads, once for each distinct target, and the element to click for it. */
export interface PageLink {
  readonly url: string;
  readonly kind: "internal" | "external";
  /** What a person reads on it. */
  readonly text: string;
  /** The element to click, or the frame. */
  readonly control: Control;
  /** A page shown inside this one: part of it, and nothing to click. */
  readonly framed?: true;
  /** The page asks not to follow it: kept, but followed only by a job that does not respect such wishes. */
  readonly nofollow?: true;
}

/** page -links_to-> page. One edge for each distinct pair. */
export interface LinkRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, UrlKey];
  readonly kind: PageLink["kind"];
  readonly from_url: string;
  readonly to_url: string;
  readonly text: string;
}

/**
 * A stored page that the map has not taken in yet; the knowledge actor removes it when it has. The id's last part
 * is the URL that was read: where it differs from `page_key`, it redirects there.
 */
export interface IngestRecord {
  readonly id: readonly [KnowledgeId, JobId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly job_id: JobId;
  readonly page_key: UrlKey;
  /** `map`: not a screen yet; `index`: a screen, not searchable yet. */
  readonly phase: "map" | "index";
  readonly seq: number;
}

export type ContentType = "web_ui" | "documentation" | "video_transcript" | "api_docs" | "unknown";

export interface Indicator {
  readonly type: "dom_contains" | "url_matches";
  readonly value?: string;
  readonly pattern?: string;
  readonly selector?: string;
  readonly reason: string;
}

export interface StateSignature {
  readonly required_indicators: readonly Indicator[];
  readonly optional_indicators: readonly Indicator[];
}

export interface ScreenRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly screen_id: string;
  readonly name: string;
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  readonly url: string;
  readonly page_key: UrlKey;
  readonly url_patterns: readonly string[];
  /** JSON of `StateSignature`. */
  readonly state_signature: string;
  /** JSON of the `Crumb`s that its page shows; empty where it shows none. */
  readonly trail: string;
  readonly updated_at: number;
}

/** page -shows-> screen. */
export interface ShowsRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, string];
}

/** Something one can do on a screen that is not a plain link: a button, an input, a form. */
export interface ActionRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly action_id: string;
  readonly action_type: string;
  readonly name: string;
  /** JSON of `Control`. */
  readonly target: string;
}

/** screen -offers-> action. */
export interface OffersRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** screen -transition-> screen, with the act that makes it. */
export interface TransitionRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  /** JSON of `{ action_type, name, target: Control, url }`. */
  readonly action: string;
  readonly successes: number;
  readonly failures: number;
  readonly inferred: boolean;
  readonly confidence: number;
}

/** The searchable copy of a page, the only table with full-text indexes. */
export interface PageTextRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly url_words: string;
  readonly body: string;
}

/** What a browser session comes back from; the id is its room. */
export interface SessionStateRecord {
  readonly id: string;
  /** When the session was started: tells it from others that had the room before. */
  readonly epoch: number;
  /** JSON of `OpenPart`. */
  readonly open: string;
  /** JSON of `SavedSession`, sealed. */
  readonly sealed: string;
  readonly at: number;
}

/** Acts of a session that are recorded. */
export interface RecordingRecord {
  readonly id: string;
  readonly room_name: string;
  readonly name: string;
  readonly started_at: number;
  /** Absent while it is made. */
  readonly ended_at?: number;
}

/** A recorded act; the id is the recording's and its place in it. */
export interface RecordingStepRecord {
  readonly id: readonly [string, number];
  /** JSON of `RecordedStep`. */
  readonly body: string;
  readonly at: number;
}

/** Node tables and the rows each takes. */
export interface NodeTables {
  knowledge: KnowledgeRecord;
  website: WebsiteRecord;
  job: JobRecord;
  frontier: FrontierRecord;
  crawl_note: CrawlNoteRecord;
  left_url: LeftRecord;
  page: PageRecord;
  ingest: IngestRecord;
  screen: ScreenRecord;
  action: ActionRecord;
  page_text: PageTextRecord;
  session_state: SessionStateRecord;
  recording: RecordingRecord;
  recording_step: RecordingStepRecord;
}

/** Edge tables and the rows each takes. */
export interface EdgeTables {
  links_to: LinkRecord;
  shows: ShowsRecord;
  offers: OffersRecord;
  transition: TransitionRecord;
}
