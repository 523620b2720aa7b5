/**
 * The context and events of a session's state machine, and the functions that derive answers and inputs from
 * them.
 */

import type { CommandOf } from "../actor-kind-protocol.ts";
import type { ErrorBody } from "../errors.ts";
import type { Occasion } from "../machine-emissions.ts";
import { type ActionOutcome, failedAction } from "./actions/action-outcome.ts";
import type { RecordedStep } from "./actions/actions-to-recorded-steps.ts";
import type { Action } from "./actions/browser-action-parameters.ts";
import type { Control } from "./outputs/live-view-schemas.ts";
import { sessionLimits } from "./session-limits.ts";
import type { ActorsOnPage, SessionOptions, SessionPhase, SessionProtocol } from "./session-protocol.ts";
import type { Restored } from "./session-restore-report.ts";

/** A requested action. `id` is the id of its command. */
export interface PendingAction {
  readonly id: string;
  readonly action: Action;
  /** The alias of the action that the caller used; absent when the caller used the action's own name. */
  readonly called?: string;
  /** Id of the queue job that has requested the action; absent for other actions. */
  readonly job_id?: string;
  /**
   * Whether Cairn may search the current page for the element of an outdated index. If exactly one element
   * matches, the action runs on it.
   */
  readonly retry?: boolean;
  /**
   * `wait`: while a person controls the browser, the action waits. If the field is absent, such an action is
   * refused.
   */
  readonly when_held?: "wait";
  /**
   * Whether the outcome must describe the action's element, because the session's actions are being recorded.
   */
  readonly recorded?: boolean;
  /** Address of the walk or dialogue that has requested the action; absent for other callers. */
  readonly task?: string;
  /** Whether the question of the page before it is left (`beforeunload`) stays open for the caller. */
  readonly asks_before_leaving?: boolean;
}

export interface SettledAction {
  readonly id: string;
  readonly outcome: ActionOutcome;
  /** Address of the walk or dialogue that has requested the action; absent for other callers. */
  readonly task?: string;
  /** Whether the action may have entered a value; absent for a click and the like. */
  readonly enters?: true;
}

export interface SessionContext {
  readonly room_name: string;
  /** Options of the session; `null` until its first start. */
  readonly options: SessionOptions | null;
  /** Start time of the session in milliseconds since the epoch. */
  readonly started_at: number;
  /** Outcome of opening the session's first address; `null` while it loads. */
  readonly opened: ActionOutcome | null;
  readonly url: string;
  readonly acting: PendingAction | null;
  readonly waiting: readonly PendingAction[];
  /** The outcomes of the session's newest actions, oldest first. */
  readonly outcomes: readonly SettledAction[];
  readonly error: ErrorBody | null;
  /** The saved state that the browser restores; `null` for a session that starts empty. */
  readonly restore: Restored["from"] | null;
  /** The current recording. Absent in snapshots from older versions of Cairn, which could not record. */
  readonly recording?: OpenRecording | null;
  /**
   * Whether the session is moving to another node. Actions wait until it is restored there. Absent in older
   * snapshots.
   */
  readonly leaving?: boolean;
  /** Whether the video is paused. The setting survives a restore. Absent in older snapshots. */
  readonly video_paused?: boolean;
  /**
   * The person who controls the browser. While a person has control, actions of agents are refused. Absent in
   * older snapshots.
   */
  readonly control?: Control | null;
  /** Whether a person has had control since the session has reached the page that it shows. */
  readonly controlled_on_page?: boolean;
}

export interface OpenRecording {
  readonly id: string;
  readonly steps: number;
}

/** Input of the effect that runs the browser. */
export interface BrowseOrder {
  readonly options: SessionOptions;
  readonly restore: Restored["from"] | null;
  /** The address that the browser opens if it restores no saved state. */
  readonly url: string | null;
  /** A number that distinguishes the session from earlier ones with the same room name. */
  readonly epoch: number;
  readonly video_paused: boolean;
}

export type SessionCommand = CommandOf<SessionProtocol>;

/** Events that the effects of a session send to its machine. */
export type SessionEffectEvent =
  /** The session is saved and may hibernate, because its browser is not needed. */
  | { readonly type: "RESTED" }
  /** The node has started to move the session to another node. */
  | { readonly type: "LEAVING" }
  /** The node has saved the session and given it up, so another node may restore it. */
  | { readonly type: "LEFT" }
  /** The worker that ran the browser has ended. */
  | { readonly type: "LOST" }
  /** The person who controls the browser did not renew the control in time. */
  | { readonly type: "CONTROL_SILENT" }
  | { readonly type: "OPENED"; readonly outcome: ActionOutcome; readonly url: string }
  | {
      readonly type: "ACTED";
      readonly id: string;
      readonly outcome: ActionOutcome;
      readonly url: string;
      /** The step that is added to the recording; absent when the action is not recorded. */
      readonly step?: RecordedStep | undefined;
    };

