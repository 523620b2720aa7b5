/** Rows of browser sessions: saved states, outcomes of actions, and recordings. */

/** The saved state of a browser session. The row's id is the room name of the session. */
export interface SessionStateRecord {
  readonly id: string;
  /**
   * Start time of the session. It distinguishes this session from an earlier session with the same room name.
   */
  readonly epoch: number;
  /** The part of the saved state that is not encrypted, as JSON of `OpenPart`. */
  readonly open: string;
  /** The complete saved state, as encrypted JSON of `SavedSession`. */
  readonly sealed: string;
  readonly at: number;
}

/**
 * The stored outcome of a session's action. The row's id consists of the session's room name and the id of the
 * command that requested the action.
 */
export interface ActionOutcomeRecord {
  readonly id: readonly [string, string];
  /** The outcome, as JSON of `ActionOutcome`. */
  readonly body: string;
  readonly at: number;
}

/** A recording of a session's actions. */
export interface RecordingRecord {
  readonly id: string;
  readonly room_name: string;
  readonly name: string;
  readonly started_at: number;
  /** Time at which the recording ended; absent while it is running. */
  readonly ended_at?: number;
}

/**
 * A recorded action. The row's id consists of the recording's id and the position of the action in the
 * recording.
 */
export interface RecordingStepRecord {
  readonly id: readonly [string, number];
  /** The recorded action, as JSON of `RecordedStep`. */
  readonly body: string;
  readonly at: number;
}
