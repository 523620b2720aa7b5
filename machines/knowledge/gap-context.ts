/**
 * The known facts around a gap in a map or task: its two ends, and the elements and screens that may fill it.
 */
import type { Control } from "../records.ts";
import type { ActionGap } from "./gap-schemas.ts";

/** A known action before or after a gap. */
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

/** An element that may lead across the gap. */
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
  /** Controls of the screen where the gap starts. */
  readonly elements: readonly GapElement[];
  /** Links on other screens to the screen where the gap ends. */
  readonly links_elsewhere: readonly GapElement[];
  /** Number of screens that have a link to the screen where the gap ends. */
  readonly linking_screens: number;
  /** The route across the gap over known transitions; absent without one. */
  readonly way?: readonly GapStep[];
  /** Fields of the form where the gap starts. Present when filling them in is what is missing. */
  readonly fields?: readonly GapElement[];
  /** The transition without a known action. Absent when the gap is between steps of a task. */
  readonly transition?: { readonly from: string; readonly to: string; readonly action: string };
  /** The task in which the gap is. Inferred steps are inserted after the step with the number `after`. */
  readonly task?: { readonly task_id: string; readonly after: number };
}
