/** Rows of the searchable texts of a map, and of their embedding vectors. */
import type { KnowledgeId, UrlKey } from "./record-ids.ts";

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
  /**
   * Names of the page's controls and columns (knowledge/screens/texts-of-page-controls.ts), or the texts of a state
   * of a page. Absent for other texts.
   */
  readonly controls?: string;
  readonly body: string;
}

/**
 * The embedding vector of a searchable text. The map's effect `embed` writes the vector. When the text
 * changes, the vector is removed in the same transaction.
 */
export interface TextVectorRecord {
  readonly id: readonly [KnowledgeId, UrlKey];
  readonly knowledge_id: KnowledgeId;
  readonly vector: readonly number[];
}
