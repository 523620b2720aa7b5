/**
 * The state machine of a browser session, which runs its actions one after another. The browser is an effect of
 * the state `live`, so leaving the state closes it. An action is committed before it starts, and an action
 * without a committed outcome is `interrupted` and never repeated.
 */
export type { SessionPhase } from "./session-protocol.ts";

import { and, assign, emit, enqueueActions, not, setup, stateIn } from "xstate";
import { effect } from "../effect-placeholder.ts";
import type { ErrorBody } from "../errors.ts";
import type { Emitted } from "../machine-emissions.ts";
import { outcomesWritten } from "./action-outcome-database-writes.ts";
import { failedAction } from "./actions/action-outcome.ts";
import { actionPayload, emitSessionEvent, outcomeEvent } from "./build-session-events.ts";
import {
  type BrowseOrder,
  browseOrder,
  hasLeftPage,
  initial,
  interrupted,
  type PendingAction,
  pendingAction,
  RECOVERY,
  type SessionContext,
  type SessionEvent,
  settled,
  settledAction,
  storedOutcome,
} from "./session-context.ts";
import { lifecycleLimits, liveViewLimits, sessionLimits } from "./session-limits.ts";
import { recordingEnded, recordingOpened, stepWritten } from "./session-recording-writes.ts";
import type { Restored } from "./session-restore-report.ts";
import { STREAMING } from "./session-video-states.ts";

export {
  actorsOnPage,
  type BrowseOrder,
  type PendingAction,
  RECOVERY,
  type SessionContext,
  type SessionEvent,
  sessionPhase,
} from "./session-context.ts";

const machineSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as Emitted,
    input: {} as { readonly id: string },
  },
  actors: {
    browse: effect<BrowseOrder, null>(),
    act: effect<PendingAction, null>(),
  },
  actions: {
    begin: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "START") return;
      // A session that is started again keeps the outcomes of its earlier actions.
      const { outcomes, room_name } = context;
      enqueue.assign({ ...initial(room_name), outcomes, options: event.options, started_at: event.at });
      enqueue.emit({ type: "reply", body: { existing: false } });
    }),
    answerStarted: emit({ type: "reply", body: { existing: true } }),
    opened: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "OPENED") return;
      const { room_name, opened } = context;
      enqueue.assign({ opened: opened ?? storedOutcome(event.outcome), url: event.url });
      // A restored session does not send `presentation_started` again, because it continues the earlier
      // session. A session with LiveKit sends this event when its video track is published.
      if (opened === null && context.options?.livekit === undefined)
        enqueue.emit(
          emitSessionEvent("presentation_started", room_name, { session_id: room_name }, event.at),
        );
    }),
    /** Marks the session as one that is restored from its last save. */
    comeBack: assign((_, { from }: { readonly from: Restored["from"] }) => ({
      restore: from,
      error: null,
      leaving: false,
    })),
    leave: assign({ leaving: true }),
    /** Deletes the saved state of the session, because it is no longer needed. */
    forget: emit(
      ({ context: { room_name } }): Emitted => ({
        type: "write",
        writes: [{ op: "remove", table: "session_state", ids: [room_name] }],
      }),
    ),
    record: enqueueActions(({ context: { room_name, recording }, event, enqueue }) => {
      if (event.type !== "RECORD" || event.command_id === undefined) return;
      const id = recording?.id ?? `rec-${event.command_id}`;
      enqueue.emit({ type: "reply", body: { recording_id: id } });
      if (recording) return;
      enqueue.assign({ recording: { id, steps: 0 } });
      enqueue.emit(recordingOpened(id, room_name, event.name, event.at));
    }),
    stopRecording: enqueueActions(({ context: { recording }, event, enqueue }) => {
      if (event.type === "STOP_RECORDING")
        enqueue.emit({ type: "reply", body: { recording_id: recording?.id ?? null } });
      if (!recording) return;
      enqueue.assign({ recording: null });
      enqueue.emit(recordingEnded(recording.id, event.at));
    }),
    answerAwake: emit({ type: "reply", body: { status: "awake" } }),
    answerPresent: emit((_, { paused }: { readonly paused: boolean }) => ({
      type: "reply",
      body: { status: paused ? "paused" : "resumed" },
    })),
    present: enqueueActions(({ context, event, enqueue }, { paused }: { readonly paused: boolean }) => {
      const { room_name } = context;
      enqueue.assign({ video_paused: paused });
      enqueue.emit({ type: "reply", body: { status: paused ? "paused" : "resumed" } });
      const type = paused ? "presentation_paused" : "presentation_resumed";
      enqueue.emit(emitSessionEvent(type, room_name, { session_id: room_name }, event.at));
    }),
    answerNoticed: emit({ type: "reply", body: { status: "noticed" } }),
    /** Publishes what a webhook of the LiveKit server has reported. */
    notice: enqueueActions(({ context: { room_name }, event, enqueue }) => {
      if (event.type !== "LIVEKIT") return;
      const { notice, identity = "", name, at } = event;
      enqueue.emit({ type: "reply", body: { status: "noticed" } });
      if (notice === "room_finished") {
        enqueue.emit(emitSessionEvent(notice, room_name, {}, at));
        return;
      }
      const participant = { identity, ...(name === undefined ? {} : { name }) };
      enqueue.emit(emitSessionEvent(notice, room_name, participant, at));
    }),
    answerRecovering: emit({ type: "reply", body: { status: "recovering" } }),
    queue: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "ACT" || event.command_id === undefined) return;
      const { command_id: id } = event;
      const action = pendingAction(event, id);
      enqueue.assign({ waiting: [...context.waiting, action] });
      enqueue.emit({ type: "reply", body: { id } });
      enqueue.emit(emitSessionEvent("action_queued", context.room_name, actionPayload(action), event.at));
    }),
    take: enqueueActions(({ context: { waiting, room_name, recording }, event, enqueue }) => {
      const [next, ...rest] = waiting;
      if (!next) return;
      const acting = recording ? { ...next, recorded: true } : next;
      enqueue.assign({ acting, waiting: rest });
      enqueue.emit(emitSessionEvent("action_processing", room_name, actionPayload(acting), event.at));
    }),
    acted: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== "ACTED") return;
      const { id, outcome, url, at, step } = event;
      // `opened` is the outcome of the session's start. A later successful sign-in replaces it, because the
      // sign-in of the start may have failed.
      const isSignedIn = outcome.success && context.acting?.action.name === "login" && context.opened;
      const opened = isSignedIn ? storedOutcome(outcome) : context.opened;
      const act = settledAction(context.acting, id, outcome);
      enqueue.assign({ acting: null, url, opened, outcomes: settled(context, [act]) });
      if (hasLeftPage(outcome)) enqueue.assign({ controlled_on_page: false });
      enqueue.emit(outcomesWritten(context.room_name, [{ id, outcome }], at));
      const { recording } = context;
      if (step && recording && recording.steps < sessionLimits.recordedSteps) {
        enqueue.assign({ recording: { ...recording, steps: recording.steps + 1 } });
        enqueue.emit(stepWritten(recording, step, at));
      }
      if (context.acting)
        enqueue.emit(outcomeEvent(context.room_name, context.acting, storedOutcome(outcome), at));
    }),
    /** Ends an action that has failed because of a defect in Cairn. */
    broke: enqueueActions(({ context, event, enqueue }, { error }: { readonly error: ErrorBody }) => {
      const { acting } = context;
      enqueue.assign({ acting: null });
      if (!acting) return;
      const outcome = failedAction("failed", error.message);
      enqueue.assign({ outcomes: settled(context, [{ id: acting.id, outcome }]) });
      enqueue.emit(outcomesWritten(context.room_name, [{ id: acting.id, outcome }], event.at));
      enqueue.emit(outcomeEvent(context.room_name, acting, outcome, event.at));
    }),
    interrupt: enqueueActions(({ context, event, enqueue }, { why }: { readonly why: string }) => {
      const actions = interrupted(context, why);
      const ended = actions.map(({ act, outcome }) => ({ id: act.id, outcome }));
      enqueue.assign({ acting: null, waiting: [], outcomes: settled(context, ended) });
      if (ended.length > 0) enqueue.emit(outcomesWritten(context.room_name, ended, event.at));
      for (const { act, outcome } of actions)
        enqueue.emit(outcomeEvent(context.room_name, act, outcome, event.at));
    }),
    blame: enqueueActions(({ context, event, enqueue }, { error }: { readonly error: ErrorBody }) => {
      enqueue.assign({ error });
      const { code, message } = error;
      enqueue.emit(emitSessionEvent("browser_error", context.room_name, { code, error: message }, event.at));
    }),
    /** If the person takes control again, the control's time limit starts again. */
    takeControl: enqueueActions(({ context: { room_name, control }, event, enqueue }) => {
      if (event.type !== "TAKE_CONTROL") return;
      const { holder, name, at } = event;
      enqueue.emit({ type: "reply", body: { holder } });
      enqueue.cancel("control");
      enqueue.raise(({ event: { at } }) => ({ type: "CONTROL_SILENT", at }), {
        id: "control",
        delay: liveViewLimits.controlSilence,
      });
      if (control) return;
      enqueue.assign({ control: { holder, name }, controlled_on_page: true });
      enqueue.emit(emitSessionEvent("control_taken", room_name, { by: name }, at));
    }),
    releaseControl: enqueueActions(({ context: { room_name, control }, event, enqueue }) => {
      if (event.type === "RELEASE_CONTROL") enqueue.emit({ type: "reply", body: { status: "released" } });
      if (!control || (event.type === "RELEASE_CONTROL" && event.holder !== control.holder)) return;
      enqueue.cancel("control");
      enqueue.assign({ control: null });
      const reason = event.type === "RELEASE_CONTROL" ? "released" : "silent";
      enqueue.emit(emitSessionEvent("control_released", room_name, { by: control.name, reason }, event.at));
    }),
    refuseHeld: emit(
      ({ context: { room_name, control } }): Emitted => ({
        type: "refuse",
        code: "session.held",
        message:
          `${control?.name ?? "A person"} controls the browser of session ${room_name} now. Nothing was done. ` +
          'Try again when the event control_released arrives, or let it wait with when_held: "wait".',
        status: 409,
        details: { by: control?.name ?? null },
      }),
    ),
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
        message: `Session ${context.room_name} has failed: ${context.error?.message ?? ""} ${RECOVERY}`,
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
    mayAct: ({ context: { waiting, leaving, control } }) =>
      waiting.length > 0 && !leaving && !(control && waiting[0]?.when_held === "wait"),
    hasFailed: stateIn({ session: "failed" }),
    isViewer: and([
      ({ event }) => event.type === "LIVEKIT" && event.notice === "participant_joined",
      stateIn({ streaming: "on" }),
    ]),
    isPresent: not(stateIn({ session: "failed" })),
    wasLeft: ({ context }) => context.leaving === true,
    isRefusedWhileHeld: ({ context, event }) =>
      Boolean(context.control) && event.type === "ACT" && event.when_held !== "wait",
    isHeldByAnother: ({ context: { control }, event }) =>
      event.type === "TAKE_CONTROL" &&
      control !== undefined &&
      control !== null &&
      control.holder !== event.holder,
    isCrowded: ({ context }) => context.waiting.length >= sessionLimits.waiting,
    isItsOwn: ({ context, event }) => event.type === "ACTED" && context.acting?.id === event.id,
    wasNeverStarted: ({ context }) => context.options === null,
  },
  delays: {
    lifetime: ({ context, event }) => Math.max(0, context.started_at + lifecycleLimits.lifetime - event.at),
  },
});

