/**
 * The known facts around a gap (an unknown action) in a map or task: the screens before and after it, and the
 * elements and screens that may fill it.
 */
import type { Control } from "../records.ts";
import type { ActionGap } from "./gap-schemas.ts";

/** A known action before or after a gap, which is a missing action between two known ones. */
export interface GapEnd {
  readonly action_id: string;
  readonly action_type: string;
  readonly name: string;
  readonly target: string;
}

export interface GapScreen {
  readonly screen_id: string;
  readonly name: string;
  readonly url: string;
}

/** An element whose use may be the missing action of a gap. */
export interface GapElement {
  readonly screen_id: string;
  readonly action_type: string;
  readonly label: string;
  readonly control: Control | null;
  /** Address of a form or a link; empty without one. */
  readonly url: string;
}

/** A step of a route between two screens over known transitions. */
export interface GapStep extends GapElement {
  readonly to_screen_id: string;
  readonly confidence: number;
}

export interface GapContext {
  readonly gap: ActionGap;
  readonly from: GapEnd;
  readonly to: GapEnd;
  readonly from_screen: GapScreen | null;
  readonly to_screen: GapScreen | null;
  /** Controls of the screen on which the missing action must be. */
  readonly elements: readonly GapElement[];
  /** Links on other screens to the screen to which the missing action must lead. */
  readonly links_elsewhere: readonly GapElement[];
  /** Number of screens that have a link to the screen to which the missing action must lead. */
  readonly linking_screens: number;
  /** A route over known transitions that can replace the missing action; absent when there is none. */
  readonly way?: readonly GapStep[];
  /**
   * Fields of a form on the screen where the missing action must be. Present when the missing action is to
   * fill them in.
   */
  readonly fields?: readonly GapElement[];
  /** The transition whose action is missing. Absent when the missing action is between steps of a task. */
  readonly transition?: { readonly from: string; readonly to: string; readonly action: string };
  /**
   * The task in which an action is missing. Inferred steps are inserted after the step with the number
   * `after`.
   */
  readonly task?: { readonly task_id: string; readonly after: number };
}
