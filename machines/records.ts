/**
 * The records of the knowledge graph: what a step may write and a query may read.
 * Identities are arrays, so a map, a job or a website is a key range. Edges are SurrealDB relations; times
 * are
 * milliseconds since the epoch.
 */

export type KnowledgeId = string;
export type JobId = string;
/**
 * The normalised form of a URL, for deduplication (see `exploration/normalise-url.ts`). `url` is the form that was
 * fetched and is shown.
 */
export type UrlKey = string;

export type JobStatus = "queued" | "running" | "paused" | "completed" | "cancelled" | "failed";

/** One map. */
export interface KnowledgeRecord {
  readonly id: KnowledgeId;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A site inside a map. A map may hold several. */
export interface WebsiteRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly base_url: string;
}

/** An exploration as lists show it. Its counters are in the actor. */
export interface JobRecord {
  readonly id: JobId;
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly status: JobStatus;
  readonly start_url: string;
  readonly started_at: number;
  readonly updated_at: number;
}

/** The state of a known URL of a job. `held` waits for room under `max_pages`; `skipped` is not a page of its own. */
export type FrontierState = "queued" | "held" | "done" | "failed" | "skipped";

/** A URL that a job knows: the frontier of the crawl, and the job's list of pages. */
export interface FrontierRecord {
  readonly id: readonly [JobId, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
  /** Order of discovery. Breadth-first takes the lowest of the lowest depth, depth-first the highest. */
  readonly seq: number;
  readonly state: FrontierState;
  readonly attempts: number;
  /** Earliest time of the next attempt (the backoff of a retry). */
  readonly not_before: number;
  /** Where the content was stored. For a `skipped` row: the page it redirects to. */
  readonly page_key: UrlKey | null;
  readonly error: string | null;
}

/**
 * What a job has learned beside its frontier, by name. `family:<template>` and `oddities` are JSON of
 * `exploration/trap-watch.ts`; `listings` (JSON) and `site` (a URL) belong to the crawl.
 */
export interface CrawlNoteRecord {
  readonly id: readonly [JobId, string];
  readonly job_id: JobId;
  readonly note: string;
}

/** A URL that a job leaves out, temporarily or for good, because its template looks like a trap. */
export interface LeftRecord {
  /** Job, `templateName`, key. */
  readonly id: readonly [JobId, string, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
}

/** What distinguishes a page from others: the input of a screen's signature. */
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

/** A control or link with the data to find it again: CSS selector, XPath and fingerprint. */
export interface Control {
  readonly role: string;
  readonly name: string;
  readonly selector: string;
  readonly xpath: string;
  /** More facts that help to find it on a changed page: tag, id, name, type, href, landmark. */
  readonly attributes: Readonly<Record<string, string>>;
  /** `false`: other controls of the page have its role and name. Absent otherwise. */
  readonly alone?: boolean;
  /** Of a field that says what it accepts; absent otherwise. */
  readonly constraints?: FieldConstraints;
}

/** What a field accepts, as its markup says it. */
export interface FieldConstraints {
  readonly required?: true;
  readonly multiple?: true;
  readonly pattern?: string;
  readonly min?: string;
  readonly max?: string;
  readonly min_length?: string;
  readonly max_length?: string;
  readonly step?: string;
  readonly accept?: string;
  /** Texts of the options of a list. */
  readonly options?: readonly string[];
  /** Which form of the page it belongs to, counted from 0; only on a page with several. */
  readonly form?: number;
  /** Its position in the form, from 1, of a field without a name, a label and an id. */
  readonly position?: number;
}

/** JSON as stored from a page's structured data, without `null` values. */
export type StructuredValue =
  | string
  | number
  | boolean
  | readonly StructuredValue[]
  | { readonly [name: string]: StructuredValue };

/** The structured data of a page, within `readingLimits.structured`. */
export interface StructuredData {
  /** `og:…`, `article:…` and similar properties, by name. */
  readonly open_graph: Readonly<Record<string, StructuredValue>>;
  readonly twitter: Readonly<Record<string, StructuredValue>>;
  readonly json_ld: readonly StructuredValue[];
  /** Items in the form of JSON-LD, with their types as `@type`. */
  readonly microdata: readonly StructuredValue[];
}

/** One breadcrumb: a step from the site's start page to a page. */
export interface Crumb {
  readonly name: string;
  readonly url: string | null;
}

/** What is known about a page besides its content. Empty or `null` where the page has no such data. */
export interface PageMetadata {
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly site_name: string | null;
  /** ISO 8601: a date or a time, as precise as the page states it. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** The absolute URL of the image that represents the page. */
  readonly image: string | null;
  /** Content images that have a description. */
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  /** Tables of the content. Their cells are in the Markdown. */
  readonly tables: readonly PageTable[];
  /** From the site's start page to this page, excluding it, as the page shows it. */
  readonly breadcrumbs: readonly Crumb[];
  readonly structured: StructuredData;
}

export interface PageTable {
  readonly caption: string | null;
  /** Texts of the header row; empty without one. */
  readonly columns: readonly string[];
  /** Number of rows, excluding the header row. */
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
  /** `simHash` of `content` (exploration/simhash.ts). Absent without words, and in older rows. */
  readonly signature?: string;
  readonly chunk_type: "webpage";
  readonly media_type: string;
  readonly http_status: number;
  readonly depth: number;
  readonly bytes: number;
  readonly fetched_at: number;
  /** JSON of `PageControls`. */
  readonly controls: string;
  /** The sketch of its structure (machines/knowledge/structure-sketch.ts). Absent in older rows. */
  readonly structure?: string;
  /** JSON of the page's `PageLink`s, stored with the page. The map derives edges from them behind the crawl. */
  readonly links: string;
  readonly internal_links: number;
  readonly external_links: number;
  /**
   * JSON of URLs that the page names beside its links (next page of a series, other languages). They are
   * followed but cannot be clicked. Absent when there are none.
   */
  readonly relatives?: string;
  /** How the page was read, and why. Absent in rows from before there was a choice. */
  readonly rendered_by?: "http" | "browser";
  readonly render_reason?: string;
  /** JSON of `PageMetadata`. Absent in older rows. */
  readonly metadata?: string;
}

/** A link of a page: one for each distinct target, with the element to click. */
export interface PageLink {
  readonly url: string;
  readonly kind: "internal" | "external";
  /** The visible text. */
  readonly text: string;
  /** The element to click, or the frame. */
  readonly control: Control;
  /** The target is shown in a frame of this page and cannot be clicked. */
  readonly framed?: true;
  /** The page asks not to follow the link. Only a job that ignores such requests follows it. */
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
 * A stored page that is not in the map yet; the knowledge actor removes the row after ingesting it. The last
 * part of the id is the URL that was read; it redirects to `page_key` when the two differ.
 */
export interface IngestRecord {
  readonly id: readonly [KnowledgeId, JobId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly job_id: JobId;
  readonly page_key: UrlKey;
  /** `map`: not a screen yet. `index`: a screen, not searchable yet. */
  readonly phase: "map" | "index";
  readonly seq: number;
}

export const contentTypes = ["web_ui", "documentation", "video_transcript", "api_docs", "unknown"] as const;
export type ContentType = (typeof contentTypes)[number];

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

/** One instance of a screen: what one address showed. Its `screen_id` is always an alias of the screen. */
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
  /** JSON of the page's breadcrumbs (`Crumb`); empty without any. */
  readonly trail: string;
  /** The sketch of the page's structure (knowledge/structure-sketch.ts). Absent in older rows. */
  readonly structure?: string;
  readonly updated_at: number;
}

/**
 * A screen with several instances, as a person would count them. A screen with one instance has no row here: its
 * `screen` row is both.
 */
export interface ScreenGroupRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly screen_id: string;
  readonly name: string;
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  /** The address of the instance that represents the screen. */
  readonly url: string;
  /** The id of the instance that represents the screen. */
  readonly example: string;
  readonly url_patterns: readonly string[];
  /** For each pattern the template for people, with the names of its groups: `/orders/{order}`. */
  readonly templates: readonly string[];
  /** JSON of `StateSignature`. */
  readonly state_signature: string;
  readonly instances: number;
  /** Former ids of screens whose instances belong to this one. */
  readonly aliases: readonly string[];
  readonly updated_at: number;
}

/** screen -instance_of-> screen_group. */
export interface InstanceOfRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** page -shows-> screen. */
export interface ShowsRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, string];
}

