/**
 * The rows of the knowledge graph: what a step may write and a query may read. Identities are arrays, so that
 * a map, a job or a website is a key range. Edges are SurrealDB relations, and times are milliseconds since
 * the epoch.
 */

export type KnowledgeId = string;
export type JobId = string;
/**
 * A URL normalised for finding duplicates (see `exploration/normalise-url.ts`). `url` is the form that was
 * fetched and is shown.
 */
export type UrlKey = string;

export type JobStatus = "queued" | "running" | "paused" | "completed" | "cancelled" | "failed";

/** A map of one or several sites. */
export interface KnowledgeRecord {
  readonly id: KnowledgeId;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A site inside a map. A map may contain several sites. */
export interface WebsiteRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly base_url: string;
}

/** The row by which lists show an exploration. The counters of the exploration are stored in its actor. */
export interface JobRecord {
  readonly id: JobId;
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly status: JobStatus;
  readonly start_url: string;
  readonly started_at: number;
  readonly updated_at: number;
}

/**
 * The state of a URL that a job knows. `held`: waits because `max_pages` is reached. `skipped`: not a
 * separate page.
 */
export type FrontierState = "queued" | "held" | "done" | "failed" | "skipped";

/** A URL that a job knows. These rows are the queue of the crawl and the job's list of pages. */
export interface FrontierRecord {
  readonly id: readonly [JobId, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
  /**
   * A number that states the order in which URLs were found. A breadth-first crawl takes the lowest number at
   * the lowest depth, and a depth-first crawl the highest.
   */
  readonly seq: number;
  readonly state: FrontierState;
  readonly attempts: number;
  /** Earliest time of the next attempt, after the backoff of a retry. */
  readonly not_before: number;
  /**
   * Key of the page that has the content of this URL. For a `skipped` URL, it is the page to which the URL
   * redirects.
   */
  readonly page_key: UrlKey | null;
  readonly error: string | null;
}

/**
 * A note in which a crawl stores what it has learned, under a name. The notes `family:<template>` and
 * `oddities` are JSON of `exploration/trap-watch.ts`; `listings` (JSON) and `site` (a URL) are written by the
 * crawl itself.
 */
export interface CrawlNoteRecord {
  readonly id: readonly [JobId, string];
  readonly job_id: JobId;
  readonly note: string;
}

/** A URL that a job does not follow, for now or permanently, because its template looks like a trap. */
export interface LeftRecord {
  /** The id consists of the job, the `templateName` and the URL's key. */
  readonly id: readonly [JobId, string, UrlKey];
  readonly job_id: JobId;
  readonly url: string;
  readonly depth: number;
}

/** The controls that distinguish a page from others. The signature of a screen is made from them. */
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

/** A control or link, with data to find it again: CSS selector, XPath and fingerprint. */
export interface Control {
  readonly role: string;
  readonly name: string;
  readonly selector: string;
  readonly xpath: string;
  /** More facts by which the control is found on a changed page: tag, id, name, type, href, landmark. */
  readonly attributes: Readonly<Record<string, string>>;
  /** `false`: other controls of the page have the same role and name. Absent otherwise. */
  readonly alone?: boolean;
  /** Restrictions of the value, for a field that states them; absent otherwise. */
  readonly constraints?: FieldConstraints;
}

/** The values that a field accepts, as its HTML states them. */
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
  /** Texts of the options of a select list. */
  readonly options?: readonly string[];
  /**
   * Index of the form to which the field belongs, counted from 0. Present only if the page has several forms.
   */
  readonly form?: number;
  /**
   * Position of the field in its form, counted from 1. Present only for a field without a name, a label and
   * an id.
   */
  readonly position?: number;
}

/** JSON as it is stored from a page's structured data, without `null` values. */
export type StructuredValue =
  | string
  | number
  | boolean
  | readonly StructuredValue[]
  | { readonly [name: string]: StructuredValue };

/** The structured data of a page. Its size is limited by `readingLimits.structured`. */
export interface StructuredData {
  /** Properties such as `og:…` and `article:…`, by name. */
  readonly open_graph: Readonly<Record<string, StructuredValue>>;
  readonly twitter: Readonly<Record<string, StructuredValue>>;
  readonly json_ld: readonly StructuredValue[];
  /** Microdata items in the form of JSON-LD, with their types as `@type`. */
  readonly microdata: readonly StructuredValue[];
}

/** One breadcrumb: a step from the site's start page to a page. */
export interface Crumb {
  readonly name: string;
  readonly url: string | null;
}

/**
 * What is known about a page besides its content. A field is empty or `null` if the page has no such data.
 */
