/**
 * Streams the results of a job of any size in little memory. With a `limit` it returns one slice of pages
 * with their outgoing links and a cursor. Without a limit it returns all pages.
 */
import { Refused } from "../../machines/errors.ts";
import { causeOf } from "../../machines/exploration/build-exploration-events.ts";
import type { ExplorationStatus, ResultPage } from "../../machines/exploration/exploration-protocol.ts";
import { metadataOf } from "../../machines/knowledge/screens/page-record-metadata.ts";
import type { JobStatus } from "../../machines/records/exploration-records.ts";
import type { DonePage, Slice, SliceRequest, Store } from "../../store/index.ts";
import { resultsLimits } from "../../store/store-limits.ts";

export interface ResultsRequest {
  /**
   * If true, a request while the job is running returns the results so far. If false, such a request is
   * refused with `job.not_finished`.
   */
  readonly partial: boolean;
  /** Maximum number of pages in one answer. If it is absent, the answer contains all pages. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ResultsAnswer {
  readonly summary: {
    job_id: string;
    status: JobStatus;
    results: {
      pages_stored: number;
      links_stored: number;
      external_links_detected: number;
      errors: { url: string; error: string; code: string; attempts: number }[];
      traps: ExplorationStatus["traps"];
    };
  };
  readonly pages: AsyncIterable<ResultPage>;
  readonly links: AsyncIterable<{ from: string; to: string; type: "internal" | "external" }>;
  readonly next_cursor: string | null;
}

const ENDED: readonly JobStatus[] = ["completed", "cancelled", "failed"];

export async function jobResults(
  store: Store,
  status: ExplorationStatus,
  { partial, limit, cursor }: ResultsRequest,
): Promise<ResultsAnswer> {
  const { job_id } = status;
  if (!partial && !ENDED.includes(status.status)) {
    throw new Refused(
      "job.not_finished",
      `Job ${job_id} is ${status.status}. Ask again when it has ended, or with partial=true for what is stored so far.`,
      { status: 409, details: { status: status.status } },
    );
  }
  const counted = await store.pages.countLinksOfJob(job_id);
  const failures = await store.frontier.failures(job_id);
  const summary = {
    job_id,
    status: status.status,
    results: {
      pages_stored: status.progress.completed,
      links_stored: counted.internal,
      external_links_detected: counted.external,
      errors: failures.map(({ url, error, attempts }) => ({ url, ...causeOf(error), attempts })),
      traps: status.traps,
    },
  };
  const readPages = (slice: SliceRequest) => store.frontier.pages(job_id, slice);
  const readLinks = (slice: SliceRequest) => store.pages.linksOfJob(job_id, slice);
  const first = limit === undefined ? undefined : await readPages({ limit, cursor });
  return {
    summary,
    next_cursor: first?.cursor ?? null,
    pages: mapped(first ? once(first.items) : all(readPages, resultsLimits.pageSlice), shownPage),
    links: mapped(
      first && limit !== undefined
        ? once((await readLinks({ limit, cursor })).items)
        : all(readLinks, resultsLimits.linkSlice),
      ({ from_url, to_url, kind }) => ({ from: from_url, to: to_url, type: kind }),
    ),
  };
}

function shownPage(page: DonePage): ResultPage {
  return {
    url: page.url,
    title: page.title,
    content: page.content,
    language: page.language,
    headings: page.headings,
    content_hash: page.content_hash,
    signature: page.signature ?? null,
    rendered_by: page.rendered_by ?? "http",
    render_reason: page.render_reason ?? "",
    media_type: page.media_type,
    http_status: page.http_status,
    depth: page.depth,
    fetched_at: new Date(page.fetched_at).toISOString(),
    metadata: metadataOf(page),
  };
}

async function* once<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

/** Reads a list slice by slice until its end. */
async function* all<T>(read: (slice: SliceRequest) => Promise<Slice<T>>, limit: number): AsyncIterable<T> {
  let cursor: string | undefined;
  do {
    const slice = await read({ limit, cursor });
    yield* slice.items;
    cursor = slice.cursor ?? undefined;
  } while (cursor !== undefined);
}

async function* mapped<From, To>(items: AsyncIterable<From>, map: (item: From) => To): AsyncIterable<To> {
  for await (const item of items) yield map(item);
}

/**
 * Returns a stored large result. Throws `result.not_found` (404) when the id is unknown or the result has
 * expired.
 */
export async function keptResult(store: Store, resultId: string): Promise<Readonly<Record<string, unknown>>> {
  const body = await store.results.get(resultId);
  if (body !== undefined) return JSON.parse(body);
  throw new Refused(
    "result.not_found",
    `There is no result ${resultId.slice(0, 300)}: it never was, or its time is over.`,
    { status: 404 },
  );
}
