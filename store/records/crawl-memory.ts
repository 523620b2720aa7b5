/** Reads what the crawl of an exploration has learned: its notes, and the URLs that it left out as traps. */
import type { CrawlNoteRecord, JobId, LeftRecord } from "../../machines/records.ts";
import { type Database, record } from "../connection/database.ts";

export class CrawlMemoryReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The notes about pressed controls, in order. */
  async pressNotes(jobId: JobId): Promise<readonly CrawlNoteRecord[]> {
    return await this.#database.rows<CrawlNoteRecord>(
      "SELECT * FROM crawl_note:[$jobId, 'press/']..[$jobId, 'press0']",
      { jobId },
    );
  }

  async notes(jobId: JobId): Promise<readonly CrawlNoteRecord[]> {
    return await this.#database.rows<CrawlNoteRecord>(
      "SELECT * FROM crawl_note:[$jobId, NONE]..=[$jobId, ..]",
      { jobId },
    );
  }

  /** The left-out URLs that exist among the given ids. */
  async left(ids: readonly LeftRecord["id"][]): Promise<readonly LeftRecord[]> {
    if (ids.length === 0) return [];
    return await this.#database.rows<LeftRecord>("SELECT * FROM $ids WHERE id", {
      ids: ids.map((id) => record("left_url", id)),
    });
  }

  /** The first left-out URLs of a template, in key order. */
  async nextLeft(jobId: JobId, template: string, limit: number): Promise<readonly LeftRecord[]> {
    return await this.#database.rows<LeftRecord>(
      "SELECT * FROM left_url:[$jobId, $template, NONE]..=[$jobId, $template, ..] LIMIT $limit",
      { jobId, template, limit },
    );
  }
}
