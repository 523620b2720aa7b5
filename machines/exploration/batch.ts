/**
 * One commit of a crawl: what was read, and how it changes what the job knows. Pure arithmetic.
 *
 * The crawl effect (`actors/exploration.ts`) reads pages and says what it found; the machine decides here what
 * is admitted under `max_pages`, and turns it all into typed writes. `completed + queued + failed` is the number
 * of known pages within the limits, before and after every batch.
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
import type { PageKind } from "./rendering.ts";
import type { TrapReport } from "./trap-watch.ts";

/** A URL new to the job. */
export interface Discovery {
  readonly key: UrlKey;
  readonly url: string;
  readonly depth: number;
}

/** A known row that ends, or is tried again later. */
export interface Settlement {
  readonly row: FrontierRecord;
  readonly state: "done" | "failed" | "skipped" | "retry";
  readonly page_key: UrlKey | null;
  readonly error: string | null;
  /** Of what was skipped. */
  readonly why?: SkipReason;
  /** For a retry: not before this moment. */
  readonly not_before: number;
}

export interface CrawlBatch {
  readonly pages: readonly PageRecord[];
  /** Links of these pages that leave the site. */
  readonly external: readonly { readonly from_url: string; readonly to_url: string }[];
  /** How many of their links the job would follow, did they not say `nofollow`. */
  readonly nofollow: number;
  readonly settled: readonly Settlement[];
  /** Where redirects led: pages of their own that were stored under that URL. `held`: they had waited for room. */
  readonly arrived: readonly (Discovery & { readonly held: boolean })[];
  /** New URLs in the order they were found. */
  readonly discovered: readonly Discovery[];
  /** Known URLs that a shorter way leads to. */
  readonly shallower: readonly { readonly row: Pick<FrontierRecord, "id">; readonly depth: number }[];
  /** Held rows that may be admitted if this batch makes room, the next first. */
  readonly waiting: readonly FrontierRecord[];
  /** Kinds of pages of which more is known now. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  /** URLs left out because their template looks like a trap … */
  readonly left: readonly LeftRecord[];
  /** … and those of them that are left out no longer: they are among `discovered`. */
  readonly taken: readonly LeftRecord["id"][];
  /** What the job has learnt, as far as it changed. */
  readonly notes: readonly CrawlNoteRecord[];
  /** All traps found so far; `null` when nothing changed about them. */
  readonly traps: readonly TrapReport[] | null;
  readonly current_url: string | null;
  /** Milliseconds between two requests that the site asks for; absent where it asks for none. */
  readonly crawl_delay?: number;
  /** The site the job keeps to, once the start page's own redirect is known. */
  readonly site: string | null;
  /** Of a part of a batch: pages that a later part brings, and that it has to leave room for. */
  readonly expected?: number;
}

/**
 * A batch in parts that one commit each can take, which make the same of the job one after another: a page may lead to
 * tens of thousands of others, and a sitemap name as many. The pages and what is settled come last, so that a crash in
 * between makes them be read again, and finds what the parts before had made known.
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
  /** Discoveries so far; numbers the next ones. */
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
      // Kept for when a known URL turns out to be no page; more than max_pages of them can never be needed.
      puts.push(frontierRow(job.job_id, discovery, seq++, "held"));
      held += 1;
    }
  }

  const ingest = [
    ...batch.pages.map((page) => [page.id[1], page.id[1]] as const),
    // The map is told of redirects too, or links to them would lead nowhere.
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