/**
 * Transitions of a session whose browser was lost. The outcome of a running action is unknown. If the session
 * was about to move to another node, it hibernates and is restored there; otherwise it fails.
 */
const LOST = [
  {
    guard: "wasLeft",
    target: "#session\\.hibernated",
    actions: { type: "interrupt", params: { why: "Its Cairn was stopped, or it was to move to another." } },
  },
  {
    target: "#session\\.failed",
    actions: [
      { type: "interrupt", params: { why: "The browser was lost." } },
      {
        type: "blame",
        params: {
          error: {
            code: "session.lost",
            message: "The worker that had its browser is gone, and the browser with it.",
          },
        },
      },
    ],
  },
] as const;

/** Transitions for sessions that have reached their maximum lifetime. */
const EXPIRED = {
  target: "failed",
  actions: [
    { type: "interrupt", params: { why: "The session's time was over." } },
    {
      type: "blame",
      params: { error: { code: "session.expired", message: "A session lives for seven days at most." } },
    },
    "forget",
  ],
} as const;

export const sessionMachine = machineSetup.createMachine({
  id: "session",
  context: ({ input }) => initial(input.id),
  type: "parallel",
  on: {
    RELEASE_CONTROL: { actions: "releaseControl" },
    CONTROL_SILENT: { actions: "releaseControl" },
  },
  states: {
    session: {
      initial: "closed",
      states: {
        closed: {
          on: {
            START: { target: "live", actions: "begin" },
            ACT: { actions: "refuseUnknown" },
            TAKE_CONTROL: { actions: "refuseUnknown" },
            WAKE: { actions: "refuseUnknown" },
            RECOVER: { actions: "refuseUnknown" },
            PAUSE: { actions: "refuseUnknown" },
            RESUME: { actions: "refuseUnknown" },
            LIVEKIT: { actions: "answerNoticed" },
            RECORD: { actions: "refuseUnknown" },
            STOP_RECORDING: { actions: "refuseUnknown" },
            CLOSE: [{ guard: "wasNeverStarted", actions: "refuseUnknown" }, { actions: "answerClosed" }],
          },
        },
        live: {
          id: "session.live",
          initial: "starting",
          invoke: {
            id: "browse",
            src: "browse",
            input: ({ context }) => browseOrder(context),
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
                // The cast is safe: effects fail with the serialised form of an error.
                { type: "blame", params: ({ event }) => ({ error: event.error as ErrorBody }) },
              ],
            },
          },
          after: { lifetime: EXPIRED },
          on: {
            START: { actions: "answerStarted" },
            ACT: [
              { guard: "isRefusedWhileHeld", actions: "refuseHeld" },
              { guard: "isCrowded", actions: "refuseBusy" },
              { actions: "queue" },
            ],
            TAKE_CONTROL: [{ guard: "isHeldByAnother", actions: "refuseHeld" }, { actions: "takeControl" }],
            LIVEKIT: { actions: "notice" },
            WAKE: { actions: "answerAwake" },
            RECOVER: { actions: "answerRecovering" },
            RECORD: { actions: "record" },
            STOP_RECORDING: { actions: "stopRecording" },
            LEAVING: { actions: "leave" },
            CLOSE: {
              target: "closed",
              actions: [
                "answerClosed",
                "stopRecording",
                { type: "interrupt", params: { why: "The session was closed." } },
                "forget",
              ],
            },
          },
          states: {
            starting: { on: { OPENED: { target: "ready", actions: "opened" } } },
            waking: { on: { OPENED: { target: "ready", actions: "opened" } } },
            recovering: { on: { OPENED: { target: "ready", actions: "opened" } } },
            ready: {
              always: { guard: "mayAct", target: "acting", actions: "take" },
              on: { RESTED: "#session\\.hibernated", LEFT: "#session\\.hibernated", LOST },
            },
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
              on: { ACTED: { guard: "isItsOwn", target: "ready", actions: "acted" }, LOST },
            },
          },
        },
        hibernated: {
          id: "session.hibernated",
          // Actions have been requested while the session moved to this node. The session is restored at once
          // to run them.
          always: {
            guard: "actWaits",
            target: "live.waking",
            actions: { type: "comeBack", params: { from: "hibernation" } },
          },
          after: { lifetime: EXPIRED },
          on: {
            START: { actions: "answerStarted" },
            ACT: [
              { guard: "isRefusedWhileHeld", actions: "refuseHeld" },
              {
                target: "live.waking",
                actions: ["queue", { type: "comeBack", params: { from: "hibernation" } }],
              },
            ],
            TAKE_CONTROL: [
              { guard: "isHeldByAnother", actions: "refuseHeld" },
              {
                target: "live.waking",
                actions: ["takeControl", { type: "comeBack", params: { from: "hibernation" } }],
              },
            ],
            LIVEKIT: [
              {
                guard: "isViewer",
                target: "live.waking",
                actions: ["notice", { type: "comeBack", params: { from: "hibernation" } }],
              },
              { actions: "notice" },
            ],
            WAKE: {
              target: "live.waking",
              actions: ["answerAwake", { type: "comeBack", params: { from: "hibernation" } }],
            },
            RECOVER: {
              target: "live.waking",
              actions: ["answerRecovering", { type: "comeBack", params: { from: "hibernation" } }],
            },
            RECORD: { actions: "record" },
            STOP_RECORDING: { actions: "stopRecording" },
            CLOSE: { target: "closed", actions: ["answerClosed", "stopRecording", "forget"] },
          },
        },
        failed: {
          id: "session.failed",
          on: {
            START: { target: "live", actions: "begin" },
            ACT: { actions: "refuseFailed" },
            TAKE_CONTROL: { actions: "refuseFailed" },
            LIVEKIT: { actions: "notice" },
            WAKE: { actions: "refuseFailed" },
            PAUSE: { actions: "refuseFailed" },
            RESUME: { actions: "refuseFailed" },
            RECOVER: {
              target: "live.recovering",
              actions: ["answerRecovering", { type: "comeBack", params: { from: "crash" } }],
            },
            RECORD: { actions: "refuseFailed" },
            STOP_RECORDING: { actions: "stopRecording" },
            CLOSE: { target: "closed", actions: ["answerClosed", "stopRecording", "forget"] },
          },
        },
      },
    },
    streaming: STREAMING,
  },
});
