/**
 * The known facts around a gap (an unknown action) of a map or task: the screens before and after it, and the
 * elements and screens that a proposal may use.
 */
import type { Control } from "../../records/page-control-records.ts";
import type { ActionGap } from "./map-gap-schemas.ts";

/** A known action directly before or after a gap. A gap is an unknown action between two known ones. */
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

/** An element that may be the target of the missing action. */
export interface GapElement {
  readonly screen_id: string;
  readonly action_type: string;
  readonly label: string;
  readonly control: Control | null;
  /** Address of the element if it is a form or a link; empty otherwise. */
  readonly url: string;
}

/** One known transition of a detour, which leads around a gap (an unknown action) to the screen after it. */
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
  /** Controls of the screen before the gap (an unknown action). The unknown action must use one of them. */
  readonly elements: readonly GapElement[];
  /** Links of other screens to the screen that the unknown action leads to. */
  readonly links_elsewhere: readonly GapElement[];
  /** Number of screens with a link to the screen to which the unknown action leads. */
  readonly linking_screens: number;
  /**
   * A route of known transitions to the screen after the gap (an unknown action). Absent if the map has no
   * such route, or if a transition leads directly to this screen.
   */
  readonly way?: readonly GapStep[];
  /**
   * The fields of a form on the screen with the gap (an unknown action). They are given only if the unknown
   * action fills in this form.
   */
  readonly fields?: readonly GapElement[];
  /**
   * The transition between the two screens, if the map has it but does not know its control: `action` is JSON of a
   * `TransitionAction` whose `target` is null. Absent otherwise.
   */
  readonly transition?: { readonly from: string; readonly to: string; readonly action: string };
  /**
   * The task that contains the gap (an unknown action). Inferred steps are inserted after the step with the
   * number `after`.
   */
  readonly task?: { readonly task_id: string; readonly after: number };
}