/** An action that a screen offers and that is not a plain link: a button, an input, a form. */
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

/** screen -transition-> screen, with the action that causes it. */
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
  /** Why it was inferred. */
  readonly reasoning?: string;
  /** The action before the inference, which a refutation brings back. Absent: there was no transition. */
  readonly before?: string;
  /** What leads there as a part of the row's id (knowledge/edge-id.ts); absent: `out`, of the only way there. */
  readonly via?: string;
  /** Where it was seen first; absent in older rows. */
  readonly source?: TransitionSource;
  /** Milliseconds since the epoch when it was last seen or taken; absent in older rows. */
  readonly seen_at?: number;
}

/** `http`, `rendered`: a link of a page. `interactive`: pressed by an exploration. */
export const transitionSources = [
  "http",
  "rendered",
  "interactive",
  "recorded",
  "ingested",
  "inferred",
] as const;
export type TransitionSource = (typeof transitionSources)[number];

/** How a document was read. */
export const documentKinds = [
  "markdown",
  "html",
  "text",
  "pdf",
  "transcript",
  "openapi",
  "recording",
  "map",
] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A document that was ingested: where its passages and tasks come from. */
export interface SourceRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly source_id: string;
  /** Name of the file, or the address. */
  readonly name: string;
  /** Empty for an upload. */
  readonly url: string;
  readonly kind: DocumentKind;
  readonly media_type: string;
  readonly title: string;
  /** The content type of most of its passages. */
  readonly content_type: ContentType;
  /** Derived from the bytes. Passages and tasks of other revisions are removed. */
  readonly revision: string;
  readonly bytes: number;
  readonly chunks: number;
  readonly tasks: number;
  /** JSON of `DocumentStatistics`. */
  readonly statistics: string;
  /** `stored`: not searchable yet. `removed`: its passages are being removed. */
  readonly status: "stored" | "ready" | "removed";
  readonly ingested_at: number;
}

