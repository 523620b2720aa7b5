/** The browser context of one render job, with the pages that are free for its next render. */
import type { Page } from "../render/render-page.ts";

/**
 * The browser context of one render job. The job's pages share cookies, storage and cache, and other jobs do
 * not see them.
 */
export class Context {
  readonly id: string;
  /**
   * Pages of the job that are free for the next render. The page that was used last is at the end of the
   * list.
   */
  readonly idle: Page[] = [];
  closed = false;

  constructor(id: string) {
    this.id = id;
  }
}
