/**
 * The tables of Cairn's store, with the types of the rows that actors write and queries read. Ids are arrays
 * that start with a map, job or website, so all rows of a map are one key range. Edges are SurrealDB
 * relations, and times are milliseconds since the epoch.
 */
import type { DialogueMessageRecord, NavigationRecord } from "./dialogue-and-navigation-run-records.ts";
import type {
  CrawlNoteRecord,
  FrontierRecord,
  IngestRecord,
  JobRecord,
  LeftRecord,
} from "./exploration-records.ts";
import type { AboutRecord, ChunkRecord, SourceRecord, TaskRecord } from "./ingested-document-records.ts";
import type {
  ActionRecord,
  InstanceOfRecord,
  KnowledgeRecord,
  OffersRecord,
  ScreenGroupRecord,
  ScreenRecord,
  ShowsRecord,
  TransitionRecord,
  WebsiteRecord,
} from "./map-records.ts";
import type { LinkRecord, PageRecord } from "./page-records.ts";
import type { PageTextRecord, TextVectorRecord } from "./search-text-records.ts";
import type {
  ActionOutcomeRecord,
  RecordingRecord,
  RecordingStepRecord,
  SessionStateRecord,
} from "./session-records.ts";

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
