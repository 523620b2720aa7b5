/** The context, inputs and events of the state machine that executes a route (a walk). */

import type { CommandOf } from "../actor-kind-protocol.ts";
import type { ErrorBody } from "../errors.ts";
import type { BrowserUseAction } from "../knowledge/knowledge-protocol.ts";
import type { Occasion } from "../machine-emissions.ts";
import type { WalkProtocol } from "./walk-protocol.ts";
import type { NeededField, WalkedStep, WalkRequest } from "./walk-schemas.ts";

/** A transition of the map, given as the ids of the two pages (instances) that it connects. */
export type Edge = readonly [from: string, to: string];

/** A route that starts on the screen which the session currently shows. */
export interface WalkRoute {
  readonly actions: readonly BrowserUseAction[];
  /** For each action, the id of the screen to which it leads. */
  readonly screens: readonly string[];
  /** For each action, the map's transition that it uses; `null` if the action opens an address directly. */
  readonly edges: readonly (Edge | null)[];
  /**
   * For each action, whether it only shows a part of the screen, such as a section. Absent in routes of tasks
   * and of older versions.
   */
  readonly shows_part?: readonly boolean[];
}

export interface WalkContext {
  readonly walk_id: string;
  readonly request: WalkRequest | null;
  readonly route: WalkRoute | null;
  /** Index of the action on the route that is performed next. */
  readonly next: number;
  readonly steps: readonly WalkedStep[];
  readonly reroutes: number;
  /** Transitions that led to a wrong screen. Later routes of this walk avoid them. */
  readonly avoid: readonly Edge[];
  readonly screen_id: string | null;
  readonly url: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /**
   * Required fields without a value from the caller. Because of them, the walk (the execution of the route) has
   * ended.
   */
  readonly missing?: readonly NeededField[] | undefined;
}

export const initialWalk = (walk_id: string): WalkContext => ({
  walk_id,
  request: null,
  route: null,
  next: 0,
  steps: [],
  reroutes: 0,
  avoid: [],
  screen_id: null,
  url: null,
  error: null,
});

export interface RouteInput {
  readonly request: WalkRequest;
  readonly avoid: readonly Edge[];
}

export type RouteOutput =
  | {
      readonly ok: true;
      readonly route: WalkRoute;
      readonly screen_id: string | null;
      readonly url: string | null;
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface StepInput {
  readonly request: WalkRequest;
  readonly action: BrowserUseAction;
  /** Id of the screen to which the current action of the route should lead. */
  readonly screen: string;
  readonly edge: Edge | null;
  /** Whether the action only shows a part of the screen, such as a section. */
  readonly shows_part?: boolean;
  /** The next action of the route, if there is one. */
  readonly following?: BrowserUseAction;
  /**
   * Id under which the session runs the action. If the action is requested again after a crash, the session
   * recognises the id and runs the action only once.
   */
  readonly action_id: string;
}

export interface StepOutput {
  readonly step: WalkedStep;
  readonly url: string | null;
  /** Required fields of the form for which the walk had no value, so that the step was not executed. */
  readonly missing?: readonly NeededField[];
  /** True if no click could open the link of the step, so that the session opened the link's address instead. */
  readonly byAddress?: boolean;
}

export type WalkEvent = Occasion &
  (
    | CommandOf<WalkProtocol>
    | { readonly type: "xstate.done.actor.route"; readonly output: RouteOutput }
    | { readonly type: "xstate.done.actor.step"; readonly output: StepOutput }
    | { readonly type: "xstate.error.actor.route"; readonly error: ErrorBody }
    | { readonly type: "xstate.error.actor.step"; readonly error: ErrorBody }
  );
