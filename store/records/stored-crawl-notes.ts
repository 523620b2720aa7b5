/**
 * Reads what an exploration has recorded about its crawl: its notes about the site, and the URLs that it
 * skipped because they belong to crawler traps.
 */
import type { CrawlNoteRecord, LeftRecord } from "../../machines/records/exploration-records.ts";
import type { JobId } from "../../machines/records/record-ids.ts";
import { type Database, record } from "../connection/execute-database-statements.ts";

export class CrawlMemoryReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the notes of an exploration about controls that it pressed, in the order of their keys. */
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

  /** Returns the records of URLs that an exploration skipped, for the given ids. Unknown ids are left out. */
  async left(ids: readonly LeftRecord["id"][]): Promise<readonly LeftRecord[]> {
    if (ids.length === 0) return [];
    return await this.#database.rows<LeftRecord>("SELECT * FROM $ids WHERE id", {
      ids: ids.map((id) => record("left_url", id)),
    });
  }

  /** Returns the first skipped URLs that match a URL template, in key order. */
  async nextLeft(jobId: JobId, template: string, limit: number): Promise<readonly LeftRecord[]> {
    return await this.#database.rows<LeftRecord>(
      "SELECT * FROM left_url:[$jobId, $template, NONE]..=[$jobId, $template, ..] LIMIT $limit",
      { jobId, template, limit },
    );
  }
}
