/**
 * The state machine of one exploration: absent → active (queued, running) ⇄ paused → settling → completed.
 * The crawl is one effect of `active`. A job waits in `settling` until the map has made its last page
 * searchable.
 */
import { assign, emit, enqueueActions, setup } from "xstate";
import type { CommandOf } from "../actor-kind-protocol.ts";
import { effect } from "../effect-placeholder.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted, Occasion, SendRefused } from "../machine-emissions.ts";
import type { JobStatus } from "../records/exploration-records.ts";
import { batchEvents, endEvents, progressEvent } from "./build-exploration-events.ts";
import {
  applyBatch,
  type CrawlBatch,
  foundAddresses,
  frontierRow,
} from "./crawl/crawl-batch-of-read-pages.ts";
import { urlKey } from "./crawl/normalise-url.ts";
import { tallySkips } from "./crawl/skipped-url-counts-by-reason.ts";
import { type ExplorationContext, fresh, jobRow, noCounts, notifyMap } from "./exploration-context.ts";
import { explorationLimits } from "./exploration-limits.ts";
import type { ExplorationProtocol } from "./exploration-protocol.ts";
import type { ExplorationRequest } from "./exploration-request.ts";
import {
  type PressBatch,
  type PressInput,
  type PressOutput,
  pressNoteName,
} from "./press/press-phase-input-and-result.ts";

export interface CrawlInput {
  readonly job_id: string;
  readonly request: ExplorationRequest;
  readonly site: string | null;
  readonly kinds: ExplorationContext["kinds"];
}

/** The result of a crawl. If no page could be read, it contains the failure of the start page. */
export interface CrawlOutput {
  readonly start_failure: { readonly code: string; readonly message: string } | null;
}

type Event = Occasion &
  (
    | CommandOf<ExplorationProtocol>
    // Events that the crawl effect sends to the state machine of the job.
    | { readonly type: "BEGUN" }
    | { readonly type: "BATCH"; readonly batch: CrawlBatch }
    // Events that the press effect (it presses controls) sends to the state machine of the job.
    | ({ readonly type: "PRESSED" } & PressBatch)
    | { readonly type: "xstate.done.actor.press"; readonly output: PressOutput }
    | { readonly type: "xstate.error.actor.press"; readonly error: ErrorBody }
    | SendRefused
    | { readonly type: "xstate.done.actor.crawl"; readonly output: CrawlOutput }
    | { readonly type: "xstate.error.actor.crawl"; readonly error: ErrorBody }
    | { readonly type: "xstate.done.actor.erase" }
    | { readonly type: "xstate.error.actor.erase"; readonly error: ErrorBody }
  );

/** Whether a request has the same parameters as the request that started this job. */
function sameRequest(context: ExplorationContext, request: ExplorationRequest): boolean {
  const plain = (one: ExplorationRequest | null) => JSON.stringify({ ...one, login: undefined });
  return plain(context.request) === plain(request);
}

/** Whether enough time has passed since the job's last progress event. */
function progressIsDue({ told_progress_at: last }: ExplorationContext, at: number): boolean {
  return last === undefined || at - last >= explorationLimits.progressEvery;
}

interface Becoming {
  readonly status: JobStatus;
  /** Whether the job will store more pages. While it does, the map pauses its ingest from time to time. */
  readonly crawling: boolean;
}

