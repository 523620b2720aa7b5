/** Rows of the documents of a map: their passages, and the tasks that they describe. */
import type { ContentType } from "./map-records.ts";
import type { KnowledgeId } from "./record-ids.ts";

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
  /**
   * The steps and variables of the task, as JSON of `TaskDefinition` (knowledge/tasks/task-definition.ts).
   */
  readonly body: string;
}
