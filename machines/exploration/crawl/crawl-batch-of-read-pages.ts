/**
 * One commit of a crawl: the pages that were read, and how they change the job. URLs beyond `max_pages` are
 * held back. The sum `completed + queued + failed` is the number of URLs within `max_pages` that the job
 * knows.
 */
import type { StoreWrite } from "../../machine-emissions.ts";
import type {
  CrawlNoteRecord,
  FrontierRecord,
  FrontierState,
  IngestRecord,
  LeftRecord,
} from "../../records/exploration-records.ts";
import type { PageRecord } from "../../records/page-records.ts";
import type { UrlKey } from "../../records/record-ids.ts";
import type { HeldBackReason } from "../exploration-protocol.ts";
import type { TrapReport } from "./crawler-trap-detection.ts";
import { urlKey } from "./normalise-url.ts";
import type { PageKind } from "./rendering-decision.ts";

/** The reason why a single URL was skipped. */
export type SkipReason = Exclude<HeldBackReason, "nofollow" | "crawl_delay">;

/** A URL that this batch has found and that the job did not know before. */
export interface Discovery {
  readonly key: UrlKey;
  readonly url: string;
  readonly depth: number;
  /**
   * Whether the job knows only few URLs of this form (pattern with masked ids). For example,
   * `/orders/{n}/edit` may be rare, although the job knows many URLs of the form `/orders/{n}`.
   */
  readonly rare?: boolean;
}

/**
 * A known URL with the result of reading it: it was read, failed, was skipped, or will be read again
 * (`retry`).
 */
export interface Settlement {
  readonly row: FrontierRecord;
  readonly state: "done" | "failed" | "skipped" | "retry";
  readonly page_key: UrlKey | null;
  readonly error: string | null;
  /** Why the URL was skipped and did not become a page. Absent if it was not skipped. */
  readonly why?: SkipReason;
  /** Earliest time at which the URL is read again, in milliseconds since the epoch. */
  readonly not_before: number;
}

export interface CrawlBatch {
  readonly pages: readonly PageRecord[];
  /** Links from the pages of this batch to pages of other sites. */
  readonly external: readonly { readonly from_url: string; readonly to_url: string }[];
  /**
   * Number of links on the pages of this batch that are not followed only because they are marked `nofollow`.
   */
  readonly nofollow: number;
  readonly settled: readonly Settlement[];
  /**
   * The targets of redirects in this batch. Each counts as a page that was read. `held`: the job knew this
   * URL already, but had not queued it, because `max_pages` was reached.
   */
  readonly arrived: readonly (Discovery & { readonly held: boolean })[];
  /** URLs that the crawl did not know before, in the order in which it found them. */
  readonly discovered: readonly Discovery[];
  /** Known URLs that the crawl has now reached over fewer links, with this number of links (`depth`). */
  readonly shallower: readonly { readonly row: Pick<FrontierRecord, "id">; readonly depth: number }[];
  /**
   * Known URLs that are not queued, because `max_pages` was reached, in the order in which they would be
   * read. They are queued when `max_pages` allows more pages.
   */
  readonly waiting: readonly FrontierRecord[];
  /**
   * Queued URLs of common forms (patterns with many known URLs). If the queue has reached `max_pages`, new
   * URLs of rare forms take their places.
   */
  readonly yielding?: readonly FrontierRecord[];
  /** The page kinds whose counts change by this batch. A page kind is a group of pages with similar URLs. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  /**
   * URLs that are not followed because the template of their URL looks like a trap, such as an endless
   * calendar.
   */
  readonly left: readonly LeftRecord[];
  /** URLs that were left out as traps before and are queued now. `discovered` contains them too. */
  readonly taken: readonly LeftRecord["id"][];
  /**
   * The job's notes (named values) that this batch changes. A note contains, for example, the counts of a
   * kind of pages.
   */
  readonly notes: readonly CrawlNoteRecord[];
  /** All crawler traps found so far; `null` when this batch does not change them. */
  readonly traps: readonly TrapReport[] | null;
  readonly current_url: string | null;
  /**
   * Minimum time between two requests, in milliseconds, as robots.txt demands. Absent if robots.txt has no
   * crawl-delay.
   */
  readonly crawl_delay?: number;
  /** The site of the job. It is known after the redirects of the start page; `null` before. */
  readonly site: string | null;
  /**
   * Number of pages in the later parts of the batch. They already count towards `max_pages`, so they reduce
   * the number of new URLs that this part may add.
   */
  readonly expected?: number;
}

export const EMPTY_BATCH: CrawlBatch = {
  pages: [],
  external: [],
  nofollow: 0,
  settled: [],
  arrived: [],
  discovered: [],
  shallower: [],
  waiting: [],
  kinds: {},
  left: [],
  taken: [],
  notes: [],
  traps: null,
  current_url: null,
  site: null,
};

/**
 * Returns a batch with addresses that were found by pressing controls, and not as links on pages that were
 * read.
 */
export function foundAddresses(urls: readonly string[]): CrawlBatch {
  return { ...EMPTY_BATCH, discovered: urls.map((url) => ({ key: urlKey(url), url, depth: 1 })) };
}

/**
 * Splits a batch into parts, each for one commit, because a page may have tens of thousands of links. The last
 * part marks the batch's pages as read. If the process crashes before it, they are read again.
 *
 * @param most the maximum number of rows of one kind in a part
 */
