/**
 * Stores one small picture for each screen of a map. The pictures are written outside of actor steps, because
 * they would make the commands of the map large. They are deleted with the map.
 */
import type { KnowledgeId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";
import { runtimeFields } from "./database-table-fields.ts";
import { replacing } from "./database-write-statements.ts";

export interface StoredPicture {
  /** The picture as a JPEG in base64. */
  readonly data: string;
  readonly width: number;
  readonly height: number;
  readonly taken_at: number;
}

const FIELDS = runtimeFields.screen_picture;

export class ScreenPictureStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(knowledgeId: KnowledgeId, screenId: string, picture: StoredPicture): Promise<void> {
    await this.#database.rows(`INSERT INTO screen_picture $rows${replacing(FIELDS)} RETURN NONE`, {
      rows: [{ id: record("screen_picture", [knowledgeId, screenId]), ...picture }],
    });
  }

  async get(knowledgeId: KnowledgeId, screenId: string): Promise<StoredPicture | undefined> {
    return await this.#database.row<StoredPicture>(`SELECT ${FIELDS.join(", ")} FROM $id`, {
      id: record("screen_picture", [knowledgeId, screenId]),
    });
  }

  /** Returns the ids of the map's screens that have a picture. */
  async ids(knowledgeId: KnowledgeId): Promise<readonly string[]> {
    return await this.#database.rows<string>(
      "SELECT VALUE id[1] FROM screen_picture:[$knowledgeId, NONE]..=[$knowledgeId, ..]",
      { knowledgeId },
    );
  }
}
