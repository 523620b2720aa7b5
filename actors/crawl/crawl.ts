/**
 * The crawl of one job, as an effect: takes queued URLs from the frontier, reads them, hands batches to the actor.
 *
 * It owns nothing that lasts. The frontier is in the store; a batch becomes durable only by the step of the
 * exploration's own machine, and what was read but not handed over is still queued when a crawl starts again.
 * Neighbours: `batch-builder.ts` turns what was read into a batch, `../reading/` reads.
 */
import type { CrawlInput, CrawlOutput } from "../../machines/exploration/machine.ts";
import { type Scope, scopeOf } from "../../machines/exploration/scope.ts";
import { limits } from "../../machines/limits.ts";
import type { FrontierRecord, UrlKey } from "../../machines/records.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";
import { BatchBuilder } from "./batch-builder.ts";
import { type CrawlOutcome, PageReader } from "./page-reader.ts";

/** A frontier row and what became of it. */
export interface Read {
  readonly row: FrontierRecord;
  readonly outcome: CrawlOutcome;
}

export class Crawl {
  readonly #input: CrawlInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #builder: BatchBuilder;
  readonly #pages: PageReader;
  readonly #ready: FrontierRecord[] = [];
  /** Rows taken and not settled by a commit yet; the store still calls them queued. */
  readonly #taken = new Set<UrlKey>();
  readonly #finished: Read[] = [];
  /** Resolves the loop's sleep when something happened. */
  #wake: () => void = () => {};
  #site: string | null;
  #within: Scope;
  /** The store had no more rows to give; only a commit can change that. */
  #drained = false;
  #reading = 0;
  #storing: Promise<void> | undefined;
  #firstFinishedAt = 0;
  #startFailure: CrawlOutput["start_failure"] = null;
  #broken: unknown;

  constructor(input: CrawlInput, scope: EffectScope<CairnServices>) {
    this.#input = input;
    this.#scope = scope;
    this.#site = input.site;
    this.#within = scopeOf(input.request, input.request.start_url, input.site);
    const { reader, browser } = scope.services;
    this.#pages = new PageReader({ render: input.request.render, reader, browser, kinds: input.kinds });
    this.#builder = new BatchBuilder(input, scope.services.store);
  }

  /** Resolves when nothing is queued any more; rejects when aborted or when the store fails. */
  async run(): Promise<CrawlOutput> {
    const { signal } = this.#scope;
    const aborted = () => this.#wake();
    signal.addEventListener("abort", aborted);
    try {
      await this.#scope.notify({ type: "BEGUN" });
      while (true) {
        signal.throwIfAborted();
        if (this.#broken) throw this.#broken;
        this.#store();
        await this.#refill();
        this.#readMore();
        if (
          this.#reading === 0 &&
          this.#finished.length === 0 &&
          !this.#storing &&
          this.#ready.length === 0
        ) {
          const retryAt = await this.#scope.services.store.frontier.earliestRetry(this.#input.job_id);
          if (retryAt === null) return { start_failure: this.#startFailure };
          await this.#sleep(Math.max(1, retryAt - Date.now()));
        } else {
          await this.#sleep(this.#finished.length > 0 ? limits.exploration.batchWait : undefined);
        }
      }
    } finally {
      signal.removeEventListener("abort", aborted);
      await this.#storing;
      await this.#pages.close();
    }
  }

  /** Until something happens, or so many milliseconds have passed. */
  #sleep(delay?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = delay === undefined ? undefined : setTimeout(resolve, delay);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Takes the next queued rows when few are at hand. Breadth-first order is the store's. */
  async #refill(): Promise<void> {
    const { concurrency } = limits.exploration;
    const idle = this.#reading === 0 && this.#finished.length === 0 && !this.#storing;
    if (this.#ready.length >= concurrency || (this.#drained && !idle)) return;
    this.#drained = false;
    const { job_id, request } = this.#input;
    const rows = await this.#scope.services.store.frontier.next(job_id, {
      strategy: request.strategy,
      limit: concurrency * 2,
      now: Date.now(),
      exclude: [...this.#taken],
    });
    // A commit that came meanwhile may have brought more, but then there is something to go on with.
    this.#drained = rows.length === 0;
    for (const row of rows) {
      if (this.#taken.has(row.id[1])) continue;
      this.#taken.add(row.id[1]);
      this.#ready.push(row);
    }
  }

  #readMore(): void {
    const { concurrency, unstoredPages } = limits.exploration;
    while (this.#reading < concurrency && this.#finished.length < unstoredPages) {
      const row = this.#ready.shift();
      if (!row) return;
      this.#reading += 1;
      this.#read(row).then(
        (outcome) => this.#took({ row, outcome }),
        (error) => {
          this.#reading -= 1;
          this.#broken ??= error;
          this.#wake();
        },
      );
    }
  }

  #read(row: FrontierRecord): Promise<CrawlOutcome> {
    return this.#pages.read(row.url, {
      signal: this.#scope.signal,
      // The start page may redirect to where the site really is; from then on the job keeps to that.
      inScope: (url) => (row.depth === 0 && this.#site === null) || this.#within.follows(url),
      respectRobots: this.#input.request.respect_robots,
    });
  }

  #took(read: Read): void {
    this.#reading -= 1;
    if (this.#finished.length === 0) this.#firstFinishedAt = performance.now();
    this.#finished.push(read);
    if (read.row.depth === 0) this.#tookStart(read);
    this.#wake();
  }

  #tookStart({ outcome }: Read): void {
    if (outcome.kind === "page") {
      this.#site ??= outcome.page.finalUrl;
      this.#within = scopeOf(this.#input.request, this.#input.request.start_url, this.#site);
    } else if (outcome.kind === "skipped") {
      this.#startFailure = { code: `exploration.${outcome.reason}`, message: outcome.detail };
    } else {
      this.#startFailure = { code: outcome.code, message: outcome.message };
    }
  }

  /** Hands over a batch when it is full, or old, or when there is nothing to wait for. One at a time, in order. */
  #store(): void {
    const { batchPages, batchWait } = limits.exploration;
    if (this.#storing || this.#finished.length === 0) return;
    const old = performance.now() - this.#firstFinishedAt >= batchWait;
    const nothingElse = this.#reading === 0 && this.#ready.length === 0;
    if (this.#finished.length < batchPages && !old && !nothingElse) return;
    const reads = this.#finished.splice(0, batchPages);
    this.#firstFinishedAt = performance.now();
    this.#storing = this.#handOver(reads)
      .catch((error) => {
        this.#broken ??= error;
      })
      .finally(() => {
        this.#storing = undefined;
        this.#wake();
      });
  }

  async #handOver(reads: readonly Read[]): Promise<void> {
    const batch = await this.#builder.build(reads, {
      site: this.#site,
      scope: this.#within,
      kinds: this.#pages.takeKinds(),
    });
    await this.#scope.notify({ type: "BATCH", batch });
    this.#builder.committed(batch);
    this.#drained = false;
    for (const { row } of reads) this.#taken.delete(row.id[1]);
  }
}
