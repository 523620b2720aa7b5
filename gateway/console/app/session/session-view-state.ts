/** The state of the view of a session: its picture, its elements, and its latest actions. */
import { createStore } from "@xstate/store";
import type { AnalysisData } from "../../../../machines/session/page/page-snapshot.ts";
import type { Screenshot } from "../../../../machines/session/session-protocol.ts";
import type { ApiError } from "../console-api-client.ts";
import type { LiveEvent } from "../reconnecting-websocket.ts";

/** Maximum number of actions that the history of a session shows. */
const MOST_ACTIONS = 200;

export interface SessionAction {
  readonly id: string;
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Time of the action in seconds since the epoch. */
  readonly at: number;
  readonly state: "queued" | "running" | "done" | "failed";
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface SessionState {
  readonly picture: Screenshot | undefined;
  readonly analysis: AnalysisData | undefined;
  readonly error: ApiError | undefined;
  readonly actions: readonly SessionAction[];
  /** Index of the element under the person's pointer. */
  readonly pointed: number | undefined;
  readonly isStale: boolean;
  /**
   * The newest frame of the live view. `width` and `height` are the size of the page's viewport in CSS
   * pixels.
   */
  readonly live: LiveFrame | undefined;
  readonly control: Control;
}

export interface LiveFrame {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

interface Control {
  readonly mine: boolean;
  readonly heldBy: string | null;
  /** Why the last attempt to take control was refused. */
  readonly refusal?: string | undefined;
}

const STATES: Readonly<Record<string, SessionAction["state"]>> = {
  action_queued: "queued",
  action_processing: "running",
  action_completed: "done",
  action_error: "failed",
};

/**
 * The part of an action event that the view uses. The complete event is defined in
 * machines/session/browser-event-schemas.ts.
 */
interface ActionEvent {
  readonly command_id?: string;
  readonly timestamp?: number;
  readonly action?: { readonly action_type: string; readonly params: Readonly<Record<string, unknown>> };
  readonly result?: { readonly error: string | null; readonly data: Readonly<Record<string, unknown>> };
}

function withAction(actions: readonly SessionAction[], event: LiveEvent): readonly SessionAction[] {
  const state = STATES[event.type];
  const { command_id: id, action, timestamp: at = 0, result } = event as ActionEvent & LiveEvent;
  if (state === undefined || id === undefined || !action) return actions;
  const change: SessionAction = {
    id,
    name: action.action_type,
    params: action.params,
    at,
    state,
    error: result?.error ?? null,
    data: result?.data ?? {},
  };
  const others = actions.filter((each) => each.id !== id);
  return [change, ...others].slice(0, MOST_ACTIONS);
}

export function createSessionStore() {
  const first: SessionState = {
    picture: undefined,
    analysis: undefined,
    error: undefined,
    actions: [],
    pointed: undefined,
    isStale: false,
    live: undefined,
    control: { mine: false, heldBy: null },
  };
  return createStore({
    context: first,
    on: {
      picture: (state, { picture = state.picture }: { picture: Screenshot | undefined }) => ({
        ...state,
        picture,
        error: undefined,
        isStale: false,
      }),
      analysis: (state, { analysis }: { analysis: AnalysisData }) => ({ ...state, analysis }),
      failed: (state, { error }: { error: ApiError }) => ({ ...state, error }),
      event: (state, { event }: { event: LiveEvent }) => ({
        ...state,
        actions: withAction(state.actions, event),
      }),
      point: (state, { index }: { index: number | undefined }) => ({ ...state, pointed: index }),
      frame: (state, { live }: { live: LiveFrame | undefined }) => ({ ...state, live }),
      control: (state, control: Control) => ({ ...state, control }),
      refused: (state, { refusal }: { refusal: string }) => ({
        ...state,
        control: { ...state.control, refusal },
      }),
      changed: (state) => ({ ...state, isStale: true }),
    },
  });
}

export type SessionStore = ReturnType<typeof createSessionStore>;