export interface PageMetadata {
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly site_name: string | null;
  /** Date or time of publication (ISO 8601), as precise as the page states it. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** The absolute URL of the image that represents the page. */
  readonly image: string | null;
  /** Images in the content that have a description. */
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  /** Tables in the content. Their cells are in the Markdown. */
  readonly tables: readonly PageTable[];
  /** The breadcrumbs that the page shows, from the site's start page to this page, without this page. */
  readonly breadcrumbs: readonly Crumb[];
  readonly structured: StructuredData;
}

export interface PageTable {
  readonly caption: string | null;
  /** Texts of the header row; empty when the table has none. */
  readonly columns: readonly string[];
  /** Number of rows of the table, without the header row. */
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
  /** The main content of the page as Markdown. */
  readonly content: string;
  /** The SHA-256 hash of `content`. */
  readonly content_hash: string;
  /**
   * The `simHash` of `content` (exploration/simhash.ts). Absent for a page without words, and in older rows.
   */
  readonly signature?: string;
  readonly chunk_type: "webpage";
  readonly media_type: string;
  readonly http_status: number;
  readonly depth: number;
  readonly bytes: number;
  readonly fetched_at: number;
  /** JSON of `PageControls`. */
  readonly controls: string;
  /** The sketch of the page's structure (knowledge/structure-sketch.ts). Absent in older rows. */
  readonly structure?: string;
  /**
   * JSON of the page's `PageLink`s, stored with the page. The map derives edges from them after the crawl has
   * stored it.
   */
  readonly links: string;
  readonly internal_links: number;
  readonly external_links: number;
  /**
   * JSON of URLs that the page names in addition to its links, such as the next page of a series or other
   * languages. They are followed but cannot be clicked. Absent when there are none.
   */
  readonly relatives?: string;
  /** How the page was read, and why. Absent in older rows. */
  readonly rendered_by?: "http" | "browser";
  readonly render_reason?: string;
  /** JSON of `PageMetadata`. Absent in older rows. */
  readonly metadata?: string;
}

/** A link of a page with the element to click. There is one for each distinct target. */
export interface PageLink {
  readonly url: string;
  readonly kind: "internal" | "external";
  /** The visible text of the link. */
  readonly text: string;
  /** The element to click, or the frame that shows the target. */
  readonly control: Control;
  /** The target is shown in a frame of this page, so it cannot be clicked. */
  readonly framed?: true;
  /** The page requests that the link is not followed. Only a job that ignores such requests follows it. */
  readonly nofollow?: true;
}

/** The edge page -links_to-> page. There is one edge for each pair of pages. */
export interface LinkRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, UrlKey];
  readonly kind: PageLink["kind"];
  readonly from_url: string;
  readonly to_url: string;
  readonly text: string;
}

/**
 * A stored page that waits to become part of a map. The map's actor removes the row after ingesting the page.
 * The last part of the id is the URL that was read, which redirects to `page_key` if the two differ.
 */
export interface IngestRecord {
  readonly id: readonly [KnowledgeId, JobId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly job_id: JobId;
  readonly page_key: UrlKey;
  /** `map`: the page is not a screen yet. `index`: it is a screen, but not searchable yet. */
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

/**
 * One instance of a screen: what one address shows. When the instance belongs to a group, its `screen_id`
 * also finds the group.
 */
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
  /** JSON of the page's breadcrumbs (`Crumb`); empty without breadcrumbs. */
  readonly trail: string;
  /** The sketch of the page's structure (knowledge/structure-sketch.ts). Absent in older rows. */
  readonly structure?: string;
  readonly updated_at: number;
}

/**
 * A screen with several instances, as a person would count screens. A screen with one instance has only its
 * `screen` row.
 */
export interface ScreenGroupRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly website_id: string;
  readonly screen_id: string;
  readonly name: string;
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  /** The address of the page (instance) that represents the screen. */
  readonly url: string;
  /** The id of the page (instance) that represents the screen. */
  readonly example: string;
  readonly url_patterns: readonly string[];
  /** For each pattern, the template as a person reads it, with the names of its groups: `/orders/{order}`. */
  readonly templates: readonly string[];
  /** JSON of `StateSignature`. */
  readonly state_signature: string;
  readonly instances: number;
  /** Former ids of screens whose pages (instances) now belong to this screen. */
  readonly aliases: readonly string[];
  readonly updated_at: number;
}

/** The edge screen -instance_of-> screen_group. */
export interface InstanceOfRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** The edge page -shows-> screen. */
export interface ShowsRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, string];
}

/** An action that a screen offers, such as a button, an input or a form. Plain links are no actions. */
export interface ActionRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly action_id: string;
  readonly action_type: string;
  readonly name: string;
  /** JSON of `Control`. */
  readonly target: string;
}

