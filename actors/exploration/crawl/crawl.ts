/**
 * Crawls for one job: takes queued URLs, reads their pages, and sends the results in batches to the job's
 * actor. The actor stores a batch in one step. After a crash, pages that were read but not stored are still
 * queued and are read again.
 */
import { type CrawlBatch, partsOf } from "../../../machines/exploration/crawl/crawl-batch-of-read-pages.ts";
import { TrapWatch } from "../../../machines/exploration/crawl/crawler-trap-detection.ts";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { UrlForms } from "../../../machines/exploration/crawl/url-counts-by-form.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { CrawlInput, CrawlOutput } from "../../../machines/exploration/exploration-machine.ts";
import { type DomainOf, type Scope, scopeOf } from "../../../machines/exploration/exploration-scope.ts";
import type { FrontierRecord } from "../../../machines/records/exploration-records.ts";
import type { UrlKey } from "../../../machines/records/record-ids.ts";
import { type CrawlOutcome, PageReader } from "../../pages/index.ts";
import type { ReadOptions } from "../../reading/index.ts";
import type { EffectScope } from "../../runtime/index.ts";
import { holdBallast } from "../../runtime/platform.ts";
import { SignedInReader } from "../../sign-in/signed-in-page-reader.ts";
import type { CairnServices } from "../../worker-services.ts";
import { loginPurpose } from "../login-encryption-purpose.ts";
import { BatchBuilder, type Position, type Read, SITE, YIELDED } from "./crawl-batch-builder.ts";
import { LISTINGS, Listings } from "./crawl-sitemaps.ts";
import { loadDomains } from "./registrable-domain.ts";
import { Soft404 } from "./soft-404.ts";

export class Crawl {
  readonly #input: CrawlInput;
  readonly #scope: EffectScope<CairnServices>;
  readonly #pages: PageReader;
  #builder: BatchBuilder | undefined;
  #listings: Listings | undefined;
  readonly #ready: FrontierRecord[] = [];
  /**
   * URLs that are being read or whose results are not stored yet. In the store, these URLs still count as
   * queued.
   */
  readonly #taken = new Set<UrlKey>();
  /**
   * Queued URLs that the next commit may postpone, to make room for URLs of rare forms. They are also in
   * `#taken`, so that the crawl does not read them before the commit.
   */
  #reserved: UrlKey[] = [];
  readonly #finished: Read[] = [];
  /**
   * Results that are not stored yet, because their canonical page was not read. The crawl tries to store them
   * with each later batch.
   */
  #deferred: readonly Read[] = [];
  /** Ends the current pause of the loop that takes queued URLs. */
  #wake: () => void = () => {};
  #site: string | null;
  #domainOf: DomainOf | undefined;
  #within: Scope;
  /**
   * True if the store had no queued URL at the last request. It may have one later: results add URLs, and
   * failed URLs are retried.
   */
  #drained = false;
  #reading = 0;
  /** Bytes of documents that were read but are not stored yet. */
  #unstored = 0;
  #storing: Promise<void> | undefined;
  #refilling: Promise<void> | undefined;
  #firstFinishedAt = 0;
  #startFailure: CrawlOutput["start_failure"] = null;
  #broken: unknown;

  readonly #signedIn: SignedInReader | undefined;

  constructor(input: CrawlInput, scope: EffectScope<CairnServices>) {
    this.#input = input;
    this.#scope = scope;
    this.#site = input.site;
    this.#within = this.#scopeOf();
    const { reader, browser } = scope.services;
    const { job_id, request } = input;
    const { login } = request;
    this.#signedIn =
      login === undefined
        ? undefined
        : new SignedInReader({ sealed: { login, purpose: loginPurpose(job_id) }, readsManuals: true });
    const signedIn = this.#signedIn;
    const visit = signedIn && ((url: string) => signedIn.visit(url, scope));
    this.#pages = new PageReader({ render: request.render, reader, browser, kinds: input.kinds, visit });
  }

