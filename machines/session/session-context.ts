/** The context and events of a session's statechart, and the functions that derive one from the other. */
import type { Occasion } from "../emitted.ts";
import type { ErrorBody } from "../errors.ts";
import type { CommandOf } from "../kind-protocol.ts";
import { type ActionOutcome, failedAction } from "./action-outcome.ts";
import type { Action } from "./actions.ts";
import { sessionLimits } from "./limits.ts";
import type { Control } from "./live-view-schemas.ts";
import type { SessionOptions, SessionProtocol } from "./protocol.ts";
import type { RecordedStep } from "./recorded-step.ts";
import type { Restored } from "./restore-report.ts";

/** A requested action; `id` is the id of its command. */
export interface PendingAction {
  readonly id: string;
  readonly action: Action;
  /** The caller's name of the action, when it is an alias. */
  readonly called?: string;
  /** Id of the queue job it came from. */
  readonly job_id?: string;
  /** Resolve a stale element again if exactly one element of the current page matches it. */
  readonly retry?: boolean;
  /** The outcome must describe the element, for the recording. */
  readonly recorded?: boolean;
}

export interface SettledAction {
  readonly id: string;
  readonly outcome: ActionOutcome;
}

export interface SessionContext {
  readonly room_name: string;
  /** `null` until the first start. */
  readonly options: SessionOptions | null;
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  /** Outcome of opening the first address; `null` while it is loading. */
  readonly opened: ActionOutcome | null;
  readonly url: string;
  readonly acting: PendingAction | null;
  readonly waiting: readonly PendingAction[];
  /** The newest outcomes, in order. */
  readonly outcomes: readonly SettledAction[];
  readonly error: ErrorBody | null;
  /** What the browser restores; `null` for an empty session. */
  readonly restore: Restored["from"] | null;
  /** The current recording. Absent in snapshots from before recordings existed. */
  readonly recording?: OpenRecording | null;
  /** The owner is handing the session over: no action starts until it is restored. Absent in older snapshots. */
  readonly leaving?: boolean;
  /** The video is paused, also after a restore. Absent in older snapshots. */
  readonly video_paused?: boolean;
  /** The person who controls the browser; others cannot act meanwhile. Absent in older snapshots. */
  readonly control?: Control | null;
}

export interface OpenRecording {
  readonly id: string;
  readonly steps: number;
}

/** Input of the browser's effect. */
export interface BrowseOrder {
  readonly options: SessionOptions;
  readonly restore: Restored["from"] | null;
  /** Opened when there is nothing to restore. */
  readonly url: string | null;
  /** Distinguishes the session from earlier ones of the room. */
  readonly epoch: number;
  readonly video_paused: boolean;
}

export type SessionCommand = CommandOf<SessionProtocol>;

/** Events that the effects send. */
export type SessionEffectEvent =
  /** The session is saved and its browser is not needed. */
  | { readonly type: "RESTED" }
  /** The owner starts to hand the session over. */
  | { readonly type: "LEAVING" }
  /** The owner has saved the session. */
  | { readonly type: "LEFT" }
  /** The worker that had the browser is gone. */
  | { readonly type: "LOST" }
  /** The holder of control gave no sign of life in time. */
  | { readonly type: "CONTROL_SILENT" }
  | { readonly type: "OPENED"; readonly outcome: ActionOutcome; readonly url: string }
  | {
      readonly type: "ACTED";
      readonly id: string;
      readonly outcome: ActionOutcome;
      readonly url: string;
      /** The step for the recording. */
      readonly step?: RecordedStep | undefined;
    };

export type SessionEvent = Occasion & (SessionCommand | SessionEffectEvent);

/** The remedy for a failed session. */
export const RECOVERY =
  "recover_browser_session brings back what was saved of it, start_browser_session starts it anew.";

/** The part of an outcome that is stored: enough to answer again without filling the store. */
export function storedOutcome(outcome: ActionOutcome): ActionOutcome {
  if (JSON.stringify(outcome.data).length <= sessionLimits.outcomeLength) return outcome;
  const { code } = outcome.data;
  return { ...outcome, data: { ...(code === undefined ? {} : { code }), truncated: true } };
}

export function settled(context: SessionContext, acts: readonly SettledAction[]): readonly SettledAction[] {
  const all = [
    ...context.outcomes,
    ...acts.map(({ id, outcome }) => ({ id, outcome: storedOutcome(outcome) })),
  ];
  return all.slice(-sessionLimits.outcomes);
}

/** Outcomes after a loss: the running action is `interrupted`, waiting ones were not started. */
export function interrupted(
  { acting, waiting }: SessionContext,
  why: string,
): readonly { readonly act: PendingAction; readonly outcome: ActionOutcome }[] {
  const begun = acting
    ? [{ act: acting, outcome: failedAction("interrupted", `${why} Whether it was done is not known.`) }]
    : [];
  const unbegun = waiting.map((act) => ({
    act,
    outcome: failedAction("interrupted", `${why} It was not begun.`, { begun: false }),
  }));
  return [...begun, ...unbegun];
}

/** The context of a room that never had a session. */
export const initial = (room_name: string): SessionContext => ({
  room_name,
  options: null,
  started_at: 0,
  opened: null,
  url: "about:blank",
  acting: null,
  waiting: [],
  outcomes: [],
  error: null,
  restore: null,
  recording: null,
  leaving: false,
  video_paused: false,
  control: null,
});

/** Input of the browser's effect. `begin` has set the options before. */
export function browseOrder(context: SessionContext): BrowseOrder {
  const { options, restore, url, started_at, video_paused = false } = context;
  const begun = options ?? { initial_url: null, viewport_width: 0, viewport_height: 0 };
  const last = url === "about:blank" ? begun.initial_url : url;
  const first = restore ? last : begun.initial_url;
  return { options: begun, restore, url: first, epoch: started_at, video_paused };
}

/** The state of a session for its callers. */
export type SessionPhase = "absent" | "closed" | "starting" | "waking" | "live" | "hibernated" | "failed";

export function sessionPhase(context: SessionContext, value: unknown): SessionPhase {
  if (context.options === null) return "absent";
  const session = within(value, "session");
  if (session === "closed" || session === "failed" || session === "hibernated") return session;
  if (context.opened === null) return "starting";
  const live = within(session, "live");
  return live === "waking" || live === "recovering" ? "waking" : "live";
}

/** The value of a nested state. */
function within(value: unknown, state: string): unknown {
  return typeof value === "object" && value !== null && state in value
    ? (value as Readonly<Record<string, unknown>>)[state] // The guard above proved the key.
    : undefined;
}

/** The waiting action of a command. */
export function pendingAction(event: Extract<SessionEvent, { type: "ACT" }>, id: string): PendingAction {
  const { action, called, job_id, retry } = event;
  return {
    id,
    action,
    ...(called === undefined ? {} : { called }),
    ...(job_id === undefined ? {} : { job_id }),
    ...(retry ? { retry } : {}),
  };
}