/** A passage of a document. Its key begins with the source and the revision. */
export interface ChunkRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly source_id: string;
  readonly revision: string;
  readonly chunk_type: "document" | "transcript" | "api";
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  /** The headings above it, from the document's title on. */
  readonly title: string;
  readonly content: string;
  /** The place in the document for people: `page 3`, `line 40`, `00:01:05`. */
  readonly location: string;
  /** The address that shows it; empty for an upload. */
  readonly url: string;
}

/** chunk -about-> screen: the passage names the screen. */
export interface AboutRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** A task that a document, a recording or a model describes. Tasks of forms are derived from the map. */
export interface TaskRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly task_id: string;
  readonly source_id: string;
  readonly revision: string;
  readonly name: string;
  /** JSON of `TaskDefinition` (knowledge/task-definition.ts). */
  readonly body: string;
}

/** The searchable copy of a page, a passage or a task. The only table with full-text indexes. */
export interface PageTextRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly url_words: string;
  readonly body: string;
}

/** The vector of a searchable text by an embedding model. Written by the map's embedding; steps only remove it. */
export interface TextVectorRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly vector: readonly number[];
}

/** The saved state of a browser session; the id is its room. */
export interface SessionStateRecord {
  readonly id: string;
  /** Start time of the session. It distinguishes the session from earlier ones of the same room. */
  readonly epoch: number;
  /** JSON of `OpenPart`. */
  readonly open: string;
  /** JSON of `SavedSession`, encrypted. */
  readonly sealed: string;
  readonly at: number;
}

/** The outcome of a session's action. The id is the room and the id of the command. */
export interface ActionOutcomeRecord {
  readonly id: readonly [string, string];
  /** JSON of `ActionOutcome`. */
  readonly body: string;
  readonly at: number;
}

/** A message of a dialogue. The id is the dialogue and the number of the message. */
export interface DialogueMessageRecord {
  readonly id: readonly [string, number];
  /** JSON of `DialogueMessage`. */
  readonly body: string;
  readonly at: number;
}

/** An article or a decision of a navigation run. The id is the run and a number. */
export interface NavigationRecord {
  readonly id: readonly [string, number];
  /** JSON of `Article` or `Decision`. */
  readonly body: string;
  readonly at: number;
}

/** A recording of a session's actions. */
export interface RecordingRecord {
  readonly id: string;
  readonly room_name: string;
  readonly name: string;
  readonly started_at: number;
  /** Absent while the recording runs. */
  readonly ended_at?: number;
}

/** A recorded action. The id is the recording and the position in it. */
export interface RecordingStepRecord {
  readonly id: readonly [string, number];
  /** JSON of `RecordedStep`. */
  readonly body: string;
  readonly at: number;
}

/** Node tables and the rows of each. */
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
  screen_group: ScreenGroupRecord;
  action: ActionRecord;
  page_text: PageTextRecord;
  text_vector: TextVectorRecord;
  source: SourceRecord;
  chunk: ChunkRecord;
  task: TaskRecord;
  session_state: SessionStateRecord;
  action_outcome: ActionOutcomeRecord;
  dialogue_message: DialogueMessageRecord;
  navigation_article: NavigationRecord;
  navigation_decision: NavigationRecord;
  recording: RecordingRecord;
  recording_step: RecordingStepRecord;
}

/** Edge tables and the rows of each. */
export interface EdgeTables {
  links_to: LinkRecord;
  shows: ShowsRecord;
  instance_of: InstanceOfRecord;
  offers: OffersRecord;
  about: AboutRecord;
  transition: TransitionRecord;
}