/** The edge screen -offers-> action. */
export interface OffersRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** The edge screen -transition-> screen, with the action that causes it. */
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
  /** Why the transition was inferred. */
  readonly reasoning?: string;
  /**
   * The action before the inference, which is restored when the inference is refuted. Absent when there was
   * no transition.
   */
  readonly before?: string;
  /**
   * The part of the row's id that identifies the transition among those of its source screen
   * (knowledge/edge-id.ts). Absent when the screen has only one transition to the target; the id then
   * contains the target's id.
   */
  readonly via?: string;
  /** How the transition was first seen; absent in older rows. */
  readonly source?: TransitionSource;
  /**
   * Time when the link or control was last seen, or when the transition was last taken, in milliseconds since
   * the epoch. Absent in older rows.
   */
  readonly seen_at?: number;
}

/** `http` and `rendered`: a link of a page. `interactive`: a control that an exploration pressed. */
export const transitionSources = [
  "http",
  "rendered",
  "interactive",
  "recorded",
  "ingested",
  "inferred",
] as const;
export type TransitionSource = (typeof transitionSources)[number];

/** The kinds of documents, by the way they are read. */
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

/** An ingested document, from which passages and tasks come. */
export interface SourceRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly source_id: string;
  /** Name of the file, or the address of the document. */
  readonly name: string;
  /** The address of the document; empty for an upload. */
  readonly url: string;
  readonly kind: DocumentKind;
  readonly media_type: string;
  readonly title: string;
  /** The content type that most of the document's passages have. */
  readonly content_type: ContentType;
  /**
   * A fingerprint of the document's bytes. When a document is ingested again, passages and tasks with an
   * earlier revision are removed.
   */
  readonly revision: string;
  readonly bytes: number;
  readonly chunks: number;
  readonly tasks: number;
  /** JSON of `DocumentStatistics`. */
  readonly statistics: string;
  /** `stored`: the document is not searchable yet. `removed`: its passages are being deleted. */
  readonly status: "stored" | "ready" | "removed";
  readonly ingested_at: number;
}

/** A passage of a document. Its key starts with the source and the revision. */
export interface ChunkRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly source_id: string;
  readonly revision: string;
  readonly chunk_type: "document" | "transcript" | "api";
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
  /** The headings above the passage, starting with the document's title. */
  readonly title: string;
  readonly content: string;
  /** The place in the document as a person reads it: `page 3`, `line 40`, `00:01:05`. */
  readonly location: string;
  /** The address that shows the passage; empty for an upload. */
  readonly url: string;
}

/** The edge chunk -about-> screen: the passage names the screen. */
export interface AboutRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/**
 * A task that a document, a recording or a model describes. Tasks for forms are not stored, but derived from
 * the map.
 */
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

/** The searchable text of a page, a passage or a task. This is the only table with full-text indexes. */
export interface PageTextRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly url_words: string;
  readonly body: string;
}

/**
 * The vector of a searchable text, computed by an embedding model. The map's effect `embed` writes it; a step
 * that changes the text removes it.
 */
export interface TextVectorRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly vector: readonly number[];
}

/** The saved state of a browser session. Its id is the room name of the session. */
export interface SessionStateRecord {
  readonly id: string;
  /** Start time of the session. It distinguishes the session from earlier ones with the same room name. */
  readonly epoch: number;
  /** JSON of `OpenPart`. */
  readonly open: string;
  /** JSON of `SavedSession`, encrypted. */
  readonly sealed: string;
  readonly at: number;
}

/** The outcome of a session's action. The id consists of the room name and the command's id. */
export interface ActionOutcomeRecord {
  readonly id: readonly [string, string];
  /** JSON of `ActionOutcome`. */
  readonly body: string;
  readonly at: number;
}

/** A message of a dialogue. The id consists of the dialogue's id and the message's number. */
export interface DialogueMessageRecord {
  readonly id: readonly [string, number];
  /** JSON of `DialogueMessage`. */
  readonly body: string;
  readonly at: number;
}

/** An article or a decision of a navigation run. The id consists of the run's id and a number. */
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
  /** Time of the end; absent while the recording runs. */
  readonly ended_at?: number;
}

/** A recorded action. The id consists of the recording's id and the position in the recording. */
export interface RecordingStepRecord {
  readonly id: readonly [string, number];
  /** JSON of `RecordedStep`. */
  readonly body: string;
  readonly at: number;
}

/** Node tables, with the type of each one's rows. */
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

/** Edge tables, with the type of each one's rows. */
export interface EdgeTables {
  links_to: LinkRecord;
  shows: ShowsRecord;
  instance_of: InstanceOfRecord;
  offers: OffersRecord;
  about: AboutRecord;
  transition: TransitionRecord;
}
