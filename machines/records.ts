/**
 * The rows of Cairn's store: what a step may write and a query may read. Ids are arrays that start with a map,
 * job or website, so all rows of a map are one key range. Edges are SurrealDB relations, and times are
 * milliseconds since the epoch.
 */

export type KnowledgeId = string;
export type JobId = string;
/**
 * The deduplication key of a URL (see `exploration/normalise-url.ts`). The URL itself, as it was fetched, is
 * stored in `url`.
 */
export type UrlKey = string;

export type JobStatus = "queued" | "running" | "paused" | "completed" | "cancelled" | "failed";

/** A map of an application. It covers one or several sites. */
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
   * Key of the page that has the content of this URL. For a URL with the state `skipped`, it is the key of
   * the page to which the URL redirects.
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

/** The controls of a page that distinguish it from other pages. The screen's signature is built from them. */
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

/** A control or link of a page, described in several ways by which it can be found again. */
export interface Control {
  readonly role: string;
  readonly name: string;
  readonly selector: string;
  readonly xpath: string;
  /**
   * More facts about the control, by which it is found on a changed page: tag, id, name, type, href,
   * landmark.
   */
  readonly attributes: Readonly<Record<string, string>>;
  /** `false` if another control of the page has the same role and name; otherwise absent. */
  readonly alone?: boolean;
  /** Constraints on the value of a field, if its HTML states any; absent otherwise. */
  readonly constraints?: FieldConstraints;
}

/** The values that a field accepts, according to its HTML. */
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
  /** Texts of the options in a select list. */
  readonly options?: readonly string[];
  /** Number of the field's form on the page, counted from 0. Present only if the page has several forms. */
  readonly form?: number;
  /**
   * Position of the field in its form, counted from 1. Present only if the field has no name, label or id.
   */
  readonly position?: number;
}

/** A JSON value in a page's structured data. `null` values are not stored. */
export type StructuredValue =
  | string
  | number
  | boolean
  | readonly StructuredValue[]
  | { readonly [name: string]: StructuredValue };

/** The structured data of a page. Its size is limited by `readingLimits.structured`. */
export interface StructuredData {
  /** Open Graph properties such as `og:…` and `article:…`, by name. */
  readonly open_graph: Readonly<Record<string, StructuredValue>>;
  readonly twitter: Readonly<Record<string, StructuredValue>>;
  readonly json_ld: readonly StructuredValue[];
  /** Microdata items in the form of JSON-LD, with their types as `@type`. */
  readonly microdata: readonly StructuredValue[];
}

/** One breadcrumb: a link on the path from the site's start page to a page. */
export interface Crumb {
  readonly name: string;
  readonly url: string | null;
}

/**
 * Metadata of a page, such as its author and language. A field is empty or `null` if the page does not state
 * it.
 */
export interface PageMetadata {
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly site_name: string | null;
  /** Publication date or time (ISO 8601), as precise as the page states it. */
  readonly published_at: string | null;
  readonly modified_at: string | null;
  /** Absolute URL of the image that the page declares for previews. */
  readonly image: string | null;
  /** Images in the content that have a description. */
  readonly images: readonly { readonly url: string; readonly alt: string }[];
  /** Tables in the content, without their cells. The cells are in the page's Markdown. */
  readonly tables: readonly PageTable[];
  /**
   * Breadcrumbs that the page shows, starting with the site's start page. The page itself is not included.
   */
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
   * The `simHash` of `content` (exploration/simhash.ts). Absent if the page has no words, and in older rows.
   */
  readonly signature?: string;
  readonly chunk_type: "webpage";
  readonly media_type: string;
  readonly http_status: number;
  readonly depth: number;
  readonly bytes: number;
  readonly fetched_at: number;
  /** The controls of the page, as JSON of `PageControls`. */
  readonly controls: string;
  /**
   * A sketch (compact signature) of the page's structure (knowledge/page-feature-sketch.ts). Absent in older
   * rows.
   */
  readonly structure?: string;
  /** JSON of the page's `PageLink`s. The map derives edges from them after the crawl has stored the page. */
  readonly links: string;
  readonly internal_links: number;
  readonly external_links: number;
  /**
   * JSON of URLs that the page declares outside of its content, such as the next page of a series or another
   * language. The crawl follows them, but they cannot be clicked. Absent when there are none.
   */
  readonly relatives?: string;
  /** Whether the page was read over HTTP or rendered, and the reason. Absent in older rows. */
  readonly rendered_by?: "http" | "browser";
  readonly render_reason?: string;
  /** The metadata of the page, as JSON of `PageMetadata`. Absent in older rows. */
  readonly metadata?: string;
  /** The role of the account that read the page; absent if the exploration names no role. */
  readonly role?: string;
}