export function partsOf(batch: CrawlBatch, most: number): readonly CrawlBatch[] {
  const { discovered, left, external } = batch;
  const parts = Math.ceil(Math.max(discovered.length, left.length, external.length) / most);
  if (parts <= 1) return [batch];
  const slice = <Row>(rows: readonly Row[], part: number): readonly Row[] =>
    rows.slice(part * most, (part + 1) * most);
  return Array.from({ length: parts }, (_, part): CrawlBatch => {
    const rows = {
      discovered: slice(discovered, part),
      left: slice(left, part),
      external: slice(external, part),
    };
    if (part === parts - 1) return { ...batch, ...rows };
    return {
      ...rows,
      pages: [],
      nofollow: 0,
      settled: [],
      arrived: [],
      shallower: [],
      waiting: [],
      kinds: {},
      taken: [],
      notes: [],
      traps: null,
      current_url: null,
      site: null,
      expected: batch.arrived.length,
    };
  });
}

export interface Counts {
  readonly completed: number;
  readonly queued: number;
  readonly failed: number;
  readonly skipped: number;
  readonly held: number;
}

export interface JobFacts {
  readonly job_id: string;
  readonly knowledge_id: string;
  readonly max_pages: number;
  /** Number of URLs that the job has found so far. The next new URL gets this number. */
  readonly seq: number;
  readonly counts: Counts;
}

export interface Applied {
  readonly counts: Counts;
  readonly seq: number;
  readonly writes: readonly StoreWrite[];
}

export function frontierRow(
  jobId: string,
  { key, url, depth }: Discovery,
  seq: number,
  state: FrontierState,
): FrontierRecord {
  return {
    id: [jobId, key],
    job_id: jobId,
    url,
    depth,
    seq,
    state,
    attempts: 0,
    not_before: 0,
    page_key: state === "done" ? key : null,
    error: null,
  };
}

/** Applies a batch to the counters of a job. */
export function applyBatch(job: JobFacts, batch: CrawlBatch): Applied {
  let { completed, queued, failed, skipped, held } = job.counts;
  let seq = job.seq;
  const puts: FrontierRecord[] = [];
  const merges: (Pick<FrontierRecord, "id"> & Partial<FrontierRecord>)[] = [];

  for (const { row, state, page_key, error, not_before } of batch.settled) {
    const attempts = row.attempts + 1;
    if (state === "retry") {
      merges.push({ id: row.id, attempts, not_before, error });
      continue;
    }
    queued -= 1;
    if (state === "done") completed += 1;
    else if (state === "failed") failed += 1;
    else skipped += 1;
    merges.push({ id: row.id, state, attempts, page_key, error });
  }
  for (const arrival of batch.arrived) {
    completed += 1;
    if (arrival.held) held -= 1;
    puts.push(frontierRow(job.job_id, arrival, seq++, "done"));
  }
  for (const { row, depth } of batch.shallower) merges.push({ id: row.id, depth });

  let room = Math.max(0, job.max_pages - completed - queued - failed - (batch.expected ?? 0));
  for (const row of batch.waiting.slice(0, room)) {
    merges.push({ id: row.id, state: "queued" });
    held -= 1;
    queued += 1;
    room -= 1;
  }
  const yielding = [...(batch.yielding ?? [])];
  for (const discovery of batch.discovered) {
    const waits = room <= 0 && discovery.rare ? yielding.shift() : undefined;
    if (waits) {
      merges.push({ id: waits.id, state: "held" });
      held += 1;
      puts.push(frontierRow(job.job_id, discovery, seq++, "queued"));
    } else if (room > 0) {
      puts.push(frontierRow(job.job_id, discovery, seq++, "queued"));
      queued += 1;
      room -= 1;
    } else if (held < job.max_pages) {
      // `max_pages` is reached, so the URL is stored as `held` (waiting). It is queued later if another URL
      // turns out not to be a page. At most `max_pages` URLs are held, because no more can be needed.
      puts.push(frontierRow(job.job_id, discovery, seq++, "held"));
      held += 1;
    }
  }

  const ingest = [
    ...batch.pages.map((page) => [page.id[1], page.id[1]] as const),
    // The map also stores redirects, so that links to a redirecting URL lead to its target.
    ...batch.settled.flatMap(({ row, state, page_key }) =>
      state === "skipped" && page_key !== null ? [[row.id[1], page_key] as const] : [],
    ),
  ].map(
    ([from, page_key], i): IngestRecord => ({
      id: [job.knowledge_id, job.job_id, from],
      knowledge_id: job.knowledge_id,
      job_id: job.job_id,
      page_key,
      phase: "map",
      seq: seq + i,
    }),
  );
  const writes: StoreWrite[] = [];
  if (batch.pages.length > 0) writes.push({ op: "put", table: "page", rows: batch.pages });
  if (merges.length > 0) writes.push({ op: "merge", table: "frontier", rows: merges });
  if (puts.length > 0) writes.push({ op: "put", table: "frontier", rows: puts });
  if (ingest.length > 0) writes.push({ op: "put", table: "ingest", rows: ingest });
  if (batch.taken.length > 0) writes.push({ op: "remove", table: "left_url", ids: batch.taken });
  if (batch.left.length > 0) writes.push({ op: "put", table: "left_url", rows: batch.left });
  if (batch.notes.length > 0) writes.push({ op: "put", table: "crawl_note", rows: batch.notes });
  return { counts: { completed, queued, failed, skipped, held }, seq, writes };
}
