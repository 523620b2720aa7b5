/** The context, the inputs and the events of a navigation run's state machine. */

import type { CommandOf } from "../actor-kind-protocol.ts";
import { topicToken } from "../encode-id-for-message-topic.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted, Occasion } from "../machine-emissions.ts";
import type { PageRecord } from "../records/page-records.ts";
import type { NavigationProtocol } from "./navigation-protocol.ts";
import type {
  Article,
  Decision,
  Intent,
  NavigationRequest,
  NavigationResult,
  PageType,
  StoppedReason,
} from "./navigation-run-schemas.ts";

/** A page that the run has not visited yet. */
export interface PendingPage {
  /** The normalised address of the page to visit. */
  readonly url: string;
  readonly depth: number;
  readonly seed: string;
  /** Addresses of the pages that led to this page, starting with the start page. */
  readonly path: readonly string[];
  /**
   * The text of the link to this page, and the titles of the pages that led to it. They indicate what the
   * page is about.
   */
  readonly about: string;
  /** Number of pages of the same listing that the run has read before this page. */
  readonly further: number;
  /**
   * Number of steps to the list of an earlier month, as in a mail archive, by which the run has reached this
   * page. Absent if there were none.
   */
  readonly months?: number;
  /** If this page continues a list: the type of this list. */
  readonly list?: PageType;
  /** Addresses of further messages of the thread, if each message has its own page. */
  readonly members?: readonly string[];
  /**
   * True if an earlier page of the list had links with words of the run's topic. Then only links with words
   * of the topic are followed from this page.
   */
  readonly fitting?: true;
}

export interface ModelUsage {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

export const noModelUsage: ModelUsage = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

export interface NavigationContext {
  readonly run_id: string;
  readonly request: NavigationRequest | null;
  readonly intent: Intent | null;
  /** Time at which the navigation run started, in milliseconds since the epoch. */
  readonly started_at: number;
  readonly now: number;
  /** Pages to visit, in depth-first order. The first one is visited next. */
  readonly pending: readonly PendingPage[];
  /** Deduplication keys of all pages that were read, for all start pages together. */
  readonly visited: readonly string[];
  readonly articles: number;
  readonly decisions: number;
  readonly fetched: number;
  readonly usage: ModelUsage;
  /** Confidence (0 to 1) of the run's last decision about a page. */
  readonly last_confidence: number | null;
  readonly stopped_reason: StoppedReason | null;
  readonly summary: NavigationResult["summary"];
  /**
   * Which articles of the run are in the result: their indices in the list of all articles of the run. Duplicates are
   * left out. `null` before the end of the run.
   */
  readonly kept: readonly number[] | null;
  /** The error of the run's first page that could not be read; `null` if all pages could be read. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export const initialNavigation = (run_id: string): NavigationContext => ({
  run_id,
  request: null,
  intent: null,
  started_at: 0,
  now: 0,
  pending: [],
  visited: [],
  articles: 0,
  decisions: 0,
  fetched: 0,
  usage: noModelUsage,
  last_confidence: null,
  stopped_reason: null,
  summary: null,
  kept: null,
  failure: null,
});

/** Input of the effect that derives the intent of a request: its topic, section and time range. */
export interface IntentInput {
  readonly request: NavigationRequest;
  readonly usage: ModelUsage;
  readonly deadline: number;
}

export interface IntentOutput {
  readonly intent: Intent;
  readonly usage: ModelUsage;
}

/** Input of the effect by which a navigation run visits one page. */
export interface VisitInput {
  readonly page: PendingPage;
  readonly request: NavigationRequest;
  readonly intent: Intent;
  readonly visited: readonly string[];
  readonly usage: ModelUsage;
  /** Time in milliseconds since the epoch at which this visit stops calling the model. */
  readonly deadline: number;
}

export interface VisitOutput {
  /** Deduplication keys of the pages that this visit has read: the requested page and its further pages. */
  readonly read: readonly string[];
  readonly fetched: number;
  readonly decision: Decision | null;
  readonly article: Article | null;
  /** The reason why the visited page is not an article for the result; `null` if it is one. */
  readonly irrelevant: string | null;
  readonly links: readonly PendingPage[];
  /** Addresses that the model returned although no link has them. They are not visited. */
  readonly rejected: readonly string[];
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly usage: ModelUsage;
  /** The pages that this visit has read, in the form in which the map stores them. Empty if the run has no map. */
  readonly pages: readonly PageRecord[];
  /** For each redirect: the key of the redirecting address, and the key of the target page. */
  readonly redirects: readonly (readonly [string, string])[];
}

export interface DigestInput {
  readonly run_id: string;
  readonly intent: Intent;
  readonly since: string | null;
  readonly articles: number;
}

export interface DigestOutput {
  readonly kept: readonly number[];
  readonly summary: NavigationResult["summary"];
}

export type NavigationEvent = Occasion &
  (
    | CommandOf<NavigationProtocol>
    | { readonly type: "xstate.done.actor.intent"; readonly output: IntentOutput }
    | { readonly type: "xstate.done.actor.visit"; readonly output: VisitOutput }
    | { readonly type: "xstate.done.actor.digest"; readonly output: DigestOutput }
    | { readonly type: "xstate.error.actor.intent"; readonly error: ErrorBody }
    | { readonly type: "xstate.error.actor.visit"; readonly error: ErrorBody }
    | { readonly type: "xstate.error.actor.digest"; readonly error: ErrorBody }
  );

/**
 * Returns the id under which the map stores the pages of a navigation run. The map treats the run like an
 * exploration job.
 */
export function mapJobOf(runId: string): string {
  return `navigation.${runId}`;
}

const navigationEvents = [
  "decision",
  "extracting_content",
  "content_added",
  "stopped",
  "link_rejected",
  "budget",
] as const;
export type NavigationEventType = (typeof navigationEvents)[number];

/**
 * Returns the topic of a run's events. Without `run` or `type`, the topic is a pattern that matches all runs
 * or all types.
 */
export function navigationTopic(run?: string, type?: NavigationEventType): string {
  return `navigation.${run === undefined ? "*" : topicToken(run)}.${type ?? "*"}`;
}

/**
 * Builds an event. The payload appears twice: its fields at the top level, and again in `data`. The time is
 * in seconds.
 */
export function navigationEvent(
  run_id: string,
  type: NavigationEventType,
  payload: Readonly<Record<string, unknown>>,
  at: number,
): Emitted {
  const data = { run_id, ...payload };
  return {
    type: "publish",
    topic: navigationTopic(run_id, type),
    event: { type: `nav:${type}`, ...data, data, timestamp: at / 1_000 },
  };
}
