/** The input, the reports and the result of the pressing phase of an exploration. */
import type { FoundState, FoundTransition } from "../knowledge/page-state.ts";
import type { ExplorationRequest } from "./exploration-context.ts";
import type { PressNote } from "./press-frontier.ts";

export interface PressInput {
  readonly job_id: string;
  readonly request: ExplorationRequest;
  readonly max_actions: number;
  readonly max_seconds: number;
  /** Counts of unsafe elements and blocked requests in earlier rounds of presses. */
  readonly before: Pick<PressOutput, "unsafe" | "held"> | null;
}

export interface PressCounts {
  /** Number of elements that were pressed. */
  readonly actions: number;
  /** Number of states found that are not pages with an address. */
  readonly states: number;
  /** Number of elements that were not pressed because they may change data. */
  readonly unsafe?: number;
  /** Number of requests that were blocked because they would have changed data on the server. */
  readonly held?: number;
  /** Description of the last press. */
  readonly last?: string;
}

/** States and transitions that presses found, in order. */
export interface PressBatch {
  readonly states: readonly FoundState[];
  readonly transitions: readonly FoundTransition[];
  /** Notes of the exploration, numbered consecutively from `from`. */
  readonly notes: readonly PressNote[];
  readonly from: number;
  /** Addresses of pages that are to be read. */
  readonly addresses: readonly string[];
  readonly counts: PressCounts;
}

/** Whether the controls on pages of one kind were pressed, and why. */
export interface PressDecision {
  readonly url: string;
  readonly pressed: boolean;
  readonly reason: string;
}

export interface PressOutput extends PressCounts {
  /** Number of elements that were not pressed because they may change data. */
  readonly unsafe: number;
  /** Number of requests that were blocked because they would have changed data on the server. */
  readonly held: number;
  /** Number of states that could not be reached again. */
  readonly lost?: number;
  readonly decisions?: readonly PressDecision[];
  /** Seconds that the presses took. */
  readonly seconds: number;
  readonly stopped_by:
    | "nothing_left"
    | "max_actions"
    | "max_seconds"
    | "refused"
    | "browser_lost"
    | "login_failed"
    /** No browser could be started. */
    | "no_browser";
  /** The error message that explains why the presses stopped, such as that of a failed sign-in. */
  readonly reason?: string;
}

/** The name of a stored note. Names sort in the order of their numbers. */
export function pressNoteName(number: number): string {
  return `press/${String(number).padStart(8, "0")}`;
}
