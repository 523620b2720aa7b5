/**
 * Builds a `CrawlBatch` from the pages that a crawl has read. The batch contains the new state of each URL
 * and the records of the pages.
 */
import type {
  CrawlBatch,
  Discovery,
  Settlement,
  SkipReason,
} from "../../../machines/exploration/crawl/crawl-batch-of-read-pages.ts";
import { templateOf } from "../../../machines/exploration/crawl/crawl-url-template.ts";
import type { TrapWatch } from "../../../machines/exploration/crawl/crawler-trap-detection.ts";
import { routeOf, urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { UrlForms } from "../../../machines/exploration/crawl/url-counts-by-form.ts";
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { CrawlInput } from "../../../machines/exploration/exploration-machine.ts";
import type { Scope } from "../../../machines/exploration/exploration-scope.ts";
import { readingLimits } from "../../../machines/reading/page-reading-limits.ts";
import type {
  CrawlNoteRecord,
  FrontierRecord,
  FrontierState,
} from "../../../machines/records/exploration-records.ts";
import type { PageRecord } from "../../../machines/records/page-records.ts";
import type { UrlKey } from "../../../machines/records/record-ids.ts";
import type { Store } from "../../../store/index.ts";
import { type CrawlOutcome, pageRecord, type Unread } from "../../pages/index.ts";
import { isOverload } from "../../reading/index.ts";
import {
  canonicalOf,
  haveSameControls,
  IndexFiles,
  isSamePage,
  isSameText,
  isVariant,
} from "./canonical-pages.ts";
import { LISTINGS, type Listings } from "./crawl-sitemaps.ts";
import { Discoveries, type StoredPage } from "./new-crawl-links.ts";
import type { Soft404 } from "./soft-404.ts";

/** A URL from the queue, and the outcome of reading it. */
export interface Read {
  readonly row: FrontierRecord;
  readonly outcome: CrawlOutcome;
  /** True if the page has already waited for its canonical page to be read. It does not wait again. */
  readonly deferred?: true;
}

/** The address of another page, of which the page that was just read may be a duplicate. */
interface DuplicateClaim {
  readonly url: string;
  readonly key: UrlKey;
}

/**
 * A page that was read and whose result is part of this batch.
 *
 * For a duplicate, `same` names the page of which it is a copy.
 */
interface Settling extends Read {
  readonly same?: DuplicateClaim;
}

export interface Built {
  readonly batch: CrawlBatch;
  /**
   * Pages that are left for a later batch, because their canonical page is not read yet. It is therefore
   * unknown whether they are duplicates.
   */
  readonly deferred: readonly Read[];
}

/** The state of the crawl: the address of its site, and whether any page is still queued or being read. */
export interface Position {
  readonly site: string | null;
  readonly scope: Scope;
  readonly last: boolean;
  readonly kinds: CrawlBatch["kinds"];
  /** Minimum time between two requests to the site in milliseconds, from its robots.txt. */
  readonly crawlDelay: number;
}

/**
 * Maximum number of URLs at the end of the queue that are examined. If URLs of a common form (a pattern with
 * masked ids) are found there, they are postponed, so that URLs of rare forms are read first.
 */
const SEARCHED_QUEUE = 200;

export class BatchBuilder {
  readonly #input: CrawlInput;
  readonly #forms: UrlForms;
  /**
   * The number of postponed URLs in the stored note `YIELDED`. If the number has changed, the next batch writes the
   * note again.
   */
  #noted: number;
  readonly #reserve: (rows: readonly FrontierRecord[], most: number) => readonly FrontierRecord[];
  readonly #store: Store;
  readonly #watch: TrapWatch;
  readonly #discoveries: Discoveries;
  readonly #soft404: Soft404;
  readonly #listings: Listings;
  readonly #indexFiles = new IndexFiles();
  #traps = "";
  /** The address of the crawled site. It is stored with the job under the name `SITE`. */
  #site: string | null;

  constructor(
    input: CrawlInput,
    {
      store,
      forms,
      watch,
      soft404,
      listings,
      site,
      reserve,
    }: {
      readonly store: Store;
      /** Counts the known URLs of the job for each form. A form is a URL with masked ids. */
      readonly forms: UrlForms;
      readonly watch: TrapWatch;
      readonly soft404: Soft404;
      readonly listings: Listings;
      readonly site: string | null;
      /**
       * Reserves some of the queued URLs, so that the crawl does not read them before the batch is stored.
       * URLs that are already being read are skipped. Returns the reserved rows.
       */
      readonly reserve: (rows: readonly FrontierRecord[], most: number) => readonly FrontierRecord[];
    },
  ) {
    this.#input = input;
    this.#reserve = reserve;
    this.#forms = forms;
    this.#noted = forms.yielded;
    this.#store = store;
    this.#watch = watch;
    this.#soft404 = soft404;
    this.#listings = listings;
    this.#site = site;
    this.#discoveries = new Discoveries(input, store, watch);
    this.#traps = JSON.stringify(watch.reports());
  }

  /** Builds a batch, the changes that are stored together, from what the crawl has read. */
  async build(reads: readonly Read[], position: Position): Promise<Built> {
    const { settling, deferred, named } = await this.#resolveCanonicals(reads, position);
    const redirected = settling.flatMap(({ row, outcome }) =>
      outcome.kind === "page" && urlKey(outcome.page.finalUrl) !== row.id[1]
        ? [urlKey(outcome.page.finalUrl)]
        : [],
    );
    const targets =
      redirected.length > 0 ? await this.#store.frontier.known(this.#input.job_id, redirected) : new Map();
    const settled: Settlement[] = [];
    const arrived: CrawlBatch["arrived"][number][] = [];
    const stored: StoredPage[] = [];
    const storedKeys = new Set<UrlKey>(reads.map(({ row }) => row.id[1]));

    for (const { row, outcome, same } of settling) {
      if (outcome.kind !== "page") {
        settled.push(settleUnread(row, outcome));
        if (outcome.kind === "failed" && LOOPS.has(outcome.code)) this.#watch.odd("redirect_loop", row.url);
        continue;
      }
      const { page } = outcome;
      const key = urlKey(page.finalUrl);
      // While this page was read, another page may have linked to it at a smaller depth (number of links from
      // the start page). The smaller depth is stored.
      const depth = Math.min(row.depth, this.#discoveries.depthOf(row.id[1]) ?? row.depth);
      if (row.depth > 0 && (await this.#soft404.is(page))) {
        this.#watch.odd("soft_404", row.url);
        settled.push(
          skippedRow(
            row,
            null,
            "soft_404",
            `soft_404: ${row.url} says that it is not found, with status 200`,
          ),
        );
      } else if (same !== undefined) {
        settled.push(skippedRow(row, same.key, "same_page", `is another address of ${same.url}`));
        stored.push({ ...outcome, key: row.id[1], depth, same: same.key, queued: false });
      } else if (key === row.id[1]) {
        settled.push({ row, state: "done", page_key: key, error: null, not_before: 0 });
        stored.push({ ...outcome, key, depth, queued: true });
      } else {
        settled.push(skippedRow(row, key, "redirected", `redirects to ${page.finalUrl}`));
        // If the crawl has queued or read the target of the redirect before, the target has a result of its own.
        // Otherwise, the content that was just read is stored under the target's URL.
        const target: { readonly state: FrontierState } | undefined = targets.get(key);
        if (storedKeys.has(key) || (target && target.state !== "held")) continue;
        storedKeys.add(key);
        arrived.push({ key, url: page.finalUrl, depth: row.depth, held: target?.state === "held" });
        stored.push({ ...outcome, key, depth: row.depth, queued: false });
      }
    }
    for (const { row, state } of settled) {
      const template = state === "failed" || state === "skipped" ? templateOf(row.url) : undefined;
      if (template) this.#watch.recordNoPage(this.#watch.place(template));
    }
    for (const { page } of stored) this.#listings.noteFeeds(page);
    return { batch: await this.#batch({ settled, arrived, stored, named }, position), deferred };
  }

  /** Builds a batch from URLs that no link of a page names, such as those of a sitemap. */
  async buildNamed(named: readonly Discovery[], position: Position): Promise<CrawlBatch> {
    return await this.#batch({ settled: [], arrived: [], stored: [], named }, position);
  }

  /**
   * Adds the URLs of a committed batch to the caches of known URLs. Must be called after the commit, because
   * the caches may contain only stored URLs.
   */
  committed(batch: CrawlBatch): void {
    this.#discoveries.committed(batch);
  }

  async #batch(
    {
      settled,
      arrived,
      stored,
      named,
    }: {
      readonly settled: readonly Settlement[];
      readonly arrived: CrawlBatch["arrived"];
      readonly stored: readonly StoredPage[];
      readonly named: readonly Discovery[];
    },
    { site, scope, kinds, crawlDelay }: Position,
  ): Promise<CrawlBatch> {
    const own = stored.filter(({ same }) => same === undefined);
    const found = await this.#discoveries.find(stored, scope, named);
    const discovered = found.discovered.map((one) => ({ ...one, rare: this.#noteForm(one.url) }));
    const freed = settled.filter(({ state }) => state === "skipped").length;
    const { job_id, request } = this.#input;
    return {
      pages: own.map((each) => pageRecord(this.#input, each, scope)),
      external: own.flatMap(({ page }) =>
        page.links
          .filter((link) => !scope.isInternal(link.url))
          .map((link) => ({ from_url: page.finalUrl, to_url: link.url })),
      ),
      nofollow: request.respect_robots ? countNofollow(own, scope) : 0,
      settled,
      arrived,
      ...found,
      discovered,
      yielding: await this.#yielding(discovered),
      waiting: freed > 0 ? await this.#store.frontier.heldInOrder(job_id, request.strategy, freed) : [],
      kinds,
      notes: this.#notes(site),
      traps: this.#newTraps(),
      current_url: settled.at(-1)?.row.url ?? null,
      ...(crawlDelay > 0 ? { crawl_delay: crawlDelay } : {}),
      site,
    };
  }

  /**
   * Counts a new URL for its form (the pattern of similar URLs). Returns whether the form was rare before
   * this URL.
   */
  #noteForm(url: string): boolean {
    const isRare = this.#forms.isRare(url);
    this.#forms.add(url);
    return isRare;
  }

  /**
   * Returns the queued URLs that are postponed in favour of new URLs. They have a common pattern, and are at most
   * as many as the new URLs with a rare pattern. The list is empty if the queue still has room (`max_pages`), or if
   * no new URL has a rare pattern.
   */
  async #yielding(discovered: readonly Discovery[]): Promise<readonly FrontierRecord[]> {
    const rare = discovered.filter(({ rare }) => rare).length;
    const { job_id, request } = this.#input;
    // In a depth-first crawl, the newest URLs of the queue are read next. So queued URLs are postponed only in
    // a breadth-first crawl.
    if (rare === 0 || !this.#forms.isFull || request.strategy !== "BFS") return [];
    const rows = await this.#store.frontier.next(job_id, {
      strategy: "DFS",
      limit: SEARCHED_QUEUE,
      now: Date.now(),
    });
    const yielding = this.#reserve(
      rows.filter(({ url }) => this.#forms.mayYield(url)),
      rare,
    );
    this.#forms.recordYieldedUrls(yielding.map(({ url }) => url));
    return yielding;
  }

  #notes(site: string | null): CrawlNoteRecord[] {
    const { job_id } = this.#input;
    const notes = [...this.#watch.changes()];
    const note = (name: string, text: string | undefined): void => {
      if (text !== undefined) notes.push({ id: [job_id, name], job_id, note: text });
    };
    note(LISTINGS, this.#listings.note());
    if (this.#forms.yielded !== this.#noted) note(YIELDED, String(this.#forms.yielded));
    this.#noted = this.#forms.yielded;
    if (site !== this.#site) note(SITE, site ?? undefined);
    this.#site = site;
    return notes;
  }

  #newTraps(): CrawlBatch["traps"] {
    const traps = this.#watch.reports();
    const text = JSON.stringify(traps);
    if (text === this.#traps) return null;
    this.#traps = text;
    return traps;
  }

  /**
   * Decides which of the read pages are copies of other pages. A page must wait if its canonical page is not
   * read yet.
   */
  async #resolveCanonicals(
    reads: readonly Read[],
    { scope, last }: Position,
  ): Promise<{ settling: Settling[]; deferred: Read[]; named: Discovery[] }> {
    const claims = new Map<Read, DuplicateClaim>();
    const twins = new Map<Read, readonly DuplicateClaim[]>();
    for (const { outcome } of reads)
      if (outcome.kind === "page") this.#indexFiles.note(outcome.page.finalUrl);
    for (const read of reads) {
      if (read.outcome.kind !== "page") continue;
      const { page } = read.outcome;
      const url = canonicalOf(page);
      if (url !== undefined && scope.follows(url)) claims.set(read, { url, key: urlKey(url) });
      const others = this.#indexFiles.twinsOf(page.finalUrl).filter(scope.follows);
      if (others.length > 0)
        twins.set(
          read,
          others.map((other) => ({ url: other, key: urlKey(other) })),
        );
    }
    const asked = [...claims.values(), ...[...twins.values()].flat()];
    if (asked.length === 0) return { settling: [...reads], deferred: [], named: [] };
    const keys = [...new Set(asked.map(({ key }) => key))];
    const known = await this.#store.frontier.known(this.#input.job_id, keys);
    const done = keys.filter((key) => known.get(key)?.state === "done");
    const pages = new Map<UrlKey, Pick<PageRecord, "content_hash" | "signature" | "content" | "controls">>();
    for (const page of await this.#store.pages.getMany(this.#input.request.knowledge_id, done))
      pages.set(page.id[1], page);
    for (const { outcome } of reads) {
      if (outcome.kind !== "page") continue;
      const { finalUrl, contentHash: content_hash, content, signature } = outcome.page;
      pages.set(urlKey(finalUrl), {
        content_hash,
        content,
        controls: JSON.stringify(outcome.page.controls),
        ...(signature === undefined ? {} : { signature }),
      });
    }

    const settling: Settling[] = [];
    const deferred: Read[] = [];
    const named: Discovery[] = [];
    for (const read of reads) {
      const claim = claims.get(read);
      const { row, outcome } = read;
      if (outcome.kind !== "page") {
        settling.push(read);
        continue;
      }
      const page = claim && pages.get(claim.key);
      const twin = twins.get(read)?.find(({ key }) => {
        const other = pages.get(key);
        const may = IndexFiles.givesWay(outcome.page.finalUrl) || known.get(key)?.state === "done";
        if (!may || row.depth === 0 || other === undefined || !isSameText(outcome.page, other)) return false;
        const controls = (): string => JSON.stringify(outcome.page.controls);
        return routeOf(outcome.page.finalUrl) === "" || haveSameControls(controls(), other.controls);
      });
      const same = claim && page && isSamePage(outcome.page, page) ? claim : twin;
      const state = claim && known.get(claim.key)?.state;
      if (same) {
        // Two pages may each name the other as their canonical page, and must not both become duplicates.
        // This page is a duplicate now, so it is removed from the possible canonical pages.
        pages.delete(urlKey(outcome.page.finalUrl));
        settling.push({ ...read, same });
      } else if (!claim || page) {
        settling.push(read);
      } else if (last || deferred.length >= explorationLimits.deferredPages) {
        settling.push(read);
      } else if (state === "queued") {
        deferred.push({ ...read, deferred: true });
      } else if (state === undefined && !read.deferred && isVariant(outcome.page.finalUrl, claim.url)) {
        named.push({ ...claim, depth: row.depth });
        deferred.push({ ...read, deferred: true });
      } else {
        settling.push(read);
      }
    }
    return { settling, deferred, named };
  }
}

/** Name of the job's note (a stored value) that contains the address of the start page after redirects. */
export const SITE = "site";
/**
 * Name of the job's note (a stored value) that contains how many URLs were postponed in favour of rare URLs.
 */
export const YIELDED = "yielded";

const LOOPS: ReadonlySet<string> = new Set(["reading.redirect_loop", "reading.too_many_redirects"]);

function skippedRow(
  row: FrontierRecord,
  page_key: UrlKey | null,
  why: SkipReason,
  error: string,
): Settlement {
  return { row, state: "skipped", page_key, error, why, not_before: 0 };
}

function countNofollow(stored: readonly StoredPage[], scope: Scope): number {
  const left = stored.map(({ page }) =>
    page.links.filter((link) => (link.nofollow || page.relations.nofollow) && scope.follows(link.url)),
  );
  return left.flat().length;
}

/** Error codes of an address at which no server answers. */
const NO_SERVER: ReadonlySet<string> = new Set(["reading.unknown_host", "reading.refused"]);

/** Returns the new state of a URL whose page could not be read: skipped, failed, or waiting for a retry. */
function settleUnread(row: FrontierRecord, outcome: Unread): Settlement {
  if (outcome.kind === "skipped") {
    return skippedRow(row, null, outcome.reason, outcome.detail);
  }
  const { attempts, overloadAttempts, backoff, maxBackoff } = explorationLimits;
  const error = `${outcome.code}: ${outcome.message}`;
  // The caller of a new job waits for the start page. So if the host name is wrong or the server is stopped,
  // the job fails at once, and the page is not requested again.
  const noServer = row.depth === 0 && NO_SERVER.has(outcome.code);
  const last = row.attempts + 1 >= (isOverload(outcome) ? overloadAttempts : attempts);
  if (!outcome.retryable || noServer || last) {
    return { row, state: "failed", page_key: null, error, not_before: 0 };
  }
  const asked = "retryAfter" in outcome ? outcome.retryAfter : undefined;
  const wait =
    asked === undefined
      ? Math.min(backoff * 2 ** row.attempts, maxBackoff)
      : Math.min(asked, readingLimits.retryAfter);
  return { row, state: "retry", page_key: null, error, not_before: Date.now() + wait };
}