/** A link of a page, with the element to click. A page has one entry for each URL to which it links. */
export interface PageLink {
  readonly url: string;
  readonly kind: "internal" | "external";
  /** The visible text of the link. */
  readonly text: string;
  /** The element that leads to the target: the link, or the frame in which the page shows the target. */
  readonly control: Control;
  /** Whether the page shows the target in a frame. Such a link cannot be clicked. */
  readonly framed?: true;
  /** Whether the link is marked `nofollow`. Only a job that ignores such marks follows it. */
  readonly nofollow?: true;
}

/** The edge `page -links_to-> page`. Two pages have at most one such edge in each direction. */
export interface LinkRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, UrlKey];
  readonly kind: PageLink["kind"];
  readonly from_url: string;
  readonly to_url: string;
  readonly text: string;
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
 * One instance of a screen: the page at one address. Several instances of one screen form a group. A caller
 * may use the `screen_id` of an instance as an id of its group.
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
  /** The texts and patterns by which the screen is recognised, as JSON of `StateSignature`. */
  readonly state_signature: string;
  /** JSON of the page's breadcrumbs (`Crumb`); empty without breadcrumbs. */
  readonly trail: string;
  /**
   * A sketch (compact signature) of the page's structure, as `knowledge/page-feature-sketch.ts` makes it.
   * Absent in older rows.
   */
  readonly structure?: string;
  /**
   * Id of the page or state of which this state only shows a part, such as an open section. Both are then
   * instances of one screen.
   */
  readonly part_of?: string;
  readonly updated_at: number;
}

/**
 * A screen with several instances (pages or states), which a person would count as one screen. For a screen
 * with a single instance, there is only a `screen` row and no row of this kind.
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
  /** The id of the page (instance) that is the example of the screen. */
  readonly example: string;
  readonly url_patterns: readonly string[];
  /** For each of `url_patterns`, the same pattern in readable form, such as `/orders/{order}`. */
  readonly templates: readonly string[];
  /** The texts and patterns by which the screen is recognised, as JSON of `StateSignature`. */
  readonly state_signature: string;
  readonly instances: number;
  /** Former ids of the screens and groups that were merged into this group. */
  readonly aliases: readonly string[];
  readonly updated_at: number;
}

/** The edge screen -instance_of-> screen_group, from an instance to its group. */
export interface InstanceOfRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** The edge page -shows-> screen, from a stored page to its screen. */
export interface ShowsRecord {
  readonly in: readonly [KnowledgeId, UrlKey];
  readonly out: readonly [KnowledgeId, string];
}

/**
 * An action that a screen offers by a button, an input or a form. Plain links are stored as transitions, not
 * as actions.
 */
export interface ActionRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly action_id: string;
  readonly action_type: string;
  readonly name: string;
  /** The control of the action, as JSON of `Control`. */
  readonly target: string;
  /** The roles of accounts for which the action exists. Absent if every account has it. */
  readonly roles?: readonly string[];
}

/** The edge screen -offers-> action, from a screen to one of its actions. */
export interface OffersRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/** The edge screen -transition-> screen, with the action that leads from the first screen to the second. */
export interface TransitionRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  /** The action that leads to the target, as JSON of `{ action_type, name, target: Control, url }`. */
  readonly action: string;
  readonly successes: number;
  readonly failures: number;
  readonly inferred: boolean;
  readonly confidence: number;
  /** The reason for an inferred transition; absent for an observed one. */
  readonly reasoning?: string;
  /**
   * The earlier action of the transition, which an inferred action has replaced. It is restored if the
   * inferred action turns out to be wrong. Absent if the transition had no action before, or did not exist.
   */
  readonly before?: string;
  /**
   * Distinguishes several transitions between the same two screens: the `edgeId`, which is part of the row's
   * id (knowledge/transition-id.ts). Absent for the first transition to a target, whose row id contains the
   * target's id instead.
   */
  readonly via?: string;
  /** How the transition was first observed; absent in older rows. */
  readonly source?: TransitionSource;
  /**
   * Time at which the link or control was last seen or the transition was last used, in milliseconds since
   * the epoch. Absent in older rows.
   */
  readonly seen_at?: number;
  /** The roles of accounts for which the transition exists; absent if it exists for everybody. */
  readonly roles?: readonly string[];
}

/**
 * How a transition was observed. `http` and `rendered`: as a link of a page. `interactive`: an exploration
 * pressed a control.
 */
export const transitionSources = [
  "http",
  "rendered",
  "interactive",
  "recorded",
  "ingested",
  "inferred",
] as const;
export type TransitionSource = (typeof transitionSources)[number];

