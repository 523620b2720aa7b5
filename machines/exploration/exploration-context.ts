/** The stored state of an exploration: its request, its row in job lists, and its messages to the map. */

import type { Emitted, StoreWrite } from "../machine-emissions.ts";
import type { JobStatus } from "../records/exploration-records.ts";
import type { Counts } from "./crawl/crawl-batch-of-read-pages.ts";
import type { TrapReport } from "./crawl/crawler-trap-detection.ts";
import type { PageKind } from "./crawl/rendering-decision.ts";
import type { SkipTally } from "./crawl/skipped-url-counts-by-reason.ts";
import type { ExplorationRequest } from "./exploration-request.ts";
import type { PressCounts, PressOutput } from "./press/press-phase-input-and-result.ts";

export interface ExplorationContext {
  readonly job_id: string;
  readonly request: ExplorationRequest | null;
  readonly started_at: number;
  readonly updated_at: number;
  readonly counts: Counts;
  readonly seq: number;
  readonly external_links: number;
  readonly nofollow_links: number;
  /** Number of skipped URLs by reason. This field and `crawl_delay` are absent in jobs of older versions. */
  readonly skips?: SkipTally;
  readonly crawl_delay?: number;
  readonly searchable: number;
  readonly current_url: string | null;
  readonly site: string | null;
  /**
   * For each kind of page (pages with similar addresses, see `kindOf`), whether its pages are read over HTTP
   * or in a browser, and why.
   */
  readonly kinds: Readonly<Record<string, PageKind>>;
  readonly traps: readonly TrapReport[];
  /** Time of the last message that informed the map about pages of this job that wait to be ingested. */
  readonly told_map_at: number;
  /** Time of the job's last progress event. Absent in jobs of older versions. */
  readonly told_progress_at?: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  /**
   * Counters of the phase in which the job presses controls; `null` before this phase. `pressed` and
   * `press_end` are absent in jobs that an older release stored.
   */
  readonly pressed?: PressCounts | null;
  readonly press_end?: PressOutput | null;
  /**
   * Number of times that the job returned from pressing controls to reading pages, because it had found new
   * pages by pressing controls.
   */
  readonly press_rounds?: number;
  /**
   * Total duration of the finished rounds of pressing controls, in seconds. A round reads pages and then
   * presses their controls.
   */
  readonly press_spent?: number;
  /** Why the map currently does not accept pages. Absent in older jobs. */
  readonly map_trouble?: MapTrouble | null;
}

export interface MapTrouble {
  readonly code: string;
  readonly message: string;
  /**
   * Whether the store keeps the message about new pages until the map is available. If false, this message is lost,
   * and a later message informs the map.
   */
  readonly waits: boolean;
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
    nofollow_links: 0,
    searchable: 0,
    current_url: null,
    site: null,
    kinds: {},
    traps: [],
    told_map_at: 0,
    told_progress_at: 0,
    error: null,
    pressed: null,
    press_end: null,
    map_trouble: null,
  };
}

/** Returns the row of the job in the list of explorations. */
export function jobRow(context: ExplorationContext, status: JobStatus, at: number): StoreWrite[] {
  const { request } = context;
  if (!request) return [];
  const row = {
    id: context.job_id,
    knowledge_id: request.knowledge_id,
    website_id: request.website_id,
    status,
    start_url: request.start_url,
    ...(request.role === undefined ? {} : { role: request.role }),
    started_at: context.started_at,
    updated_at: at,
  };
  return [{ op: "put", table: "job", rows: [row] }];
}

/**
 * Informs the map about new pages. If an earlier message already waits until the map is available, no second
 * message is sent, because one message covers all waiting pages.
 */
export function notifyMap(context: ExplorationContext, crawling: boolean): Emitted[] {
  const { request } = context;
  if (!request || context.map_trouble?.waits) return [];
  const command = { type: "INGEST", job_id: context.job_id, crawling };
  return [{ type: "send", to: `knowledge/${request.knowledge_id}`, command }];
}