const machineSetup = setup({
  types: {
    context: {} as ExplorationContext,
    events: {} as Event,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    crawl: effect<CrawlInput, CrawlOutput>(),
    press: effect<PressInput, PressOutput>(),
    erase: effect<{ readonly job_id: string }, null>(),
  },
  actions: {
    /**
     * Sets the job's status. It writes the status to the job's row, and sends it to subscribers, to the map
     * and to the caller.
     */
    become: enqueueActions(({ context, event, enqueue }, { status, crawling }: Becoming) => {
      const next = { ...context, updated_at: event.at, told_progress_at: event.at };
      enqueue.assign(next);
      enqueue.emit({ type: "write", writes: jobRow(next, status, event.at) });
      for (const said of endEvents(next, status, event.at)) enqueue.emit(said);
      enqueue.emit(progressEvent(next, status, event.at));
      for (const said of notifyMap(next, crawling)) enqueue.emit(said);
      enqueue.emit({ type: "reply", body: { job_id: next.job_id, status } });
    }),
    /**
     * Records that the map does not accept pages. The crawl continues to store pages, and the job's status
     * reports the problem.
     */
    noteMapTrouble: assign({
      map_trouble: ({ context, event }) => {
        if (event.type !== "cairn.send_refused") return context.map_trouble;
        const { code, message } = event.error;
        const refusal = `Map ${context.request?.knowledge_id} takes no pages: ${message}`;
        return { code, message: refusal, waits: !event.final };
      },
    }),
    forgetPassingTrouble: assign({
      map_trouble: ({ context: { map_trouble } }) => (map_trouble?.waits ? map_trouble : null),
    }),
    blameMap: assign({
      error: ({ context: { error, map_trouble } }) =>
        error ?? (map_trouble ? { code: map_trouble.code, message: map_trouble.message } : null),
    }),
    /** Replies with the job's id and status. */
    replyStatus: emit(({ context }, { status }: { readonly status: JobStatus }) => ({
      type: "reply",
      body: { job_id: context.job_id, status },
    })),
    /** Refuses a command to a job that has already ended. */
    tooLate: emit(({ context }, { status, verb }: { readonly status: JobStatus; readonly verb: string }) => ({
      type: "refuse",
      code: "job.ended",
      message: `Job ${context.job_id} is ${status} and cannot be ${verb} any more. Start a new one.`,
      status: 409,
      details: { status },
    })),
  },
  delays: { askMapAgain: explorationLimits.pollMapEvery },
  guards: {
    mapInTrouble: ({ context }) => Boolean(context.map_trouble),
    allSearchable: ({ context }) => context.searchable >= context.counts.completed,
    isToBePressed: ({ context: { request, press_end, searchable, counts } }) =>
      request !== null &&
      (request.mode ?? "links") !== "links" &&
      !press_end &&
      searchable >= counts.completed,
    hasFoundPages: ({ context: { counts, press_rounds = 0 }, event }) =>
      counts.queued > 0 &&
      press_rounds < explorationLimits.pressing.rounds &&
      event.type === "xstate.done.actor.press",
    nothingRead: ({ context }) => context.counts.completed === 0,
  },
});

