/**
 * The state machine of a navigation run. It derives the intent of the request, visits pages one after another,
 * and finally removes duplicate articles and writes a summary. Each visit is one committed step, so a
 * restarted run continues with the next page.
 */
import { assign, emit, enqueueActions, setup } from "xstate";
import { effect } from "../effect-placeholder.ts";
import type { ErrorBody } from "../errors.ts";
import { normaliseUrl, urlKey } from "../exploration/crawl/normalise-url.ts";
import type { Emitted, StoreWrite } from "../machine-emissions.ts";
import { SECOND } from "../time-and-size-units.ts";
import {
  type DigestInput,
  type DigestOutput,
  type IntentInput,
  type IntentOutput,
  initialNavigation,
  type ModelUsage,
  mapJobOf,
  type NavigationContext,
  type NavigationEvent,
  navigationEvent,
  type PendingPage,
  type VisitInput,
  type VisitOutput,
} from "./navigation-run-context.ts";
import { navigationLimits } from "./navigation-run-limits.ts";
import type { NavigationRequest, NavigationStatus, StoppedReason } from "./navigation-run-schemas.ts";
import { firstDay } from "./navigation-run-summary.ts";

const visited = (event: NavigationEvent): VisitOutput | undefined =>
  event.type === "xstate.done.actor.visit" ? event.output : undefined;

function seedsOf(request: NavigationRequest): readonly PendingPage[] {
  return request.seed_links.flatMap((seed) => {
    const url = normaliseUrl(seed);
    return url === undefined ? [] : [{ url, depth: 0, seed, path: [], about: "", further: 0 }];
  });
}

/**
 * Returns the pages to visit next. Links of the last page come first (depth first), before pages that already
 * waited. Pages that were visited or are in the list already are left out.
 */
