/** The context of an exploration: its request, its row in lists, and its messages to the map. */

import type { Emitted, StoreWrite } from "../emitted.ts";
import type { JobStatus } from "../records.ts";
import type { RiskClass } from "../risk/risk-classes.ts";
import type { Counts } from "./crawl-batch.ts";
import type { SkipTally } from "./held-back.ts";
import type { PressCounts, PressOutput } from "./press-batch.ts";
import type { ExplorationMode, Rendering, Strategy } from "./protocol.ts";
import type { PageKind } from "./rendering.ts";
import type { ScopeRules } from "./scope.ts";
import type { TrapReport } from "./trap-watch.ts";

/** A validated request with a normalised URL and chosen ids. */
export interface ExplorationRequest extends ScopeRules {
  readonly start_url: string;
  readonly max_pages: number;
  readonly max_depth: number;
  readonly strategy: Strategy;
  readonly knowledge_id: string;
  readonly website_id: string;
  readonly respect_robots: boolean;
  readonly render: Rendering;
  /** Whether pages known only from a sitemap or feed are explored. */
  readonly sitemaps: boolean;
  /** `interactive`: what is safe to press is pressed when the links are followed. Absent in older jobs. */
  readonly mode?: ExplorationMode;
  readonly max_actions?: number;
  readonly max_seconds?: number;
  /** The login recipe, sealed. */
  readonly login?: string;
  /** Equal for equal recipes; a recipe that is sealed again differs. */
  readonly login_digest?: string;
  readonly allow?: readonly RiskClass[];
}

export interface ExplorationContext {
  readonly job_id: string;
  readonly request: ExplorationRequest | null;
  readonly started_at: number;
  readonly updated_at: number;
  readonly counts: Counts;
  readonly seq: number;
  readonly external_links: number;
  readonly nofollow_links: number;
  /** Absent, like the next field, in older jobs. */
  readonly skips?: SkipTally;
  readonly crawl_delay?: number;
  readonly searchable: number;
  readonly current_url: string | null;
  readonly site: string | null;
  /** How each kind of page (`kindOf`) is read, and why. */
  readonly kinds: Readonly<Record<string, PageKind>>;
  readonly traps: readonly TrapReport[];
  /** Time of the last message to the map about waiting pages. */
  readonly told_map_at: number;
  /** Time of the last progress event. */
  readonly told_progress_at: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What was pressed so far; `null` before it begins. Absent, like `press_end`, in older jobs. */
  readonly pressed?: PressCounts | null;
  readonly press_end?: PressOutput | null;
  /** Times that pages found by presses were read. */
  readonly press_rounds?: number;
  /** Seconds that earlier rounds of presses took. */
  readonly press_spent?: number;
  /** Why the map takes no pages at present. Absent in older jobs. */
  readonly map_trouble?: MapTrouble | null;
}

export interface MapTrouble {
  readonly code: string;
  readonly message: string;
  /** The announcement waits until the map is back in service; otherwise it is lost and the next one may succeed. */
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

/** The job's row in lists. */
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

/** The map has one announcement waiting already, which suffices when it is back. */
export function notifyMap(context: ExplorationContext, crawling: boolean): Emitted[] {
  const { request } = context;
  if (!request || context.map_trouble?.waits) return [];
  const command = { type: "INGEST", job_id: context.job_id, crawling };
  return [{ type: "send", to: `knowledge/${request.knowledge_id}`, command }];
}
