/** The context, the inputs and the events of a navigation run's state machine. */
import type { Emitted, Occasion } from "../emitted.ts";
import type { ErrorBody } from "../errors.ts";
import type { CommandOf } from "../kind-protocol.ts";
import type { PageRecord } from "../records.ts";
import { topicToken } from "../topic-token.ts";
import type {
  Article,
  Decision,
  Intent,
  NavigationRequest,
  NavigationResult,
  StoppedReason,
} from "./navigation-schemas.ts";
import type { NavigationProtocol } from "./protocol.ts";

/** A page that waits to be read. */
export interface PendingPage {
  /** The normalised address of the page. */
  readonly url: string;
  readonly depth: number;
  readonly seed: string;
  /** Addresses of the pages that led to this page, starting with the start page. */
  readonly path: readonly string[];
  /** The link's text and the titles above it. They indicate what the page is about. */
  readonly about: string;
  /** Number of further pages of the listing that were followed before this one. */
  readonly further: number;
  /** Further messages of the thread, if each message has its own page. */
  readonly members?: readonly string[];
  /**
   * Whether an earlier page of the listing had links with words of the topic. Then only such links are
   * followed.
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
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  readonly now: number;
  /** Waiting pages in depth-first order; the first one is visited next. */
  readonly pending: readonly PendingPage[];
  /** Keys of all pages that were read, for all start pages together. */
  readonly visited: readonly string[];
  readonly articles: number;
  readonly decisions: number;
  readonly fetched: number;
  readonly usage: ModelUsage;
  /** Confidence of the last decision. */
  readonly last_confidence: number | null;
  readonly stopped_reason: StoppedReason | null;
  readonly summary: NavigationResult["summary"];
  /** Numbers of the articles that are not duplicates; `null` before the end. */
  readonly kept: readonly number[] | null;
  /** Why the first unreadable page failed. */
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

/** Input of the effect that reads the request. */
export interface IntentInput {
  readonly request: NavigationRequest;
  readonly usage: ModelUsage;
  readonly deadline: number;
}

export interface IntentOutput {
  readonly intent: Intent;
  readonly usage: ModelUsage;
}

/** Input of the effect that visits one page. */
export interface VisitInput {
  readonly page: PendingPage;
  readonly request: NavigationRequest;
  readonly intent: Intent;
  readonly visited: readonly string[];
  readonly usage: ModelUsage;
  /** Time in milliseconds since the epoch after which no model is called. */
  readonly deadline: number;
}

export interface VisitOutput {
  /** Keys of the pages that were read: the requested page and its further pages. */
  readonly read: readonly string[];
  readonly fetched: number;
  readonly decision: Decision | null;
  readonly article: Article | null;
  /** Why an article was not kept; `null` when it was. */
  readonly irrelevant: string | null;
  readonly links: readonly PendingPage[];
  /** Addresses that the model invented and that are therefore not visited. */
  readonly rejected: readonly string[];
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly usage: ModelUsage;
  /** The pages that were read, to be stored for the map; absent if the run has no map. */
  readonly pages: readonly PageRecord[];
  /** Keys of addresses that redirect, each with the key of its target page. */
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

/** The id of a navigation run among the jobs that add pages to maps. */
export function mapJobOf(runId: string): string {
  return `navigation.${runId}`;
}

export const navigationEvents = [
  "decision",
  "extracting_content",
  "content_added",
  "stopped",
  "link_rejected",
  "budget",
] as const;
export type NavigationEventType = (typeof navigationEvents)[number];

/** The topic of a run's events. Without a run or a type it is a pattern that matches all of them. */
export function navigationTopic(run?: string, type?: NavigationEventType): string {
  return `navigation.${run === undefined ? "*" : topicToken(run)}.${type ?? "*"}`;
}

/** Builds an event. The payload appears twice: flat, and as `data`. The time is in seconds. */
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
