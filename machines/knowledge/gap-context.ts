/** What is known around a gap: its ends, and the elements and screens that may fill it. */
import type { Control } from "../records.ts";
import type { ActionGap } from "./gap-schemas.ts";

/** A known action at an end of a gap. */
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

/** An element that may be what leads over the gap. */
export interface GapElement {
  readonly screen_id: string;
  readonly action_type: string;
  readonly label: string;
  readonly control: Control | null;
  /** Address that a form or a link names; empty without one. */
  readonly url: string;
}

/** A step of the way between two screens that transitions lead over. */
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
  /** Controls of the screen where the gap begins. */
  readonly elements: readonly GapElement[];
  /** Links of other screens that lead to where the gap ends. */
  readonly links_elsewhere: readonly GapElement[];
  /** Number of screens that have such a link. */
  readonly linking_screens: number;
  /** The way over known transitions; absent without one. */
  readonly way?: readonly GapStep[];
  /** Fields of the form where the gap begins, when the missing steps are its fields. */
  readonly fields?: readonly GapElement[];
  /** The transition without an action that the gap is; absent for steps of a task. */
  readonly transition?: { readonly from: string; readonly to: string; readonly action: string };
  /** The task whose steps the gap is between: inferred steps follow this one. */
  readonly task?: { readonly task_id: string; readonly after: number };
}
