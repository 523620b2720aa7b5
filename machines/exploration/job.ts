/**
 * What one exploration is and says: its context, its row in lists, and the events of a batch. Pure.
 *
 * `machine.ts` decides when; the arithmetic of a batch is in `batch.ts`.
 */
import type { Emitted, StoreWrite } from "../emitted.ts";
import type { JobStatus } from "../records.ts";
import { topicToken } from "../topic.ts";
import type { Counts, CrawlBatch } from "./batch.ts";
import type { ExplorationEvent, Rendering, Strategy } from "./protocol.ts";
import type { PageKind } from "./rendering.ts";
import type { ScopeRules } from "./scope.ts";

/** A validated request: normalised URL, ids chosen. */
export interface ExplorationRequest extends ScopeRules {
  readonly start_url: string;
  readonly max_pages: number;
  readonly max_depth: number;
  readonly strategy: Strategy;
  readonly knowledge_id: string;
  readonly website_id: string;
  readonly respect_robots: boolean;
  readonly render: Rendering;
  /** Whether pages that only a sitemap or a feed names are explored too. */
  readonly sitemaps: boolean;
}

export interface ExplorationContext {
  readonly job_id: string;
  readonly request: ExplorationRequest | null;
  readonly started_at: number;
  readonly updated_at: number;
  readonly counts: Counts;
  readonly seq: number;
  readonly external_links: number;
  readonly searchable: number;
  readonly current_url: string | null;
  readonly site: string | null;
  /** What is known of each kind of page (`kindOf`): how it is read and why. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  /** When the map was last told that pages wait for it. */
  readonly told_map_at: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export const noCounts: Counts = { completed: 0, queued: 0, failed: 0, skipped: 0, held: 0 };

export function fresh(jobId: string): ExplorationContext {
  return {
    job_id: jobId,
    request: null,
    started_at: 0,
    updated_at: 0,
    counts: noCounts,
    seq: 0,
    external_links: 0,
    searchable: 0,
    current_url: null,
    site: null,
    kinds: {},
    told_map_at: 0,
    error: null,
  };
}

/** The job's row as lists show it. */
export function jobRow(context: ExplorationContext, status: JobStatus, at: number): StoreWrite[] {
  const { request } = context;
  if (!request) return [];
  const row = {
    id: context.job_id,
    knowledge_id: request.knowledge_id,
    website_id: request.website_id,
    status,
    start_url: request.start_url,
    started_at: context.started_at,
    updated_at: at,
  };
  return [{ op: "put", table: "job", rows: [row] }];
}

function publish(context: ExplorationContext, kind: string, event: ExplorationEvent): Emitted {
  return { type: "publish", topic: `exploration.${topicToken(context.job_id)}.${kind}`, event };
}

export function progressEvent(context: ExplorationContext, status: JobStatus, at: number): Emitted {
  const { completed, queued, failed } = context.counts;
  return publish(context, "progress", {
    type: "exploration_progress",
    job_id: context.job_id,
    status,
    completed,
    queued,
    failed,
    current_url: context.current_url,
    timestamp: at / 1_000,
  });
}

export function tellMap(context: ExplorationContext, crawling: boolean): Emitted[] {
  const { request } = context;
  if (!request) return [];
  const command = { type: "INGEST", job_id: context.job_id, crawling };
  return [{ type: "send", to: `knowledge/${request.knowledge_id}`, command }];
}

/** Everything a batch says to the world, beside its writes. */
export function batchEvents(context: ExplorationContext, batch: CrawlBatch, at: number): Emitted[] {
  const timestamp = at / 1_000;
  const { job_id } = context;
  const events: Emitted[] = [];
  for (const page of batch.pages) {
    events.push(
      publish(context, "page_completed", {
        type: "page_completed",
        job_id,
        url: page.url,
        success: true,
        timestamp,
      }),
    );
  }
  for (const { from_url, to_url: external_url } of batch.external) {
    events.push(
      publish(context, "external_link", {
        type: "external_link_detected",
        job_id,
        from_url,
        external_url,
        timestamp,
      }),
    );
  }
  for (const { row, state, error } of batch.settled) {
    if (state !== "failed" && state !== "retry") continue;
    events.push(
      publish(context, "error", {
        type: "exploration_error",
        job_id,
        url: row.url,
        error: error ?? "failed",
        timestamp,
      }),
    );
    if (state === "failed") {
      events.push(
        publish(context, "page_completed", {
          type: "page_completed",
          job_id,
          url: row.url,
          success: false,
          timestamp,
        }),
      );
    }
  }
  return events;
}
