/**
 * Reads the queue of a map: pages that an exploration has stored, but that are not yet part of the map or of
 * the search index.
 */
import type { IngestRecord } from "../../machines/records/exploration-records.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import type { Database } from "../connection/execute-database-statements.ts";

export interface IngestCounts {
  readonly map: number;
  readonly index: number;
}

export class IngestReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the queued pages of a phase. The pages with the lowest `seq` were queued first and come first.
   */
  async next(
    knowledgeId: KnowledgeId,
    phase: IngestRecord["phase"],
    limit: number,
  ): Promise<readonly IngestRecord[]> {
    return await this.#database.rows<IngestRecord>(
      `SELECT * FROM ingest WITH INDEX ingest_order WHERE knowledge_id = $knowledgeId AND phase = $phase
       ORDER BY knowledge_id, phase, seq LIMIT $limit`,
      { knowledgeId, phase, limit },
    );
  }

  async counts(knowledgeId: KnowledgeId): Promise<IngestCounts> {
    const groups = await this.#database.rows<{ phase: IngestRecord["phase"]; count: number }>(
      "SELECT phase, count() FROM ingest:[$knowledgeId, NONE]..=[$knowledgeId, ..] GROUP BY phase",
      { knowledgeId },
    );
    const of = (phase: IngestRecord["phase"]) => groups.find((group) => group.phase === phase)?.count ?? 0;
    return { map: of("map"), index: of("index") };
  }
}
