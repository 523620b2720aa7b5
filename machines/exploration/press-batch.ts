/** What the pressing part of an exploration takes, reports and answers. */
import type { FoundState, FoundTransition } from "../knowledge/page-state.ts";
import type { ExplorationRequest } from "./exploration-context.ts";
import type { PressNote } from "./press-frontier.ts";

export interface PressInput {
  readonly job_id: string;
  readonly request: ExplorationRequest;
  readonly max_actions: number;
  readonly max_seconds: number;
  /** Counts of earlier rounds. */
  readonly before: Pick<PressOutput, "unsafe" | "held"> | null;
}

export interface PressCounts {
  /** Elements that were pressed. */
  readonly actions: number;
  /** States that were found beside the pages. */
  readonly states: number;
  /** Elements that were left alone because they may change something. */
  readonly unsafe?: number;
  /** Requests that were held back because they would have written. */
  readonly held?: number;
  /** The last press, in words. */
  readonly last?: string;
}

/** States and transitions, as they are found. */
export interface PressBatch {
  readonly states: readonly FoundState[];
  readonly transitions: readonly FoundTransition[];
  /** Rows of the exploration's notes, numbered from `from` on. */
  readonly notes: readonly PressNote[];
  readonly from: number;
  /** Addresses whose pages are to be read. */
  readonly addresses: readonly string[];
  readonly counts: PressCounts;
}

/** Whether pages of one kind were pressed, and why. */
export interface PressDecision {
  readonly url: string;
  readonly pressed: boolean;
  readonly reason: string;
}

export interface PressOutput extends PressCounts {
  /** Elements that were left alone because they may change something. */
  readonly unsafe: number;
  /** Requests that were held back because they would have written. */
  readonly held: number;
  /** States that could not be reached again. */
  readonly lost?: number;
  readonly decisions?: readonly PressDecision[];
  /** Time that the presses took. */
  readonly seconds: number;
  readonly stopped_by:
    | "nothing_left"
    | "max_actions"
    | "max_seconds"
    | "refused"
    | "browser_lost"
    | "login_failed";
  /** Why it stopped, in words of the site. */
  readonly reason?: string;
}

/** The name of a row of notes. Names sort in the order of their numbers. */
export function pressNoteName(number: number): string {
  return `press/${String(number).padStart(8, "0")}`;
}
