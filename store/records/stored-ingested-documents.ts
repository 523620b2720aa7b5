/** Reads the documents of a map: sources, passages, tasks, and the screens that passages mention. */
import { chunkRange } from "../../machines/knowledge/documents/ingested-document-part.ts";
import type {
  ChunkRecord,
  SourceRecord,
  TaskRecord,
} from "../../machines/records/ingested-document-records.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";

export class DocumentReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns all documents of the map, in order of their ids. */
  async list(knowledgeId: KnowledgeId): Promise<readonly SourceRecord[]> {
    return await this.#database.rows<SourceRecord>(
      "SELECT * FROM source:[$knowledgeId, NONE]..=[$knowledgeId, ..]",
      { knowledgeId },
    );
  }

  async get(knowledgeId: KnowledgeId, sourceId: string): Promise<SourceRecord | undefined> {
    return await this.#database.row<SourceRecord>("SELECT * FROM $id", {
      id: record("source", [knowledgeId, sourceId]),
    });
  }

  /** Returns the documents whose text is not searchable yet, and the documents that are to be removed. */
  async pending(knowledgeId: KnowledgeId): Promise<readonly SourceRecord[]> {
    return (await this.list(knowledgeId)).filter(({ status }) => status !== "ready");
  }

  /** Returns the keys of all passages of a document, including passages of its older revisions. */
  async chunkKeys(knowledgeId: KnowledgeId, sourceId: string): Promise<readonly string[]> {
    return await this.#database.rows<string>(
      "SELECT VALUE id[1] FROM chunk:[$knowledgeId, $from]..[$knowledgeId, $to]",
      { knowledgeId, ...chunkRange(sourceId) },
    );
  }

  /** Returns the passages for the given keys, in no particular order. Unknown keys are left out. */
  async chunks(knowledgeId: KnowledgeId, keys: readonly string[]): Promise<readonly ChunkRecord[]> {
    if (keys.length === 0) return [];
    return await this.#database.rows<ChunkRecord>("SELECT * FROM $ids", {
      ids: keys.map((key) => record("chunk", [knowledgeId, key])),
    });
  }

  /** Returns the passages of the map that mention at least one of the screens. */
  async about(
    knowledgeId: KnowledgeId,
    screenIds: readonly string[],
    limit: number,
  ): Promise<readonly ChunkRecord[]> {
    if (screenIds.length === 0) return [];
    return await this.#database.rows<ChunkRecord>(
      "SELECT * FROM array::distinct(array::flatten($ids.map(|$id| $id<-about<-chunk))) LIMIT $limit",
      { ids: screenIds.map((id) => record("screen", [knowledgeId, id])), limit },
    );
  }

  /** Returns the screens that a passage mentions. */
  async screensOf(knowledgeId: KnowledgeId, key: string): Promise<readonly string[]> {
    return await this.#database.rows<string>(
      "SELECT VALUE id[2] FROM about:[$knowledgeId, $key, NONE]..=[$knowledgeId, $key, ..]",
      { knowledgeId, key },
    );
  }

  /** Returns all tasks that the map contains, ordered by id. */
  async tasks(knowledgeId: KnowledgeId): Promise<readonly TaskRecord[]> {
    return await this.#database.rows<TaskRecord>(
      "SELECT * FROM task:[$knowledgeId, NONE]..=[$knowledgeId, ..]",
      { knowledgeId },
    );
  }
}
