/**
 * One commit of a crawl: the pages that were read, and how they change the job.
 * It decides what fits `max_pages` and produces typed writes. `completed + queued + failed` always counts the
 * known
 * pages within the limits.
 */
import type { StoreWrite } from "../emitted.ts";
import type {
  CrawlNoteRecord,
  FrontierRecord,
  FrontierState,
  IngestRecord,
  LeftRecord,
  PageRecord,
  UrlKey,
} from "../records.ts";
import type { SkipReason } from "./held-back.ts";
import { urlKey } from "./normalise-url.ts";
import type { PageKind } from "./rendering.ts";
import type { TrapReport } from "./trap-watch.ts";

/** A URL that is new to the job. */
export interface Discovery {
  readonly key: UrlKey;
  readonly url: string;
  readonly depth: number;
}

/** A known row that ends, or is retried later. */
export interface Settlement {
  readonly row: FrontierRecord;
  readonly state: "done" | "failed" | "skipped" | "retry";
  readonly page_key: UrlKey | null;
  readonly error: string | null;
  /** The reason of a skipped URL. */
  readonly why?: SkipReason;
  /** Earliest time of a retry. */
  readonly not_before: number;
}

export interface CrawlBatch {
  readonly pages: readonly PageRecord[];
  /** Links of these pages that leave the site. */
  readonly external: readonly { readonly from_url: string; readonly to_url: string }[];
  /** Number of their links that only `nofollow` excludes. */
  readonly nofollow: number;
  readonly settled: readonly Settlement[];
  /** Targets of redirects, stored as pages of their own. `held`: the URL had waited for room. */
  readonly arrived: readonly (Discovery & { readonly held: boolean })[];
  /** New URLs in order of discovery. */
  readonly discovered: readonly Discovery[];
  /** Known URLs that a shorter path leads to. */
  readonly shallower: readonly { readonly row: Pick<FrontierRecord, "id">; readonly depth: number }[];
  /** Held rows that may be admitted if this batch makes room, in order. */
  readonly waiting: readonly FrontierRecord[];
  /** Page kinds with new knowledge. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  /** URLs left out because their template looks like a trap. */
  readonly left: readonly LeftRecord[];
  /** Left-out URLs that are followed after all; they are among `discovered`. */
  readonly taken: readonly LeftRecord["id"][];
  /** Changed notes of the job. */
  readonly notes: readonly CrawlNoteRecord[];
  /** All traps found so far; `null` when nothing changed. */
  readonly traps: readonly TrapReport[] | null;
  readonly current_url: string | null;
  /** Milliseconds between two requests that the site requests; absent without a crawl-delay. */
  readonly crawl_delay?: number;
  /** The job's site, once the start page's redirect is known. */
  readonly site: string | null;
  /** Pages of later parts that this part must leave room for. */
  readonly expected?: number;
}

const NOTHING: CrawlBatch = {
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

/** A batch of addresses that were found without reading a page. */
export function foundAddresses(urls: readonly string[]): CrawlBatch {
  return { ...NOTHING, discovered: urls.map((url) => ({ key: urlKey(url), url, depth: 1 })) };
}

/**
 * Splits a batch into parts of one commit each with the same overall result: a page may link to tens of
 * thousands of others. Pages and settlements come last, so that a crash in between repeats the reads.
 *
 * @param most rows of one kind in a part
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
  /** Discoveries so far; the source of the next numbers. */
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

/** Applies a batch to the counts of a job. */
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
  for (const discovery of batch.discovered) {
    if (room > 0) {
      puts.push(frontierRow(job.job_id, discovery, seq++, "queued"));
      queued += 1;
      room -= 1;
    } else if (held < job.max_pages) {
      // Held for when a known URL turns out to be no page. More than max_pages of them are never needed.
      puts.push(frontierRow(job.job_id, discovery, seq++, "held"));
      held += 1;
    }
  }

  const ingest = [
    ...batch.pages.map((page) => [page.id[1], page.id[1]] as const),
    // The map needs redirects too, or links to them would be dead ends.
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