function pendingAfter(
  { pending, visited: before }: NavigationContext,
  output: VisitOutput,
): readonly PendingPage[] {
  const seen = new Set([...before, ...output.read]);
  return [...output.links, ...pending.slice(1)].filter(({ url }) => {
    const key = urlKey(url);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Stores the pages that a visit of the navigation run has read, and announces them to the map. */
function mapWrites(
  { run_id, request, fetched }: NavigationContext,
  { pages, redirects }: VisitOutput,
): readonly StoreWrite[] {
  const knowledge_id = request?.knowledge_id;
  if (knowledge_id === undefined || pages.length === 0) return [];
  const job_id = mapJobOf(run_id);
  const arrivals = [...pages.map(({ id: [, key] }) => [key, key] as const), ...redirects];
  const ingest = arrivals.map(([from, page_key], index) => ({
    id: [knowledge_id, job_id, from] as const,
    knowledge_id,
    job_id,
    page_key,
    phase: "map" as const,
    seq: fetched + index,
  }));
  return [
    { op: "put", table: "page", rows: pages },
    { op: "put", table: "ingest", rows: ingest },
  ];
}

/** Notifies the map that pages of this run wait to be ingested, or that the run has ended. */
function announcement({ run_id, request }: NavigationContext, crawling: boolean): readonly Emitted[] {
  if (request?.knowledge_id === undefined) return [];
  const command = { type: "INGEST", job_id: mapJobOf(run_id), crawling };
  return [{ type: "send", to: `knowledge/${request.knowledge_id}`, command }];
}

/**
 * Whether two requests have the same parameters. Login recipes are compared by their digests, because
 * encrypting one recipe twice gives two different texts.
 */
function isSame(one: NavigationRequest | null, other: NavigationRequest): boolean {
  const plain = (request: NavigationRequest | null) => JSON.stringify({ ...request, login: undefined });
  return plain(one) === plain(other);
}

function deadlineOf({ request, started_at }: NavigationContext): number {
  return started_at + (request?.max_seconds ?? 0) * SECOND;
}

const machineSetup = setup({
  types: {
    context: {} as NavigationContext,
    events: {} as NavigationEvent,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    intent: effect<IntentInput, IntentOutput>(),
    visit: effect<VisitInput, VisitOutput>(),
    digest: effect<DigestInput, DigestOutput>(),
  },
  actions: {
    accept: emit(
      ({ context }, { status }: { readonly status: NavigationStatus }): Emitted => ({
        type: "reply",
        body: { run_id: context.run_id, status },
      }),
    ),
    begin: assign(({ context, event }) =>
      event.type === "START"
        ? {
            ...initialNavigation(context.run_id),
            request: event.request,
            started_at: event.at,
            now: event.at,
            pending: seedsOf(event.request),
          }
        : {},
    ),
    keepIntent: assign(({ event }) => {
      if (event.type !== "xstate.done.actor.intent") return {};
      return { intent: event.output.intent, usage: event.output.usage, now: event.at };
    }),
    /** Stores the result of a visit: its decision, its article, its events, and further pages to visit. */
    keepVisit: enqueueActions(({ context, event, enqueue }) => {
      const output = visited(event);
      if (!output) return;
      const { run_id, request, decisions, articles } = context;
      const { decision, article, irrelevant, rejected, failure } = output;
      const writes: StoreWrite[] = [];
      const say = (type: Parameters<typeof navigationEvent>[1], payload: Readonly<Record<string, unknown>>) =>
        enqueue.emit(navigationEvent(run_id, type, payload, event.at));
      if (decision) {
        const row = { id: [run_id, decisions] as const, body: JSON.stringify(decision), at: event.at };
        writes.push({ op: "put", table: "navigation_decision", rows: [row] });
        say("decision", { ...decision });
        if (decision.action === "EXTRACT_CONTENT") say("extracting_content", { url: decision.url });
        if (decision.action === "STOP" || decision.confidence < navigationLimits.confidence)
          say("stopped", { url: decision.url, reason: decision.reasoning });
      }
      for (const url of rejected) say("link_rejected", { url, page: context.pending[0]?.url ?? null });
      if (article) {
        const row = { id: [run_id, articles] as const, body: JSON.stringify(article), at: event.at };
        writes.push({ op: "put", table: "navigation_article", rows: [row] });
        say("content_added", { url: article.url, title: article.title, count: articles + 1 });
      }
      if (irrelevant !== null) say("stopped", { url: context.pending[0]?.url ?? null, reason: irrelevant });
      if (failure) say("stopped", { url: context.pending[0]?.url ?? null, reason: failure.message });
      writes.push(...mapWrites(context, output));
      if (writes.length > 0) enqueue.emit({ type: "write", writes });
      if (output.pages.length > 0)
        for (const announced of announcement(context, true)) enqueue.emit(announced);
      enqueue.assign({
        pending: pendingAfter(context, request?.preview ? { ...output, links: [] } : output),
        visited: [...new Set([...context.visited, ...output.read])],
        articles: articles + (article ? 1 : 0),
        decisions: decisions + (decision ? 1 : 0),
        fetched: context.fetched + output.fetched,
        usage: output.usage,
        last_confidence: decision?.confidence ?? context.last_confidence,
        failure: context.failure ?? failure,
        now: event.at,
      });
    }),
    end: assign((_, { reason }: { readonly reason: StoppedReason }) => ({ stopped_reason: reason })),
    sayBudget: emit(({ context, event }) =>
      navigationEvent(
        context.run_id,
        "budget",
        { reason: context.stopped_reason, ...context.usage },
        event.at,
      ),
    ),
    sayEnd: enqueueActions(({ context, event, enqueue }) => {
      const { run_id, stopped_reason: reason } = context;
      enqueue.emit(navigationEvent(run_id, "stopped", { url: null, reason }, event.at));
      for (const announced of announcement(context, false)) enqueue.emit(announced);
    }),
    keepDigest: assign(({ event }) =>
      event.type === "xstate.done.actor.digest"
        ? { kept: event.output.kept, summary: event.output.summary, now: event.at }
        : {},
    ),
    blame: assign(({ event }, { error }: { readonly error: ErrorBody }) => ({
      stopped_reason: "failed" as const,
      failure: { code: error.code, message: error.message },
      now: event.at,
    })),
    stampCancel: assign(({ event }) => ({ stopped_reason: "cancelled" as const, now: event.at })),
    refuseExisting: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "job.exists",
        message: `The run ${context.run_id} exists with other parameters. Choose another run_id, or leave it out.`,
        status: 409,
      }),
    ),
    refuseUnknown: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "navigation.not_found",
        message: `There is no run ${context.run_id}. start_navigation starts one.`,
        status: 404,
      }),
    ),
  },
  guards: {
    isSameRequest: ({ context, event }) => event.type === "START" && isSame(context.request, event.request),
    hasEnough: ({ context }) => context.articles >= limitOf(context),
    isOverTime: ({ context }) => context.now >= deadlineOf(context),
    isOverCalls: ({ context: { request, usage } }) =>
      request !== null && request.max_llm_calls > 0 && usage.calls >= request.max_llm_calls,
    isOverCost: ({ context: { request, usage } }) =>
      request !== null && usage.calls > 0 && (usage.cost_usd ?? 0) >= request.max_cost_usd,
    hasNoPage: ({ context }) => context.pending.length === 0,
    /** True if the run could not read any page. */
    foundNothing: ({ context }) =>
      context.pending.length === 0 &&
      context.decisions === 0 &&
      context.articles === 0 &&
      context.failure !== null,
    isUnsure: ({ context }) =>
      context.pending.length === 0 &&
      context.articles === 0 &&
      context.last_confidence !== null &&
      context.last_confidence < navigationLimits.confidence,
  },
});