  /** Crawls until no URL is queued. Rejects when the job is aborted or the store fails. */
  async run(): Promise<CrawlOutput> {
    const { signal } = this.#scope;
    const aborted = () => this.#wake();
    signal.addEventListener("abort", aborted);
    const release = holdBallast(explorationLimits.ballast);
    try {
      await this.#recall();
      await this.#scope.notify({ type: "BEGUN" });
      while (true) {
        signal.throwIfAborted();
        if (this.#broken) throw this.#broken;
        this.#store();
        this.#refill();
        this.#readMore();
        if (this.#busy) {
          await this.#sleep(this.#finished.length > 0 ? this.#patience : undefined);
        } else if (this.#deferred.length > 0) {
          await this.#handOver([], true);
        } else {
          const retryAt = await this.#scope.services.store.frontier.earliestRetry(this.#input.job_id);
          if (retryAt !== null) {
            await this.#sleep(Math.max(1, retryAt - Date.now()));
            this.#drained = false;
          } else if (!(await this.#readListings())) {
            return { start_failure: this.#startFailure };
          }
        }
      }
    } finally {
      signal.removeEventListener("abort", aborted);
      await Promise.all([this.#storing, this.#refilling]);
      await this.#pages.close();
      await this.#signedIn?.close();
      release();
    }
  }

  /**
   * Restores the state of the crawl from the notes (named values) that the job stored with its last commit.
   */
  async #recall(): Promise<void> {
    const { store, reader } = this.#scope.services;
    const { job_id, request } = this.#input;
    const notes = await store.memory.notes(job_id);
    const noted = (name: string) => notes.find(({ id }) => id[1] === name)?.note;
    // The start page may redirect to another site. If an earlier run of the job has stored the site of the
    // target, that site is used and not the requested one.
    this.#site = noted(SITE) ?? this.#site;
    if (request.scope === "subdomains") this.#domainOf = await loadDomains();
    this.#within = this.#scopeOf();
    this.#listings = new Listings(request, reader, noted(LISTINGS));
    this.#builder = new BatchBuilder(this.#input, {
      store,
      forms: await this.#knownForms(Number(noted(YIELDED) ?? 0)),
      watch: new TrapWatch(job_id, notes),
      soft404: new Soft404((url) => this.#read({ url, depth: 1 })),
      listings: this.#listings,
      site: noted(SITE) ?? null,
      reserve: (rows, most) => this.#reserveRows(rows, most),
    });
  }

  /**
   * Returns the forms (path patterns) of the URLs that the job had found before a restart or a pause.
   *
   * @param yielded the number of URLs that were postponed before the restart or the pause
   */
  async #knownForms(yielded: number): Promise<UrlForms> {
    const { job_id, request } = this.#input;
    const forms = new UrlForms(request.max_pages);
    for await (const rows of this.#scope.services.store.frontier.all(job_id)) {
      // The start page (depth 0) does not count, because no link has led to it.
      for (const { url, depth } of rows) if (depth > 0) forms.add(url);
    }
    forms.recordYielded(yielded);
    return forms;
  }

  /**
   * Reserves some of the queued URLs, so that they are not read before the next commit. URLs that are being
   * read already are skipped. Returns the reserved rows.
   *
   * @param most maximum number of reserved URLs
   */
  #reserveRows(rows: readonly FrontierRecord[], most: number): readonly FrontierRecord[] {
    const reserved: FrontierRecord[] = [];
    for (const row of rows) {
      if (reserved.length >= most) break;
      const [, key] = row.id;
      const waiting = this.#ready.findIndex(({ id }) => id[1] === key);
      if (waiting < 0 && this.#taken.has(key)) continue;
      if (waiting >= 0) this.#ready.splice(waiting, 1);
      this.#taken.add(key);
      this.#reserved.push(key);
      reserved.push(row);
    }
    return reserved;
  }

  /** Reads sitemaps and feeds when no link is left to read. Returns false if they add no URL. */
  async #readListings(): Promise<boolean> {
    const { store } = this.#scope.services;
    const { job_id, request } = this.#input;
    if (!this.#listings?.waiting || !this.#builder) return false;
    const { done, queued, failed, held } = await store.frontier.counts(job_id);
    const room = request.max_pages - done - queued - failed;
    if (done === 0 || room <= 0 || held > 0) return false;
    // Maximum number of URLs that are taken from sitemaps and feeds. It is much higher than `room` (the
    // number of pages that the job may still read), because most URLs of a sitemap are already known.
    const most = Math.min(explorationLimits.listedPages, done + 10 * room);
    const site = this.#site ?? request.start_url;
    const pages = await this.#listings.pages(site, this.#within, most, this.#scope.signal);
    const named = pages.map((url) => ({ key: urlKey(url), url, depth: 1 }));
    const batch = await this.#builder.buildNamed(named, await this.#position(false));
    await this.#commit(batch, this.#builder);
    return batch.discovered.length > 0;
  }

  #scopeOf(): Scope {
    const { request } = this.#input;
    return scopeOf(request, request.start_url, this.#site, this.#domainOf);
  }

  async #position(last: boolean): Promise<Position> {
    const { reader } = this.#scope.services;
    const site = this.#site ?? this.#input.request.start_url;
    return {
      site: this.#site,
      scope: this.#within,
      last,
      kinds: this.#pages.takeKinds(),
      crawlDelay: await reader.crawlDelayOf(site, this.#options),
    };
  }

  /** Waits until `#wake` is called, or at most `delay` milliseconds. */
  #sleep(delay?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = delay === undefined ? undefined : setTimeout(resolve, delay);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Whether a page is being read, or results are waiting or being stored. The end of such work wakes the loop
   * that takes URLs from the queue.
   */
  get #busy(): boolean {
    const waits = this.#storing !== undefined || this.#refilling !== undefined;
    return waits || this.#reading > 0 || this.#finished.length > 0 || this.#ready.length > 0;
  }

  /**
   * Requests more URLs from the store when few queued ones are left in memory. The crawl continues meanwhile.
   */
  #refill(): void {
    if (this.#refilling || this.#drained || this.#ready.length >= explorationLimits.concurrency) return;
    this.#refilling = this.#next()
      .catch((error) => {
        this.#broken ??= error;
      })
      .finally(() => {
        this.#refilling = undefined;
        this.#wake();
      });
  }

  /** Takes queued URLs from the store, in the store's order. */
  async #next(): Promise<void> {
    const { concurrency } = explorationLimits;
    const { job_id, request } = this.#input;
    const rows = await this.#scope.services.store.frontier.next(job_id, {
      strategy: request.strategy,
      limit: concurrency * 2,
      now: Date.now(),
      exclude: [...this.#taken],
    });
    // The store returned no URL. Results that were stored during this request may have added URLs. So the
    // crawl ends only if the next request returns no URL either.
    this.#drained = rows.length === 0;
    for (const row of rows) {
      if (this.#taken.has(row.id[1])) continue;
      this.#taken.add(row.id[1]);
      this.#ready.push(row);
    }
  }