export type SessionEvent = Occasion & (SessionCommand | SessionEffectEvent);

/** Advice in the error of a failed session: what the caller can do next. */
export const RECOVERY =
  "recover_browser_session brings back what was saved of it, start_browser_session starts it anew.";

/**
 * The part of an outcome that is stored. It suffices to answer a repeated request, and it has a limited size.
 */
export function storedOutcome(outcome: ActionOutcome): ActionOutcome {
  if (JSON.stringify(outcome.data).length <= sessionLimits.outcomeLength) return outcome;
  const { code, effect } = outcome.data;
  const kept = { ...(code === undefined ? {} : { code }), ...(effect === undefined ? {} : { effect }) };
  return { ...outcome, data: { ...kept, truncated: true } };
}

export function settled(context: SessionContext, acts: readonly SettledAction[]): readonly SettledAction[] {
  const all = [...context.outcomes, ...acts.map((act) => ({ ...act, outcome: storedOutcome(act.outcome) }))];
  return all.slice(-sessionLimits.outcomes);
}

/**
 * Returns the outcomes of actions when the session has lost its browser. The running action is `interrupted`.
 * Each waiting action gets an error which states that it was not started.
 */
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

/** The context of a room name under which no session was started yet. */
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

/**
 * Returns the input of the effect that runs the browser. It reads `context.options`, which the action `begin`
 * sets.
 */
export function browseOrder(context: SessionContext): BrowseOrder {
  const { options, restore, url, started_at, video_paused = false } = context;
  const begun = options ?? { initial_url: null, viewport_width: 0, viewport_height: 0 };
  const last = url === "about:blank" ? begun.initial_url : url;
  const first = restore ? last : begun.initial_url;
  return { options: begun, restore, url: first, epoch: started_at, video_paused };
}

export function sessionPhase(context: SessionContext, value: unknown): SessionPhase {
  if (context.options === null) return "absent";
  const session = within(value, "session");
  if (session === "closed" || session === "failed" || session === "hibernated") return session;
  if (context.opened === null) return "starting";
  const live = within(session, "live");
  return live === "waking" || live === "recovering" ? "waking" : "live";
}

/**
 * Returns the nested part of an XState state value: `live` for the value `{ session: "live" }` and the state
 * `session`.
 */
function within(value: unknown, state: string): unknown {
  return typeof value === "object" && value !== null && state in value
    ? // The cast is safe: the condition has checked that the value is an object with this key.
      (value as Readonly<Record<string, unknown>>)[state]
    : undefined;
}

/** Converts the command of a caller to an action that waits until the session runs it. */
export function pendingAction(event: Extract<SessionEvent, { type: "ACT" }>, id: string): PendingAction {
  const { action, called, job_id, retry, when_held, task, asks_before_leaving } = event;
  return {
    id,
    action,
    ...(called === undefined ? {} : { called }),
    ...(job_id === undefined ? {} : { job_id }),
    ...(retry ? { retry } : {}),
    ...(when_held === "wait" ? { when_held } : {}),
    ...(task === undefined ? {} : { task }),
    ...(asks_before_leaving ? { asks_before_leaving } : {}),
  };
}

/** Names of actions that enter values, apart from clicks on checkboxes and the like. */
const ENTERING: ReadonlySet<string> = new Set(
  "input type_slowly fill_form select_dropdown pick_date upload_file clear paste cut send_keys drag_drop submit_form".split(
    " ",
  ),
);

/** Returns an action with its outcome, as the session stores it. */
export function settledAction(
  acting: PendingAction | null,
  id: string,
  outcome: ActionOutcome,
): SettledAction {
  if (acting?.task === undefined) return { id, outcome };
  const { task, action } = acting;
  return { id, outcome, task, ...(ENTERING.has(action.name) ? { enters: true } : {}) };
}

/** Whether an action has led to another page, so that the values on the page before it are gone. */
export const hasLeftPage = ({ success, data: { effect } }: ActionOutcome): boolean =>
  success && (effect === "navigated" || effect === "address_changed");

/** Returns who has acted on the page that the session shows, since the session has reached this page. */
export function actorsOnPage({ outcomes, control, controlled_on_page }: SessionContext): ActorsOnPage {
  const last = outcomes.findLastIndex(({ outcome }) => hasLeftPage(outcome));
  const isComplete = last >= 0 || outcomes.length < sessionLimits.outcomes;
  const acts = outcomes.slice(last + 1);
  const tasks = [...new Set(acts.flatMap(({ task }) => task ?? []))].map((task) => ({
    task,
    has_entered: acts.some((act) => act.task === task && act.enters),
  }));
  const others = !isComplete || Boolean(control) || controlled_on_page === true;
  return { tasks, others: others || acts.some(({ task }) => task === undefined) };
}
