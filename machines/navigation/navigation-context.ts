/** The context, inputs and events of a navigation run's statechart. */
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
  /** Normalised. */
  readonly url: string;
  readonly depth: number;
  readonly seed: string;
  /** The pages above it, from the seed on. */
  readonly path: readonly string[];
  /** The text of the link and the titles above: what the page is expected to be about. */
  readonly about: string;
  /** Further pages of the listing that were followed before this one. */
  readonly further: number;
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
  /** Depth first: the first is next. */
  readonly pending: readonly PendingPage[];
  /** Keys of all pages that were read, over all seeds. */
  readonly visited: readonly string[];
  readonly articles: number;
  readonly decisions: number;
  readonly fetched: number;
  readonly usage: ModelUsage;
  /** Confidence of the last decision. */
  readonly last_confidence: number | null;
  readonly stopped_reason: StoppedReason | null;
  readonly summary: NavigationResult["summary"];
  /** Numbers of the articles that are no duplicates; `null` before the end. */
  readonly kept: readonly number[] | null;
  /** Why the first page failed that could not be read. */
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
  /** Milliseconds since the epoch: no model is asked later. */
  readonly deadline: number;
}

export interface VisitOutput {
  /** Keys of the pages that were read, the requested one and its further pages. */
  readonly read: readonly string[];
  readonly fetched: number;
  readonly decision: Decision | null;
  readonly article: Article | null;
  /** Why an article was not kept. */
  readonly irrelevant: string | null;
  readonly links: readonly PendingPage[];
  /** Addresses that a model made up. */
  readonly rejected: readonly string[];
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly usage: ModelUsage;
  /** The pages that were read, for the map; none without one. */
  readonly pages: readonly PageRecord[];
  /** Keys of addresses that lead to another page, with the key of that page. */
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

/** The id of a run among the jobs that add pages to maps. */
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

/** The topic of a run's events; without a run or a type, a pattern for all of them. */
export function navigationTopic(run?: string, type?: NavigationEventType): string {
  return `navigation.${run === undefined ? "*" : topicToken(run)}.${type ?? "*"}`;
}

/** An event, flat and again as `data`, with its time in seconds. */
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
