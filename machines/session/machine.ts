/**
 * The statechart of a session: one room's browser, and the acts in it, one after another.
 *
 * The browser itself is an effect that lasts as long as the state `live`, so whoever loses the session closes it. An
 * act is committed before it is done and its outcome after: found without an outcome it is `interrupted`, and never
 * done again. Neighbours: `actors/session.ts` binds the effects; what only looks at the page is a query.
 */
import { emit, enqueueActions, setup } from "xstate";
import { effect } from "../effect.ts";
import type { Emitted, Occasion } from "../emitted.ts";
import type { ErrorBody } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Action } from "./actions.ts";
import { actPayload, emitted, outcomeEvent } from "./events.ts";
import { type ActOutcome, failedAct } from "./outcome.ts";
import type { SessionOptions } from "./protocol.ts";

/** An act that was asked for; `id` is that of its command. */
export interface PendingAct {
  readonly id: string;
  readonly action: Action;
  /** As its caller called it, where that is another name. */
  readonly called?: string;
  /** Of the queue that it came from. */
  readonly job_id?: string;
}

export interface SettledAct {
  readonly id: string;
  readonly outcome: ActOutcome;
}

export interface SessionContext {
  readonly room_name: string;
  /** `null` until the first start. */
  readonly options: SessionOptions | null;
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  /** What came of opening the first address; `null` while that is under way. */
  readonly opened: ActOutcome | null;
  readonly url: string;
  readonly acting: PendingAct | null;
  readonly waiting: readonly PendingAct[];
  /** The last ones, the newest at the end. */
  readonly outcomes: readonly SettledAct[];
  readonly error: ErrorBody | null;
}

export type SessionCommand =
  | { readonly type: "START"; readonly options: SessionOptions }
  | ({ readonly type: "ACT" } & Omit<PendingAct, "id">)
  | { readonly type: "CLOSE" };

/** What the effects tell. */
export type SessionNews =
  | { readonly type: "OPENED"; readonly outcome: ActOutcome; readonly url: string }
  | { readonly type: "ACTED"; readonly id: string; readonly outcome: ActOutcome; readonly url: string };

export type SessionEvent = Occasion & (SessionCommand | SessionNews);

/** What is kept of an outcome: enough to answer again, and not what fills the store. */
function kept(outcome: ActOutcome): ActOutcome {
  if (JSON.stringify(outcome.data).length <= limits.session.outcomeLength) return outcome;
  const { code } = outcome.data;
  return { ...outcome, data: { ...(code === undefined ? {} : { code }), truncated: true } };
}

function settled(context: SessionContext, acts: readonly SettledAct[]): readonly SettledAct[] {
  const all = [...context.outcomes, ...acts.map(({ id, outcome }) => ({ id, outcome: kept(outcome) }))];
  return all.slice(-limits.session.outcomes);
}

/** Nobody can say what became of the one under way; those that waited were not begun. */
function interrupted(
  { acting, waiting }: SessionContext,
  why: string,
): readonly { readonly act: PendingAct; readonly outcome: ActOutcome }[] {
  const begun = acting
    ? [{ act: acting, outcome: failedAct("interrupted", `${why} Whether it was done is not known.`) }]
    : [];
  const unbegun = waiting.map((act) => ({
    act,
    outcome: failedAct("interrupted", `${why} It was not begun.`, { begun: false }),
  }));
  return [...begun, ...unbegun];
}

const initial = (room_name: string): SessionContext => ({
  room_name,
  options: null,
  started_at: 0,
  opened: null,
  url: "about:blank",
  acting: null,
  waiting: [],
  outcomes: [],
  error: null,
});

const machineSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    browse: effect<SessionOptions, null>(),
    act: effect<PendingAct, null>(),
  },
  actions: {
    begin: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "START") return;
      // Acts that came to their end before the browser was opened anew keep their outcomes.
      const { outcomes, room_name } = context;
      enqueue.assign({ ...initial(room_name), outcomes, options: event.options, started_at: event.at });
      enqueue.emit({ type: "reply", body: { existing: false } });
    }),
    answerStarted: emit({ type: "reply", body: { existing: true } }),
    opened: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "OPENED") return;
      enqueue.assign({ opened: kept(event.outcome), url: event.url });
      const { room_name } = context;
      enqueue.emit(emitted("presentation_started", room_name, { session_id: room_name }, event.at));
    }),
    queue: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "ACT" || event.command_id === undefined) return;
      const { action, called, job_id, command_id: id } = event;
      const act: PendingAct = {
        id,
        action,
        ...(called === undefined ? {} : { called }),
        ...(job_id === undefined ? {} : { job_id }),
      };
      enqueue.assign({ waiting: [...context.waiting, act] });
      enqueue.emit({ type: "reply", body: { id } });
      enqueue.emit(emitted("action_queued", context.room_name, actPayload(act), event.at));
    }),
    take: enqueueActions(({ context: { waiting, room_name }, event, enqueue }) => {
      const [acting, ...rest] = waiting;
      if (!acting) return;
      enqueue.assign({ acting, waiting: rest });
      enqueue.emit(emitted("action_processing", room_name, actPayload(acting), event.at));
    }),
    acted: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "ACTED") return;
      const { id, outcome, url, at } = event;
      enqueue.assign({ acting: null, url, outcomes: settled(context, [{ id, outcome }]) });
      if (context.acting) enqueue.emit(outcomeEvent(context.room_name, context.acting, kept(outcome), at));
    }),
    /** An act that broke off by our own fault. */
    broke: enqueueActions(({ context, event, enqueue }, { error }: { readonly error: ErrorBody }) => {
      const { acting } = context;
      enqueue.assign({ acting: null });
      if (!acting) return;
      const outcome = failedAct("failed", error.message);
      enqueue.assign({ outcomes: settled(context, [{ id: acting.id, outcome }]) });
      enqueue.emit(outcomeEvent(context.room_name, acting, outcome, event.at));
    }),
    interrupt: enqueueActions(({ context, event, enqueue }, { why }: { readonly why: string }) => {
      const acts = interrupted(context, why);
      enqueue.assign({
        acting: null,
        waiting: [],
        outcomes: settled(
          context,
          acts.map(({ act, outcome }) => ({ id: act.id, outcome })),
        ),
      });
      for (const { act, outcome } of acts)
        enqueue.emit(outcomeEvent(context.room_name, act, outcome, event.at));
    }),
    blame: enqueueActions(({ context, event, enqueue }, { error }: { readonly error: ErrorBody }) => {
      enqueue.assign({ error });
      const { code, message } = error;
      enqueue.emit(emitted("browser_error", context.room_name, { code, error: message }, event.at));
    }),
    answerClosed: emit({ type: "reply", body: { status: "closed" } }),
    refuseUnknown: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "session.not_found",
        message: `There is no session ${context.room_name}. start_browser_session starts one.`,
        status: 404,
      }),
    ),
    refuseFailed: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "session.failed",
        message: `Session ${context.room_name} has failed: ${context.error?.message ?? ""} start_browser_session starts it anew.`,
        status: 409,
      }),
    ),
    refuseBusy: emit(
      ({ context }): Emitted => ({
        type: "refuse",
        code: "session.busy",
        message: `${context.waiting.length} acts wait in session ${context.room_name} already. Try again later.`,
        status: 429,
      }),
    ),
  },
  guards: {
    actWaits: ({ context }) => context.waiting.length > 0,
    isCrowded: ({ context }) => context.waiting.length >= limits.session.waiting,
    isItsOwn: ({ context, event }) => event.type === "ACTED" && context.acting?.id === event.id,
    wasNeverStarted: ({ context }) => context.options === null,
  },
});

export const sessionMachine = machineSetup.createMachine({
  id: "session",
  context: ({ input }) => initial(input.id),
  initial: "closed",
  states: {
    closed: {
      on: {
        START: { target: "live", actions: "begin" },
        ACT: { actions: "refuseUnknown" },
        CLOSE: [{ guard: "wasNeverStarted", actions: "refuseUnknown" }, { actions: "answerClosed" }],
      },
    },
    live: {
      initial: "starting",
      invoke: {
        id: "browse",
        src: "browse",
        // `begin` has set them on the way in.
        input: ({ context }) =>
          context.options ?? { initial_url: null, viewport_width: 0, viewport_height: 0 },
        onDone: {
          target: "failed",
          actions: [
            { type: "interrupt", params: { why: "The browser was closed." } },
            {
              type: "blame",
              params: { error: { code: "session.page_gone", message: "All tabs of it were closed." } },
            },
          ],
        },
        onError: {
          target: "failed",
          actions: [
            { type: "interrupt", params: { why: "The browser was lost." } },
            // Effects fail with the wire form of an error.
            { type: "blame", params: ({ event }) => ({ error: event.error as ErrorBody }) },
          ],
        },
      },
      on: {
        START: { actions: "answerStarted" },
        ACT: [{ guard: "isCrowded", actions: "refuseBusy" }, { actions: "queue" }],
        CLOSE: {
          target: "closed",
          actions: ["answerClosed", { type: "interrupt", params: { why: "The session was closed." } }],
        },
      },
      states: {
        starting: { on: { OPENED: { target: "ready", actions: "opened" } } },
        ready: { always: { guard: "actWaits", target: "acting", actions: "take" } },
        acting: {
          invoke: {
            id: "act",
            src: "act",
            input: ({ context }) =>
              context.acting ?? { id: "", action: { name: "wait", params: { seconds: 0 } } },
            onError: {
              target: "ready",
              actions: { type: "broke", params: ({ event }) => ({ error: event.error as ErrorBody }) },
            },
          },
          on: { ACTED: { guard: "isItsOwn", target: "ready", actions: "acted" } },
        },
      },
    },
    failed: {
      on: {
        START: { target: "live", actions: "begin" },
        ACT: { actions: "refuseFailed" },
        CLOSE: { target: "closed", actions: "answerClosed" },
      },
    },
  },
});

/** What a caller needs to know of where a session stands. */
export function sessionPhase(
  context: SessionContext,
  value: unknown,
): "absent" | "closed" | "starting" | "live" | "failed" {
  if (context.options === null) return "absent";
  if (value === "closed" || value === "failed") return value;
  return context.opened === null ? "starting" : "live";
}
