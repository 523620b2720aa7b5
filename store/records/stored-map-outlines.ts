/**
 * Stores the outline of each map: a compact copy of its screens and transitions in a few rows, from which the
 * map loads fast. An outline is used only if its version and counts match the map. Backups leave outlines
 * out, because they can be computed again.
 */
import type { Outline } from "../../machines/knowledge/map-outline-for-fast-load.ts";
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { replacing } from "./database-write-statements.ts";

interface Row {
  readonly version: number;
  readonly screens: number;
  readonly transitions: number;
  readonly parts: number;
  readonly body: string;
}

interface Count {
  readonly count: number;
}

const FIELDS = ["version", "screens", "transitions", "parts", "body"] as const;
const OF_MAP = "[$knowledgeId, NONE]..=[$knowledgeId, ..]";
/**
 * Counts the screens and transitions. Counting reads only keys, so it is fast: 50,000 keys take about 30 ms.
 */
const COUNTS = ["screen", "transition"].map((table) => `SELECT count() FROM ${table}:${OF_MAP} GROUP ALL`);

export class OutlineStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the outline of the map. Returns `undefined` if the store has no outline of this version, or if
   * the outline's counts differ from those of the map.
   */
  async read(knowledgeId: KnowledgeId, version: number): Promise<Outline | undefined> {
    const [found, ...counts] = await this.#database.each<Row | Count>(
      [`SELECT ${FIELDS.join(", ")} FROM outline:${OF_MAP}`, ...COUNTS],
      { knowledgeId },
    );
    // The cast is safe: the first statement selects rows of the outline, and each other statement returns a
    // count.
    const rows = (found ?? []) as Row[];
    const [screens, transitions] = counts.map(countOf);
    const [first] = rows;
    const holds =
      first !== undefined &&
      rows.length === first.parts &&
      rows.every((row) => row.version === version) &&
      first.screens === screens &&
      first.transitions === transitions;
    return holds ? { version, parts: rows.map((row) => row.body) } : undefined;
  }

  /** Replaces the stored outline (compact copy) of a map. */
  async write(knowledgeId: KnowledgeId, { version, parts }: Outline): Promise<void> {
    const [screens, transitions] = (await this.#database.each<Count>(COUNTS, { knowledgeId })).map(countOf);
    const rows = parts.map((body, at) => ({
      id: record("outline", [knowledgeId, at]),
      version,
      screens,
      transitions,
      parts: parts.length,
      body,
    }));
    await this.#database.transaction(
      `INSERT INTO outline $rows${replacing(FIELDS)} RETURN NONE;
       DELETE outline:[$knowledgeId, $length]..=[$knowledgeId, ..] RETURN NONE;`,
      { knowledgeId, rows, length: rows.length },
    );
  }
}

function countOf(rows: readonly (Row | Count)[]): number {
  const [row] = rows;
  return row !== undefined && "count" in row ? row.count : 0;
}