export const explorationMachine = machineSetup.createMachine({
  id: "exploration",
  context: ({ input }) => fresh(input.id),
  initial: "absent",
  on: {
    START: [
      {
        guard: ({ context, event }) => sameRequest(context, event.request),
        actions: emit(
          ({ context }): Emitted => ({ type: "reply", body: { job_id: context.job_id, existing: true } }),
        ),
      },
      {
        actions: emit(
          ({ context }): Emitted => ({
            type: "refuse",
            code: "job.exists",
            message: `Job ${context.job_id} exists with other parameters. Choose another job_id, or leave it out.`,
            status: 409,
          }),
        ),
      },
    ],
    PAGES_SEARCHABLE: {
      actions: assign({
        searchable: ({ context, event }) => context.searchable + event.count,
        map_trouble: null,
      }),
    },
    "cairn.send_refused": { actions: "noteMapTrouble" },
    DELETE: ".erasing",
  },
  states: {
    absent: {
      on: {
        START: {
          target: "active",
          actions: [
            assign(({ context, event }) => ({
              ...fresh(context.job_id),
              request: event.request,
              started_at: event.at,
              updated_at: event.at,
              counts: { ...noCounts, queued: 1 },
              seq: 1,
            })),
            emit(({ context, event }): Emitted => {
              const { request } = event;
              const start = { key: urlKey(request.start_url), url: request.start_url, depth: 0 };
              return {
                type: "write",
                writes: [
                  ...jobRow(context, "queued", event.at),
                  { op: "put", table: "frontier", rows: [frontierRow(context.job_id, start, 0, "queued")] },
                ],
              };
            }),
            enqueueActions(({ context, enqueue }) => {
              for (const said of notifyMap(context, true)) enqueue.emit(said);
            }),
            emit(
              ({ context }): Emitted => ({
                type: "reply",
                body: { job_id: context.job_id, status: "queued" },
              }),
            ),
          ],
        },
        DELETE: {},
        PAGES_SEARCHABLE: {},
      },
    },
    active: {
      initial: "queued",
      invoke: {
        id: "crawl",
        src: "crawl",
        input: ({ context }) => {
          if (!context.request) throw new Error("An exploration is active without a request.");
          return {
            job_id: context.job_id,
            request: context.request,
            site: context.site,
            kinds: context.kinds,
          };
        },
        onDone: [
          {
            guard: "nothingRead",
            target: "failed",
            actions: assign({
              error: ({ event }) =>
                event.output.start_failure ?? {
                  code: "exploration.nothing_read",
                  message: "No page could be read from the start URL.",
                },
            }),
          },
          { target: "settling", actions: "forgetPassingTrouble" },
        ],
        onError: {
          target: "failed",
          actions: assign({
            // The cast is safe: effects fail with the serialised form of an error.
            error: ({ event }) => event.error as ErrorBody,
          }),
        },
      },
      on: {
        PAUSE: "paused",
        CANCEL: "cancelled",
        BATCH: {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { batch, at } = event;
            const { request } = context;
            if (!request) throw new Error("A batch came to an exploration without a request.");
            const job = {
              job_id: context.job_id,
              knowledge_id: request.knowledge_id,
              max_pages: request.max_pages,
              seq: context.seq,
              counts: context.counts,
            };
            const { counts, seq, writes } = applyBatch(job, batch);
            const tells =
              batch.pages.length > 0 && at - context.told_map_at >= explorationLimits.notifyMapEvery;
            const shows = progressIsDue(context, at);
            const next: ExplorationContext = {
              ...context,
              counts,
              seq,
              updated_at: at,
              current_url: batch.current_url ?? context.current_url,
              site: batch.site ?? context.site,
              kinds: { ...context.kinds, ...batch.kinds },
              traps: batch.traps ?? context.traps,
              external_links: context.external_links + batch.external.length,
              nofollow_links: (context.nofollow_links ?? 0) + batch.nofollow,
              skips: tallySkips(context.skips ?? {}, batch.settled),
              crawl_delay: batch.crawl_delay ?? context.crawl_delay ?? 0,
              told_map_at: tells ? at : context.told_map_at,
              ...(shows ? { told_progress_at: at } : {}),
            };
            enqueue.assign(next);
            enqueue.emit({ type: "write", writes });
            for (const said of batchEvents(next, batch, at)) enqueue.emit(said);
            if (shows) enqueue.emit(progressEvent(next, "running", at));
            if (tells) for (const said of notifyMap(next, true)) enqueue.emit(said);
          }),
        },
      },
      states: {
        queued: {
          on: {
            RESUME: unchanged("queued"),
            BEGUN: {
              target: "running",
              actions: { type: "become", params: { status: "running", crawling: true } },
            },
          },
        },
        running: { on: { RESUME: unchanged("running") } },
      },
    },
    paused: {
      entry: { type: "become", params: { status: "paused", crawling: false } },
      on: {
        RESUME: {
          target: "active.running",
          actions: { type: "become", params: { status: "running", crawling: true } },
        },
        PAUSE: unchanged("paused"),
        CANCEL: "cancelled",
      },
    },
    settling: {
      entry: enqueueActions(({ context, enqueue }) => {
        for (const said of notifyMap(context, false)) enqueue.emit(said);
      }),
      always: [
        { guard: "isToBePressed", target: "pressing" },
        { guard: "allSearchable", target: "completed" },
        { guard: "mapInTrouble", target: "failed", actions: "blameMap" },
      ],
      // A map that is taken out of service sends no message about it. So the job asks for the state of its
      // map at this interval.
      after: { askMapAgain: { target: "settling", reenter: true } },
      on: {
        PAUSE: "paused",
        RESUME: unchanged("running"),
        CANCEL: "cancelled",
        "cairn.send_refused": { target: "failed", actions: ["noteMapTrouble", "blameMap"] },
        PAGES_SEARCHABLE: {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const searchable = context.searchable + event.count;
            const shows = progressIsDue(context, event.at);
            const next = {
              ...context,
              searchable,
              map_trouble: null,
              ...(shows ? { told_progress_at: event.at } : {}),
            };
            enqueue.assign(next);
            if (shows) enqueue.emit(progressEvent(next, "running", event.at));
          }),
        },
      },
    },
    pressing: {
      invoke: {
        id: "press",
        src: "press",
        input: ({ context: { job_id, request, pressed, press_spent = 0 } }) => {
          if (!request) throw new Error("An exploration is pressing without a request.");
          const { actions, seconds } = explorationLimits.pressing;
          return {
            job_id,
            request,
            max_actions: request.max_actions ?? actions,
            max_seconds: Math.max(0, (request.max_seconds ?? seconds) - press_spent),
            before: pressed ? { unsafe: pressed.unsafe ?? 0, held: pressed.held ?? 0 } : null,
          };
        },
        onDone: [
          {
            // Pressing controls has opened pages that the crawl does not know. The crawl reads these pages;
            // then the controls on them are pressed too.
            guard: "hasFoundPages",
            target: "active.running",
            actions: assign(({ context, event: { output } }) => ({
              press_rounds: (context.press_rounds ?? 0) + 1,
              press_spent: (context.press_spent ?? 0) + output.seconds,
              press_end: output.stopped_by === "nothing_left" ? null : output,
            })),
          },
          { target: "settling", actions: assign({ press_end: ({ event }) => event.output }) },
        ],
        onError: {
          target: "failed",
          // The cast is safe: effects fail with the serialised form of an error.
          actions: assign({ error: ({ event }) => event.error as ErrorBody }),
        },
      },
      on: {
        PAUSE: "paused",
        RESUME: unchanged("running"),
        CANCEL: "cancelled",
        PRESSED: {
          actions: enqueueActions(({ context, event, enqueue }) => {
            const { request } = context;
            const { states, transitions, notes, from, addresses, counts } = event;
            if (!request) throw new Error("Presses came to an exploration without a request.");
            const shows = progressIsDue(context, event.at);
            const job = {
              job_id: context.job_id,
              knowledge_id: request.knowledge_id,
              max_pages: request.max_pages,
              seq: context.seq,
              counts: context.counts,
            };
            const crawled = applyBatch(job, foundAddresses(addresses));
            const rows = notes.map((note, at) => ({
              id: [context.job_id, pressNoteName(from + at)] as const,
              job_id: context.job_id,
              note: JSON.stringify(note),
            }));
            const next = {
              ...context,
              counts: crawled.counts,
              seq: crawled.seq,
              pressed: counts,
              updated_at: event.at,
              ...(shows ? { told_progress_at: event.at } : {}),
            };
            enqueue.assign(next);
            const writes = [...crawled.writes];
            if (rows.length > 0) writes.push({ op: "put", table: "crawl_note", rows });
            if (writes.length > 0) enqueue.emit({ type: "write", writes });
            if (states.length + transitions.length > 0) {
              const command = {
                type: "STATES",
                states,
                transitions,
                ...(request.role === undefined ? {} : { role: request.role }),
              } as const;
              enqueue.emit({ type: "send", to: `knowledge/${request.knowledge_id}`, command });
            }
            if (shows) enqueue.emit(progressEvent(next, "running", event.at));
          }),
        },
      },
    },
    completed: {
      entry: { type: "become", params: { status: "completed", crawling: false } },
      on: ended("completed"),
    },
    cancelled: {
      entry: { type: "become", params: { status: "cancelled", crawling: false } },
      on: ended("cancelled"),
    },
    failed: { entry: { type: "become", params: { status: "failed", crawling: false } }, on: ended("failed") },
    erasing: {
      invoke: {
        id: "erase",
        src: "erase",
        input: ({ context }) => ({ job_id: context.job_id }),
        onDone: { target: "absent", actions: assign(({ context }) => fresh(context.job_id)) },
        onError: "failed",
      },
      entry: enqueueActions(({ context, enqueue }) => {
        for (const said of notifyMap(context, false)) enqueue.emit(said);
        enqueue.emit({ type: "reply", body: { job_id: context.job_id } });
      }),
      on: {
        START: {
          actions: emit(
            ({ context }): Emitted => ({
              type: "refuse",
              code: "job.exists",
              message: `Job ${context.job_id} is being deleted. Try again in a moment.`,
              status: 409,
            }),
          ),
        },
      },
    },
  },
});

/**
 * Answers a pause of a job that is already paused, or a resume of a job that is already running. So a
 * repeated request succeeds.
 */
function unchanged(status: JobStatus) {
  return { actions: { type: "replyStatus", params: { status } } } as const;
}

function ended(status: JobStatus) {
  const tooLate = (verb: string) => ({ actions: { type: "tooLate", params: { status, verb } } }) as const;
  return { PAUSE: tooLate("paused"), RESUME: tooLate("resumed"), CANCEL: tooLate("cancelled") };
}

/**
 * Returns the status of a job for callers, derived from the state of its machine; `undefined` when there is
 * no such job.
 */
export function jobStatus(value: unknown): JobStatus | undefined {
  const name = typeof value === "string" ? value : Object.keys(value ?? {})[0];
  switch (name) {
    case "active":
      return (value as { active?: string }).active === "queued" ? "queued" : "running";
    case "settling":
    case "pressing":
      return "running";
    case "paused":
    case "completed":
    case "cancelled":
    case "failed":
      return name;
    default:
      return undefined;
  }
}