  #readMore(): void {
    const { concurrency, unstoredPages, unstoredBytes } = explorationLimits;
    const room = () => this.#finished.length < unstoredPages && this.#unstored < unstoredBytes;
    while (this.#reading < concurrency && room()) {
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

  #read({ url, depth }: Pick<FrontierRecord, "url" | "depth">): Promise<CrawlOutcome> {
    return this.#pages.read(url, {
      ...this.#options,
      // If the start page redirects to another site, that site becomes the site of the job. So any target is
      // allowed while the job's site is not known yet.
      inScope: (target) => (depth === 0 && this.#site === null) || this.#within.followsInManual(target),
    });
  }

  get #options(): ReadOptions {
    return {
      signal: this.#scope.signal,
      inScope: (target) => this.#within.followsInManual(target),
      respectRobots: this.#input.request.respect_robots,
    };
  }

  #took(read: Read): void {
    this.#reading -= 1;
    if (this.#finished.length === 0) this.#firstFinishedAt = performance.now();
    this.#finished.push(read);
    this.#unstored += bytesOf(read);
    if (read.row.depth === 0) this.#tookStart(read);
    this.#wake();
  }

  #tookStart({ outcome }: Read): void {
    if (outcome.kind === "page") {
      this.#site ??= outcome.page.finalUrl;
      this.#within = this.#scopeOf();
    } else if (outcome.kind === "skipped") {
      this.#startFailure = { code: `exploration.${outcome.reason}`, message: outcome.detail };
    } else {
      this.#startFailure = { code: outcome.code, message: outcome.message };
    }
  }

  /**
   * Milliseconds that a page waits after it was read, until its batch is sent. The wait is short when no URL
   * is queued, because only the commit of waiting pages can then add URLs to the queue.
   */
  get #patience(): number {
    const { batchWait, dryWait } = explorationLimits;
    return this.#ready.length === 0 && this.#drained ? dryWait : batchWait;
  }

  /**
   * Sends a batch (results that are stored together) if it is full, if its oldest result has waited long, or
   * if no other page is being read. Batches are sent in order, one at a time.
   */
  #store(): void {
    if (this.#storing || this.#finished.length === 0) return;
    const old = performance.now() - this.#firstFinishedAt >= this.#patience;
    const nothingElse = this.#reading === 0 && this.#ready.length === 0;
    const { size, full } = firstBatch(this.#finished);
    if (!full && !old && !nothingElse) return;
    const reads = this.#finished.splice(0, size);
    const bytes = reads.reduce((sum, read) => sum + bytesOf(read), 0);
    this.#firstFinishedAt = performance.now();
    this.#storing = this.#handOver(reads, false)
      .catch((error) => {
        this.#broken ??= error;
      })
      .finally(() => {
        this.#storing = undefined;
        this.#unstored -= bytes;
        this.#wake();
      });
  }

  /**
   * Sends pages that were read to the job's actor, which stores them.
   *
   * @param last true if no other page is being read; the pages that wait for their canonical page are then stored
   * without waiting for it
   */
  async #handOver(reads: readonly Read[], last: boolean): Promise<void> {
    if (!this.#builder) throw new Error("A crawl hands over a batch before it has begun.");
    const waited = this.#deferred;
    const { batch, deferred } = await this.#builder.build([...waited, ...reads], await this.#position(last));
    await this.#commit(batch, this.#builder);
    this.#deferred = deferred;
    const waiting = new Set(deferred.map(({ row }) => row.id[1]));
    for (const { row } of [...waited, ...reads]) if (!waiting.has(row.id[1])) this.#taken.delete(row.id[1]);
  }

  async #commit(batch: CrawlBatch, builder: BatchBuilder): Promise<void> {
    const { batchRows } = explorationLimits;
    for (const part of partsOf(batch, batchRows)) await this.#scope.notify({ type: "BATCH", batch: part });
    builder.committed(batch);
    const reserved = this.#reserved;
    this.#reserved = [];
    // A query for queued URLs that has started before this commit may still return the reserved URLs. Until
    // it has ended, they stay in `#taken`, so that no URL is read twice.
    if (reserved.length > 0) await this.#refilling;
    for (const key of reserved) this.#taken.delete(key);
    this.#drained = false;
  }
}

/**
 * Returns how many of the first results in `reads` fit into one commit (`size`), and whether the commit is
 * then full (`full`).
 */
function firstBatch(reads: readonly Read[]): { readonly size: number; readonly full: boolean } {
  const { batchPages, batchBytes } = explorationLimits;
  let bytes = 0;
  let size = 0;
  for (const read of reads) {
    size += 1;
    bytes += bytesOf(read);
    if (size === batchPages || bytes >= batchBytes) return { size, full: true };
  }
  return { size, full: false };
}

function bytesOf({ outcome }: Read): number {
  return outcome.kind === "page" ? outcome.page.bytes : 0;
}