/** The kinds of documents that can be ingested. The kind determines how the document is parsed. */
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

/** An ingested document. Its passages and tasks are stored in rows of their own. */
export interface SourceRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly source_id: string;
  /** File name of an uploaded document, or its address. */
  readonly name: string;
  /** The address of the document; empty for an upload. */
  readonly url: string;
  readonly kind: DocumentKind;
  readonly media_type: string;
  readonly title: string;
  /** The content type that most passages of the document have. */
  readonly content_type: ContentType;
  /**
   * A hash of the document's bytes, by which a changed document is recognised. After a changed document was
   * ingested, the passages and tasks of its earlier revision are removed.
   */
  readonly revision: string;
  readonly bytes: number;
  readonly chunks: number;
  readonly tasks: number;
  /** Numbers about the document's content, as JSON of `DocumentStatistics`. */
  readonly statistics: string;
  /**
   * `stored`: the document waits to be made searchable. `ready`: it is searchable. `removed`: its passages
   * are being deleted.
   */
  readonly status: "stored" | "ready" | "removed";
  readonly ingested_at: number;
}

/** A passage of a document. The second part of the row's id starts with `source_id` and `revision`. */
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
  /** The place of the passage in the document, in readable form: `page 3`, `line 40`, `00:01:05`. */
  readonly location: string;
  /** An address that opens the document at the passage; empty for an upload. */
  readonly url: string;
}

/** The edge `chunk -about-> screen`: a passage of a document (`in`) names a screen (`out`). */
export interface AboutRecord {
  readonly in: readonly [KnowledgeId, string];
  readonly out: readonly [KnowledgeId, string];
}

/**
 * A task that a document, a recording or a model describes. Tasks of forms are not stored, because they are
 * derived from the map.
 */
export interface TaskRecord {
  readonly id: readonly [KnowledgeId, string];
  readonly knowledge_id: KnowledgeId;
  readonly task_id: string;
  readonly source_id: string;
  readonly revision: string;
  readonly name: string;
  /** The steps and variables of the task, as JSON of `TaskDefinition` (knowledge/task-definition.ts). */
  readonly body: string;
}

/**
 * The text of a page, a passage or a task, as full-text search reads it. No other table has full-text
 * indexes.
 */
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
 * The embedding vector of a searchable text. The map's effect `embed` writes it, and a step that changes the
 * text removes it.
 */
export interface TextVectorRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly vector: readonly number[];
}

/** The saved state of a browser session. The row's id is the room name of the session. */
export interface SessionStateRecord {
  readonly id: string;
  /**
   * Start time of the session. It distinguishes this session from earlier sessions with the same room name.
   */
  readonly epoch: number;
  /** The part of the saved state that is not encrypted, as JSON of `OpenPart`. */
  readonly open: string;
  /** The complete saved state, as encrypted JSON of `SavedSession`. */
  readonly sealed: string;
  readonly at: number;
}

/**
 * The stored outcome of a session's action. The row's id consists of the session's room name and the id of the
 * command that requested the action.
 */
export interface ActionOutcomeRecord {
  readonly id: readonly [string, string];
  /** The outcome, as JSON of `ActionOutcome`. */
  readonly body: string;
  readonly at: number;
}

/** A message of a dialogue. The row's id consists of the dialogue's id and the number of the message. */
export interface DialogueMessageRecord {
  readonly id: readonly [string, number];
  /** The message, as JSON of `DialogueMessage`. */
  readonly body: string;
  readonly at: number;
}

/**
 * An article or a decision of a navigation run. Its row id consists of the run's id and the article's or
 * decision's number.
 */
export interface NavigationRecord {
  readonly id: readonly [string, number];
  /** The article or decision, as JSON of `Article` or `Decision`. */
  readonly body: string;
  readonly at: number;
}

/** A recording of a session's actions. */
export interface RecordingRecord {
  readonly id: string;
  readonly room_name: string;
  readonly name: string;
  readonly started_at: number;
  /** Time at which the recording ended; absent while it is running. */
  readonly ended_at?: number;
}

/**
 * A recorded action. The row's id consists of the recording's id and the position of the action in the
 * recording.
 */
export interface RecordingStepRecord {
  readonly id: readonly [string, number];
  /** The recorded action, as JSON of `RecordedStep`. */
  readonly body: string;
  readonly at: number;
}

/** For each node table, the type of its rows. */
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

/** For each edge table, the type of its rows. */
export interface EdgeTables {
  links_to: LinkRecord;
  shows: ShowsRecord;
  instance_of: InstanceOfRecord;
  offers: OffersRecord;
  about: AboutRecord;
  transition: TransitionRecord;
}
