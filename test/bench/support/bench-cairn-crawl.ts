/**
 * Runs Cairn for the bench of crawls: a real `serve` with an empty data folder. Every page is stored and made
 * searchable.
 */
import type { StartExploration } from "../../../machines/exploration/exploration-protocol.ts";
import { Cairn, dataFolder } from "../../e2e/support/cairn-test-process.ts";
import { type Measured, ProcessMeter } from "./bench-process-meter.ts";

/** Interval of status requests in milliseconds. Each request costs Cairn a little CPU time. */
const STATUS_EVERY = 25;

export interface CairnCrawl {
  /** Time, CPU time and memory from the start of the crawl until its last page was stored. */
  readonly stored: Measured;
  /** Time, CPU time and memory from the start of the crawl until the last page was searchable. */
  readonly searchable: Measured;
  /**
   * Samples that were taken during the crawl. Each has the number of stored pages and the resident memory of
   * all processes in bytes.
   */
  readonly memory: readonly { readonly pages: number; readonly rss: number }[];
}

/** @param options parameters that are added to the request for the crawl */
export async function crawlWithCairn(
  start: string,
  pages: number,
  options: Partial<StartExploration> = {},
): Promise<CairnCrawl> {
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path });
  try {
    const memory: { pages: number; rss: number }[] = [];
    const meter = new ProcessMeter(cairn.pid);
    let stored: Measured | undefined;
    const accepted = await cairn.post("/api/knowledge/explore/start", {
      start_url: start,
      max_pages: pages,
      max_depth: 10,
      job_id: "bench",
      ...options,
    });
    if (accepted.status !== 200)
      throw new Error(`the job was not accepted: ${JSON.stringify(accepted.body)}`);
    for (;;) {
      const { status, progress, error } = await cairn.status("bench");
      memory.push({ pages: progress.completed, rss: meter.sample() });
      // Both stored and failed pages count, because the limit `max_pages` covers both.
      if (progress.completed + progress.failed >= pages) stored ??= meter.read(progress.completed);
      if (status === "completed" && stored)
        return { stored, searchable: meter.stop(progress.searchable), memory };
      if (status !== "queued" && status !== "running") {
        throw new Error(
          `the job ended ${status} with ${progress.completed} of ${pages} pages: ${JSON.stringify(error)}`,
        );
      }
      await Bun.sleep(STATUS_EVERY);
    }
  } finally {
    await cairn.kill();
    await data.remove();
  }
}
