/**
 * Stores vectors of searchable texts in an HNSW index. The index has the dimension of the embedding model, so
 * it is created with the first vector. When the dimension changes, old vectors are removed, and each map's
 * next ingest computes new vectors.
 */
import type { KnowledgeId, UrlKey } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";

export type TextId = readonly [KnowledgeId, UrlKey];

/**
 * Number of candidates that the HNSW index examines for each search (its parameter `ef`). More candidates
 * find nearer vectors and take more time.
 */
const EFFORT = 80;
/**
 * One index contains the texts of all maps. To find n texts of one map, a search first reads the nearest n times
 * this number of texts of all maps. If too few of them are from that map, a second search reads only that map,
 * which takes three times as long.
 */
const OF_ALL_MAPS = 2;

export class VectorStore {
  readonly #database: Database;
  #dimension: number | undefined;
  /**
   * Maps that are known to have vectors. Without this list, each question would make the database read all
   * vectors of a map.
   */
  readonly #maps = new Set<KnowledgeId>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the texts of the map that have no vector yet. */
  async missing(knowledgeId: KnowledgeId): Promise<readonly TextId[]> {
    const [texts = [], vectors = []] = await this.#database.each<string>(
      ["page_text", "text_vector"].map(
        (table) => `SELECT VALUE id[1] FROM ${table}:[$knowledgeId, NONE]..=[$knowledgeId, ..]`,
      ),
      { knowledgeId },
    );
    const known = new Set(vectors);
    return texts.filter((key) => !known.has(key)).map((key) => [knowledgeId, key] as const);
  }

  async put(vectors: readonly { readonly id: TextId; readonly vector: readonly number[] }[]): Promise<void> {
    const [first] = vectors;
    if (!first) return;
    await this.#define(first.vector.length);
    await this.#database.run(
      "INSERT INTO text_vector $rows ON DUPLICATE KEY UPDATE vector = $input.vector RETURN NONE",
      {
        rows: vectors.map(({ id, vector }) => ({
          id: record("text_vector", id),
          knowledge_id: id[0],
          vector,
        })),
      },
    );
  }

  /** Whether the map has vectors, or had some at an earlier search. */
  async hasVectors(knowledgeId: KnowledgeId): Promise<boolean> {
    if (this.#maps.has(knowledgeId)) return true;
    const rows = await this.#database.rows<unknown>(
      "SELECT VALUE id[1] FROM text_vector:[$knowledgeId, NONE]..=[$knowledgeId, ..] LIMIT 1",
      { knowledgeId },
    );
    if (rows.length > 0) this.#maps.add(knowledgeId);
    return rows.length > 0;
  }

  /**
   * Returns the texts of a map whose vectors are nearest to the given vector, nearest first. Returns an empty list if
   * the given vector does not have the dimension of the index.
   */
  async nearest(
    knowledgeId: KnowledgeId,
    vector: readonly number[],
    limit: number,
  ): Promise<readonly TextId[]> {
    if ((await this.#indexed()) !== vector.length) {
      this.#maps.delete(knowledgeId);
      return [];
    }
    const all = await this.#near(vector, limit * OF_ALL_MAPS);
    const own = all.filter(([map]) => map === knowledgeId);
    const enough = own.length >= limit ? own : await this.#near(vector, limit, knowledgeId);
    if (enough.length === 0) this.#maps.delete(knowledgeId);
    return enough.slice(0, limit);
  }

  async #near(
    vector: readonly number[],
    limit: number,
    knowledgeId?: KnowledgeId,
  ): Promise<readonly TextId[]> {
    const inMap = knowledgeId === undefined ? "" : " AND knowledge_id = $knowledgeId";
    const rows = await this.#database.rows<{ readonly id: TextId; readonly far: number }>(
      `SELECT id, vector::distance::knn() AS far FROM text_vector
       WHERE vector <|${limit},${Math.max(EFFORT, limit)}|> $vector${inMap} ORDER BY far`,
      { knowledgeId, vector },
    );
    return rows.map(({ id }) => id);
  }

  async #define(dimension: number): Promise<void> {
    const known = await this.#indexed();
    if (known === dimension) return;
    await this.#database.run(
      `${known === undefined ? "" : "DELETE text_vector RETURN NONE; REMOVE INDEX text_vector_near ON text_vector;"}
       DEFINE INDEX IF NOT EXISTS text_vector_near ON text_vector FIELDS vector HNSW DIMENSION ${dimension} DIST COSINE TYPE F32`,
    );
    this.#dimension = dimension;
  }

  /** Returns the dimension of the vectors in the index; `undefined` if there is no index yet. */
  async #indexed(): Promise<number | undefined> {
    if (this.#dimension !== undefined) return this.#dimension;
    const [info] = await this.#database.run("INFO FOR TABLE text_vector");
    // The cast is safe: the database returns an object with the definitions of all indexes by name.
    const { indexes = {} } = info as { readonly indexes?: Readonly<Record<string, string>> };
    const [, dimension] = /DIMENSION (\d+)/.exec(indexes.text_vector_near ?? "") ?? [];
    if (dimension !== undefined) this.#dimension = Number(dimension);
    return this.#dimension;
  }
}
