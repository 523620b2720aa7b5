/**
 * What the statechart of a session remembers, is told, and makes of both. Pure.
 *
 * Neighbour: `machine.ts` is the statechart.
 */
import type { Occasion } from "../emitted.ts";
import type { ErrorBody } from "../errors.ts";
import type { Action } from "./actions.ts";
import { sessionLimits } from "./limits.ts";
import { type ActOutcome, failedAct } from "./outcome.ts";
import type { SessionOptions } from "./protocol.ts";
import type { RecordedStep } from "./recording.ts";
import type { Restored } from "./restored.ts";

/** An act that was asked for; `id` is that of its command. */
export interface PendingAct {
  readonly id: string;
  readonly action: Action;
  /** As its caller called it, where that is another name. */
  readonly called?: string;
  /** Of the queue that it came from. */
  readonly job_id?: string;
  /** A stale element may be found again, where nothing else can be meant. */
  readonly retry?: boolean;
  /** What it is, is to be told when it is done. */
  readonly recorded?: boolean;
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
  /** What the browser that is there, or being opened, begins from; `null`: from nothing. */
  readonly restore: Restored["from"] | null;
  /** Where its acts are recorded; absent in sessions of before there was such a thing. */
  readonly recording?: OpenRecording | null;
  /** Its owner gives it up: no act begins before it has come back. Absent likewise. */
  readonly leaving?: boolean;
}

export interface OpenRecording {
  readonly id: string;
  readonly steps: number;
}

/** What the browser's effect is told. */
export interface BrowseOrder {
  readonly options: SessionOptions;
  readonly restore: Restored["from"] | null;
  /** Opened where there is nothing to restore. */
  readonly url: string | null;
  /** Tells the session from others that had the room before. */
  readonly epoch: number;
}

export type SessionCommand =
  | { readonly type: "START"; readonly options: SessionOptions }
  | ({ readonly type: "ACT" } & Omit<PendingAct, "id" | "recorded">)
  /** Somebody wants to look at it. */
  | { readonly type: "WAKE" }
  | { readonly type: "RECOVER" }
  /** Its picture only. */
  | { readonly type: "PAUSE" }
  | { readonly type: "RESUME" }
  | { readonly type: "RECORD"; readonly name: string }
  | { readonly type: "STOP_RECORDING" }
  | { readonly type: "CLOSE" };

/** What the effects tell. */
export type SessionNews =
  /** It is saved, and nobody needs its browser. */
  | { readonly type: "RESTED" }
  /** Whoever has its browser gives it up in good order … */
  | { readonly type: "LEAVING" }
  /** … and has saved it. */
  | { readonly type: "LEFT" }
  /** The worker that had its browser is gone. */
  | { readonly type: "LOST" }
  | { readonly type: "OPENED"; readonly outcome: ActOutcome; readonly url: string }
  | {
      readonly type: "ACTED";
      readonly id: string;
      readonly outcome: ActOutcome;
      readonly url: string;
      /** For its recording. */
      readonly step?: RecordedStep | undefined;
    };

export type SessionEvent = Occasion & (SessionCommand | SessionNews);

/** What a caller can do about a session that has failed. */
export const RECOVERY =
  "recover_browser_session brings back what was saved of it, start_browser_session starts it anew.";

/** What is kept of an outcome: enough to answer again, and not what fills the store. */
export function kept(outcome: ActOutcome): ActOutcome {
  if (JSON.stringify(outcome.data).length <= sessionLimits.outcomeLength) return outcome;
  const { code } = outcome.data;
  return { ...outcome, data: { ...(code === undefined ? {} : { code }), truncated: true } };
}

export function settled(context: SessionContext, acts: readonly SettledAct[]): readonly SettledAct[] {
  const all = [...context.outcomes, ...acts.map(({ id, outcome }) => ({ id, outcome: kept(outcome) }))];
  return all.slice(-sessionLimits.outcomes);
}

/** Nobody can say what became of the one under way; those that waited were not begun. */
export function interrupted(
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

/** A room in which nothing ever was. */
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
});

/** What the effect begins from: `begin` has set the options on the way in. */
export function orderOf({ options, restore, url, started_at }: SessionContext): BrowseOrder {
  const begun = options ?? { initial_url: null, viewport_width: 0, viewport_height: 0 };
  const last = url === "about:blank" ? begun.initial_url : url;
  return { options: begun, restore, url: restore ? last : begun.initial_url, epoch: started_at };
}

/** What a caller needs to know of where a session stands. */
export type SessionPhase = "absent" | "closed" | "starting" | "waking" | "live" | "hibernated" | "failed";

export function sessionPhase(context: SessionContext, value: unknown): SessionPhase {
  if (context.options === null) return "absent";
  const session = within(value, "session");
  if (session === "closed" || session === "failed" || session === "hibernated") return session;
  if (context.opened === null) return "starting";
  const live = within(session, "live");
  return live === "waking" || live === "recovering" ? "waking" : "live";
}

/** The state inside another, of a state's value. */
function within(value: unknown, state: string): unknown {
  return typeof value === "object" && value !== null && state in value
    ? (value as Readonly<Record<string, unknown>>)[state] // It is in it.
    : undefined;
}

/** The act of a command as it waits. */
export function pendingAct(event: Extract<SessionEvent, { type: "ACT" }>, id: string): PendingAct {
  const { action, called, job_id, retry } = event;
  return {
    id,
    action,
    ...(called === undefined ? {} : { called }),
    ...(job_id === undefined ? {} : { job_id }),
    ...(retry ? { retry } : {}),
  };
}
