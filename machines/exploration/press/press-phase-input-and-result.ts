/**
 * The input, the reports and the result of the pressing phase, in which an exploration presses controls such
 * as tabs and buttons.
 */
import type { FoundState, FoundTransition } from "../../knowledge/screens/page-states-to-map-instances.ts";
import type { ExplorationRequest } from "../exploration-request.ts";
import type { PressNote } from "./next-control-to-press.ts";

export interface PressInput {
  readonly job_id: string;
  readonly request: ExplorationRequest;
  readonly max_actions: number;
  readonly max_seconds: number;
  /**
   * Numbers from earlier rounds of pressing controls. `unsafe`: controls that were not pressed, because they
   * may change data. `held`: requests that were blocked for the same reason.
   */
  readonly before: Pick<PressOutput, "unsafe" | "held"> | null;
}

export interface PressCounts {
  /** Number of controls that were pressed. */
  readonly actions: number;
  /** Number of states that were found and have no address of their own. */
  readonly states: number;
  /** Number of elements that an exploration did not press because they may change data. */
  readonly unsafe?: number;
  /** Number of requests that were blocked because they would have changed data on the server. */
  readonly held?: number;
  /** Description of the control that was pressed most recently. */
  readonly last?: string;
}

/** The states and transitions that presses of controls have found, in order. */
export interface PressBatch {
  readonly states: readonly FoundState[];
  readonly transitions: readonly FoundTransition[];
  /**
   * Notes of the exploration about states and presses (clicks), in order. `from` is the number of the first
   * note.
   */
  readonly notes: readonly PressNote[];
  readonly from: number;
  /** Addresses of pages that were found by pressing controls. The crawl reads these pages next. */
  readonly addresses: readonly string[];
  readonly counts: PressCounts;
}

/** Whether the controls on pages of one kind are pressed, and why. `url` is an example of these pages. */
export interface PressDecision {
  readonly url: string;
  readonly pressed: boolean;
  readonly reason: string;
}

export interface PressOutput extends PressCounts {
  /** Number of elements that an exploration did not press because they may change data. */
  readonly unsafe: number;
  /** Number of requests that were blocked because they would have changed data on the server. */
  readonly held: number;
  /** Number of states of the application that could not be reached a second time. */
  readonly lost?: number;
  /** Number of pictures of application states that could not be stored. */
  readonly failed_pictures?: number;
  readonly decisions?: readonly PressDecision[];
  /** Duration of the pressing phase in seconds. */
  readonly seconds: number;
  readonly stopped_by:
    | "nothing_left"
    | "max_actions"
    | "max_seconds"
    | "refused"
    | "browser_lost"
    | "login_failed"
    /** The pressing phase ended because no browser could be started. */
    | "no_browser";
  /** The error that ended the pressing phase, such as that of a failed sign-in. */
  readonly reason?: string;
}

/**
 * Returns the name of the note with the given number. Leading zeros make the order by name equal to the order
 * by number.
 */
export function pressNoteName(number: number): string {
  return `press/${String(number).padStart(8, "0")}`;
}
