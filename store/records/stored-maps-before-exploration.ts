/**
 * Stores a copy of each map's screens and transitions (`MapSketch`) as they were before the last exploration.
 * The map is compared with this copy to show what has changed. The copy is deleted with the map.
 */
import type { MapSketch } from "../../machines/knowledge/map-diff.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { runtimeFields } from "./database-table-fields.ts";
import { replacing } from "./database-write-statements.ts";

export interface EarlierMap {
  /**
   * The id of an exploration. This copy of the map's screens and transitions was stored before that
   * exploration.
   */
  readonly job_id: string;
  /** Time at which the copy of the map's screens and transitions was made, in milliseconds since the epoch. */
  readonly at: number;
  readonly sketch: MapSketch;
}

const FIELDS = runtimeFields.map_sketch;
/**
 * Constant second part of the id of a row. Each map has only one such row, the copy from before its last
 * exploration.
 */
const BEFORE = "before";

export class MapSketchStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(knowledgeId: KnowledgeId, { job_id, at, sketch }: EarlierMap): Promise<void> {
    const row = { id: record("map_sketch", [knowledgeId, BEFORE]), job_id, at, body: JSON.stringify(sketch) };
    await this.#database.rows(`INSERT INTO map_sketch $rows${replacing(FIELDS)} RETURN NONE`, {
      rows: [row],
    });
  }

  async get(knowledgeId: KnowledgeId): Promise<EarlierMap | undefined> {
    const row = await this.#database.row<{ job_id: string; at: number; body: string }>(
      `SELECT ${FIELDS.join(", ")} FROM $id`,
      { id: record("map_sketch", [knowledgeId, BEFORE]) },
    );
    // The cast is safe: `put` wrote the body as JSON of `MapSketch`.
    return row && { job_id: row.job_id, at: row.at, sketch: JSON.parse(row.body) as MapSketch };
  }
}