/**
 * Returns the maximum number of articles: the smaller number of those in the request's options and in the
 * prompt.
 */
function limitOf({ request, intent }: NavigationContext): number {
  return Math.min(request?.max_articles ?? 0, intent?.max_articles ?? Number.POSITIVE_INFINITY);
}

const accept = (status: NavigationStatus) => ({ type: "accept", params: { status } }) as const;
const ending = (reason: StoppedReason) => ({ type: "end", params: { reason } }) as const;
const AGAIN = (status: NavigationStatus) =>
  [{ guard: "isSameRequest", actions: accept(status) }, { actions: "refuseExisting" }] as const;
const CANCEL = { target: "#navigation.cancelled", actions: ["stampCancel", accept("cancelled")] } as const;
/** Ends the navigation run with the status `failed`. The run keeps the articles that it has found. */
const FAIL = {
  target: "#navigation.failed",
  // The cast is safe: effects fail with the serialised form of an error.
  actions: {
    type: "blame",
    params: ({ event }: { event: { error: unknown } }) => ({ error: event.error as ErrorBody }),
  },
} as const;

export const navigationMachine = machineSetup.createMachine({
  id: "navigation",
  context: ({ input }) => initialNavigation(input.id),
  initial: "idle",
  states: {
    idle: {
      on: {
        START: { target: "reading_intent", actions: ["begin", accept("queued")] },
        CANCEL: { actions: "refuseUnknown" },
      },
    },
    reading_intent: {
      invoke: {
        id: "intent",
        src: "intent",
        input: ({ context }) => ({
          // The cast is safe: `begin` has set the request.
          request: context.request as NavigationRequest,
          usage: context.usage,
          deadline: deadlineOf(context),
        }),
        onDone: { target: "choosing", actions: "keepIntent" },
        onError: FAIL,
      },
      on: { START: AGAIN("running"), CANCEL },
    },
    choosing: {
      always: [
        { guard: "foundNothing", target: "failed", actions: ending("failed") },
        { guard: "hasEnough", target: "summarising", actions: ending("max_articles") },
        { guard: "isUnsure", target: "summarising", actions: ending("low_confidence") },
        { guard: "hasNoPage", target: "summarising", actions: ending("no_more_pages") },
        { guard: "isOverCalls", target: "summarising", actions: [ending("budget_calls"), "sayBudget"] },
        { guard: "isOverCost", target: "summarising", actions: [ending("budget_cost"), "sayBudget"] },
        { guard: "isOverTime", target: "summarising", actions: [ending("budget_seconds"), "sayBudget"] },
        { target: "visiting" },
      ],
    },
    visiting: {
      invoke: {
        id: "visit",
        src: "visit",
        input: ({ context }) => ({
          // The cast is safe: the guards of the state `choosing` have checked all three fields.
          page: context.pending[0] as PendingPage,
          request: context.request as NavigationRequest,
          intent: context.intent as NonNullable<NavigationContext["intent"]>,
          visited: context.visited,
          usage: context.usage as ModelUsage,
          deadline: deadlineOf(context),
        }),
        onDone: { target: "choosing", actions: "keepVisit" },
        onError: FAIL,
      },
      on: { START: AGAIN("running"), CANCEL },
    },
    summarising: {
      invoke: {
        id: "digest",
        src: "digest",
        input: ({ context }) => ({
          run_id: context.run_id,
          // The cast is safe: the guards of the state `choosing` have checked that `intent` is set.
          intent: context.intent as NonNullable<NavigationContext["intent"]>,
          since: sinceOf(context),
          articles: context.articles,
        }),
        onDone: { target: "completed", actions: ["keepDigest", "sayEnd"] },
        onError: FAIL,
      },
      on: { START: AGAIN("running"), CANCEL },
    },
    completed: { on: { START: AGAIN("completed"), CANCEL: { actions: accept("completed") } } },
    cancelled: {
      entry: "sayEnd",
      on: { START: AGAIN("cancelled"), CANCEL: { actions: accept("cancelled") } },
    },
    failed: { entry: "sayEnd", on: { START: AGAIN("failed"), CANCEL: { actions: accept("failed") } } },
  },
});

/** Returns the first day of the requested time range as `YYYY-MM-DD`; `null` without a time range. */
export function sinceOf({
  request,
  intent,
  started_at,
}: Pick<NavigationContext, "request" | "intent" | "started_at">): string | null {
  return firstDay(request?.time_range_days ?? intent?.time_range_days ?? null, started_at);
}

export function navigationStatus(value: unknown): NavigationStatus | undefined {
  switch (value) {
    case "idle":
      return undefined;
    case "completed":
    case "cancelled":
    case "failed":
      return value;
    default:
      return "running";
  }
}
